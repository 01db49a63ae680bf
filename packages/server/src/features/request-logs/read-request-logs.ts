import { pageOf, type AskedPage, type Page, type RequestLog } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  countRequestLogs,
  selectRequestLogs,
  selectRequestLogsAfter,
  type LogCursor,
  type RequestLogFilter,
  type RequestLogRow,
} from './request-logs.sql.js'

/** The Partner API's routes by operation: a log names the operation, and nothing else of what was asked for. */
export type RouteTemplates = ReadonlyMap<string, { method: string; path: string }>

export async function listRequestLogs(
  { db, templates }: { db: Database; templates: RouteTemplates },
  tenant: TenantScope,
  { page, ...filter }: RequestLogFilter & { page: AskedPage },
): Promise<Page<RequestLog>> {
  // A filter that cannot match gives an empty list (ruling 2), and need not reach the database.
  if (filter.operation !== null && !templates.has(filter.operation)) return pageOf<RequestLog>([], 0, page)
  const [rows, [count]] = await db.read(
    tenant,
    selectRequestLogs(tenant, filter, page),
    countRequestLogs(tenant, filter),
  )
  return pageOf(
    rows.map((row) => toRequestLog(templates, row)),
    count?.total ?? 0,
    page,
  )
}

export function toRequestLog(templates: RouteTemplates, row: RequestLogRow): RequestLog {
  // An operation of a version before this one has no route any more.
  const template = templates.get(row.operation) ?? null
  return {
    requestId: row.requestId,
    at: row.at.toISOString(),
    method: template?.method ?? null,
    path: template?.path ?? null,
    operation: row.operation,
    status: row.status,
    code: row.code,
    latencyMs: row.latencyMs,
    ids: nameIds(row, template?.path ?? ''),
  }
}

/** `{sessionId}` is a session's; where a path says only `{id}`, the operation tells of what. */
function nameIds({ pathIds, operation }: RequestLogRow, path: string): RequestLog['ids'] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  const [noun = ''] = operation.split('.', 1)
  return pathIds.flatMap((id, index) => {
    const name = names[index] ?? 'id'
    return id === null ? [] : [{ kind: name === 'id' ? noun : name.replace(/Id$/, ''), id }]
  })
}

/** Newest first, behind a cursor: for whoever looks on while calls come in. */
export async function listNewestRequests(
  { db, templates }: { db: Database; templates: RouteTemplates },
  tenant: TenantScope,
  filter: Omit<RequestLogFilter, 'before'>,
  page: { after: LogCursor | null; most: number },
): Promise<{ cursor: LogCursor; request: RequestLog }[]> {
  if (filter.operation !== null && !templates.has(filter.operation)) return []
  const rows = await db.read(tenant, selectRequestLogsAfter(tenant, filter, page))
  return rows.map((row) => ({
    cursor: { at: row.at.toISOString(), requestId: row.requestId },
    request: toRequestLog(templates, row),
  }))
}
