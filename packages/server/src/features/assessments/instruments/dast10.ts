import { scored, unworded, type Instrument } from './instrument.js'

const labels = [
  'non-medical use',
  'more than one drug',
  'able to stop (reversed)',
  'blackouts/flashbacks',
  'guilt',
  'family complaints',
  'neglect',
  'illegal acts',
  'withdrawal',
  'medical problems',
]

export const dast10: Instrument = {
  id: 'dast10',
  version: '2026-11-15',
  name: 'DAST-10',
  description: 'Drug Abuse Screening Test, 10 items; alcohol and tobacco excluded',
  recall: 'past 12 months',
  leadIn: null,
  questions: scored('dast10', labels, unworded(0, 1)),
  rights: {
    terms: 'Non-commercial use with credit only: needs permission',
    source: 'H. A. Skinner; Centre for Addiction and Mental Health',
    mayShowText: false,
  },
}
