import { Summary } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { SealedParts } from '../../kernel/change-context.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { describeFailure } from '../sessions/index.js'
import { describeSummary, findSummary, findSummaryOfSession } from './read-summary.js'
import type { SummaryRow } from './summaries.sql.js'

export function registerSummaries(api: PartnerApi, { db, keys }: SealedParts): void {
  const describe = async (tenant: TenantScope, row: SummaryRow): Promise<Summary> => {
    const summary = describeSummary(await keys.get(tenant), row)
    if (summary === null)
      throw refuse.notReady('Summary has not been generated', describeFailure(row.failureCode))
    return summary
  }
  api.route({
    operation: 'session.readSummary',
    method: 'GET',
    path: '/sessions/{sessionId}/summary',
    summary: 'Read the summary of a session',
    load: (tenant, { sessionId }) => findSummaryOfSession(db, tenant, sessionId),
    answer: { status: 200, schema: Summary, description: 'The summary' },
    mayBeNotReady: true,
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: ({ tenant, loaded }) => describe(tenant, loaded),
  })
  api.route({
    operation: 'summary.read',
    method: 'GET',
    path: '/summaries/{summaryId}',
    summary: 'Read a summary',
    load: (tenant, { summaryId }) => findSummary(db, tenant, summaryId),
    answer: { status: 200, schema: Summary, description: 'The summary' },
    mayBeNotReady: true,
    audit: 'read',
    subjects: ({ sessionId, clientId }) => [sessionId, clientId],
    handle: ({ tenant, loaded }) => describe(tenant, loaded),
  })
}
