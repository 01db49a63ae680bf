import type { Statement } from '../db/database.js'

/** One who changes the store at a time, of all processes. */
export const lockKeyStore = (): Statement => ({
  text: `select pg_advisory_xact_lock(hashtextextended('casenote key store', 0))`,
  values: [],
})

export const selectKeyStoreId = (): Statement<{ keyStoreId: string | null }> => ({
  text: 'select key_store_id as "keyStoreId" from casenote.installation',
  values: [],
})

export const updateKeyStoreId = (keyStoreId: string): Statement => ({
  text: 'update casenote.installation set key_store_id = $1 where key_store_id is null',
  values: [keyStoreId],
})
