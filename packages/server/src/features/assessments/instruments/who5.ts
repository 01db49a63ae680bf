import { scored, unworded, type Instrument } from './instrument.js'

export const who5: Instrument = {
  id: 'who5',
  version: '2026-11-15',
  name: 'WHO-5',
  description: 'Well-Being Index, 5 items: higher is better',
  recall: 'last 2 weeks',
  leadIn: null,
  // The form shows its options from the highest down.
  questions: scored(
    'who5',
    ['cheerful', 'calm', 'active', 'rested', 'interested'],
    unworded(5, 4, 3, 2, 1, 0),
  ),
  rights: {
    terms: 'CC BY-NC-SA 3.0 IGO: commercial use needs permission',
    source: 'World Health Organization, 2024',
    mayShowText: false,
  },
}
