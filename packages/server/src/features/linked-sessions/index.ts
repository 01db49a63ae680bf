export { registerLinkedSessions } from './linked-sessions.routes.js'
