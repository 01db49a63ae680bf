import type { Statement } from '../db/database.js'
import type { InstallationId, MasterKeyId } from '../ids.js'

export const selectInstallation = (): Statement<{
  masterKeyId: MasterKeyId
  installationId: InstallationId
}> => ({
  text: 'select master_key_id as "masterKeyId", installation_id as "installationId" from casenote.installation',
  values: [],
})

/** Keeps the id of the installation's master key. Of two first starts at once one wins; the other finds the winner's key id. */
export const insertInstallation = (masterKeyId: MasterKeyId): Statement => ({
  text: 'insert into casenote.installation (master_key_id) values ($1) on conflict do nothing',
  values: [masterKeyId],
})

export const updateInstallation = (masterKeyId: MasterKeyId): Statement => ({
  text: 'update casenote.installation set master_key_id = $1',
  values: [masterKeyId],
})

export const listMasterKeyIds = (): Statement<{ id: MasterKeyId }> => ({
  text: 'select casenote.list_master_key_ids() as id',
  values: [],
})
