import type { NoteSigner } from '@casenote/contract'
import type { Actor } from '../../kernel/audit/index.js'

/** Only they sign notes, or add to signed ones, by any way there is. */
export function toSigner({ kind, id }: Actor): Pick<NoteSigner, 'kind' | 'id'> {
  if ((kind !== 'clinician' && kind !== 'partner') || id === null) {
    throw new Error('a note is signed by a clinician or a partner')
  }
  return { kind, id }
}
