import type { TranscriptItem } from '@casenote/contract'
import { assessRisk } from './assess-risk.js'
import { collectStatements } from './collect-statements.js'
import { makeNameHider } from './hide-names.js'
import { readSession } from './read-session.js'
import type { Statement } from './statement.js'

/** Everything of a session that could stand in a note, in the order in which it was said; risk among it. */
export function listStatements(transcript: readonly TranscriptItem[]): Statement[] {
  const session = readSession(transcript)
  const names = makeNameHider(transcript.map((item) => item.transcript))
  const risk = assessRisk(session, names)
  return [...risk.statements, ...collectStatements(session, risk, names)].toSorted(
    (a, b) => a.order - b.order,
  )
}
