import { Partner, PartnerCredentials, PartnerPatch, PartnerToken } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { Clock } from '../../kernel/clock.js'
import type { Database } from '../../kernel/db/database.js'
import { findDigestHeaderProblems } from '../webhooks/index.js'
import { authenticatePartner } from './authenticate-partner.js'
import { changePartner } from './change-partner.js'
import { readPartner } from './read-partner.js'

export function registerPartners(api: PartnerApi, { db, clock }: { db: Database; clock: Clock }): void {
  api.route({
    operation: 'partner.authenticate',
    method: 'POST',
    path: '/partners/authenticate',
    summary: 'Obtain a partner access token',
    needsToken: false,
    body: PartnerCredentials,
    answer: { status: 200, schema: PartnerToken, description: 'A token for the `Access-Token` header' },
    rules: { 401: 'Invalid client credentials' },
    audit: 'login',
    onceByKey: false,
    handle: async ({ tenant, body }) => authenticatePartner(tenant, body, clock.nowMs()),
  })
  api.route({
    operation: 'partner.read',
    method: 'GET',
    path: '/partners',
    summary: 'The calling partner',
    answer: { status: 200, schema: Partner, description: 'The partner that the API key belongs to' },
    audit: 'read',
    handle: ({ tenant }) => readPartner(db, tenant),
  })
  api.route({
    operation: 'partner.change',
    method: 'PATCH',
    path: '/partners/{partnerId}',
    summary: 'Set the callback URL',
    description:
      'Set the callback URL: the primary webhook endpoint. `digestHeader` is a setting of the same endpoint, and needs one.',
    load: async (tenant, { partnerId }) => (partnerId === tenant.tenantId ? tenant : null),
    body: PartnerPatch,
    findProblems: (_tenant, { digestHeader }) => findDigestHeaderProblems(digestHeader),
    answer: { status: 200, schema: Partner, description: 'The changed partner' },
    rules: { 409: 'There are already 100 webhook endpoints' },
    audit: 'change',
    handle: async ({ tenant, body, actor, requestId }) => {
      await db.write(tenant, (tx) => changePartner(tx, tenant.targets, body, { actor, requestId }))
      return readPartner(db, tenant)
    },
  })
  api.reserve('PATCH', '/partners/authenticate')
}
