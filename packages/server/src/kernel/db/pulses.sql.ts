import type { Statement } from './database.js'

interface Beat {
  processId: string
  role: string
  version: string
  /** How late its event loop was at most, since the last beat. */
  lagMs: number
}

export const tellPulse = ({ processId, role, version, lagMs }: Beat): Statement => ({
  name: 'tell_pulse',
  text: 'select casenote.tell_pulse($1, $2, $3, $4)',
  values: [processId, role, version, lagMs],
})

export const endPulse = (processId: string): Statement => ({
  text: 'select casenote.end_pulse($1)',
  values: [processId],
})

export interface PulseRow {
  role: string
  /** Null, as the lag: a process of before it was told. */
  version: string | null
  lagMs: number | null
  seenAt: Date
  silentMs: number
}

/** For the owner: the processes that told of themselves within an hour and did not say that they end. */
export const selectPulses = (): Statement<PulseRow> => ({
  text: `select role, version, lag_ms as "lagMs", beaten_at as "seenAt",
      greatest(0, extract(epoch from clock_timestamp() - beaten_at) * 1000)::float8 as "silentMs"
    from casenote.pulses where beaten_at > now() - interval '1 hour' order by role, beaten_at desc limit 1000`,
  values: [],
})

export const describeDatabase = (): Statement<{ version: string; sizeBytes: number }> => ({
  text: `select current_setting('server_version') as version, pg_database_size(current_database()) as "sizeBytes"`,
  values: [],
})
