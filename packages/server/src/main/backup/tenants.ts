import { selectTenantIds } from '../../features/partners/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

const beforeAll = '00000000-0000-0000-0000-000000000000'
const pageMost = 1_000

/** All of them, as the owner; a hundred thousand ids are some megabytes. */
export async function listTenants(owner: Database): Promise<TenantScope[]> {
  const tenants: TenantScope[] = []
  let page: { tenantId: TenantId }[]
  do {
    page = await owner.throughDoor(selectTenantIds(tenants.at(-1)?.tenantId ?? beforeAll, pageMost))
    tenants.push(...page)
  } while (page.length === pageMost)
  return tenants
}
