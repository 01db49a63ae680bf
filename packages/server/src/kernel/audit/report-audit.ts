import type { Database } from '../db/database.js'
import type { ClientId } from '../ids.js'
import type { TenantKeyRing } from '../secrets/tenant-keys.js'
import type { TenantScope } from '../tenant.js'
import type { AuditEntry } from './audit-entry.js'
import {
  countOfClient,
  selectChains,
  selectOfClient,
  selectPendingForReport,
  selectStretch,
  type ChainRow,
  type ReportFilter,
  type ReportRow,
} from './report.sql.js'
import { unsealAddress } from './source-address.js'

/** Some 10 MB where each is about a hundred people, which are read when their turn comes: few of the first page, in most reports. */
const pageMax = 2_500

/**
 * About a client: each page looks at all of them again, and a million would be looked at four hundred times. Who has
 * more, since they stand in lists that are read all day, is looked for chain by chain, once.
 */
const indexedMax = 20_000

/** Entries of a chain that one statement looks at: some milliseconds. */
const stretchMax = 5_000

/** A worker chains them within a second: more than some are there only where none runs. */
const pendingMax = 5_000

export interface ReportedEntry extends Omit<AuditEntry, 'actor'> {
  at: string
  actor: Omit<AuditEntry['actor'], 'from'>
  /** `erased`: the client whose it was is gone, and it opens for nobody. */
  address: string | null
  /** False: a change of this very second, which no chain holds yet. */
  isChained: boolean
}

interface ReportParts {
  db: Database
  ring: TenantKeyRing
  filter: ReportFilter
  /** How many entries were looked at, for who waits. */
  onProgress: (looked: number) => void
}

/**
 * Entries in the order of time, a page at a time, whatever the log's length: nothing is kept open, so that whoever reads slowly
 * disturbs nobody. What is about a client is found by the index, unless it is very much; all else is looked through, chain by chain.
 */
export async function* reportAudit(parts: ReportParts): AsyncGenerator<ReportedEntry> {
  const { db, ring, filter } = parts
  const tenant: TenantScope = { tenantId: ring.tenantId }
  // First: what a worker chains meanwhile is then told once, from wherever it is found.
  const pending = await db.read(tenant, selectPendingForReport(tenant, filter, pendingMax))
  const waiting = new Map(pending.map((row) => [identityOf(row), row]))
  for await (const row of await openRows(parts, tenant)) {
    waiting.delete(identityOf(row))
    yield toReported(ring, row, true)
  }
  for (const row of waiting.values()) yield toReported(ring, row, false)
}

/** What one operator did in one millisecond differs in whom it is about. */
const identityOf = ({ subjects, body }: Pick<ReportRow, 'subjects' | 'body'>): string => `${subjects} ${body}`

async function openRows(parts: ReportParts, tenant: TenantScope): Promise<AsyncGenerator<ReportRow>> {
  const { clientId } = parts.filter
  if (clientId === null) return mergeChains(parts, tenant)
  const [row] = await parts.db.read(tenant, countOfClient(tenant, clientId, indexedMax + 1))
  return (row?.count ?? 0) > indexedMax
    ? mergeChains(parts, tenant)
    : pageThrough(parts, tenant, { ...parts.filter, clientId })
}

async function* pageThrough(
  { db, onProgress }: ReportParts,
  tenant: TenantScope,
  filter: ReportFilter & { clientId: ClientId },
): AsyncGenerator<ReportRow> {
  let last = { at: '', writerId: '00000000-0000-0000-0000-000000000000', seq: 0 }
  let looked = 0
  let page: ReportRow[]
  do {
    page = await db.read(tenant, selectOfClient(tenant, filter, last, pageMax))
    yield* page
    last = page.at(-1) ?? last
    looked += page.length
    onProgress(looked)
  } while (page.length === pageMax)
}

/** One chain and what was read of it ahead. */
interface OpenChain extends ChainRow {
  lookedAt: number
  ahead: ReportRow[]
}

/** Chains are in the order of time each; open at once are those of processes that ran at the same time. */
async function* mergeChains(parts: ReportParts, tenant: TenantScope): AsyncGenerator<ReportRow> {
  const { since, until } = parts.filter
  const chains = (await parts.db.read(tenant, selectChains(tenant))).filter(
    ({ firstAt, lastAt }) =>
      (since === null || lastAt === null || lastAt >= since) &&
      (until === null || firstAt === null || firstAt < until),
  )
  const progress = { looked: 0 }
  const open: OpenChain[] = []
  for (;;) {
    const next = findEarliest(open)
    const [unopened] = chains
    if (unopened !== undefined && (next === undefined || (unopened.firstAt ?? '') <= headOf(next))) {
      chains.shift()
      const chain = { ...unopened, lookedAt: 0, ahead: [] }
      if (await readAhead(parts, tenant, chain, progress)) open.push(chain)
      continue
    }
    if (next === undefined) return
    yield next.ahead.shift() as ReportRow
    if (next.ahead.length === 0 && !(await readAhead(parts, tenant, next, progress)))
      open.splice(open.indexOf(next), 1)
  }
}

/** For every entry of a million anew: they are few, and looked at without being put in order. */
function findEarliest(open: readonly OpenChain[]): OpenChain | undefined {
  let [earliest] = open
  for (const chain of open) if (earliest !== undefined && headOf(chain) < headOf(earliest)) earliest = chain
  return earliest
}

const headOf = ({ ahead }: OpenChain): string => ahead[0]?.at ?? ''

/** False: the chain has no more that fits. */
async function readAhead(
  { db, filter, onProgress }: ReportParts,
  tenant: TenantScope,
  chain: OpenChain,
  progress: { looked: number },
): Promise<boolean> {
  while (chain.ahead.length === 0 && chain.lookedAt < chain.length) {
    const upTo = Math.min(chain.lookedAt + stretchMax, chain.length)
    const stretch = { writerId: chain.writerId, after: chain.lookedAt, upTo }
    chain.ahead = await db.read(tenant, selectStretch(tenant, filter, stretch))
    progress.looked += upTo - chain.lookedAt
    chain.lookedAt = upTo
    onProgress(progress.looked)
  }
  return chain.ahead.length > 0
}

function toReported(
  ring: TenantKeyRing,
  { subjects, body }: Pick<ReportRow, 'subjects' | 'body'>,
  isChained: boolean,
): ReportedEntry {
  const { actor, ...entry } = JSON.parse(body) as Omit<AuditEntry, 'subjects'> & { at: string }
  const { from, ...who } = actor
  const address = from === undefined ? null : unsealAddress(ring, from)
  return { ...entry, actor: who, address, subjects: JSON.parse(subjects) as string[], isChained }
}
