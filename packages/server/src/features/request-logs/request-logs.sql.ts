import { skippedBefore, type AskedPage, type StatusClass } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type { TenantId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** One call as it is queued. What it holds needs no escaping in an array but `code`, which is a bare word. */
export interface LoggedRequest {
  tenantId: TenantId
  atMs: number
  requestId: string
  operation: string
  status: number
  code: string | null
  latencyMs: number
  /** An array literal. */
  pathIds: string
}

// The literals are made here, because pg would look at each element for what needs escaping.
const toArray = (rows: readonly LoggedRequest[], of: (row: LoggedRequest) => string | number): string =>
  `{${rows.map(of).join(',')}}`

/** Through the door: one batch holds calls of many tenants. */
export const appendRequestLogs = (rows: readonly LoggedRequest[]): Statement => ({
  name: 'append_request_logs',
  text: 'select casenote.append_request_logs($1, $2, $3, $4, $5, $6, $7, $8)',
  values: [
    toArray(rows, (row) => row.tenantId),
    toArray(rows, (row) => new Date(row.atMs).toISOString()),
    toArray(rows, (row) => row.requestId),
    toArray(rows, (row) => row.operation),
    toArray(rows, (row) => row.status),
    toArray(rows, (row) => row.code ?? 'null'),
    toArray(rows, (row) => row.latencyMs),
    toArray(rows, (row) => `"${row.pathIds}"`),
  ],
})

/** Deletes calls that are older than they are kept, by the database's clock. */
export const purgeRequestLogs = (keptDays: number, most: number): Statement<{ purged: number }> => ({
  text: 'select casenote.purge_request_logs($1, $2) as purged',
  values: [keptDays, most],
})

export interface RequestLogRow {
  at: Date
  requestId: string
  operation: string
  status: number
  code: string | null
  latencyMs: number
  pathIds: (string | null)[]
}

export interface RequestLogFilter {
  status: StatusClass | null
  operation: string | null
  before: Date | null
}

/** So far back a list goes: what is read of the newest calls is a few pages, and a deeper page costs no more than this. */
export const listedMax = 10_000

const columns = `at, request_id as "requestId", operation, status, code, latency_ms as "latencyMs", path_ids as "pathIds"`

/** Each status class by itself, so that errors are found by their own index. */
const classes: Record<StatusClass, string> = {
  '2xx': 'status between 200 and 299',
  '4xx': 'status >= 400 and status < 500',
  '5xx': 'status >= 500',
}

function where(tenant: TenantScope, { status, operation, before }: RequestLogFilter) {
  const values: unknown[] = [tenant.tenantId]
  const parts = ['tenant_id = $1', ...(status === null ? [] : [classes[status]])]
  const ask = (part: string, value: unknown): void => {
    values.push(value)
    parts.push(`${part} $${values.length}`)
  }
  if (operation !== null) ask('operation =', operation)
  if (before !== null) ask('at <', before)
  return { text: `where ${parts.join(' and ')}`, values }
}

/** Unnamed, as is the count: one plan for every combination of filters would suit none. */
export function selectRequestLogs(
  tenant: TenantScope,
  filter: RequestLogFilter,
  page: AskedPage,
): Statement<RequestLogRow> {
  const { text, values } = where(tenant, filter)
  const offset = Math.min(skippedBefore(page), listedMax)
  const limit = Math.min(page.size, listedMax - offset)
  return {
    text: `select ${columns} from casenote.request_logs ${text}
      order by at desc, request_id desc limit ${limit} offset ${offset}`,
    values,
  }
}

export function countRequestLogs(
  tenant: TenantScope,
  filter: RequestLogFilter,
): Statement<{ total: number }> {
  const { text, values } = where(tenant, filter)
  return {
    text: `select count(*) as total from (select from casenote.request_logs ${text} order by at desc limit ${listedMax}) l`,
    values,
  }
}

/** The time as it was given to the log, to the millisecond. */
export interface LogCursor {
  at: string
  requestId: string
}

/** The calls behind a cursor, newest first. */
export const selectRequestLogsAfter = (
  tenant: TenantScope,
  filter: Omit<RequestLogFilter, 'before'>,
  { after, most }: { after: LogCursor | null; most: number },
): Statement<RequestLogRow> => {
  const { text, values } = where(tenant, { ...filter, before: null })
  const from =
    after === null
      ? ''
      : `and (at, request_id) < ($${values.length + 1}::timestamptz, $${values.length + 2}::uuid)`
  return {
    text: `select ${columns} from casenote.request_logs ${text} ${from}
      order by at desc, request_id desc limit ${most}`,
    values: after === null ? values : [...values, after.at, after.requestId],
  }
}

/** What is counted of a day and of its errors; more than that is "many". */
const countedMax = 100_000

/** How many calls and errors the last 24 hours had, each counted no further than 100,000. */
export const countRecentRequests = (
  tenant: TenantScope,
): Statement<{ last24h: number; errors4xx: number; errors5xx: number }> => {
  const count = (rule: string): string =>
    `(select count(*)::int from (select from casenote.request_logs where tenant_id = $1
      and at > now() - interval '24 hours' ${rule} limit ${countedMax}) l)`
  return {
    text: `select ${count('')} as "last24h", ${count(`and ${classes['4xx']}`)} as "errors4xx",
      ${count(`and ${classes['5xx']}`)} as "errors5xx"`,
    values: [tenant.tenantId],
  }
}

export const countRequestsByDay = (
  tenant: TenantScope,
  days: number,
): Statement<{ day: string; requests: number; errors: number; limited: number }> => ({
  text: `select to_char(day, 'YYYY-MM-DD') as day, requests, errors_4xx + errors_5xx as errors, limited
    from casenote.request_days where tenant_id = $1 and day > (now() at time zone 'UTC')::date - $2::int`,
  values: [tenant.tenantId, days],
})

/**
 * Each minute of the last ones, oldest first, of the newest 100,000 calls; `limited`: refused by a limit. Null: not all calls of that
 * minute are among them.
 */
export const countRequestsByMinute = (
  tenant: TenantScope,
  minutes: number,
): Statement<{ at: Date; requests: number | null; limited: number | null }> => ({
  text: `with looked as (
      select at, status from casenote.request_logs where tenant_id = $1
        and at >= date_trunc('minute', now()) - make_interval(mins => $2 - 1)
      order by at desc limit ${countedMax}
    ), known as (
      select case when count(*) < ${countedMax} then '-infinity' else date_trunc('minute', min(at)) end as after from looked
    )
    select m.at, case when m.at > k.after then coalesce(c.requests, 0)::int end as requests,
      case when m.at > k.after then coalesce(c.limited, 0)::int end as limited
    from known k cross join generate_series(date_trunc('minute', now()) - make_interval(mins => $2 - 1), date_trunc('minute', now()),
      interval '1 minute') as m (at)
    left join (
      select date_trunc('minute', l.at) as at, count(*) as requests, count(*) filter (where l.status = 429) as limited
      from looked l group by 1
    ) c on c.at = m.at order by m.at`,
  values: [tenant.tenantId, minutes],
})
