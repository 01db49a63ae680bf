import type { Statement } from './database.js'

export const keepPulse = (processId: string, role: string): Statement => ({
  name: 'keep_pulse',
  text: 'select casenote.keep_pulse($1, $2)',
  values: [processId, role],
})
