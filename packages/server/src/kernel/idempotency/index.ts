export { digestKey, fingerprintOf, isFitKey, keyProblem } from './idempotency-key.js'
export { KeptAnswers, type AnswerOfClient } from './kept-answers.js'
export { purgeKeptAnswers } from './kept-answers.sql.js'
