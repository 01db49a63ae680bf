import { gad7Texts } from './gad7.js'
import { scored, type Instrument } from './instrument.js'
import { phqLeadIn, phqOptions, phqRights } from './phq.js'

export const gad2: Instrument = {
  id: 'gad2',
  version: '2026-11-15',
  name: 'GAD-2',
  description: 'Generalized Anxiety Disorder, 2 items: screen for anxiety',
  recall: 'last 2 weeks',
  leadIn: phqLeadIn,
  questions: scored('gad2', gad7Texts.slice(0, 2), phqOptions),
  rights: phqRights,
}
