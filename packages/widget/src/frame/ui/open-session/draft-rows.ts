import type { Engine } from '../../engine/engine.js'
import type { Sealed } from '../../engine/recordings/sealed.js'
import type { Vault } from '../../engine/recordings/vault.js'

/** What was typed and not saved, as it lies on this device. */
export interface DraftRow {
  draftId: string
  /** By the device's clock, for tabs with an earlier version of the frame, which forget what has none. */
  keptAtMs: number
  /** By the service's. Not in rows of earlier versions. */
  servedAtMs?: number
  sealed: Sealed
}

/** As long as the service keeps what nobody takes care of. */
const keptForMs = 30 * 24 * 3_600_000

/** A clock that was wrong, then or now, ends nothing that was typed: without the service's nothing grows old. */
export function ageDraft(row: DraftRow, nowMs: number | null): DraftRow | null {
  if (nowMs === null) return row
  const { servedAtMs } = row
  if (servedAtMs === undefined) return { ...row, servedAtMs: nowMs }
  return servedAtMs >= nowMs - keptForMs ? row : null
}

export const toDraftId = ({ clinicianId }: Pick<Vault, 'clinicianId'>, place: string): string =>
  `${clinicianId}/${place}`

/** Where lies what is being typed about a client's session and of their plan, and what is to go with their next file. */
export const typedPlace = (clientId: string): string => `typed/${clientId}`
export const planPlace = (clientId: string): string => `plan/${clientId}`
export const jottedPlace = (clientId: string): string => `jotted/${clientId}`

export async function hasDraft(
  { store, getVault, getServedAtMs }: Pick<Engine, 'store' | 'getVault' | 'getServedAtMs'>,
  place: string,
): Promise<boolean> {
  const vault = getVault()
  if (store === null || vault === null) return false
  const draftId = toDraftId(vault, place)
  const rows = await store.list<DraftRow>('drafts')
  return rows.some((row) => row.draftId === draftId && ageDraft(row, getServedAtMs()) !== null)
}
