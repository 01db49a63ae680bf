import { skippedBefore, type AskedPage } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type { ClinicId, ClinicianId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { EXACT_COLUMNS, indexedWordsMax, toPatterns, type ClientFilter } from './client-filter.js'
import { clientColumns, clinicOfClient, type ClientRow } from './clients.sql.js'

/** Whose list it is. */
export type ListScope = { clinicId: ClinicId } | { clinicianId: ClinicianId }

export interface ListRequest {
  scope: ListScope
  filter: ClientFilter
  page: AskedPage
}

/** `seq / bucketSize` is written out in the triggers that count (0004_clients.sql). */
const bucketSize = 2_000

const clinicianOf = ({ scope, filter }: Pick<ListRequest, 'scope' | 'filter'>): string | null =>
  'clinicianId' in scope ? scope.clinicianId : filter.clinicianId

/** A page by exact filters. Named: few combinations, and each has one right index whatever the values. */
export function selectClients(tenant: TenantScope, request: ListRequest): Statement<ClientRow> {
  const { scope, filter, page } = request
  const skipped = skippedBefore(page)
  if ('clinicId' in scope && isUnfiltered(filter) && skipped >= bucketSize) {
    return selectDeepPage(tenant, scope.clinicId, page)
  }
  const { key, branches, values } = describeSource(tenant, request)
  const offset = `$${values.length + 1}`
  // Each branch stops by itself where this page ends: a caseload of thousands is not read for ten.
  const [only, ...others] = branches.map((from) => `select c.* ${from} order by c.seq`)
  const from =
    others.length === 0
      ? `(${only} limit ${page.size} offset ${offset})`
      : `(select c.* from (${[only, ...others]
          .map((branch) => `(${branch} limit ${offset}::bigint + ${page.size})`)
          .join(' union all ')}) c order by c.seq limit ${page.size} offset ${offset})`
  return {
    ...namedForPage(`select_clients_${key}`, page),
    text: `select ${clientColumns} from ${from} c ${clinicOfClient} order by c.seq`,
    values: [...values, skipped],
  }
}

/** Exact. Without filters, or by status alone, the counters have it; by anything else it is counted in an index. */
export function countClients(tenant: TenantScope, request: ListRequest): Statement<{ total: number }> {
  const { scope, filter } = request
  const status = filter.exact.find(({ name }) => name === 'status')?.value
  if (filter.clinicianId === null && filter.exact.every(({ name }) => name === 'status')) {
    return sumCounts(tenant, scope, status ?? null)
  }
  const { key, branches, values } = describeSource(tenant, request)
  const counts = branches.map((from) => `(select count(*) ${from})`)
  return { name: `count_clients_${key}`, text: `select ${counts.join(' + ')} as total`, values }
}

const isUnfiltered = ({ exact, clinicianId }: ClientFilter): boolean =>
  exact.length === 0 && clinicianId === null

/** What to select from, as `c`, with its conditions. Clients of a clinician are in one of two branches, never in both. */
function describeSource(
  tenant: TenantScope,
  request: ListRequest,
): { key: string; branches: string[]; values: string[] } {
  const { scope, filter } = request
  const values = [tenant.tenantId]
  const take = (value: string): string => `$${values.push(value)}`
  const conditions = ['c.tenant_id = $1']
  if ('clinicId' in scope) conditions.push(`c.clinic_id = ${take(scope.clinicId)}`)
  for (const { name, value } of filter.exact) conditions.push(`c.${EXACT_COLUMNS[name]} = ${take(value)}`)
  const clinicianId = clinicianOf(request)
  const key = [
    'clinicId' in scope ? 'k' : '',
    clinicianId === null ? '' : 'c',
    ...filter.exact.map(({ name }) => `_${name}`),
  ].join('')
  const where = conditions.join(' and ')
  if (clinicianId === null) return { key, branches: [`from casenote.clients c where ${where}`], values }
  const treats = take(clinicianId)
  const asPrimary = `from casenote.clients c where ${where} and c.clinician_id = ${treats}`
  const asSecondary = `from casenote.secondary_clinicians s
    join casenote.clients c on c.tenant_id = s.tenant_id and c.client_id = s.client_id
    where s.tenant_id = $1 and s.clinician_id = ${treats} and c.clinician_id <> ${treats} and ${where}`
  return { key, branches: [asPrimary, asSecondary], values }
}

function sumCounts(
  tenant: TenantScope,
  scope: ListScope,
  status: string | null,
): Statement<{ total: number }> {
  const isClinic = 'clinicId' in scope
  const counted = `select sum(clients) from casenote.client_counts
    where tenant_id = $1 and list_id = $2 ${status === null ? '' : 'and status = $3'}`
  const secondary = `select count(*) from casenote.secondary_clinicians s
    join casenote.clients c on c.tenant_id = s.tenant_id and c.client_id = s.client_id
    where s.tenant_id = $1 and s.clinician_id = $2 and c.clinician_id <> $2 ${status === null ? '' : 'and c.status = $3'}`
  return {
    name: `sum_client_counts_${isClinic ? 'k' : 'c'}${status === null ? '' : '_status'}`,
    text: `select coalesce((${counted}), 0)${isClinic ? '' : ` + (${secondary})`} as total`,
    values: [
      tenant.tenantId,
      isClinic ? scope.clinicId : scope.clinicianId,
      ...(status === null ? [] : [status]),
    ],
  }
}

/** Page 50,000 of a million by OFFSET: 94 ms; from the bucket it lies in: 2 ms. */
const selectDeepPage = (tenant: TenantScope, clinicId: ClinicId, page: AskedPage): Statement<ClientRow> => ({
  ...namedForPage('select_clients_deep', page),
  text: `with buckets as (
      select bucket, sum(clients) as clients from casenote.client_buckets
      where tenant_id = $1 and clinic_id = $2 group by bucket
    ), running as (
      select bucket, (sum(clients) over (order by bucket) - clients)::bigint as before from buckets
    ), start as (
      select bucket, before from running where before <= $3 order by bucket desc limit 1
    )
    select ${clientColumns}
    from (
      select s.* from casenote.clients s
      where s.tenant_id = $1 and s.clinic_id = $2 and s.seq >= (select bucket::bigint * ${bucketSize} from start)
      order by s.seq limit ${page.size} offset $3 - (select before from start)
    ) c ${clinicOfClient} order by c.seq`,
  values: [tenant.tenantId, clinicId, skippedBefore(page)],
})

/** The count comes with every row, and with none of the page alone. */
export type FoundRow = { total: number } & (ClientRow | { clientId: null })

/** Free text goes through the door `search_clients`, which says why and plans it with its words. */
export function searchClients(tenant: TenantScope, request: ListRequest): Statement<FoundRow> {
  const { scope, filter, page } = request
  const patterns = toPatterns(filter.words)
  const filters = Object.fromEntries(filter.exact.map(({ name, value }) => [EXACT_COLUMNS[name], value]))
  return {
    ...namedForPage('search_clients', page),
    text: `select found.total, ${clientColumns}
      from casenote.search_clients($2, $3, $4, $5, $6, $7, ${page.size}) found
      left join lateral unnest(found.client_ids) hit (client_id) on true
      left join (casenote.clients c ${clinicOfClient}) on c.tenant_id = $1 and c.client_id = hit.client_id
      order by c.seq`,
    values: [
      tenant.tenantId,
      'clinicId' in scope ? scope.clinicId : null,
      clinicianOf(request),
      patterns.slice(0, indexedWordsMax),
      patterns.slice(indexedWordsMax),
      filters,
      skippedBefore(page),
    ],
  }
}

/** For the statements after it in the same transaction. */
export const limitTime = (timeoutMs: number): Statement => ({
  name: 'limit_statement_time',
  text: "select set_config('statement_timeout', $1, true)",
  values: [String(timeoutMs)],
})
