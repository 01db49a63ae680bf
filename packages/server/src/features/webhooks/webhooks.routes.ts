import {
  DeliveryQuery,
  NewWebhookEndpoint,
  PageOf,
  PageQuery,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointPatch,
  WebhookRecovered,
  WebhookRecovery,
  WebhookTest,
} from '@casenote/contract'
import type { CallerTenant } from '../../http/gateway.js'
import type { PartnerApi } from '../../http/partner-api.js'
import type { Clock } from '../../kernel/clock.js'
import type { Database } from '../../kernel/db/database.js'
import { changeWebhookEndpoint, createWebhookEndpoint, deleteWebhookEndpoint } from './change-endpoints.js'
import { findEndpointProblems } from './find-endpoint-problems.js'
import { boundSince, recoverEndpoint, resendDelivery, testEndpoint } from './queue-deliveries.js'
import { findDelivery, listDeliveries } from './read-deliveries.js'
import { findEndpoint, listEndpoints } from './read-endpoints.js'

const findProblems = (tenant: CallerTenant, body: Readonly<Record<string, unknown>>): string[] =>
  findEndpointProblems(tenant.targets, body)

export interface WebhookParts {
  db: Database
  clock: Clock
  deliveryRetentionDays: number
}

export function registerWebhooks(api: PartnerApi, parts: WebhookParts): void {
  registerEndpoints(api, parts.db)
  registerDeliveries(api, parts)
}

function registerEndpoints(api: PartnerApi, db: Database): void {
  const path = '/webhook-endpoints/{id}'
  const load = loadEndpoint(db)
  api.route({
    operation: 'webhookEndpoint.list',
    method: 'GET',
    path: '/webhook-endpoints',
    summary: 'List webhook endpoints',
    query: PageQuery,
    answer: {
      status: 200,
      schema: PageOf(WebhookEndpoint),
      description: 'A page of webhook endpoints, oldest first, the primary one among them',
    },
    audit: 'read',
    handle: ({ tenant, page }) => listEndpoints(db, tenant, page),
  })
  api.route({
    operation: 'webhookEndpoint.create',
    method: 'POST',
    path: '/webhook-endpoints',
    summary: 'Create a webhook endpoint',
    body: NewWebhookEndpoint,
    findProblems,
    answer: { status: 201, schema: WebhookEndpoint, description: 'The new webhook endpoint' },
    rules: { 409: 'There are already 100 webhook endpoints' },
    audit: 'change',
    handle: ({ tenant, body, actor, requestId }) =>
      db.write(tenant, (tx) => createWebhookEndpoint(tx, body, { actor, requestId })),
  })
  api.route({
    operation: 'webhookEndpoint.read',
    method: 'GET',
    path,
    summary: 'Read a webhook endpoint',
    load,
    answer: { status: 200, schema: WebhookEndpoint, description: 'The webhook endpoint' },
    audit: 'read',
    handle: async ({ loaded }) => loaded,
  })
  api.route({
    operation: 'webhookEndpoint.change',
    method: 'PATCH',
    path,
    summary: 'Change a webhook endpoint; enabling it clears `disabledReason`',
    load,
    body: WebhookEndpointPatch,
    findProblems,
    answer: { status: 200, schema: WebhookEndpoint, description: 'The changed webhook endpoint' },
    audit: 'change',
    handle: ({ tenant, loaded: { id }, body, actor, requestId }) =>
      db.write(tenant, (tx) => changeWebhookEndpoint(tx, id, body, { actor, requestId })),
  })
  api.route({
    operation: 'webhookEndpoint.delete',
    method: 'DELETE',
    path,
    summary: 'Delete a webhook endpoint; deleting the primary one clears `callbackUrl`',
    load,
    answer: {
      status: 204,
      schema: null,
      description: 'Deleted; from now on it is 404, also to a second DELETE',
    },
    audit: 'change',
    handle: ({ tenant, loaded: { id }, actor, requestId }) =>
      db.write(tenant, (tx) => deleteWebhookEndpoint(tx, id, { actor, requestId })),
  })
}

function registerDeliveries(api: PartnerApi, { db, clock, deliveryRetentionDays }: WebhookParts): void {
  const load = loadEndpoint(db)
  api.route({
    operation: 'webhookEndpoint.test',
    method: 'POST',
    path: '/webhook-endpoints/{id}/test',
    summary: 'Send the newest event of a type to a webhook endpoint',
    load,
    body: WebhookTest,
    answer: { status: 200, schema: WebhookDelivery, description: 'The delivery, which is sent at once' },
    rules: { 409: 'There is no event of that type yet, or the endpoint is disabled' },
    audit: 'change',
    handle: ({ tenant, loaded, body: { eventType }, actor, requestId }) =>
      db.write(tenant, (tx) => testEndpoint(tx, { endpointId: loaded.id, eventType }, { actor, requestId })),
  })
  api.route({
    operation: 'webhookEndpoint.recover',
    method: 'POST',
    path: '/webhook-endpoints/{id}/recover',
    summary: 'Send again what failed or was never sent since a moment',
    description: 'Looks back as far as deliveries are kept: 30 days, unless the operator has set otherwise.',
    load,
    body: WebhookRecovery,
    answer: {
      status: 200,
      schema: WebhookRecovered,
      description: 'How many deliveries were queued, at most 10,000; repeat until it is 0',
    },
    rules: { 409: 'The endpoint is disabled' },
    audit: 'change',
    handle: ({ tenant, loaded, body, actor, requestId }) => {
      const since = boundSince(body.since, { nowMs: clock.nowMs(), deliveryRetentionDays })
      return db.write(tenant, (tx) =>
        recoverEndpoint(tx, { endpointId: loaded.id, since }, { actor, requestId }),
      )
    },
  })
  api.route({
    operation: 'webhookDelivery.list',
    method: 'GET',
    path: '/webhook-endpoints/{id}/deliveries',
    summary: 'List the deliveries to a webhook endpoint',
    load,
    query: DeliveryQuery,
    answer: {
      status: 200,
      schema: PageOf(WebhookDelivery),
      description: 'A page of deliveries, oldest first',
    },
    audit: 'read',
    handle: ({ tenant, loaded, page, query: { status = null, eventType = null } }) =>
      listDeliveries(db, tenant, { endpointId: loaded.id, status, eventType, page }),
  })
  api.route({
    operation: 'webhookDelivery.resend',
    method: 'POST',
    path: '/webhook-deliveries/{id}/resend',
    summary: 'Send a delivery again, at once',
    load: (tenant, { id }) => findDelivery(db, tenant, id),
    answer: { status: 200, schema: WebhookDelivery, description: 'The delivery, pending again' },
    rules: { 409: 'It is being sent at this moment, or the endpoint is disabled' },
    audit: 'change',
    handle: ({ tenant, loaded, actor, requestId }) =>
      db.write(tenant, (tx) => resendDelivery(tx, loaded, { actor, requestId })),
  })
}

const loadEndpoint =
  (db: Database) =>
  (tenant: CallerTenant, { id }: Record<'id', string>): Promise<WebhookEndpoint | null> =>
    findEndpoint(db, tenant, id)
