import { pageOf, type AskedPage, type Client, type ClinicClientFilters, type Page } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { DatabaseFault } from '../../kernel/db/db-errors.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { readClientFilter } from './client-filter.js'
import {
  countClients,
  limitTime,
  searchClients,
  selectClients,
  type ListRequest,
  type ListScope,
} from './client-lists.sql.js'
import { toClient } from './client-rules.js'
import type { ClientRow } from './clients.sql.js'

/**
 * A search of a million names by one letter takes some 0.4 s; what takes 2 s would, in numbers, stop everyone else.
 * Refused then, and the caller can do something about it.
 */
const searchTimeoutMs = 2_000

export async function listClients(
  db: Database,
  tenant: TenantScope,
  scope: ListScope,
  { page, ...query }: Omit<ClinicClientFilters, 'page'> & { page: AskedPage },
): Promise<Page<Client>> {
  const filter = readClientFilter(query)
  if (filter === null) return pageOf([], 0, page)
  const request = { scope, filter, page }
  if (filter.words.length > 0) return search(db, tenant, request)
  const [rows, [count]] = await db.read(tenant, selectClients(tenant, request), countClients(tenant, request))
  return pageOf(rows.map(toClient), count?.total ?? 0, page)
}

async function search(db: Database, tenant: TenantScope, request: ListRequest): Promise<Page<Client>> {
  try {
    const [, rows] = await db.read(tenant, limitTime(searchTimeoutMs), searchClients(tenant, request))
    const found = rows.filter((row): row is { total: number } & ClientRow => row.clientId !== null)
    return pageOf(found.map(toClient), rows[0]?.total ?? 0, request.page)
  } catch (error) {
    if (!(error instanceof DatabaseFault) || error.code !== queryCanceled) throw error
    throw refuse.invalid(['name must be more specific: this search takes too long'])
  }
}

const queryCanceled = '57014'
