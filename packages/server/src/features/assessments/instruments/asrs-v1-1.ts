import { scored, unworded, type Instrument } from './instrument.js'

const partA = ['finishing details', 'organizing', 'appointments', 'delaying start', 'fidgeting', 'driven']
/** Their subjects are not verified, so they have numbers only. */
const partB = Array.from({ length: 12 }, (_, index) => `part B, item ${index + 7}`)

const questions = scored('asrs_v1_1', [...partA, ...partB], unworded(0, 1, 2, 3, 4))

export const asrsV11: Instrument = {
  id: 'asrs_v1_1',
  version: '2026-11-15',
  name: 'ASRS v1.1',
  description: 'Adult ADHD Self-Report Scale, 6 screening items and 12 more',
  recall: 'last 6 months',
  leadIn: null,
  // Part B informs; the screen counts part A only.
  questions: questions.map((question, index) => ({ ...question, isScored: index < partA.length })),
  rights: {
    terms:
      'Sources disagree on whether permission is needed even for free distribution: treated as restricted',
    source: 'World Health Organization',
    mayShowText: false,
  },
}
