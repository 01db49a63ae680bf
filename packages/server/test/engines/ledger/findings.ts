import type {
  AllergyFinding,
  DangerFinding,
  DecisionFinding,
  MedicineFinding,
  ScoreFinding,
} from '../../../src/engines/reader/reading.js'

const found = { id: 'a', items: [0, 1], words: '' }

export const danger = (finding: Partial<DangerFinding> = {}): DangerFinding => ({
  ...found,
  kind: 'danger',
  matter: 'suicide',
  element: 'thoughts',
  standing: 'affirmed',
  time: 'present',
  whose: 'client',
  certainty: 'plain',
  foundBy: 'words',
  questionItem: null,
  ...finding,
})

export const medicine = (finding: Partial<MedicineFinding> = {}): MedicineFinding => ({
  ...found,
  kind: 'medicine',
  name: 'sertraline',
  said: 'Zoloft',
  dose: null,
  use: null,
  status: 'taken',
  whose: 'client',
  ...finding,
})

export const allergy = (finding: Partial<AllergyFinding> = {}): AllergyFinding => ({
  ...found,
  kind: 'allergy',
  substance: 'penicillin',
  reaction: 'hives',
  standing: 'affirmed',
  ...finding,
})

export const score = (finding: Partial<ScoreFinding> = {}): ScoreFinding => ({
  ...found,
  kind: 'score',
  name: 'PHQ-9',
  value: '14',
  ...finding,
})

export const decision = (finding: Partial<DecisionFinding> = {}): DecisionFinding => ({
  ...found,
  kind: 'decision',
  about: 'appointment',
  standing: 'agreed',
  ...finding,
})
