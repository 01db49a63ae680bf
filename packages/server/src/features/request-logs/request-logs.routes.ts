import { PageOf, RequestLog, RequestLogQuery } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { Database } from '../../kernel/db/database.js'
import { listRequestLogs } from './read-request-logs.js'

export function registerRequestLogs(api: PartnerApi, { db }: { db: Database }): void {
  api.route({
    operation: 'requestLog.list',
    method: 'GET',
    path: '/request-logs',
    summary: 'List your calls of the last 14 days',
    description:
      'Ids, statuses and times of the calls that came with your API key; nothing of what was sent or answered. A call ' +
      'is listed within a second or so, the newest first, and the newest 10,000 that match. When the service is under heavy load, ' +
      'calls may be missing.',
    query: RequestLogQuery,
    answer: { status: 200, schema: PageOf(RequestLog), description: 'A page of calls, newest first' },
    audit: 'read',
    handle: ({ tenant, page, query: { status = null, operation = null, before = null } }) =>
      listRequestLogs({ db, templates: api.templates() }, tenant, {
        status,
        operation,
        before: before === null ? null : new Date(before),
        page,
      }),
  })
}
