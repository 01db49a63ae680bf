import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { NamedItem } from '../../engines/named-item.js'
import type { Finding, Reading } from '../../engines/reader/reading.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import { sealLongJson, unsealLongText, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { openSaidDanger } from '../danger/index.js'
import { getSession, isWithdrawn } from '../sessions/index.js'
import { readCorrected } from './read-corrected.js'
import { selectReading, upsertReading } from './readings.sql.js'

interface KeptReading {
  /** The digest of the transcript that was read: speakers and words may be corrected later. */
  transcriptDigest: string
  reading: Reading
  /** Who each line was of when a note was last compared with the talk. Absent in a reading from before this was kept. */
  comparedSpeakers?: readonly string[]
}

const readingPlace = (sessionId: SessionId): JsonPlace<KeptReading> => ({
  table: 'session_readings',
  row: sessionId,
  column: 'sealed_reading',
})

export interface FoundReading {
  reading: Reading
  /** Whether the reading is of the transcript as it is now. */
  isCurrent: boolean
  comparedSpeakers: readonly string[]
  /** Lines that are said by somebody else than when a note was last compared with them. */
  otherSpeakers: number[]
}

/** Null: the session was never read. */
export async function findReading(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
  transcript: readonly NamedItem[],
): Promise<FoundReading | null> {
  const text = await findLastReadingText(db, ring, sessionId)
  await nextTurn()
  const kept = text === null ? null : (JSON.parse(text) as KeptReading)
  if (kept === null) return null
  await nextTurn()
  const isCurrent = kept.transcriptDigest === digestOf(transcript)
  const comparedSpeakers = kept.comparedSpeakers ?? (isCurrent ? speakersOf(transcript) : [])
  const otherSpeakers = speakersOf(transcript).flatMap((speaker, line) =>
    speaker === comparedSpeakers[line] ? [] : [line],
  )
  return { reading: kept.reading, isCurrent, comparedSpeakers, otherSpeakers }
}

/** The labels as which the reader takes the lines: who is told to be another than the client has the label of one who may be the client. */
const speakersOf = (transcript: readonly NamedItem[]): string[] =>
  transcript.map(({ speaker, isOther }) => (isOther === true ? `${speaker}, other` : speaker))

/** Also one from before something was corrected: the places are the same, and other words are read soon. Null: never read. */
export async function findLastReadingText(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<string | null> {
  const tenant = { tenantId: ring.tenantId }
  const [row] = await db.read(tenant, selectReading(tenant, sessionId))
  return row === undefined ? null : unsealLongText(ring, readingPlace(sessionId), row.sealedReading)
}

/** What the last reading found; also suspected and denied danger, which opens no item. None where the session was never read. */
export async function listFindings(
  tx: Tx,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<readonly Finding[]> {
  const [row] = await tx.run(selectReading(tx.tenant, sessionId))
  if (row === undefined) return []
  const text = await unsealLongText(ring, readingPlace(sessionId), row.sealedReading)
  // Hours of talk: opening and reading it are a turn each.
  await nextTurn()
  return (JSON.parse(text) as KeptReading).reading.findings
}

/**
 * With what it found about danger: neither is there without the other. `before`: no version of the note that was compared
 * with it is kept in the same transaction, and this was the last reading, if there was one.
 */
export async function saveReading(
  tx: Tx,
  ring: TenantKeyRing,
  {
    sessionId,
    transcript,
    reading,
    before,
  }: {
    sessionId: SessionId
    transcript: readonly NamedItem[]
    reading: Reading
    before?: FoundReading | null
  },
): Promise<void> {
  if (await isWithdrawn(tx, sessionId)) return
  const comparedSpeakers = before?.comparedSpeakers ?? speakersOf(transcript)
  const kept: KeptReading = { transcriptDigest: digestOf(transcript), reading, comparedSpeakers }
  await nextTurn()
  const own = ring.forClient((await getSession(tx, sessionId)).clientId)
  const sealedReading = await sealLongJson(own, readingPlace(sessionId), kept)
  await tx.run(upsertReading(tx.tenant, { sessionId, sealedReading, madeBy: reading.version }))
  const { items: correctedItems } = await readCorrected(tx, sessionId)
  const isCompared = before === undefined
  await openSaidDanger(tx, own, { sessionId, findings: reading.findings, correctedItems, isCompared })
}

const digestOf = (transcript: readonly NamedItem[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(speakersOf(transcript).map((speaker, line) => [speaker, transcript[line]?.transcript])),
    )
    .digest('base64url')
