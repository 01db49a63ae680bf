export { registerClinicianAccess } from './access/access.routes.js'
export {
  deactivateClinician,
  endEveryWidgetSession,
  endWidgetSessions,
  reactivateClinician,
} from './access/change-access.js'
export { abandonRecordings } from './recordings/end-recording.js'
export { makeKeepAcknowledged } from './recordings/keep-acknowledged.js'
export {
  listRecordingsOfMovedClocks,
  selectUploadsOfSession,
  type UploadRow,
} from './recordings/uploads.sql.js'
export type { CorrectionParts } from './sessions/correct-client.routes.js'
export { registerSessionRetry, retryFailedSession } from './sessions/partner-retry.routes.js'
export { retryPartsOf } from './sessions/retry-parts.js'
export { makeCodeHandlers } from './sign-in/send-code.js'
export { purgeSignIns } from './sign-in/sign-in.sql.js'
export { findSignedInClinician, mayGoOn } from './tokens/signed-in-clinician.js'
export { selectLetIn } from './tokens/widget-sessions.sql.js'
export type { TokenParts } from './tokens/token-parts.js'
export { registerClinicianTokens } from './tokens/tokens.routes.js'
export { purgeWidgetSessions } from './tokens/widget-sessions.sql.js'
export { mountWidgetPages, registerWidget } from './widget.routes.js'
