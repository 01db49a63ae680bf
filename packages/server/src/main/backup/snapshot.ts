import pg from 'pg'
import { answerInTime, connectionLimits, endInTime } from '../../kernel/db/connection-limits.js'
import { connectionOf } from '../../kernel/db/connection-tls.js'
import type { Statement } from '../../kernel/db/database.js'
import { liftTimeouts } from './backup.sql.js'

/** A page of a list, or a checkpoint of a busy server: minutes mean that it is stuck. */
const answerWithinMs = 600_000

export interface OpenConnection {
  ask: <Row>(statement: Statement<Row>) => Promise<Row[]>
}

/**
 * One connection for as long as `work` takes: backup mode and snapshots end with theirs. No time-out of the server's applies,
 * since copying takes as long as it takes.
 */
export async function withOpenConnection<T>(
  url: string,
  work: (connection: OpenConnection) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    ...connectionOf(url),
    application_name: 'casenote backup',
    ...connectionLimits,
  })
  // The question in hand fails; without a listener the same loss would also end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await answerInTime(client, () => client.query(liftTimeouts()), answerWithinMs)
    return await work({
      ask: async <Row>(statement: Statement<Row>): Promise<Row[]> =>
        (await answerInTime(client, () => client.query(statement as Statement), answerWithinMs)).rows,
    })
  } finally {
    await endInTime(
      () => [client],
      () => client.end(),
    )
  }
}
