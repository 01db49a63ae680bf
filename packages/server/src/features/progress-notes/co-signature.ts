import type { CoSignature, NoteSigner } from '@casenote/contract'
import type { ClinicianId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { returnPlace } from './note-content.js'
import { isAwaiting } from './note-lifecycle.js'
import type { NoteHead } from './progress-notes.sql.js'

/** What a signature does to a note: lock it for the supervisor, finalize it, or nothing that was not done before. */
export type SignatureEffect = 'sign' | 'finalize' | 'none'

/**
 * The last signature asked for finalizes: by default the first. Asked for is the co-signature of the supervisor whom the
 * signer has now; a partner's call is never refused (decision 0029).
 */
export function decideSignature(
  note: Pick<NoteHead, 'status' | 'activeGenerationId' | 'signerId' | 'supervisorId'>,
  signer: Pick<NoteSigner, 'kind' | 'id'>,
  /** The supervisor of who signs now. */
  supervisorId: ClinicianId | null,
): SignatureEffect {
  if (note.status === 'finalized') return 'none'
  if (signer.kind === 'partner') return 'finalize'
  if (!isAwaiting(note)) return supervisorId === null ? 'finalize' : 'sign'
  if (note.supervisorId === signer.id) return 'finalize'
  if (note.signerId !== signer.id)
    throw refuse.conflict('awaiting_co_signature', 'Progress note waits for a co-signature')
  return note.supervisorId === null ? 'finalize' : 'none'
}

/** Null wherever nobody co-signs. A note that was withdrawn says nothing any more, nor does what was said of it. */
export function describeCoSignature(ring: TenantKeyRing, row: NoteHead): CoSignature | null {
  if (isAwaiting(row)) return { state: 'awaited', supervisor: readSupervisor(row), returned: null }
  const { noteId, returnsCount, returnedById, returnedByName, sealedReturnReason, returnedAt } = row
  if (['finalized', 'failed'].includes(row.status) || sealedReturnReason === null) return null
  if (returnedById === null || returnedByName === null || returnedAt === null) return null
  const reason = ring.unseal(returnPlace(noteId, returnsCount), sealedReturnReason).toString()
  return {
    state: 'returned',
    supervisor: null,
    returned: {
      by: { id: returnedById, name: returnedByName },
      reason,
      at: returnedAt.toISOString(),
    },
  }
}

function readSupervisor({
  supervisorId,
  supervisorName,
  isSupervisorActive,
}: NoteHead): CoSignature['supervisor'] {
  if (supervisorId === null || supervisorName === null) return null
  return { id: supervisorId, name: supervisorName, active: isSupervisorActive }
}

/** What the tag depends on; nothing for the notes of those who do not use it. */
export const coSignatureMarks = ({
  status,
  signerId,
  signedAt,
  coSignerId,
  supervisorId,
  isSupervisorActive,
  returnsCount,
}: NoteHead): unknown[] => {
  const isAwaited = status !== 'finalized' && signerId !== null
  if (!isAwaited && coSignerId === null && returnsCount === 0) return []
  return [signerId, signedAt, coSignerId, supervisorId, isSupervisorActive, returnsCount]
}
