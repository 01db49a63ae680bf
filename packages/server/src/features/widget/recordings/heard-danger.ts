import type { HeardDanger, HeardStretch, TranscriptItem } from '@casenote/contract'
import type { NoteChecker } from '../../../engines/checker/note-checker.js'
import { otherLanguage, type Finding } from '../../../engines/reader/reading.js'
import { lengthOfSettled } from '../../../engines/speech/plan-chunks.js'
import type { Database } from '../../../kernel/db/database.js'
import type { SessionId } from '../../../kernel/ids.js'
import type { TenantKeyRing } from '../../../kernel/secrets/tenant-keys.js'
import { gatherSaid } from '../../danger/index.js'
import { findLive } from '../../live-transcripts/index.js'
import { readHeardChunks } from '../../transcripts/index.js'
import { makeIsRead, type HeardReader } from './heard-reader.js'

/** A question before the stretch tells what an answer in it means. */
const contextSeconds = 60

/** The recorder's clock and the lines' times are a little apart. */
const marginSeconds = 2

/** What is still being said is heard again each four seconds (decision 0038): so much of the end may be missing. */
const unsureSeconds = 4

/** Ten minutes of chunks, and those around them. */
const chunksMost = 20

const nothing: HeardDanger = { danger: [], lookedTo: null, readTo: null }

export interface LookParts {
  db: Database
  checker: NoteChecker
  heardReader: HeardReader
}

/**
 * Looks in a recording that goes on for what is said about danger in a stretch, before it is struck (decision 0049): by plain words, whose rules answer at once,
 * and by a reader of this process, who may need longer than anybody waits here. Who said a line is not told apart yet.
 */
export async function lookForDanger(
  { db, checker, heardReader }: LookParts,
  ring: TenantKeyRing,
  { sessionId, language }: { sessionId: SessionId; language: string | null },
  { start, end }: HeardStretch,
): Promise<HeardDanger> {
  if (otherLanguage(language) !== null) return nothing
  const live = await findLive(db, ring, sessionId)
  const heardSeconds = (live?.heardMs ?? 0) / 1_000
  if (live === null || heardSeconds <= start) return nothing
  const transcript = await readLines(db, ring, { sessionId, draft: live.draft, start, end })
  const [plain, read] = await Promise.all([
    checker.findPlainDanger({ transcript }, ring.tenantId),
    heardReader.read(sessionId, transcript, ring.tenantId),
  ])
  const isStruck = ({ endTime }: TranscriptItem): boolean => endTime > start - marginSeconds
  const isRead = makeIsRead(read)
  const heardTo = Math.max(0, heardSeconds - unsureSeconds)
  const unread = transcript.find((line) => isStruck(line) && !isRead(line))
  const readTo = read === null ? null : Math.min(heardTo, unread?.startTime ?? heardTo)
  const isThere = makeIsRead({ lines: transcript, findings: [] })
  return {
    danger: nameOnce([
      ...nameIn(read?.lines ?? [], read?.findings ?? [], { isStruck, isThere }),
      ...nameIn(transcript, plain ?? [], { isStruck, isThere }),
    ]),
    lookedTo: plain === null ? readTo : heardTo,
    readTo,
  }
}

async function readLines(
  db: Database,
  ring: TenantKeyRing,
  { sessionId, draft, start, end }: HeardStretch & { sessionId: SessionId; draft: readonly HeardLine[] },
): Promise<TranscriptItem[]> {
  const from = findChunk(start - contextSeconds)
  const settled = (await readHeardChunks(db, ring, { sessionId, from, most: chunksMost })).flat()
  const settledTo = Math.max(...settled.map(({ startSeconds }) => startSeconds), -1)
  return [...settled, ...draft.filter(({ startSeconds }) => startSeconds > settledTo)]
    .filter(({ startSeconds }) => startSeconds < end + marginSeconds)
    .toSorted((one, other) => one.startSeconds - other.startSeconds)
    .map(toItem)
}

const nameIn = (
  lines: readonly TranscriptItem[],
  findings: readonly Finding[],
  { isStruck, isThere }: Record<'isStruck' | 'isThere', (line: TranscriptItem) => boolean>,
): HeardDanger['danger'] => {
  const asked = findings.filter(({ items }) => {
    const found = items.flatMap((item) => lines[item] ?? [])
    return found.every(isThere) && found.some(isStruck)
  })
  return gatherSaid(asked, () => true).map(({ label, words, transcriptItems }) => ({
    label,
    words,
    startTime: lines[transcriptItems[0] ?? 0]?.startTime ?? 0,
  }))
}

/** What the reader found comes first: plain words say less of the same. */
const nameOnce = (danger: HeardDanger['danger']): HeardDanger['danger'] => {
  const named = new Map<string, HeardDanger['danger'][number]>()
  for (const one of danger) {
    const key = `${one.startTime} ${one.words}`
    if (!named.has(key)) named.set(key, one)
  }
  return [...named.values()].toSorted((one, other) => one.startTime - other.startTime)
}

interface HeardLine {
  startSeconds: number
  endSeconds: number
  text: string
}

const toItem = (line: HeardLine): TranscriptItem => ({
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
