export { registerLinkedSessions } from './linked-sessions.routes.js'
export { selectLinksOfRecording } from './linked-sessions.sql.js'
