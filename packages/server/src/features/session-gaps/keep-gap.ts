import type { NewGap } from '@casenote/contract'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, ClinicianId, SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { forgetHeardFrom } from '../live-transcripts/index.js'
import { insertGap, noPlace, selectGap, selectLegalHold, type GapPlaceRow } from './session-gaps.sql.js'

/** Nothing of the client is deleted, and what is recorded already is of them. */
async function requireNoHold(tx: Tx, clientId: ClientId): Promise<void> {
  const [hold] = await tx.run(selectLegalHold(tx.tenant, clientId))
  if (hold?.isUnderHold === true)
    throw refuse.conflict('session_held', 'The client is under a legal hold: nothing is deleted')
}

const toMs = (seconds: number): number => Math.round(seconds * 1_000)

function toPlace({ from, to }: Pick<NewGap, 'from' | 'to'>): GapPlaceRow {
  if (from === undefined || to === undefined) return noPlace
  // Nothing was recorded there by that count: then the clock is believed, and rather too much goes.
  if (to.segment < from.segment || (to.segment === from.segment && to.seconds <= from.seconds)) return noPlace
  return {
    fromSegment: from.segment,
    fromMs: toMs(from.seconds),
    toSegment: to.segment,
    toMs: toMs(to.seconds),
  }
}

/** Its recorder counts by pieces of sound, and a decoder may give a little less. */
const spareMs = 1_000

/**
 * Before it nothing of the stretch was heard, in seconds of the whole recording. `start` is by the clock of a recorder that may have lost any amount of
 * sound before, and how long the segments before its own are is known when all is joined: all that is sure is how far into its own it lies.
 */
const beginsAfter = ({ fromMs }: GapPlaceRow, start: number): number =>
  fromMs === null ? start : Math.max(0, fromMs - spareMs) / 1_000

/**
 * Keeps a gap of a recording that goes on; its session is locked. A stretch that was recorded is struck back: what was heard of it goes at once, its sound when the
 * recording is complete, before it is heard as a whole. A repeated call changes nothing.
 */
export async function keepGap(
  tx: Tx,
  { actor, requestId }: ChangeContext,
  of: { sessionId: SessionId; clientId: ClientId; clinicianId: ClinicianId },
  { id, start, end, seconds, at, ...placed }: NewGap,
): Promise<void> {
  const { sessionId, clientId, clinicianId } = of
  if (end < start) throw refuse.invalid(['end must not be less than start'])
  const isStruck = end > start
  const place = isStruck ? toPlace(placed) : noPlace
  const [kept] = await tx.run(
    insertGap(tx.tenant, sessionId, {
      gapId: id,
      kind: isStruck ? 'struck' : 'off_record',
      startMs: toMs(start),
      endMs: toMs(end),
      lastedMs: toMs(seconds),
      byKind: 'clinician',
      byId: clinicianId,
      beganAt: new Date(at),
      isCut: !isStruck,
      blobId: null,
      ...place,
    }),
  )
  if (kept === undefined) {
    const [known] = await tx.run(selectGap(tx.tenant, sessionId, id))
    if (known === undefined) throw refuse.conflict('gaps_full', 'The session was off the record too often')
    return
  }
  if (isStruck) {
    await requireNoHold(tx, clientId)
    await forgetHeardFrom(tx, sessionId, beginsAfter(place, start))
  }
  const subjects = [sessionId, clientId, id]
  await recordChange(tx, { operation: 'session.keepGap', actor, requestId, subjects })
}
