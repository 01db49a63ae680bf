import type { StretchToStrike, StruckStretch, TranscriptItem } from '@casenote/contract'
import type { JobKind } from '../../jobs/jobs.sql.js'
import { endJobsOf, enqueueJob, tryLockWaitingJobs, isJobDue } from '../../jobs/enqueue-job.js'
import { recordChange } from '../../kernel/audit/index.js'
import { intendDeletion } from '../../kernel/blobs/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type BlobId, type SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { listSaidDanger, moveSaidDanger, type SaidDanger } from '../danger/index.js'
import { deleteMdm } from '../mdm/index.js'
import {
  findLockedNoteOfSession,
  isAwaiting,
  isLoading,
  writeWithoutStruck,
} from '../progress-notes/index.js'
import {
  findStruckBlob,
  insertGap,
  noPlace,
  selectIsHeld,
  selectSegmentBlobs,
  selectUncut,
  type UncutRow,
} from '../session-gaps/index.js'
import {
  endExports,
  getSession,
  lockEndedSession,
  updateAudio,
  type EndedSessionRow,
} from '../sessions/index.js'
import { deleteSummary } from '../summaries/index.js'
import { dropLines, findLockedItems } from '../transcripts/index.js'
import { cutStretch, makeLineOf, type Cut } from './cut-stretch.js'
import { strikeRows, type StrikeDenial } from './strikes.sql.js'

/** What reads the transcript, and keeps something of it. */
const readers: readonly JobKind[] = ['read_transcript', 'derive_mdm', 'summarize']

export interface Striker {
  kind: 'clinician' | 'partner'
  id: string
}

/**
 * Takes a stretch out of a session whose note is not signed: the words, and whatever may rest on them, in this transaction; the recording is
 * nobody's from here on, until it is cut. The gap stays, with who made it. The note is written anew from what is left.
 */
export async function strikeStretch(
  tx: Tx,
  context: ChangeContext,
  { sessionId, by }: { sessionId: SessionId; by: Striker },
  asked: StretchToStrike,
): Promise<StruckStretch> {
  requireStretch(asked)
  const { ring, actor, requestId } = context
  const held = await hold(tx, sessionId)
  const session = await getSession(tx, sessionId)
  const { clientId } = session
  const note = await findLockedNoteOfSession(tx, sessionId)
  if (note !== null && (note.status === 'finalized' || isAwaiting(note))) throw deny('signed')
  if (note !== null && isLoading(note)) throw deny('generating')
  const [hold_] = await tx.run<{ isHeld: boolean }>(selectIsHeld(tx.tenant, clientId))
  if (hold_?.isHeld === true) throw deny('legal_hold')
  // It may find danger in what was put right, which is to be named first.
  if (await isJobDue(tx, sessionId, 'read_transcript')) throw deny('generating')
  const items = await findLockedItems(tx, ring, sessionId)
  if (items === null) throw refuse.conflict('transcript_missing', 'Transcript has not been generated')
  if (items.some(({ source }) => source === 'typed'))
    throw refuse.conflict('transcript_typed', 'The transcript was typed: nobody was recorded')
  const cut = cutStretch(items, asked)
  const said = await listSaidDanger(tx, ring, sessionId)
  const gone = said.filter(({ content }) => content.transcriptItems.some((line) => cut.struck.includes(line)))
  const told = describe(sessionId, items, cut, gone)
  if (asked.preview === true) {
    const subjects = [sessionId, clientId]
    await recordChange(tx, { operation: 'session.previewStrike', actor, requestId, subjects })
    return { ...told, isStruck: false }
  }
  if (cut.kept.length === 0)
    throw refuse.conflict('nothing_left', 'Nothing of the transcript would be left: have the session erased')
  if (gone.length > 0 && asked.dangerSeen !== true)
    throw refuse.conflict('danger_not_seen', 'Danger was said in the stretch: it is read before it goes')
  if (!(await tryLockWaitingJobs(tx, sessionId, readers))) throw deny('generating')
  await endJobsOf(tx, [sessionId])
  const gapId = await keepGap(tx, context, { sessionId, by, cut, held })
  const dangerIds = gone.map(({ itemId }) => itemId)
  const [denied] = await tx.run<{ denial: StrikeDenial | null }>(
    strikeRows(tx.tenant, { sessionId, gapId, lines: cut.struck, dangerIds }),
  )
  if (denied === undefined || denied.denial !== null) throw deny(denied?.denial ?? 'generating')
  await dropLines(tx, ring.forClient(clientId), {
    sessionId,
    kept: cut.kept.flatMap((line) => items[line] ?? []),
  })
  const lineOf = makeLineOf(cut)
  for (const one of said)
    if (!gone.includes(one)) await moveSaidDanger(tx, ring.forClient(clientId), one, lineOf)
  await tx.run(deleteMdm(tx.tenant, sessionId))
  await tx.run(deleteSummary(tx.tenant, sessionId))
  if (note !== null) await writeWithoutStruck(tx, context, note)
  const [ended] = await tx.run<{ blobIds: BlobId[] }>(endExports(tx.tenant, clientId))
  tx.announce('casenote_sessions')
  const noteIds = note === null ? [] : [note.progressNoteId]
  const subjects = [sessionId, clientId, gapId, ...noteIds, ...dangerIds, ...(ended?.blobIds ?? [])]
  await recordChange(tx, { operation: 'session.strike', actor, requestId, subjects })
  // The preview has told it: an answer is kept for a day, for whoever repeats the call.
  return { ...told, danger: [], isStruck: true }
}

