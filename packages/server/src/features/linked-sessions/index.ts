export { registerLinkedSessions } from './linked-sessions.routes.js'
export { moveLink, selectLinksOfRecording } from './linked-sessions.sql.js'
