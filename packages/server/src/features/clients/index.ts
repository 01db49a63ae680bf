export { createClient } from './create-client.js'
