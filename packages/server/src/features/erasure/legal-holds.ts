import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import { enqueueStep } from '../../jobs/enqueue-step.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type ClientId } from '../../kernel/ids.js'
import { intendDeletion } from '../../kernel/blobs/index.js'
import { markCutOfClient, selectSessionsToCut, selectSpokenSegments } from '../session-gaps/index.js'
import { forgetEndedOfClient } from '../sessions/index.js'
import { forgetWithdrawnOfClient } from './forget-withdrawn.js'
import { insertHold, liftHold, lockClient, selectErasureOfClient, selectHold } from './erasure.sql.js'

/**
 * Placed already: the same one. From here on no erasure, no retention and no discarding deletes anything of the client (docs/erasure.md
 * says what knows it). What was given up meanwhile goes once it is lifted.
 */
export async function placeLegalHold(tx: Tx, source: ChangeSource, clientId: ClientId): Promise<string> {
  await tx.run(lockClient(tx.tenant, clientId))
  const [held] = await tx.run(selectHold(tx.tenant, clientId))
  if (held !== undefined) return held.holdId
  const [erasure] = await tx.run(selectErasureOfClient(tx.tenant, clientId))
  if (erasure !== undefined) throw new Error('the client is being erased: it is too late for a hold')
  const holdId = newId()
  await tx.run(insertHold(tx.tenant, holdId, clientId))
  await recordChange(tx, { ...source, operation: 'legalHold.place', subjects: [holdId, clientId] })
  return holdId
}

/** Null: there was none. */
export async function liftLegalHold(
  tx: Tx,
  source: ChangeSource,
  clientId: ClientId,
): Promise<string | null> {
  await tx.run(lockClient(tx.tenant, clientId))
  const [lifted] = await tx.run(liftHold(tx.tenant, clientId))
  if (lifted === undefined) return null
  // What the hold kept of recordings of which something had been struck before it was placed.
  const spoken = await tx.run(selectSpokenSegments(tx.tenant, clientId))
  for (const { blobId } of spoken) await intendDeletion(tx, blobId, 'requested')
  await tx.run(markCutOfClient(tx.tenant, clientId))
  for (const { sessionId } of await tx.run(selectSessionsToCut(tx.tenant, clientId)))
    await enqueueStep(tx, 'recording_struck', sessionId)
  await forgetEndedOfClient(tx, clientId)
  await forgetWithdrawnOfClient(tx, clientId)
  const subjects = [lifted.holdId, clientId, ...spoken.map(({ blobId }) => blobId)]
  await recordChange(tx, { ...source, operation: 'legalHold.lift', subjects })
  return lifted.holdId
}
