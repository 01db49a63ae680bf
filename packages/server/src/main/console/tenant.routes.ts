import type { OpenSession } from '../../features/console/index.js'
import type { ConsoleApi } from '../../http/console-api.js'
import type { ConsoleParts } from './console-parts.js'
import { registerOverview } from './overview.routes.js'
import type { ConsoleReads } from './record-reads.js'
import { registerTenantStanding } from './standing.routes.js'
import { registerTenantSessions } from './tenant-sessions.routes.js'
import { registerTenantWebhooks } from './tenant-webhooks.routes.js'

/** What a partner's developers see of their tenant, and an operator of any. */
export function registerTenantRoutes(
  api: ConsoleApi<OpenSession>,
  parts: ConsoleParts,
  reads: ConsoleReads,
): void {
  registerOverview(api, parts, reads)
  registerTenantSessions(api, parts, reads)
  registerTenantWebhooks(api, parts)
  registerTenantStanding(api, parts, reads)
}
