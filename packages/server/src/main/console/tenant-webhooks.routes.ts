import {
  ConsoleDeliveries,
  ConsoleDeliveryTries,
  ConsoleEndpoints,
  ConsoleRecovered,
  DELIVERY_STATUSES,
  oneOf,
} from '@casenote/contract'
import { Type } from 'typebox'
import type { OpenSession } from '../../features/console/index.js'
import {
  boundSince,
  describeTries,
  findDelivery,
  findEndpoint,
  listEndpointStandings,
  listNewestDeliveries,
  recoverEndpoint,
  resendDelivery,
} from '../../features/webhooks/index.js'
import type { ConsoleApi } from '../../http/console-api.js'
import { isId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { sourceOf, type ConsoleParts } from './console-parts.js'
import { pageMax, pageOfRows, readNumber, readTime, Cursor } from './cursor.js'

/** Endpoints and what is delivered to them. */
export function registerTenantWebhooks(api: ConsoleApi<OpenSession>, parts: ConsoleParts): void {
  registerEndpoints(api, parts)
  registerDeliveries(api, parts)
}

function registerEndpoints(api: ConsoleApi<OpenSession>, parts: ConsoleParts): void {
  const { db, realm, config } = parts
  api.route({
    operation: 'console.listEndpoints',
    method: 'GET',
    path: '/tenants/{tenantId}/endpoints',
    who: 'user',
    answer: ConsoleEndpoints,
    handle: async ({ tenant }) => ({ data: await listEndpointStandings(db, tenant), next: null }),
  })
  api.route({
    operation: 'webhookEndpoint.recover',
    method: 'POST',
    path: '/tenants/{tenantId}/endpoints/{endpointId}/recover',
    who: 'user',
    body: Type.Object({ since: Type.String({ format: 'date-time' }) }),
    answer: ConsoleRecovered,
    handle: async (context) => {
      const { tenant, params, body } = context
      const endpoint = await findEndpoint(db, tenant, params.endpointId)
      if (endpoint === null) throw refuse.notFound()
      const { deliveryRetentionDays } = config
      const since = boundSince(readTime('since', body.since), {
        nowMs: realm.clock.nowMs(),
        deliveryRetentionDays,
      })
      const by = await sourceOf(parts, context)
      const { recovered } = await db.write(tenant, (tx) =>
        recoverEndpoint(tx, { endpointId: endpoint.id, since }, by),
      )
      return { count: recovered }
    },
  })
}

function registerDeliveries(api: ConsoleApi<OpenSession>, parts: ConsoleParts): void {
  const { db } = parts
  api.route({
    operation: 'console.listDeliveries',
    method: 'GET',
    path: '/tenants/{tenantId}/deliveries',
    who: 'user',
    query: Type.Object({
      endpoint: Type.Optional(Type.String()),
      status: Type.Optional(oneOf(DELIVERY_STATUSES)),
      cursor: Cursor,
    }),
    answer: ConsoleDeliveries,
    handle: async ({ tenant, query }) => {
      if (query.endpoint !== undefined && !isId(query.endpoint)) return { data: [], next: null }
      const rows = await listNewestDeliveries(db, tenant, {
        endpointId: query.endpoint ?? null,
        status: query.status ?? null,
        before: readNumber(query.cursor),
        most: pageMax + 1,
      })
      return pageOfRows(
        rows,
        ({ delivery }) => delivery,
        ({ seq }) => seq,
      )
    },
  })
  api.route({
    operation: 'console.readDelivery',
    method: 'GET',
    path: '/tenants/{tenantId}/deliveries/{deliveryId}',
    who: 'user',
    answer: ConsoleDeliveryTries,
    handle: async ({ tenant, params }) => {
      const row = await findDelivery(db, tenant, params.deliveryId)
      if (row === null) throw refuse.notFound()
      return describeTries(row)
    },
  })
  api.route({
    operation: 'webhookDelivery.resend',
    method: 'POST',
    path: '/tenants/{tenantId}/deliveries/{deliveryId}/resend',
    who: 'user',
    answer: null,
    handle: async (context) => {
      const { tenant, params } = context
      const row = await findDelivery(db, tenant, params.deliveryId)
      if (row === null) throw refuse.notFound()
      const by = await sourceOf(parts, context)
      await db.write(tenant, (tx) => resendDelivery(tx, row, by))
    },
  })
}
