import { scored, type Instrument } from './instrument.js'
import { phqLeadIn, phqOptions, phqRights } from './phq.js'
import { phq9Texts } from './phq9.js'

export const phq2: Instrument = {
  id: 'phq2',
  version: '2026-11-15',
  name: 'PHQ-2',
  description: 'Patient Health Questionnaire, 2 items: screen for depression',
  recall: 'last 2 weeks',
  leadIn: phqLeadIn,
  questions: scored('phq2', phq9Texts.slice(0, 2), phqOptions),
  rights: phqRights,
}
