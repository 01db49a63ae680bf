export { applyClientAction } from './apply-client-action.js'
export { lockClientStatus, selectTreats, type ClientRow } from './clients.sql.js'
export { createClient } from './create-client.js'
export { findClient } from './find-client.js'
