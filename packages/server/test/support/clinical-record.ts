import type { NoteSection, SessionCreate, TranscriptItem } from '@casenote/contract'
import { completeGeneration, findNoteOfSession } from '../../src/features/progress-notes/index.js'
import { createSession, startTranscribing } from '../../src/features/sessions/index.js'
import { saveSummary } from '../../src/features/summaries/index.js'
import { completeTranscript } from '../../src/features/transcripts/index.js'
import type { ChangeContext } from '../../src/kernel/change-context.js'
import type { Database } from '../../src/kernel/db/database.js'
import type { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import { readTenantKeys, type TenantKeyRing } from '../../src/kernel/secrets/tenant-keys.js'

/** As the pipeline calls the use cases. */
export const asPipeline = (ring: TenantKeyRing): ChangeContext => ({
  ring,
  publicUrl: 'http://localhost:8080',
  nowMs: Date.now(),
  actor: { kind: 'system', id: null },
  requestId: null,
})

export const someItems: TranscriptItem[] = [
  { startTime: 0, endTime: 2.5, speaker: 'speaker_1', transcript: 'How did you sleep this week?' },
  { startTime: 2.5, endTime: 5.25, speaker: 'speaker_2', transcript: 'I slept better this week.' },
]

export const someSections = (text = 'Client reports improved sleep.'): NoteSection[] => [
  {
    key: 'subjective',
    title: 'Subjective',
    content: text,
    evidence: [
      { sentence: text, transcriptItems: [1], supported: true, judgement: 'exact_checks_only', reason: null },
    ],
  },
  { key: 'plan', title: 'Plan', content: 'Continue sleep diary.', evidence: [] },
]

/** A session of a client, up to the point where its first writing is pending. */
export async function startRecord(
  db: Database,
  context: ChangeContext,
  {
    clientId,
    given = {},
    items = someItems,
  }: { clientId: string; given?: Partial<SessionCreate>; items?: TranscriptItem[] },
): Promise<{ sessionId: string; generationId: string }> {
  const tenant = { tenantId: context.ring.tenantId }
  return db.write(tenant, async (tx) => {
    const { sessionId } = await createSession(tx, context, 'sandbox', {
      clientId,
      given: { fileUrl: 'https://recordings.example.com/a.mp3', ...given },
    })
    await startTranscribing(tx, sessionId)
    const generationId = await completeTranscript(tx, context, {
      madeBy: 'test',
      sessionId,
      items,
    })
    if (generationId === null) throw new Error('no generation was requested')
    return { sessionId, generationId }
  })
}

export async function makeFixtureRecord(
  { db, owner, masterKeys }: { db: Database; owner: Database; masterKeys: MasterKeys },
  { tenantId, clientId }: { tenantId: string; clientId: string },
): Promise<{ sessionId: string; progressNoteId: string; summaryId: string }> {
  const tenant = { tenantId }
  const context = asPipeline(await readTenantKeys(owner, masterKeys, tenant))
  const { sessionId, generationId } = await startRecord(db, context, { clientId })
  const summaryId = await db.write(tenant, async (tx) => {
    await completeGeneration(tx, context, {
      madeBy: 'test',
      generationId,
      sections: someSections(),
      review: [],
    })
    return saveSummary(tx, context, { madeBy: 'test', sessionId, summary: 'Better sleep.' })
  })
  const note = await findNoteOfSession(db, tenant, sessionId)
  return { sessionId, progressNoteId: note?.progressNoteId ?? '', summaryId: summaryId ?? '' }
}
