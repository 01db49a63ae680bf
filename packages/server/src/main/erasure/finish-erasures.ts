import {
  ErasureDenied,
  ErasureTurnOver,
  listUnfinishedErasures,
  runErasure,
  selectErasure,
  whileLeased,
  type ErasureParts,
  type Receipt,
} from '../../features/erasure/index.js'
import type { BlobStore } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { ErasureId } from '../../kernel/ids.js'
import type { ClientKeySource } from '../../kernel/secrets/client-key-source.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { PassOptions } from '../../kernel/try-each.js'
import { freeOthers } from './seal-for-owners.js'

/** Erasures of one pass: each may take seconds. */
const finishedMost = 100
/** After so many it is looked again: who asks meanwhile does not wait for all that another partner has asked for. */
const turnsMost = 5
/** Then the next one has its turn: a client of years has thousands of sessions and recordings, which take minutes. */
const turnMs = 5_000

export const makeErasureParts = (parts: {
  db: Database
  keys: TenantKeys
  clientKeys: ClientKeySource
  store: BlobStore | null
  isApplying?: boolean
}): ErasureParts => ({
  isApplying: false,
  ...parts,
  freeOthers: async (tenant, clientId) => {
    const { db, keys, clientKeys, store } = parts
    const isGone = (): boolean => clientKeys.find(tenant.tenantId, clientId) === null
    // What a destroyed key seals opens for nobody: whoever destroyed it has freed the others.
    if (store === null || isGone()) return
    try {
      await freeOthers({ db, store }, await keys.get(tenant), clientId)
    } catch (error) {
      await clientKeys.refresh()
      if (!isGone()) throw error
    }
  },
})

/** For whoever asked for it and waits. A worker may have taken it, where a partner had asked before. */
export async function finishErasure(
  parts: ErasureParts,
  tenant: TenantScope,
  erasureId: ErasureId,
): Promise<Receipt | null> {
  const run = (): Promise<Receipt | null> => runErasure(parts, tenant, erasureId)
  const done = await whileLeased(parts.db, { tenant, erasureId }, run)
  if (done !== null) return done.result
  const [row] = await parts.db.read(tenant, selectErasure(tenant, erasureId))
  if (row?.status === 'deleting')
    throw new Error(
      `another process is at this erasure; once it is done: casenote erase receipt ${erasureId}`,
    )
  // It has ended: this gives its end.
  return run()
}

/**
 * What partners have asked for, and those that a kill cut short, `afterSeconds` after they were asked for: until then the command is at
 * it. Partners take turns, each with its oldest; one that is not done when its turn is over is gone on with when all that had fewer have had
 * theirs. One that fails delays none behind it, and is told at the end; one that is refused has ended. One that another process has is left
 * to it.
 */
export async function finishErasures(
  parts: ErasureParts,
  afterSeconds = 0,
  { signal, turnMs: ofTurnMs = turnMs }: PassOptions & { turnMs?: number } = {},
): Promise<number> {
  const isOver = (): boolean => signal?.aborted === true
  const tried = new Set<ErasureId>()
  /** Of those that are not done. */
  const turnsHad = new Map<ErasureId, number>()
  const takeTurn = async ({
    tenantId,
    erasureId,
  }: TenantScope & { erasureId: ErasureId }): Promise<boolean> => {
    const tenant = { tenantId }
    const untilMs = performance.now() + ofTurnMs
    const isTurnOver = (): boolean => isOver() || performance.now() > untilMs
    tried.add(erasureId)
    try {
      const run = (): Promise<Receipt | null> => runErasure(parts, tenant, erasureId, isTurnOver)
      return (await whileLeased(parts.db, { tenant, erasureId }, run)) !== null
    } catch (error) {
      if (!(error instanceof ErasureTurnOver)) throw error
      tried.delete(erasureId)
      turnsHad.set(erasureId, (turnsHad.get(erasureId) ?? 0) + 1)
      return false
    }
  }
  const had = ({ erasureId }: { erasureId: ErasureId }): number => turnsHad.get(erasureId) ?? 0
  let first: unknown = null
  let finished = 0
  while (tried.size < finishedMost && !isOver()) {
    const listed = await parts.db.throughDoor(listUnfinishedErasures(afterSeconds, finishedMost))
    const left = listed.filter(({ erasureId }) => !tried.has(erasureId)).toSorted((a, b) => had(a) - had(b))
    if (left.length === 0) break
    for (const next of left.slice(0, turnsMost)) {
      if (isOver()) break
      try {
        if (await takeTurn(next)) finished += 1
      } catch (error) {
        if (!(error instanceof ErasureDenied)) first ??= error
      }
    }
  }
  if (first !== null) throw first
  return finished
}
