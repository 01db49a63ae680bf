import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AuditEntry } from '../kernel/audit/index.js'
import type { Statement } from '../kernel/db/database.js'
import type { LimitVerdict, TenantLimits } from '../kernel/limits/index.js'
import { refuse } from '../kernel/refuse.js'
import type { ReadToken } from '../kernel/secrets/signed-tokens.js'
import type { TenantKeyRing } from '../kernel/secrets/tenant-keys.js'
import type { Admission, Environment, TenantScope } from '../kernel/tenant.js'
import { GatewayRefusal, ProvokedFault } from './errors.js'
import { loadTarget, paramsOf } from './route-machine.js'

/** The tenant that an API key stands for, as the API process holds it between two changes of it: no secret in the clear. */
export interface CallerTenant extends TenantScope {
  readonly environment: Environment
  /** The environment by whose rules the tenant's URLs are judged. */
  readonly targets: Environment
  readonly limits: TenantLimits
  /** How an artifact that has not been made yet is answered: as today, or as announced (contract part 9). */
  readonly notReadyStatus: 200 | 404
  /** Whether a POST with an `Idempotency-Key` is done once. */
  readonly idempotency: boolean
  /** Whether an `externalId` is one thing's, and a `sessionExternalId` one session's. */
  readonly uniqueExternalIds: boolean
  /** A sandbox was made to fail some of its next calls. */
  readonly hasFaults: boolean
  /** Tokens of an earlier one have expired; 0 unless a sandbox was made to expire some. */
  readonly tokenEpoch: number
  readonly ring: TenantKeyRing
  /** What it signs in with. */
  readonly clientIdDigest: Buffer
  readonly secretDigests: readonly { digest: Buffer; expiresAtMs: number }[]
}

/** The tenant of a request that has passed step 2. */
export function tenantOf({ tenant }: FastifyRequest): CallerTenant {
  if (tenant === null) throw new Error('nobody has asked yet whose request this is')
  return tenant
}

/** The look-ups that `main` hands in: this folder knows no feature. */
export interface GatewayLookups {
  /** `address`: whoever guesses from there. `onEnded`: whose key it was that lets nobody in any more. */
  findTenantByApiKey(
    apiKey: string,
    address: string,
    onEnded: (tenant: TenantScope) => void,
  ): CallerTenant | null | Promise<CallerTenant | null>
  readAccessToken(tenant: CallerTenant, token: string): ReadToken<'partner'> | Promise<ReadToken<'partner'>>
  admit(tenant: CallerTenant): LimitVerdict | Promise<LimitVerdict>
  /** How this call is made to fail; null: not at all. Asked only where there are faults to take. */
  takeFault(tenant: CallerTenant, path: string): Promise<429 | 500 | 503 | null>
  /** Whether nothing has been told since that could change what the key, or a token, is good for. */
  isCurrent(tenant: CallerTenant, apiKey: string): boolean
  /** What is asked in the transaction of a change. `tokenKeyVersion`: null where no token was needed. */
  selectLetIn(
    tenant: CallerTenant,
    credentials: { apiKey: string; tokenKeyVersion: number | null },
  ): Statement<{ hasKey: boolean; hasToken: boolean }>
}

export interface CheckedRoute {
  needsToken: boolean
  /** Reads the resource in the path within the tenant. Null: it does not exist or is not theirs. */
  load: ((tenant: CallerTenant, params: Record<string, string>) => Promise<unknown>) | null
  /** Refuses by the state of the resource in the path, before the body is read. */
  requireState: ((loaded: unknown) => void) | null
}

/**
 * Ruling 1, the order of checks; the first failure answers. Step 1 is the router's: an unknown route comes here
 * only as an empty id. Steps 7 and 8 follow in `partner-api.ts`, once the body has been read.
 */
export async function checkInOrder(
  lookups: GatewayLookups,
  route: CheckedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  await checkCaller(lookups, route, request, reply)
  await checkTarget(route, request)
}

/** Steps 1 to 4: who calls. */
export async function checkCaller(
  lookups: GatewayLookups,
  route: CheckedRoute,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  requireWholePath(paramsOf(request)) // 1
  const tenant = await requireApiKey(lookups, request) // 2
  request.tenant = tenant
  await requireShare(lookups, tenant, reply) // 3
  if (tenant.hasFaults) await failOnPurpose(lookups, tenant, request)
  if (route.needsToken) request.tokenKeyVersion = await requireAccessToken(lookups, tenant, request) // 4
}

/** Steps 5 and 6: what is in the path. */
export async function checkTarget(route: CheckedRoute, request: FastifyRequest): Promise<void> {
  if (route.load === null) return
  await loadTarget(route.load, tenantOf(request), request) // 5
  route.requireState?.(request.loaded) // 6
}

