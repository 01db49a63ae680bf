export { forgetPad, keepPad, movePad } from './keep-pad.js'
export { readPad } from './read-pad.js'
