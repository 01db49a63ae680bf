export { digestKey, fingerprintOf, isFitKey, keyProblem } from './idempotency-key.js'
export { KeptAnswers, type AnswerOfClient } from './kept-answers.js'
export { purgeOldAnswers } from './purge-old-answers.js'
