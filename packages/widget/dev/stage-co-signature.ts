import { pageOf, pageOfTen, type ProgressNote, type WidgetSession } from '@casenote/contract'
import * as data from './stage-data.js'
import type { StageService } from './stage-memory.js'

type Service = Pick<StageService, 'session' | 'note' | 'write'>

export function toAwaited(note: ProgressNote): WidgetSession['note']['awaited'] {
  const { coSignature, signedBy } = note
  if (coSignature?.state !== 'awaited' || signedBy === null) return null
  const { id: signerId, name, at: signedAt } = signedBy
  return { signerId, signerName: name ?? '', signedAt, supervisorId: coSignature.supervisor?.id ?? null }
}

/** The clinician of the stage is the supervisor: their signature is the second. */
export function coSign({ note, write }: Service, at: string): boolean {
  if (note.value.coSignature?.state !== 'awaited') return false
  const { id, firstName, lastName } = data.clinician
  const coSignedBy = { kind: 'clinician', id, name: `${firstName} ${lastName}`, at } as const
  write({ status: 'finalized', finalizedAt: at, coSignedBy, coSignature: null })
  return true
}

export const listCoSignatureAnswers = ({
  session,
  note,
  write,
}: Service): Record<string, (body: unknown) => unknown> => ({
  'GET /co-signatures': () => {
    const isMine = session.value.note.awaited?.supervisorId === data.clinician.id
    return pageOf(isMine ? [session.value] : [], isMine ? 1 : 0, pageOfTen())
  },
  'POST /session/progress-note/return': (body) => {
    const { reason } = body as { reason: string }
    const by = { id: data.clinician.id, name: 'Amara Osei' }
    const returned = { by, reason, at: '2026-11-15T11:30:00.000Z' }
    write({ signedBy: null, coSignature: { state: 'returned', supervisor: null, returned } })
    return note.value
  },
})
