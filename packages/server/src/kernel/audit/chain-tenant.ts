import type { Tx } from '../db/database.js'
import type { Anchor } from './audit-anchors.js'
import { AuditAppend } from './audit-append.js'
import { startChain, type AuditChain } from './audit-chain.js'
import { signCheckpoint } from './audit-checkpoint.js'
import { writeBody, type Actor } from './audit-entry.js'
import type { AuditKey } from './audit-keys.js'
import {
  coverHeads,
  insertCheckpoint,
  lockChaining,
  selectHead,
  selectNewestCheckpoint,
  selectUncoveredHeads,
  takePending,
  type PendingRow,
} from './audit.sql.js'

interface Chaining {
  key: AuditKey
  writerId: string
  nowMs: number
  /** Null: none is kept for this tenant. */
  anchor: Anchor | null
}

export interface Chained {
  changes: number
  hasMoreChanges: boolean
  /** Anchor of the new checkpoint; null: nothing has moved since the last one. */
  anchor: Anchor | null
  /** Whether the checkpoints no longer contain the one that the anchor names. */
  hasDiverged: boolean
}

/** Changes per transaction, some 200 ms. What is left waits for the next one. */
const changesMax = 5_000

/** One head per process that wrote since the last checkpoint: a thousand is an unheard-of installation. */
const headsMax = 10_000

/** Null: another worker is chaining this tenant right now. */
export async function chainTenant(tx: Tx, chaining: Chaining): Promise<Chained | null> {
  const [lock] = await tx.run(lockChaining(tx.tenant))
  if (lock?.isLocked !== true) return null
  const changes = await chainChanges(tx, chaining)
  return { changes, hasMoreChanges: changes === changesMax, ...(await writeCheckpoint(tx, chaining)) }
}

async function chainChanges(tx: Tx, { key, writerId }: Chaining): Promise<number> {
  const pending = await tx.run(takePending(tx.tenant, changesMax))
  if (pending.length === 0) return 0
  const chain = await continueChain(tx, writerId)
  const append = new AuditAppend(writerId)
  for (const row of pending) {
    const { atMs, operation, requestId, subjects, count } = row
    const entry = { operation, actor: readActor(row), requestId, ...(count === null ? {} : { count }) }
    append.add(chain, key, subjects, writeBody(atMs, entry))
  }
  await tx.run(append.statement())
  return pending.length
}

const readActor = ({ actorKind, actorId, actorAs, actorFrom }: PendingRow): Actor => ({
  kind: actorKind,
  id: actorId,
  ...(actorAs === null ? {} : { as: actorAs }),
  ...(actorFrom === null ? {} : { from: actorFrom }),
})

async function continueChain(tx: Tx, writerId: string): Promise<AuditChain> {
  const start = startChain(tx.tenant.tenantId, writerId)
  const [head] = await tx.run(selectHead(tx.tenant, writerId))
  return head === undefined ? start : { ...start, seq: head.seq, hash: head.hash }
}

async function writeCheckpoint(
  tx: Tx,
  { key, nowMs, anchor }: Chaining,
): Promise<Pick<Chained, 'anchor' | 'hasDiverged'>> {
  const heads = await tx.run(selectUncoveredHeads(tx.tenant, headsMax))
  if (heads.length === 0) return { anchor: null, hasDiverged: false }
  const [newest] = await tx.run(selectNewestCheckpoint(tx.tenant, anchor?.number ?? null))
  const number = (newest?.number ?? 0) + 1
  const at = new Date(nowMs).toISOString()
  const row = signCheckpoint(key, {
    number,
    tenantId: tx.tenant.tenantId,
    at,
    previous: newest?.signature ?? null,
    heads: heads.map(({ writerId, seq, hash }) => [writerId, seq, hash]),
  })
  await tx.run(insertCheckpoint(tx.tenant, row))
  await tx.run(coverHeads(tx.tenant, heads))
  return {
    anchor: { number, signature: row.signature, at },
    hasDiverged: anchor !== null && newest?.anchoredSignature !== anchor.signature,
  }
}
