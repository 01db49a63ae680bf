import { scored, type Instrument } from './instrument.js'
import { functionQuestion, phqLeadIn, phqOptions, phqRights } from './phq.js'

export const gad7Texts = [
  'Feeling nervous, anxious or on edge',
  'Not being able to stop or control worrying',
  'Worrying too much about different things',
  'Trouble relaxing',
  'Being so restless that it is hard to sit still',
  'Becoming easily annoyed or irritable',
  'Feeling afraid as if something awful might happen',
] as const

export const gad7: Instrument = {
  id: 'gad7',
  version: '2026-11-15',
  name: 'GAD-7',
  description: 'Generalized Anxiety Disorder, 7 items: severity of anxiety',
  recall: 'last 2 weeks',
  leadIn: phqLeadIn,
  questions: [...scored('gad7', gad7Texts, phqOptions), functionQuestion('gad7')],
  rights: phqRights,
}
