import { ConsoleHealth, ConsoleRefusals, ConsoleTenants } from '@casenote/contract'
import { operatorScope, selectOperatorRefusals, type OpenSession } from '../../features/console/index.js'
import { selectAllUsage, selectTenantStandings } from '../../features/partners/index.js'
import type { ConsoleApi } from '../../http/console-api.js'
import type { Health } from '../../http/health.js'
import type { ConsoleParts } from './console-parts.js'
import { describeHealth } from './describe-health.js'
import { KnownForSeconds } from './known-for-seconds.js'

/** What only an operator may: all tenants, and how the processes are. As the owner, like the command line. */
export function registerOperatorRoutes(
  api: ConsoleApi<OpenSession>,
  parts: ConsoleParts,
  health: Health,
): void {
  registerTenants(api, parts)
  registerHealth(api, parts, health)
}

function registerTenants(api: ConsoleApi<OpenSession>, { realm }: ConsoleParts): void {
  api.route({
    operation: 'console.listTenants',
    method: 'GET',
    path: '/tenants',
    who: 'operator',
    answer: ConsoleTenants,
    handle: async () => {
      const rows = await realm.db.throughDoor(selectTenantStandings())
      const usage = await realm.db.throughDoor(selectAllUsage())
      const storedBy = new Map(usage.map(({ tenantId, storedBytes }) => [tenantId, storedBytes]))
      const data = rows.map((row) => ({
        id: row.tenantId,
        kind: row.environment,
        isSuspended: row.suspendedAt !== null,
        createdAt: row.createdAt.toISOString(),
        storedBytes: storedBy.get(row.tenantId) ?? 0,
      }))
      return { data, next: null }
    },
  })
}

/** As for the overview: a little less than a screen waits. */
const healthSeconds = 4

/** So many as a screen shows; older ones are in the table. */
const refusalsShown = 20

function registerHealth(api: ConsoleApi<OpenSession>, parts: ConsoleParts, health: Health): void {
  const reports = new KnownForSeconds<ConsoleHealth>(healthSeconds)
  const { realm } = parts
  api.route({
    operation: 'console.readHealth',
    method: 'GET',
    path: '/health',
    who: 'operator',
    answer: ConsoleHealth,
    handle: () => reports.get(operatorScope.tenantId, () => describeHealth(parts, health)),
  })
  api.route({
    operation: 'console.listRefusals',
    method: 'GET',
    path: '/refusals',
    who: 'operator',
    answer: ConsoleRefusals,
    handle: async () => {
      const rows = await realm.db.read(operatorScope, selectOperatorRefusals(operatorScope, refusalsShown))
      const data = rows.map(({ at, name, operation }) => ({
        at: at.toISOString(),
        userName: name,
        isLock: operation === 'console.lock',
      }))
      return { data, next: null }
    },
  })
}
