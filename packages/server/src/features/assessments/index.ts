export type { AssessmentsParts } from './assessments-parts.js'
export { registerAssessments } from './assessments.routes.js'
export { completeAssessments, type AnsweredAssessment } from './complete-assessments.js'
export {
  addInstrument,
  checkInstrumentFile,
  InstrumentProblem,
  makeBuiltInCatalogue,
  makeInstruments,
  readInstruments,
  removeInstrument,
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
export { listOutstanding, type OutstandingAssessment } from './list-assignments.js'
export { readTrend, readTrends } from './read-trends.js'
export { describeTrend, type Trend, type TrendScore } from './scoring/describe-trend.js'
