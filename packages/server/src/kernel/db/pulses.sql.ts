import type { Statement } from './database.js'

export const keepPulse = (processId: string, role: string): Statement => ({
  name: 'keep_pulse',
  text: 'select casenote.keep_pulse($1, $2)',
  values: [processId, role],
})

/** For the owner: the processes that have told of themselves within the last minute. */
export const selectPulses = (): Statement => ({
  text: `select role, beaten_at as "seenAt" from casenote.pulses
    where beaten_at > now() - interval '1 minute' order by role, beaten_at desc limit 1000`,
  values: [],
})

export const describeDatabase = (): Statement => ({
  text: `select current_setting('server_version') as version, pg_database_size(current_database()) as "sizeBytes"`,
  values: [],
})
