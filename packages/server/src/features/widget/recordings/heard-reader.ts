import { setTimeout as delay } from 'node:timers/promises'
import type { TranscriptItem } from '@casenote/contract'
import type { Finding, Reader } from '../../../engines/reader/reading.js'
import type { SessionId } from '../../../kernel/ids.js'
import { tolerateFailure, type Log } from '../../../kernel/log.js'

export interface HeardReading {
  lines: readonly TranscriptItem[]
  findings: readonly Finding[]
}

/** The reader, asked about a recording that goes on by somebody who does not wait for it. */
export interface HeardReader {
  /** The newest reading of the session, which may be of fewer lines than these. Null: there is none yet. What was begun goes on, for the next look. */
  read(sessionId: SessionId, lines: readonly TranscriptItem[], owner: string): Promise<HeardReading | null>
}

/** The widget waits two seconds for a look, the way there and back included. */
const answerWithinMs = 1_200
/** Ten minutes of talk take 14 s on a busy machine, and loading up to 8 s more. */
const readWithinMs = 30_000
/** The widget looks again every two seconds as long as somebody decides. */
const keptMs = 30_000

interface Look {
  latest: HeardReading | null
  underWay: Promise<unknown> | null
  forgetting: NodeJS.Timeout | undefined
}

/** One reading of a session at a time; lines that came meanwhile are in the next one. */
export function makeHeardReader({
  reader,
  log,
  waitMs = answerWithinMs,
}: {
  reader: Reader
  log: Log
  waitMs?: number
}): HeardReader {
  const looks = new Map<SessionId, Look>()
  const begin = (look: Look, lines: readonly TranscriptItem[], owner: string): Promise<unknown> => {
    const underWay = tolerateFailure(log, 'plain words are looked for without the reader', async () => {
      const { findings } = await reader.read(lines, AbortSignal.timeout(readWithinMs), owner)
      look.latest = { lines, findings }
    }).finally(() => (look.underWay = null))
    look.underWay = underWay
    return underWay
  }
  const keep = (sessionId: SessionId): Look => {
    const look = looks.get(sessionId) ?? { latest: null, underWay: null, forgetting: undefined }
    looks.set(sessionId, look)
    clearTimeout(look.forgetting)
    look.forgetting = setTimeout(() => looks.delete(sessionId), keptMs).unref()
    return look
  }
  return {
    async read(sessionId, lines, owner) {
      const look = keep(sessionId)
      const late = delay(waitMs, undefined, { ref: false })
      if (look.underWay !== null) await Promise.race([look.underWay, late])
      if (look.underWay === null && !isReadIn(look.latest, lines)) {
        await Promise.race([begin(look, lines, owner), late])
      }
      return look.latest
    },
  }
}

const toKey = ({ startTime, transcript }: TranscriptItem): string => `${startTime} ${transcript}`

/** Which lines a reading is of: those that were struck since, or are heard otherwise by now, it is not. */
export const makeIsRead = (reading: HeardReading | null): ((line: TranscriptItem) => boolean) => {
  const read = new Set(reading?.lines.map(toKey))
  return (line) => read.has(toKey(line))
}

const isReadIn = (reading: HeardReading | null, lines: readonly TranscriptItem[]): boolean =>
  reading !== null && lines.every(makeIsRead(reading))
