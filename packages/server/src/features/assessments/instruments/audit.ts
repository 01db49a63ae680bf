import { scored, unworded, type Instrument } from './instrument.js'

const labels = [
  'frequency',
  'quantity',
  'heavy occasions',
  'loss of control',
  'failed expectations',
  'morning drink',
  'guilt',
  'memory loss',
  'injury',
  "others' concern",
]

export const audit: Instrument = {
  id: 'audit',
  version: '2026-11-15',
  name: 'AUDIT',
  description: 'Alcohol Use Disorders Identification Test, 10 items',
  recall: 'past year; the last two: ever and last year',
  leadIn: null,
  // The last two have no values between: never, not in the last year, in the last year.
  questions: scored('audit', labels, unworded(0, 1, 2, 3, 4)).map((question, index) =>
    index < 8 ? question : { ...question, options: unworded(0, 2, 4) },
  ),
  rights: {
    terms: 'May be reproduced, but not for sale or for commercial purposes: needs permission',
    source: 'World Health Organization',
    mayShowText: false,
  },
}
