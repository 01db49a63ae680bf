import {
  ConsoleClinicians,
  ConsoleClinics,
  ConsoleLimits,
  ConsoleRates,
  ConsoleUsage,
} from '@casenote/contract'
import { Type } from 'typebox'
import { selectClinicianStandings } from '../../features/clinicians/index.js'
import type { OpenSession } from '../../features/console/index.js'
import { selectClinicStandings } from '../../features/organizations/index.js'
import { selectLimitStanding, selectStoredByDay, selectToday } from '../../features/partners/index.js'
import { countRequestsByDay, countRequestsByMinute } from '../../features/request-logs/index.js'
import { countSessionsByDay, selectSessionsKnownFrom } from '../../features/sessions/index.js'
import { countDeliveriesByDay, selectDeliveriesKnownFrom } from '../../features/webhooks/index.js'
import type { ConsoleApi } from '../../http/console-api.js'
import type { Database } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { ConsoleParts } from './console-parts.js'
import { pageMax, pageOfRows, readNumber, Cursor } from './cursor.js'
import { KnownForSeconds, screenSeconds } from './known-for-seconds.js'
import { listUsageDays } from './list-usage-days.js'
import type { ConsoleReads } from './record-reads.js'

/** The rates of an hour: what is refused for its rate is refused within it. */
const ratedMinutes = 60

function registerRates(api: ConsoleApi<OpenSession>, db: Database): void {
  const rates = new KnownForSeconds<ConsoleRates>(screenSeconds)
  api.route({
    operation: 'console.listRates',
    method: 'GET',
    path: '/tenants/{tenantId}/rates',
    who: 'user',
    answer: ConsoleRates,
    handle: ({ tenant }) => rates.get(tenant.tenantId, () => listRates(db, tenant)),
  })
}

async function listRates(db: Database, tenant: TenantScope): Promise<ConsoleRates> {
  const [rows, [standing]] = await db.read(
    tenant,
    countRequestsByMinute(tenant, ratedMinutes),
    selectLimitStanding(tenant),
  )
  if (standing === undefined) throw refuse.notFound()
  return {
    ratePerSecond: standing.ratePerSecond,
    burst: standing.burst,
    perDay: standing.perDay,
    minutes: rows.map(({ at, requests, limited }) => ({ at: at.toISOString(), requests, limited })),
  }
}

async function countUsage(db: Database, tenant: TenantScope, days: number): Promise<ConsoleUsage> {
  const [requests, sessions, deliveries, stored, [sessionsFrom], [deliveriesFrom], [today]] = await db.read(
    tenant,
    countRequestsByDay(tenant, days),
    countSessionsByDay(tenant, days),
    countDeliveriesByDay(tenant, days),
    selectStoredByDay(tenant, days),
    selectSessionsKnownFrom(tenant),
    selectDeliveriesKnownFrom(tenant),
    selectToday(),
  )
  if (today === undefined) throw new Error('the database has no today')
  const knownFrom = { sessions: sessionsFrom?.day ?? null, deliveries: deliveriesFrom?.day ?? null }
  return { days: listUsageDays(days, { requests, sessions, deliveries, stored, knownFrom }, today.day) }
}

/** What a tenant may use, has used, and who works there. */
export function registerTenantStanding(
  api: ConsoleApi<OpenSession>,
  { db }: ConsoleParts,
  reads: ConsoleReads,
): void {
  const usage = new KnownForSeconds<ConsoleUsage>(screenSeconds)
  api.route({
    operation: 'console.listLimits',
    method: 'GET',
    path: '/tenants/{tenantId}/limits',
    who: 'user',
    answer: ConsoleLimits,
    handle: async ({ tenant }) => {
      const [row] = await db.read(tenant, selectLimitStanding(tenant))
      if (row === undefined) throw refuse.notFound()
      return [
        { name: 'ratePerSecond', limit: row.ratePerSecond, window: 'second', used: null },
        { name: 'burst', limit: row.burst, window: null, used: null },
        { name: 'perDay', limit: row.perDay, window: 'UTC day', used: row.usedToday },
        { name: 'storedBytes', limit: row.storedBytesMax, window: null, used: row.storedBytes },
        { name: 'openUploads', limit: row.openUploadsMax, window: null, used: row.openUploads },
      ]
    },
  })
  api.route({
    operation: 'console.listUsage',
    method: 'GET',
    path: '/tenants/{tenantId}/usage',
    who: 'user',
    query: Type.Object({ days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90 })) }),
    answer: ConsoleUsage,
    handle: ({ tenant, query: { days = 30 } }) =>
      usage.get(`${tenant.tenantId}/${days}`, () => countUsage(db, tenant, days)),
  })
  registerRates(api, db)
  api.route({
    operation: 'console.listClinics',
    method: 'GET',
    path: '/tenants/{tenantId}/clinics',
    who: 'user',
    query: Type.Object({ cursor: Cursor }),
    answer: ConsoleClinics,
    handle: async ({ tenant, query }) => {
      const page = { after: readNumber(query.cursor) ?? 0, most: pageMax + 1 }
      const rows = await db.read(tenant, selectClinicStandings(tenant, page))
      return pageOfRows(
        rows,
        ({ id, organizationId, clinicians, createdAt }) => ({
          id,
          organizationId,
          clinicians,
          createdAt: createdAt.toISOString(),
        }),
        ({ seq }) => seq,
      )
    },
  })
  api.route({
    operation: 'console.listClinicians',
    method: 'GET',
    path: '/tenants/{tenantId}/clinicians',
    who: 'user',
    query: Type.Object({ cursor: Cursor }),
    answer: ConsoleClinicians,
    handle: async (context) => {
      const { tenant, query } = context
      const page = { after: readNumber(query.cursor) ?? 0, most: pageMax + 1 }
      const rows = await db.read(tenant, selectClinicianStandings(tenant, page))
      const shown = pageOfRows(
        rows,
        ({ id, clinicId, active, sessions, createdAt }) => ({
          id,
          clinicId,
          active,
          sessions,
          createdAt: createdAt.toISOString(),
        }),
        ({ seq }) => seq,
      )
      const subjects = shown.data.map(({ id }) => id)
      await reads.record(context, 'console.listClinicians', subjects)
      return shown
    },
  })
}
