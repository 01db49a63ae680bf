import type { LinkKind } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { hashLinkToken, readLinkTenant } from '../../kernel/link-tokens.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { extendOpening, type OpeningRow } from './openings.sql.js'

export interface Opening extends OpeningRow {
  tenant: TenantScope
}

/** Whom a page acts for. 401 asks for the birth date again. */
export async function getOpening(db: Database, kind: LinkKind, bearer: string | null): Promise<Opening> {
  const tenant = bearer === null ? null : readLinkTenant(bearer)
  if (bearer === null || tenant === null) throw notLetIn()
  const [row] = await db.writeAtOnce(tenant, extendOpening(tenant, kind, hashLinkToken(bearer)))
  if (row === undefined) throw notLetIn()
  return { ...row, tenant }
}

const notLetIn = () => refuse.unauthorized('page_closed', 'The page was closed meanwhile')
