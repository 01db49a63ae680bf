export { recordEvent } from './record-event.js'
