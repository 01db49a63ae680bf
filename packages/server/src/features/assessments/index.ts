export { registerAssessments, type AssessmentsParts } from './assessments.routes.js'
export { completeAssessments, type AnsweredAssessment } from './complete-assessments.js'
export {
  makeBuiltInCatalogue,
  makeInstruments,
  readInstruments,
  type AnswerOption,
  type Catalogue,
  type GivenAnswer,
  type Instrument,
  type Instruments,
  type Question,
} from './instruments/index.js'
export { dropClosedAnswers, nextQuestions } from './scoring/next-questions.js'
export { needsCrisisHelp, raiseFlags, scoreAnswers, type ScoredAnswers } from './scoring/score-answers.js'
export { setDefaults } from './set-defaults.js'
