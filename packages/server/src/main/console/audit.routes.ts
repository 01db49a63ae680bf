import { ConsoleAudit } from '@casenote/contract'
import { Type } from 'typebox'
import type { OpenSession } from '../../features/console/index.js'
import type { ConsoleApi } from '../../http/console-api.js'
import { recordChange, reportAudit, type ReportedEntry, type ReportFilter } from '../../kernel/audit/index.js'
import { isId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { toReportRow } from '../audit-report/format-report.js'
import { sourceOf, type AnyContext, type ConsoleParts } from './console-parts.js'
import { Cursor, isOurTime, pageMax, readCursor, readTime, writeCursor } from './cursor.js'

/** What one page may look through: some seconds. A longer log is the command line's. */
const lookedMax = 500_000

/** The entry before the page: entries of its very millisecond that were shown are passed over. */
interface ReportCursor {
  at: string
  shown: number
}

/** Who saw and changed what, oldest first, as `casenote audit report` gives it. Every page is recorded before it is read. */
export function registerAudit(api: ConsoleApi<OpenSession>, parts: ConsoleParts): void {
  const { db, keys, realm } = parts
  api.route({
    operation: 'audit.report',
    method: 'GET',
    path: '/tenants/{tenantId}/audit',
    who: 'user',
    query: Type.Object({
      client: Type.Optional(Type.String()),
      clinician: Type.Optional(Type.String()),
      from: Type.Optional(Type.String({ format: 'date-time' })),
      to: Type.Optional(Type.String({ format: 'date-time' })),
      cursor: Cursor,
    }),
    answer: ConsoleAudit,
    handle: async (context) => {
      const { tenant, query } = context
      const cursor = readCursor(query.cursor, isReportCursor)
      const filter = readFilter(query)
      if (filter === null) return { data: [], next: null }
      await recordReport(parts, context, filter)
      const entries = reportAudit({
        db,
        ring: await keys.get(tenant),
        filter: { ...filter, since: cursor?.at ?? filter.since },
        onProgress: (looked) => {
          if (looked > lookedMax)
            throw refuse.conflict(
              'report_too_long',
              'That is too much for a page: narrow it, or use "casenote audit report"',
            )
        },
      })
      const { rows, next } = await takePage(entries, cursor)
      const data = rows.map((entry) => {
        const row = toReportRow(entry)
        // Where clients and clinicians were is the operator's to know.
        return realm.kind === 'operator' ? row : { ...row, from: null }
      })
      return { data, next: next === null ? null : writeCursor(next) }
    },
  })
}

/** Null: nothing can match. */
function readFilter(query: Record<string, string | undefined>): ReportFilter | null {
  const { client, clinician, from, to } = query
  for (const id of [client, clinician]) if (id !== undefined && !isId(id)) return null
  return {
    clientId: client ?? null,
    clinicianId: clinician ?? null,
    since: from === undefined ? null : readTime('from', from),
    until: to === undefined ? null : readTime('to', to),
  }
}

async function recordReport(parts: ConsoleParts, context: AnyContext, filter: ReportFilter): Promise<void> {
  const { tenant } = context
  const named = [filter.clientId, filter.clinicianId].filter((id) => id !== null)
  const subjects = named.length > 0 ? named : [tenant.tenantId]
  const by = await sourceOf(parts, context)
  await parts.db.write(tenant, (tx) => recordChange(tx, { ...by, operation: 'audit.report', subjects }))
}

async function takePage(
  entries: AsyncIterable<ReportedEntry>,
  cursor: ReportCursor | null,
): Promise<{ rows: ReportedEntry[]; next: ReportCursor | null }> {
  const rows: ReportedEntry[] = []
  let toPass = cursor?.shown ?? 0
  for await (const entry of entries) {
    if (entry.at === cursor?.at && toPass > 0) {
      toPass -= 1
      continue
    }
    const last = rows.at(-1)
    if (last !== undefined && rows.length === pageMax) return { rows, next: cursorAfter(rows, last, cursor) }
    rows.push(entry)
  }
  return { rows, next: null }
}

function cursorAfter(
  rows: readonly ReportedEntry[],
  { at }: ReportedEntry,
  before: ReportCursor | null,
): ReportCursor {
  const shown = rows.filter((row) => row.at === at).length
  return { at, shown: shown + (before?.at === at ? before.shown : 0) }
}

function isReportCursor(value: unknown): value is ReportCursor {
  if (typeof value !== 'object' || value === null || !('at' in value && 'shown' in value)) return false
  const { at, shown } = value
  return isOurTime(at) && typeof shown === 'number' && Number.isSafeInteger(shown) && shown >= 0
}
