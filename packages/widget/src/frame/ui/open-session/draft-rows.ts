import type { Engine } from '../../engine/engine.js'
import type { Sealed } from '../../engine/recordings/sealed.js'
import type { Vault } from '../../engine/recordings/vault.js'

/** What was typed and not saved, as it lies on this device. */
export interface DraftRow {
  draftId: string
  keptAtMs: number
  sealed: Sealed
}

/** As long as the service keeps what nobody takes care of. */
const keptForMs = 30 * 24 * 3_600_000

export const isKeptDraft = ({ keptAtMs }: DraftRow): boolean => keptAtMs >= Date.now() - keptForMs

export const toDraftId = ({ clinicianId }: Pick<Vault, 'clinicianId'>, place: string): string =>
  `${clinicianId}/${place}`

/** Where lies what is being typed about a client's session, and what is to go with their next file. */
export const typedPlace = (clientId: string): string => `typed/${clientId}`
export const jottedPlace = (clientId: string): string => `jotted/${clientId}`

export async function hasDraft(
  { store, getVault }: Pick<Engine, 'store' | 'getVault'>,
  place: string,
): Promise<boolean> {
  const vault = getVault()
  if (store === null || vault === null) return false
  const draftId = toDraftId(vault, place)
  const rows = await store.list<DraftRow>('drafts')
  return rows.some((row) => row.draftId === draftId && isKeptDraft(row))
}