/**
 * Steps 2 and 4 once more, when a body has been read: it may have come for a minute, and whoever was cut off meanwhile is let
 * in no more. The key is answered from what is cached; the tenant that it stands for is another object once anything about
 * the tenant, its keys included, has changed, and only then the token can read otherwise.
 */
export async function checkAgain(
  lookups: GatewayLookups,
  { needsToken }: Pick<CheckedRoute, 'needsToken'>,
  request: FastifyRequest,
): Promise<void> {
  const apiKey = request.headers['x-api-key']
  // Nearly always: without a second look-up, and without waiting.
  if (request.tenant !== null && typeof apiKey === 'string' && lookups.isCurrent(request.tenant, apiKey))
    return
  const tenant = await requireApiKey(lookups, request)
  if (needsToken && tenant !== request.tenant) await requireAccessToken(lookups, tenant, request)
}

/** Who a partner's call stands in the audit log as. */
export function actorOf(
  { sealAddress }: { sealAddress: (tenant: CallerTenant, address: string) => string },
  request: FastifyRequest,
): AuditEntry['actor'] {
  const tenant = tenantOf(request)
  return { kind: 'partner', id: tenant.tenantId, from: sealAddress(tenant, request.ip) }
}

/** Steps 2 and 4 for the last time, where a change commits: what it waited for may have taken longer than its body. */
export function admissionOf(
  lookups: GatewayLookups,
  tenant: CallerTenant,
  { headers, tokenKeyVersion }: FastifyRequest,
): Admission {
  const apiKey = headers['x-api-key'] as string
  return {
    isCertain: () => lookups.isCurrent(tenant, apiKey),
    require: async (ask) => {
      const [row] = await ask(lookups.selectLetIn(tenant, { apiKey, tokenKeyVersion }))
      if (row?.hasKey !== true) throw new GatewayRefusal('badKey')
      if (!row.hasToken) throw tokenExpired()
    },
  }
}

/** The router takes the nothing behind a trailing slash for an id. */
function requireWholePath(params: Record<string, string>): void {
  for (const name in params) {
    if (params[name] === '') throw new GatewayRefusal('unknownRoute')
  }
}

async function requireApiKey(lookups: GatewayLookups, request: FastifyRequest): Promise<CallerTenant> {
  const apiKey = request.headers['x-api-key']
  const rememberEnded = (tenant: TenantScope): void => {
    const actor = { kind: 'partner', id: tenant.tenantId } as const
    request.suspect = { tenant, actor, operation: 'partner.useEndedKey' }
  }
  const found =
    typeof apiKey === 'string' ? lookups.findTenantByApiKey(apiKey, request.ip, rememberEnded) : null
  const tenant = found instanceof Promise ? await found : found
  if (tenant === null) throw new GatewayRefusal('badKey')
  return tenant
}

async function requireShare(
  lookups: GatewayLookups,
  tenant: CallerTenant,
  reply: FastifyReply,
): Promise<void> {
  const decided = lookups.admit(tenant)
  const verdict = decided instanceof Promise ? await decided : decided
  void reply.header('ratelimit-policy', verdict.headers.policy)
  void reply.header('ratelimit', verdict.headers.limit)
  if (verdict.isAdmitted) return
  throw new GatewayRefusal(
    verdict.reason === 'day' ? 'quotaExceeded' : 'rateExceeded',
    verdict.retryAfterSeconds,
  )
}

/** The controls themselves always answer, or nobody could end it. */
const neverMadeToFail = /^\/sandbox(\/|$)/

/**
 * Fails a call as a sandbox was asked to, as real failures are answered: a 429 bare with the second after which there is a share again, the
 * others in the envelope.
 */
async function failOnPurpose(
  lookups: GatewayLookups,
  tenant: CallerTenant,
  { url }: FastifyRequest,
): Promise<void> {
  const path = (url.split('?', 1)[0] ?? '').slice('/v2'.length)
  const status = neverMadeToFail.test(path) ? null : await lookups.takeFault(tenant, path)
  if (status === null) return
  if (status === 503) throw refuse.busy('service_unavailable', 'Service unavailable')
  if (status === 500) throw new ProvokedFault()
  throw new GatewayRefusal('rateExceeded', 1)
}

async function requireAccessToken(
  lookups: GatewayLookups,
  tenant: CallerTenant,
  request: FastifyRequest,
): Promise<number> {
  const token = request.headers['access-token']
  if (typeof token !== 'string' || token === '')
    throw refuse.forbidden('token_missing', 'Access-Token is missing')
  const read = await lookups.readAccessToken(tenant, token)
  if (read.state === 'unrecognized') throw refuse.forbidden('token_invalid', 'Access-Token is not recognized')
  if (read.state === 'expired') throw tokenExpired()
  return read.keyVersion
}

const tokenExpired = () => refuse.unauthorized('token_expired', 'Access-Token has expired')
