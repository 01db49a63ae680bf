import { isAccountItem, type Transcript, type TranscriptItem } from '@casenote/contract'
import type { NamedItem } from '../../engines/named-item.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { isId, type SessionId } from '../../kernel/ids.js'
import { refuse, type Refusal } from '../../kernel/refuse.js'
import { unsealJson, unsealText, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { nameLines } from './name-lines.js'
import {
  lockTranscript,
  selectTranscript,
  selectTranscriptMaker,
  type TranscriptRow,
} from './transcripts.sql.js'
import { listSpeakers, withVoices, type KeptSpeaker } from './voices.js'

export const itemsPlace = (sessionId: SessionId): JsonPlace<TranscriptItem[]> => ({
  table: 'transcripts',
  row: sessionId,
  column: 'sealed_items',
})

export const speakersPlace = (sessionId: SessionId): JsonPlace<KeptSpeaker[]> => ({
  table: 'transcripts',
  row: sessionId,
  column: 'sealed_speakers',
})

/** Null: no such session. One without a transcript has a row without items. */
export async function findTranscript(
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<TranscriptRow | null> {
  if (!isId(sessionId)) return null
  const [row] = await db.read(tenant, selectTranscript(tenant, sessionId))
  return row ?? null
}

/** Null: not made yet. */
export function describeTranscript(ring: TenantKeyRing, row: TranscriptRow): Transcript | null {
  const { sessionId, sealedItems, isOneVoice, createdAt } = row
  if (sealedItems === null || createdAt === null) return null
  const transcriptItems = withVoices(unsealJson(ring, itemsPlace(sessionId), sealedItems))
  const speakers = listSpeakers(transcriptItems, readKeptSpeakers(ring, row))
  return {
    id: sessionId,
    sessionId,
    transcriptItems,
    ...(speakers.length === 0 ? {} : { speakers }),
    ...(isOneVoice === true && speakers.length < 2 ? { isOneVoice } : {}),
    createdAt: createdAt.toISOString(),
  }
}

/** The speakers as they are kept, also with a role that does not fit its label at the moment. */
export const readKeptSpeakers = (
  ring: TenantKeyRing,
  { sessionId, sealedSpeakers }: TranscriptRow,
): KeptSpeaker[] =>
  sealedSpeakers === null ? [] : unsealJson(ring, speakersPlace(sessionId), sealedSpeakers)

/** The JSON of the items. Null: not made yet. */
export async function findItemsText(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<string | null> {
  const row = await findTranscript(db, { tenantId: ring.tenantId }, sessionId)
  const sealedItems = row?.sealedItems ?? null
  return sealedItems === null ? null : unsealText(ring, itemsPlace(sessionId), sealedItems)
}

/** What each item says, locked until the change is made: nobody puts a line right meanwhile. Null: not made yet. */
export async function findLockedLines(
  tx: Tx,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<string[] | null> {
  await tx.run(lockTranscript(tx.tenant, sessionId))
  const [row] = await tx.run(selectTranscript(tx.tenant, sessionId))
  const items = row === undefined ? undefined : describeTranscript(ring, row)?.transcriptItems
  return items?.map(({ transcript }) => transcript) ?? null
}

/** All of it is the clinician's own account. */
export const refuseSpeakers = (isDictated: boolean): Refusal =>
  isDictated
    ? refuse.conflict(
        'transcript_dictated',
        'The transcript was dictated by the clinician: it has no speakers to correct',
      )
    : refuse.conflict(
        'transcript_typed',
        'The transcript was typed by the clinician: it has no speakers to correct',
      )

/** A transcript that was spoken, locked, with its speakers, which somebody puts right. What was typed or dictated has none. */
export async function getLockedSpoken(
  tx: Tx,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<{ row: TranscriptRow; transcript: Transcript }> {
  await tx.run(lockTranscript(tx.tenant, sessionId))
  const [row] = await tx.run(selectTranscript(tx.tenant, sessionId))
  const transcript = row === undefined ? null : describeTranscript(ring, row)
  if (row === undefined || transcript === null)
    throw refuse.conflict('transcript_missing', 'Transcript has not been generated')
  const account = transcript.transcriptItems.find(isAccountItem)
  if (account !== undefined) throw refuseSpeakers(account.source === 'dictated')
  return { row, transcript }
}

/** Within a change, with what made it. Null: not made yet. */
export async function readTranscriptOf(
  tx: Tx,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<(Transcript & { madeBy: string }) | null> {
  const [row] = await tx.run(selectTranscript(tx.tenant, sessionId))
  const transcript = row === undefined ? null : describeTranscript(ring, row)
  const [maker] = await tx.run(selectTranscriptMaker(tx.tenant, sessionId))
  return transcript === null || maker === undefined ? null : { ...transcript, madeBy: maker.madeBy }
}

/** The lines of a session that has its transcript. */
export async function getTranscriptItems(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<TranscriptItem[]> {
  const text = await findItemsText(db, ring, sessionId)
  if (text === null) throw new Error('a session has no transcript')
  return JSON.parse(text) as TranscriptItem[]
}

/** The lines as `getTranscriptItems` gives them, with who said each where several people besides the clinician are heard and somebody named them. */
export async function getNamedItems(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<NamedItem[]> {
  const items = await findNamedItems(db, ring, sessionId)
  if (items === null) throw new Error('a session has no transcript')
  return items
}

/** Null: not made yet, or forgotten. */
export async function findNamedItems(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<NamedItem[] | null> {
  const row = await findTranscript(db, { tenantId: ring.tenantId }, sessionId)
  const transcript = row === null ? null : describeTranscript(ring, row)
  return transcript === null ? null : nameLines(transcript)
}
