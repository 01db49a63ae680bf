import type { Statement } from './db/database.js'

export const selectDirectoryVersion = (): Statement => ({
  name: 'select_directory_version',
  text: 'select version from casenote.directory_version',
  values: [],
})
