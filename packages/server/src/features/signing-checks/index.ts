export { isBlocking, readCheckModes, type SigningSurface } from './check-modes.js'
export { checkNote, listBlocking, requirePassed } from './check-note.js'
export { selectCheckModes } from './signing-checks.sql.js'
