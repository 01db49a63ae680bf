import type { NoteSigner } from '@casenote/contract'
import type { Actor } from './audit-entry.js'

/** Only they sign notes and treatment plans, or add to signed notes, by any way there is. */
export function toSigner({ kind, id }: Actor): Pick<NoteSigner, 'kind' | 'id'> {
  if ((kind !== 'clinician' && kind !== 'partner') || id === null) {
    throw new Error('only a clinician or a partner signs')
  }
  return { kind, id }
}
