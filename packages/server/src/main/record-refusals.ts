import type { FastifyRequest } from 'fastify'
import { readBearer } from '../http/read-bearer.js'
import { paramsOf } from '../http/route-machine.js'
import type { Suspect } from '../http/suspect.js'
import { UnknownCallers, type Surface } from '../http/unknown-callers.js'
import {
  RefusalAudit,
  sealAddress,
  sealAddressOfClient,
  type Actor,
  type ReadAudit,
} from '../kernel/audit/index.js'
import type { Clock } from '../kernel/clock.js'
import { isId } from '../kernel/ids.js'
import { readLinkTenant } from '../kernel/link-tokens.js'
import { tolerateFailure, type Log } from '../kernel/log.js'
import { readClaimedTenant, readToken } from '../kernel/secrets/signed-tokens.js'
import type { TenantKeyRing, TenantKeys } from '../kernel/secrets/tenant-keys.js'

interface RefusalParts {
  reads: ReadAudit
  /** For whoever only claims a tenant: what is made up costs no look-ups without end. */
  keysFor: (address: string) => TenantKeys
  clock: Clock
  log: Log
}

/** Who was turned away, into the log of the tenant whose credential, link or id it was (decision 0022). */
export class Refusals {
  readonly #parts: RefusalParts
  readonly #audit: RefusalAudit
  readonly #unknown: UnknownCallers

  constructor(parts: RefusalParts) {
    this.#parts = parts
    this.#audit = new RefusalAudit({ record: (tenant, entry) => parts.reads.record(tenant, entry) })
    this.#unknown = new UnknownCallers(parts.log)
  }

  /** The answer goes out meanwhile. */
  readonly record = (request: FastifyRequest, status: number): void => {
    const about = 'a refusal is answered, whether it is recorded or not'
    void tolerateFailure(this.#parts.log, about, () => this.#record(request, status))
  }

  /** Counts who tried to use a console as nobody that there is. */
  readonly countNobody = (address: string): void => this.#unknown.count('console', address)

  async stop(): Promise<void> {
    this.#unknown.report()
    await this.#audit.stop()
  }

  async #record(request: FastifyRequest, status: number): Promise<void> {
    const suspect = await this.#findSuspect(request)
    const ring = suspect === null ? null : await this.#parts.keysFor(request.ip).get(suspect.tenant)
    // A tenant that a token only claims to be of may not exist.
    if (suspect === null || ring === null || !ring.has('audit')) {
      this.#unknown.count(surfaceOf(request), request.ip)
      return
    }
    const { tenant, actor, subjects = [], operation = request.routeOptions.config.operation } = suspect
    const asked = Object.values(paramsOf(request)).filter(isId)
    const all = [...new Set([...asked, ...subjects])]
    this.#audit.record(tenant, {
      operation: operation ?? 'unknown',
      actor: { ...actor, from: sealFor(ring, suspect, request.ip) },
      requestId: request.id,
      subjects: all.length > 0 ? all : [actor.id ?? tenant.tenantId],
      status,
    })
  }

  async #findSuspect(request: FastifyRequest): Promise<Suspect | null> {
    const { call, tenant, suspect } = request
    if (call !== null) {
      const { caller } = call
      return { tenant: caller.tenant, actor: { kind: 'clinician', id: caller.clinicianId } }
    }
    if (tenant !== null) return suspect ?? { tenant, actor: { kind: 'partner', id: tenant.tenantId } }
    return suspect ?? this.#findByBearer(request)
  }

  /** An access token that was ours, of a session that has ended; or what no client's page is let in with, or not any more. */
  async #findByBearer(request: FastifyRequest): Promise<Suspect | null> {
    const bearer = readBearer(request)
    if (bearer === null) return null
    const linkTenant = readLinkTenant(bearer)
    if (linkTenant !== null) return { tenant: linkTenant, actor: { kind: 'client', id: null } }
    const tenantId = readClaimedTenant(bearer)
    if (tenantId === null || !isId(tenantId)) return null
    const ring = await this.#parts.keysFor(request.ip).get({ tenantId })
    const read = readToken(ring, 'clinician', bearer, this.#parts.clock.nowMs())
    if (read.state === 'unrecognized') return null
    return { tenant: { tenantId }, actor: { kind: 'clinician', id: read.claims.sub } }
  }
}

/** Of a client's page nobody knows any more whose it was: an address that could not go with its client is not kept. */
function sealFor(ring: TenantKeyRing, { actor, clientId }: Suspect, address: string): Actor['from'] {
  if (actor.kind !== 'client') return sealAddress(ring, address)
  return clientId === undefined ? undefined : sealAddressOfClient(ring, clientId, address)
}

function surfaceOf({ url }: FastifyRequest): Surface {
  if (url.startsWith('/widget/')) return 'widget'
  if (url.startsWith('/console/')) return 'console'
  return url.startsWith('/pages/') ? 'pages' : 'partner'
}
