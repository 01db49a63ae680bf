export { registerAssessments } from './assessments.routes.js'
export { completeAssessments, type ScoredAssessment } from './complete-assessments.js'
export { setDefaults } from './set-defaults.js'
export { listOutstanding } from './list-outstanding.js'
