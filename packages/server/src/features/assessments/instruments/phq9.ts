import { scored, type Instrument } from './instrument.js'
import { functionQuestion, phqLeadIn, phqOptions, phqRights } from './phq.js'

export const phq9Texts = [
  'Little interest or pleasure in doing things',
  'Feeling down, depressed, or hopeless',
  'Trouble falling or staying asleep, or sleeping too much',
  'Feeling tired or having little energy',
  'Poor appetite or overeating',
  'Feeling bad about yourself - or that you are a failure or have let yourself or your family down',
  'Trouble concentrating on things, such as reading the newspaper or watching television',
  'Moving or speaking so slowly that other people could have noticed? Or the opposite - being so fidgety or restless ' +
    'that you have been moving around a lot more than usual',
  'Thoughts that you would be better off dead or of hurting yourself in some way',
] as const

export const phq9: Instrument = {
  id: 'phq9',
  version: '2026-11-15',
  name: 'PHQ-9',
  description: 'Patient Health Questionnaire, 9 items: severity of depression',
  recall: 'last 2 weeks',
  leadIn: phqLeadIn,
  questions: [...scored('phq9', phq9Texts, phqOptions), functionQuestion('phq9')],
  rights: phqRights,
}