function requireStretch({ start, end }: StretchToStrike): void {
  if (end <= start) throw refuse.invalid(['end must be greater than start'])
}

async function hold(tx: Tx, sessionId: SessionId): Promise<EndedSessionRow> {
  const [held] = await tx.run<EndedSessionRow & Record<string, unknown>>(
    lockEndedSession(tx.tenant, sessionId),
  )
  if (held?.status === 'completed') return held
  throw deny('generating')
}

function deny(denial: StrikeDenial): Error {
  if (denial === 'signed') return refuse.conflict('session_signed', 'The note of the session is signed')
  if (denial === 'legal_hold')
    return refuse.conflict('session_held', 'The client is under a legal hold: nothing is deleted')
  if (denial === 'danger_named')
    return refuse.conflict('danger_named', 'A signed note of another session names danger of the stretch')
  return refuse.conflictForNow('session_processing', 'The session is being processed')
}

/**
 * With the recording, which is the session's no more until its sound is cut. Segments that it was joined of go at once. Where it is gone
 * already there is nothing to cut.
 */
async function keepGap(
  tx: Tx,
  { nowMs }: ChangeContext,
  { sessionId, by, cut, held }: { sessionId: SessionId; by: Striker; cut: Cut; held: EndedSessionRow },
): Promise<string> {
  const uncut = await tx.run<UncutRow & Record<string, unknown>>(selectUncut(tx.tenant, sessionId))
  const blobId = held.hasAudio ? held.audioBlobId : findStruckBlob(uncut)
  const gapId = newId()
  const [startMs, endMs] = [Math.round(cut.start * 1_000), Math.round(cut.end * 1_000)]
  const [kept] = await tx.run(
    insertGap(tx.tenant, sessionId, {
      gapId,
      kind: 'struck',
      startMs,
      endMs,
      lastedMs: endMs - startMs,
      byKind: by.kind,
      byId: by.id,
      beganAt: new Date(nowMs),
      isCut: blobId === null,
      blobId,
      ...noPlace,
    }),
  )
  if (kept === undefined) throw refuse.conflict('gaps_full', 'The session was off the record too often')
  await tx.run(updateAudio(tx.tenant, sessionId, null))
  const segments = await tx.run<{ blobId: BlobId }>(selectSegmentBlobs(tx.tenant, sessionId))
  for (const segment of segments)
    if (segment.blobId !== blobId) await intendDeletion(tx, segment.blobId, 'requested')
  if (blobId !== null) await enqueueJob(tx, 'cut_audio', sessionId)
  return gapId
}

const describe = (
  sessionId: SessionId,
  items: readonly TranscriptItem[],
  { start, end, struck }: Cut,
  gone: readonly SaidDanger[],
): Omit<StruckStretch, 'isStruck'> => ({
  sessionId,
  start,
  end,
  lines: struck.length,
  danger: gone.map(({ content }) => ({
    label: content.label,
    words: content.words,
    startTime: items[content.transcriptItems[0] ?? 0]?.startTime ?? start,
  })),
})
