import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The server is on this machine: what does not answer in five seconds is stuck. */
const connectLimitMs = 5000
const queryLimitMs = 30_000
const goodbyeLimitMs = 1000

export async function withConnection<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectLimitMs,
    query_timeout: queryLimitMs,
    // PGSSLMODE in the environment is meant for another server.
    ssl: false,
  })
  // The query in hand rejects; without a listener the same loss would also end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await act(client)
  } finally {
    // A stuck server never says goodbye.
    await Promise.race([
      client.end().catch(() => undefined),
      sleep(goodbyeLimitMs, undefined, { ref: false }),
    ])
  }
}

type ProbeResult =
  | { state: 'ready'; dataDirectory: string; versionNum: number }
  /** Starting, recovering or shutting down. */
  | { state: 'busy' }
  | { state: 'refused' }
  | { state: 'absent' }

export async function probeServer(superuserUrl: string): Promise<ProbeResult> {
  try {
    return await withConnection(superuserUrl, async (client) => {
      const { rows } = await client.query<{ data_directory: string; version_num: number }>(
        `select current_setting('data_directory') as data_directory,
                current_setting('server_version_num')::int as version_num`,
      )
      const row = rows[0]
      if (!row) return { state: 'absent' }
      return { state: 'ready', dataDirectory: row.data_directory, versionNum: row.version_num }
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    // 57P03 cannot_connect_now, 57P01 and 57P02 for a server that goes down while it is asked, 53300 too many
    // connections.
    if (['57P03', '57P01', '57P02', '53300'].includes(code)) return { state: 'busy' }
    if (['28P01', '28000'].includes(code)) return { state: 'refused' }
    return { state: 'absent' }
  }
}
