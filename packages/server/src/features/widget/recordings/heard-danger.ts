import type { HeardDanger, HeardStretch, TranscriptItem } from '@casenote/contract'
import type { NoteChecker } from '../../../engines/checker/note-checker.js'
import { otherLanguage } from '../../../engines/reader/reading.js'
import { lengthOfSettled } from '../../../engines/speech/plan-chunks.js'
import type { Database } from '../../../kernel/db/database.js'
import type { SessionId } from '../../../kernel/ids.js'
import type { TenantKeyRing } from '../../../kernel/secrets/tenant-keys.js'
import { gatherSaid } from '../../danger/index.js'
import { findLive } from '../../live-transcripts/index.js'
import { readHeardChunks } from '../../transcripts/index.js'

/** A question before the stretch tells what an answer in it means. */
const contextSeconds = 60

/** The recorder's clock and the lines' times are a little apart. */
const marginSeconds = 2

/** What is still being said is heard again each four seconds (decision 0038): so much of the end may be missing. */
const unsureSeconds = 4

/** Ten minutes of chunks, and those around them. */
const chunksMost = 20

const nothing: HeardDanger = { danger: [], lookedTo: null }

/**
 * Looks in a recording that goes on for what plain words say about danger in a stretch, before it is struck (decision 0049). The reader is a process of a worker,
 * and would be asked behind whole sessions; the rules answer at once. Who said a line is not told apart yet.
 */
export async function lookForDanger(
  { db, checker }: { db: Database; checker: NoteChecker },
  ring: TenantKeyRing,
  { sessionId, language }: { sessionId: SessionId; language: string | null },
  { start, end }: HeardStretch,
): Promise<HeardDanger> {
  if (otherLanguage(language) !== null) return nothing
  const live = await findLive(db, ring, sessionId)
  const heardSeconds = (live?.heardMs ?? 0) / 1_000
  if (live === null || heardSeconds <= start) return nothing
  const from = findChunk(start - contextSeconds)
  const chunks = await readHeardChunks(db, ring, { sessionId, from, most: chunksMost })
  const settled = chunks.flat()
  const settledTo = Math.max(...settled.map(({ startSeconds }) => startSeconds), -1)
  const transcript = [...settled, ...live.draft.filter(({ startSeconds }) => startSeconds > settledTo)]
    .filter(({ startSeconds }) => startSeconds < end + marginSeconds)
    .toSorted((one, other) => one.startSeconds - other.startSeconds)
    .map(toItem)
  const found = await checker.findPlainDanger({ transcript }, ring.tenantId)
  if (found === null) return nothing
  const inStretch = found.filter(({ items }) =>
    items.some((item) => (transcript[item]?.endTime ?? 0) > start - marginSeconds),
  )
  return {
    danger: gatherSaid(inStretch, () => true).map(({ label, words, transcriptItems }) => ({
      label,
      words,
      startTime: transcript[transcriptItems[0] ?? 0]?.startTime ?? start,
    })),
    lookedTo: Math.max(0, heardSeconds - unsureSeconds),
  }
}

const toItem = (line: { startSeconds: number; endSeconds: number; text: string }): TranscriptItem => ({
  startTime: Math.floor(line.startSeconds * 100) / 100,
  endTime: line.endSeconds,
  speaker: 'speaker_1',
  transcript: line.text,
})

/** The one in which it lies, or one before. */
function findChunk(seconds: number): number {
  let chunk = 0
  for (let to = lengthOfSettled(0); to <= seconds; to += lengthOfSettled(chunk)) chunk += 1
  return chunk
}
