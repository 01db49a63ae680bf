import type { StretchToStrike, StruckStretch } from '@casenote/contract'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { lockEndedSession, selectRetryOf, type EndedSessionRow } from '../sessions/index.js'
import { applyStrike, type Striker } from './apply-strike.js'
import { denyOwn } from './deny-strike.js'
import { planLinked } from './plan-linked.js'
import { planStrike, type LaterTry, type StrikePlan } from './plan-strike.js'
import { selectHasNoWords } from './strikes.sql.js'

/**
 * Takes a stretch out of a session whose note is not signed, and out of what was made of it for others who are heard: the words, and whatever may
 * rest on them, in this transaction; the recording is nobody's from here on, until it is cut. The gap stays, with who made it. The note is written
 * anew from what is left.
 */
export async function strikeStretch(
  tx: Tx,
  context: ChangeContext,
  { sessionId, by }: { sessionId: SessionId; by: Striker },
  asked: StretchToStrike,
): Promise<StruckStretch> {
  requireStretch(asked)
  const session = await lockStrikable(tx, sessionId)
  const later = await lockLaterTries(tx, sessionId)
  const shared = await planStrike(tx, context, { sessionId, session, later, deny: denyOwn }, asked)
  const plans = [shared, ...(await planLinked(tx, context, { shared, by }, asked))]
  const told = describe(shared, plans)
  if (asked.preview === true) {
    const { actor, requestId } = context
    for (const plan of plans) {
      const subjects = [plan.sessionId, plan.clientId]
      await recordChange(tx, { operation: 'session.previewStrike', actor, requestId, subjects })
    }
    return { ...told, isStruck: false }
  }
  for (const { cut, deny } of plans) if (cut.kept.length === 0) throw deny('nothing_left')
  if (told.danger.length > 0 && asked.dangerSeen !== true)
    throw refuse.conflict('danger_not_seen', 'Danger was said in the stretch: it is read before it goes')
  for (const plan of plans) await applyStrike(tx, context, plan, by)
  tx.announce('casenote_sessions')
  // The preview has told it: an answer is kept for a day, for whoever repeats the call.
  return { ...told, danger: [], isStruck: true }
}

function requireStretch({ start, end }: StretchToStrike): void {
  if (end <= start) throw refuse.invalid(['end must be greater than start'])
}

/** One that failed may have a transcript, too (decision 0052); nothing is written of it any more. */
async function lockStrikable(tx: Tx, sessionId: SessionId): Promise<EndedSessionRow> {
  const [session] = await tx.run(lockEndedSession(tx.tenant, sessionId))
  if (session?.status !== 'completed' && session?.status !== 'failed') throw denyOwn('generating')
  return session
}

/** Those that it was tried again as, oldest first: where none of them has its words, or is about to, they are struck here. The last one has the recording. */
async function lockLaterTries(tx: Tx, sessionId: SessionId): Promise<LaterTry[]> {
  const later: LaterTry[] = []
  for (let of = sessionId; ;) {
    const [again] = await tx.run(selectRetryOf(tx.tenant, of))
    if (again === undefined) return later
    of = again.sessionId
    const [session] = await tx.run(lockEndedSession(tx.tenant, of))
    const [found] = await tx.run(selectHasNoWords(tx.tenant, of))
    if (session === undefined || found?.hasNoWords !== true)
      throw refuse.conflict('session_retried', 'The session was tried again: strike in the newer one')
    later.push({ sessionId: of, session })
  }
}

/** What the lines of a linked session say about danger is said in the shared ones, and found there or not: the same is told once. */
function describe(shared: StrikePlan, plans: readonly StrikePlan[]): Omit<StruckStretch, 'isStruck'> {
  const { start, end, struck } = shared.cut
  const danger = listDanger(shared)
  for (const one of plans.filter((plan) => plan !== shared).flatMap(listDanger))
    if (!danger.some(({ words, startTime }) => words === one.words && startTime === one.startTime))
      danger.push(one)
  return {
    sessionId: shared.sessionId,
    start,
    end,
    lines: struck.length,
    linkedSessions: plans.length - 1,
    danger,
  }
}

const listDanger = ({ items, cut, named }: StrikePlan): StruckStretch['danger'] =>
  named.map(({ label, words, transcriptItems }) => ({
    label,
    words,
    startTime: items[transcriptItems[0] ?? 0]?.startTime ?? cut.start,
  }))
