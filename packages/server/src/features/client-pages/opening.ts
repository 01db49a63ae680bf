import type { LinkKind } from '@casenote/contract'
import type { PageContext } from '../../http/page-api.js'
import type { Database } from '../../kernel/db/database.js'
import { hashLinkToken, readLinkTenant } from '../../kernel/link-tokens.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { extendOpening, selectClientOfOpening, type OpeningRow } from './openings.sql.js'

export interface Opening extends OpeningRow {
  tenant: TenantScope
}

/** Whom a page acts for. 401 asks for the birth date again; of an opening that is over it is on record whose it was. */
export async function getOpening(
  db: Database,
  kind: LinkKind,
  { bearer, suspect }: Pick<PageContext<never>, 'bearer' | 'suspect'>,
): Promise<Opening> {
  const tenant = bearer === null ? null : readLinkTenant(bearer)
  if (bearer === null || tenant === null) throw notLetIn()
  const bearerHash = hashLinkToken(bearer)
  const [row] = await db.writeAtOnce(tenant, extendOpening(tenant, kind, bearerHash))
  if (row !== undefined) return { ...row, tenant }
  const [over] = await db.read(tenant, selectClientOfOpening(tenant, bearerHash))
  if (over !== undefined) suspect({ tenant, actor: { kind: 'client', id: over.clientId }, ...over })
  throw notLetIn()
}

const notLetIn = () => refuse.unauthorized('page_closed', 'The page was closed meanwhile')
