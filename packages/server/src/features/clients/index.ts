export { toNamePatterns } from './client-filter.js'
export { applyClientAction } from './apply-client-action.js'
export { assignSecondaryClinicians } from './assign-secondary-clinicians.js'
export type { ClientAction } from './client-lifecycle.js'
export { registerClients, type ClientsParts } from './clients.routes.js'
export {
  lockClient,
  selectClient,
  selectTreats,
  tryShareClient,
  type ClientRow,
  type LockedClientRow,
} from './clients.sql.js'
export { createClient } from './create-client.js'
export { toClient } from './client-rules.js'
export { findClient, readClient } from './find-client.js'
export { findClientAnywhere } from './clients.sql.js'
export { listClients } from './list-clients.js'
export { listSecondaryClinicians } from './list-client-care.js'
export { selectStatusHistory } from './clients.sql.js'
export { hasGuardianRefused, recordingConsentDuring, recordingConsentOf } from './recording-consent.sql.js'
