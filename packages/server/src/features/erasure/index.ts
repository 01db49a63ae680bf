export {
  countLeasedErasures,
  findErasureAnywhere,
  findNoteAnywhere,
  insertErasure,
  listEndedErasures,
  listErasures,
  listHolds,
  listUnfinishedErasures,
  selectErasure,
  selectSubject,
  takeOverErasure,
} from './erasure.sql.js'
export { registerErasures, type ErasuresParts } from './erasures.routes.js'
export { forgetWithdrawn } from './forget-withdrawn.js'
export { liftLegalHold, placeLegalHold } from './legal-holds.js'
export { isReceiptGenuine, readReceiptKey, type Receipt } from './receipt.js'
export { expireOld, keptForGood, setRetention } from './retention.js'
export { makePurgeBesideHolds } from './purge-beside-holds.js'
export { purgeEventsBesideHolds, purgeOldEvents, selectRetention, type Retention } from './retention.sql.js'
export { ErasureDenied, requestErasure } from './request-erasure.js'
export { whileLeased } from './lease-erasure.js'
export { ErasureTurnOver, runErasure, type ErasureParts } from './run-erasure.js'
