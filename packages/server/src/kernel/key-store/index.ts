export { establishClientKeys, openClientKeys, readClientKeys } from './open-client-keys.js'
