import type { QueryResultRow } from 'pg'
import type { Database, Statement, Tx } from '../db/database.js'
import type { TenantId } from '../ids.js'
import type { TenantKeyRing, TenantKeys } from '../secrets/tenant-keys.js'
import type { Anchor, Anchors } from './audit-anchors.js'
import { Findings, type Finding } from './audit-findings.js'
import type { CheckpointRow, HeadRow } from './audit.sql.js'
import { ChainCheck } from './verify-chain.js'
import { CheckpointCheck, type CoveredHead } from './verify-checkpoints.js'
import {
  closePages,
  countPending,
  fetchPage,
  freezeSnapshot,
  openCheckpoints,
  openEntries,
  openHeads,
  pageMax,
  type EntryRow,
} from './verify.sql.js'

interface VerifyParts {
  /** As the owner, who sees all tenants; as the application it works too. */
  db: Database
  keys: TenantKeys
  /** Read before the check begins: what is anchored then must be in the database. Null: not compared. */
  anchors: Anchors | null
  tenantIds: readonly TenantId[]
  onProgress: (progress: { tenantId: TenantId; entries: number }) => void
}

export interface TenantVerifyReport {
  tenantId: TenantId
  entries: number
  checkpoints: number
  newestCheckpointAt: string | null
  /** Entries that no checkpoint vouches for yet: more than a second's worth means that nobody chains. */
  uncoveredEntries: number
  pendingChanges: number
  /** Whether there was an anchor to compare with: without one nobody sees that the log's end is gone. */
  isAnchored: boolean
  /** All of them; `findings` lists the first thousand. */
  findingCount: number
  findings: readonly Finding[]
}

/**
 * `set_back`: what there is, is sound, but the anchor outside the database knows of more. A restore of an older backup does
 * this, and so does whoever cuts the end off: the operator knows which it was.
 */
export type AuditVerdict = 'intact' | 'set_back' | 'tampered'

export interface VerifyReport {
  isIntact: boolean
  verdict: AuditVerdict
  tenants: readonly TenantVerifyReport[]
}

/** Compares the whole log with its keys, checkpoints and anchors, a page at a time, beside a running service. */
export async function verifyAudit(parts: VerifyParts): Promise<VerifyReport> {
  const tenants: TenantVerifyReport[] = []
  for (const tenantId of parts.tenantIds) {
    const ring = await parts.keys.get({ tenantId })
    const anchor = parts.anchors?.get(tenantId) ?? null
    const onPage = (entries: number): void => parts.onProgress({ tenantId, entries })
    tenants.push(await parts.db.write({ tenantId }, (tx) => verifyTenant(tx, ring, anchor, onPage)))
  }
  const verdict = judge(tenants)
  return { isIntact: verdict === 'intact', verdict, tenants }
}

const setBackKinds = new Set<Finding['kind']>(['log_set_back', 'anchor_disagrees'])

function judge(tenants: readonly TenantVerifyReport[]): AuditVerdict {
  const found = tenants.filter(({ findingCount }) => findingCount > 0)
  if (found.length === 0) return 'intact'
  const isSetBack = found.every(
    ({ findings, findingCount }) =>
      findings.length === findingCount && findings.every(({ kind }) => setBackKinds.has(kind)),
  )
  return isSetBack ? 'set_back' : 'tampered'
}

async function verifyTenant(
  tx: Tx,
  ring: TenantKeyRing,
  anchor: Anchor | null,
  onPage: (entries: number) => void,
): Promise<TenantVerifyReport> {
  await tx.run(freezeSnapshot())
  const findings = new Findings()
  const checkpoints = new CheckpointCheck(ring, anchor, findings)
  for await (const page of readPages<CheckpointRow>(tx, openCheckpoints(tx.tenant))) {
    for (const row of page) checkpoints.next(row)
  }
  checkpoints.finish()
  const heads = await loadHeads(tx, findings)
  const chains = await verifyChains(tx, { ring, heads, covered: checkpoints.covered, findings, onPage })
  const [counted] = await tx.run(countPending(tx.tenant))
  // That a partner was made is the first entry of its log, and no entry is ever purged.
  if (chains.entries + checkpoints.checked + (counted?.pending ?? 0) === 0)
    findings.add({
      kind: 'log_missing',
      message: 'The whole log is gone: not even its first entry is there.',
    })
  return {
    tenantId: ring.tenantId,
    entries: chains.entries,
    checkpoints: checkpoints.checked,
    newestCheckpointAt: checkpoints.newestAt,
    uncoveredEntries: chains.uncovered,
    pendingChanges: counted?.pending ?? 0,
    isAnchored: anchor !== null,
    findingCount: findings.count,
    findings: findings.listed,
  }
}

/** One per process that ever wrote for this tenant: they fit into memory, as the checkpoints' heads do. */
async function loadHeads(tx: Tx, findings: Findings): Promise<Map<string, HeadRow>> {
  const heads = new Map<string, HeadRow>()
  for await (const page of readPages<HeadRow>(tx, openHeads(tx.tenant))) {
    for (const head of page) {
      const { writerId } = head
      if (heads.has(writerId)) {
        const message = `There is more than one head of chain ${writerId}.`
        findings.add({ kind: 'head_extra', writerId, message })
      }
      heads.set(writerId, head)
    }
  }
  return heads
}

interface ChainsToVerify {
  ring: TenantKeyRing
  /** Both are emptied on the way: what is left has no entries. */
  heads: Map<string, HeadRow>
  covered: Map<string, CoveredHead>
  findings: Findings
  onPage: (entries: number) => void
}

async function verifyChains(tx: Tx, chains: ChainsToVerify): Promise<{ entries: number; uncovered: number }> {
  let entries = 0
  let uncovered = 0
  let chain: ChainCheck | null = null
  for await (const page of readPages<EntryRow>(tx, openEntries(tx.tenant))) {
    for (const row of page) {
      if (chain?.writerId !== row.writerId) {
        uncovered += chain?.finish() ?? 0
        chain = beginChain(chains, row.writerId)
      }
      chain.next(row)
    }
    entries += page.length
    chains.onPage(entries)
  }
  uncovered += chain?.finish() ?? 0
  reportWithoutEntries(chains)
  return { entries, uncovered }
}

function beginChain({ ring, heads, covered, findings }: ChainsToVerify, writerId: string): ChainCheck {
  const claims = { head: heads.get(writerId) ?? null, covered: covered.get(writerId) ?? null }
  heads.delete(writerId)
  covered.delete(writerId)
  return new ChainCheck(ring, writerId, claims, findings)
}

function reportWithoutEntries({ heads, covered, findings }: ChainsToVerify): void {
  for (const [writerId, { seq, checkpoint }] of covered) {
    const message = `Chain ${writerId} is missing: checkpoint ${checkpoint} names its entry ${seq}.`
    findings.add({ kind: 'chain_missing', writerId, seq, checkpoint, message })
  }
  for (const [writerId, { seq }] of heads) {
    if (covered.has(writerId)) continue
    const message = `There is a head of chain ${writerId}, which has no entries.`
    findings.add({ kind: 'head_extra', writerId, seq, message })
  }
}

async function* readPages<Row extends QueryResultRow>(tx: Tx, open: Statement): AsyncGenerator<Row[]> {
  await tx.run(open)
  let page: Row[]
  do {
    page = await tx.run(fetchPage<Row>())
    yield page
  } while (page.length === pageMax)
  await tx.run(closePages())
}
