import { scored, unworded, type Instrument } from './instrument.js'

const labels = [
  'tired',
  'nervous',
  'calm-down-not-possible',
  'hopeless',
  'restless',
  'cannot-sit-still',
  'depressed',
  'effort',
  'sad',
  'worthless',
]

export const k10: Instrument = {
  id: 'k10',
  version: '2026-11-15',
  name: 'K10',
  description: 'Kessler Psychological Distress Scale, 10 items',
  recall: 'last 4 weeks',
  leadIn: null,
  questions: scored('k10', labels, unworded(1, 2, 3, 4, 5)),
  rights: {
    terms: 'Said to be free with copyright and citation, not confirmed by its owner: needs permission',
    source: 'R. C. Kessler',
    mayShowText: false,
  },
}
