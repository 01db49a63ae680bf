import { completeGeneration, failGeneration } from '../../src/features/progress-notes/index.js'
import { completeSession, receiveRecording } from '../../src/features/sessions/index.js'
import { saveSummary } from '../../src/features/summaries/index.js'
import { completeTranscript } from '../../src/features/transcripts/index.js'
import { writeBlob } from '../../src/kernel/blobs/index.js'
import { asPipeline, someItems, someSections } from '../support/clinical-record.js'
import type { TestPartner, TestService } from '../support/test-service.js'
import { completeRecordingOf } from './complete-recording-of.js'
import { openRecording, type SignedIn } from './widget-fixture.js'

/** Recorded under the partner's client, transcribed and written, as the pipeline does it. */
export async function makeWrittenSession(
  { db, blobs, keys }: TestService,
  { partnerId, clientId }: TestPartner,
  clinician: SignedIn,
  given: object = {},
  outcome: 'written' | 'failed' = 'written',
): Promise<string> {
  const tenant = { tenantId: partnerId }
  const { sessionId } = await openRecording(clinician, clientId, given)
  await completeRecordingOf(clinician, sessionId)
  const context = asPipeline(await keys.get(tenant))
  const sound = (async function* () {
    yield Buffer.from('sound')
  })()
  const { blobId } = await writeBlob({ ...blobs }, tenant, 'audio', sound)
  await db.write(tenant, async (tx) => {
    await receiveRecording(tx, { sessionId, blobId })
    const generationId = await completeTranscript(tx, context, {
      sessionId,
      items: someItems,
      madeBy: 'test',
    })
    const written = { sections: someSections(), review: [], madeBy: 'test' }
    const generation = { generationId: generationId ?? '' }
    await (outcome === 'written'
      ? completeGeneration(tx, context, { ...generation, ...written })
      : failGeneration(tx, context, { ...generation, reason: 'No text came' }))
    await saveSummary(tx, context, { sessionId, summary: 'Better sleep.', madeBy: 'test' })
    await completeSession(tx, sessionId)
  })
  return sessionId
}
