import type { ConsoleRealm } from '../../features/console/index.js'
import type { OpenSession } from '../../features/console/index.js'
import { actorOf } from '../../features/console/index.js'
import type { CorrectionParts } from '../../features/widget/index.js'
import type { ConsoleContext } from '../../http/console-api.js'
import type { PartnerApi } from '../../http/partner-api.js'
import { sealAddress, type ChangeSource, type ReadAudit } from '../../kernel/audit/index.js'
import type { Config } from '../../kernel/config.js'
import type { Database } from '../../kernel/db/database.js'

export interface ConsoleParts extends Omit<CorrectionParts, 'db'> {
  realm: ConsoleRealm
  /** The service's own, under row security: both consoles read and change a tenant's things with it, as the APIs do. */
  db: Database
  reads: ReadAudit
  config: Config
  /** Counts who was refused and is nobody that there is: it stands in nobody's log. */
  countNobody: (address: string) => void
  templates: ReturnType<PartnerApi['templates']>
}

/** Who asks, and of which tenant, on every route below `/tenants/{tenantId}`. */
export type AnyContext = Pick<
  ConsoleContext<OpenSession, unknown, unknown, '/tenants/{tenantId}', 'user'>,
  'session' | 'tenant' | 'address' | 'requestId'
>

/** Who changes something, by name, in the tenant's log. */
export async function sourceOf(
  { keys }: Pick<ConsoleParts, 'keys'>,
  { session, tenant, address, requestId }: AnyContext,
): Promise<ChangeSource> {
  return { actor: actorOf(session, sealAddress(await keys.get(tenant), address)), requestId }
}
