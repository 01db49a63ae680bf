import { ConsoleMe } from '@casenote/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  findConsoleSession,
  loadPasskeys,
  makeIsOpen,
  operatorScope,
  type ConsoleRealm,
  type OpenSession,
} from '../../features/console/index.js'
import { selectTenant, selectTenantStandings } from '../../features/partners/index.js'
import { ConsoleApi } from '../../http/console-api.js'
import { mountConsolePage } from '../../http/console-page.js'
import type { OnTurnedAway } from '../../http/errors.js'
import type { Health } from '../../http/health.js'
import { isId, type TenantId } from '../../kernel/ids.js'
import type { Log } from '../../kernel/log.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { registerAudit } from './audit.routes.js'
import type { ConsoleParts } from './console-parts.js'
import { registerKeyRoutes } from './keys.routes.js'
import { registerOperatorRoutes } from './operator.routes.js'
import { ConsoleReads } from './record-reads.js'
import { registerSignIn } from './sign-in.routes.js'
import { registerTenantRoutes } from './tenant.routes.js'

interface Surface {
  log: Log
  health: Health
  onTurnedAway: OnTurnedAway
  renderUnknown: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

/** The whole console on one port: page and API, for the partners' people or for the operator's. */
export function mountConsole(
  app: FastifyInstance,
  parts: ConsoleParts,
  { log, health, onTurnedAway, renderUnknown }: Surface,
): ConsoleApi<OpenSession> {
  const { realm, config } = parts
  const isOpen = makeIsOpen(realm)
  const api = new ConsoleApi<OpenSession>({
    kind: realm.kind,
    clock: realm.clock,
    log,
    isOpen,
    findSession: (token, use) => findConsoleSession(realm, token, use),
    isEnrolment: ({ isEnrolment }) => isEnrolment,
    isFresh: ({ isFresh }) => isFresh,
    findTenant: (session, tenantId) => findTenant(parts, session, tenantId),
    suspectOf: ({ kind, scope, userName }) =>
      kind === 'operator' ? null : { tenant: scope, actor: { kind, id: scope.tenantId, as: userName } },
    onTurnedAway,
    countNobody: parts.countNobody,
    renderUnknown,
    publicOrigin: realm.kind === 'partner' ? new URL(config.publicUrl).origin : null,
  })
  const reads = new ConsoleReads(parts)
  registerSignIn(api, parts)
  registerMe(api, realm)
  registerTenantRoutes(api, parts, reads)
  registerKeyRoutes(api, parts)
  registerAudit(api, parts)
  registerOperatorRoutes(api, parts, health)
  api.mount(app)
  // Before it listens.
  app.addHook('onReady', async () => void (await loadPasskeys()))
  mountConsolePage(app, { isOpen, renderUnknown })
  return api
}

/** "Not theirs" is the same as "does not exist". */
async function findTenant(
  { db }: ConsoleParts,
  { kind, scope }: OpenSession,
  tenantId: TenantId,
): Promise<TenantScope | null> {
  if (!isId(tenantId) || tenantId === operatorScope.tenantId) return null
  const tenant = { tenantId }
  if (kind === 'partner') return tenantId === scope.tenantId ? tenant : null
  const rows = await db.read(tenant, selectTenant(tenant))
  return rows.length === 1 ? tenant : null
}

function registerMe(api: ConsoleApi<OpenSession>, { kind, db }: ConsoleRealm): void {
  api.route({
    operation: 'console.readMe',
    method: 'GET',
    path: '/me',
    who: 'user',
    answer: ConsoleMe,
    handle: async ({ session }) => {
      const { scope, userName, hasPasskey, hasPassword } = session
      const rows =
        kind === 'operator'
          ? await db.throughDoor(selectTenantStandings())
          : await db.read(scope, selectTenant(scope))
      const tenants = rows.map((row) => ({
        id: row.tenantId,
        kind: row.environment,
        isSuspended: row.suspendedAt !== null,
      }))
      const tenantId = kind === 'operator' ? null : scope.tenantId
      return { kind, userName, tenantId, tenants, hasPasskey, hasPassword }
    },
  })
}
