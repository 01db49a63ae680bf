import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TranscriptItem } from '@casenote/contract'
import { assessRisk } from './risk/assess-risk.js'
import { collectStatements } from './collect-statements.js'
import { makeNameHider } from './talk/hide-names.js'
import { readSession } from './talk/read-session.js'
import type { Statement } from './statement/statement.js'

/**
 * Everything of a session that could stand in a note, in the order in which it was said; risk among it. Other work gets its
 * turn in between: two hours of talk take half a second.
 */
export async function listStatements(transcript: readonly TranscriptItem[]): Promise<Statement[]> {
  const session = readSession(transcript)
  await nextTurn()
  const names = makeNameHider(transcript.map((item) => item.transcript))
  const risk = assessRisk(session, names)
  await nextTurn()
  return [...risk.statements, ...collectStatements(session, risk, names)].toSorted(
    (a, b) => a.order - b.order,
  )
}
