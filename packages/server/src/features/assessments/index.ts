export { administerAssessments, refuseOutstanding } from './administer-assessments.js'
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
  type Catalogue,
  type GivenAnswer,
  type Instrument,
  type Instruments,
  type Question,
} from './instruments/index.js'
export { dropClosedAnswers, nextQuestions } from './scoring/next-questions.js'
export { needsCrisisHelp, raiseFlags, scoreAnswers } from './scoring/score-answers.js'
export { findScore, listScores } from './read-scores.js'
export { selectScoreOfAssignment } from './assessments.sql.js'
export { findAssignment, reissueLink, revokeLink } from './change-assignment.js'
export { listOffered } from './list-assessments.js'
export { describeScore } from './describe-score.js'
export { readAnswers } from './read-answers.js'
export { setDefaults } from './set-defaults.js'
export { listAssignments, listOutstanding } from './list-assignments.js'
export { readTrends } from './read-trends.js'
export { describeTrend, type TrendScore } from './scoring/describe-trend.js'
