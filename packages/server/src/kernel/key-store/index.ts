export { ClientKeys } from './client-keys.js'
export { keyStoreFile } from './folder-key-store.js'
export type { KeyStoreSetting } from './key-store.js'
export { establishClientKeys, findKeyStoreId, openClientKeys, readClientKeys } from './open-client-keys.js'
