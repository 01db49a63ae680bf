import { unsealLongText } from '../../src/kernel/secrets/sealed-json.js'
import type { TenantScope } from '../../src/kernel/tenant.js'
import { SEALED_TABLES } from '../../src/main/keys/sealed-columns.js'
import type { TestService } from './test-service.js'

/** Whatever is kept of the tenant, as it reads once it is opened. */
export async function openEverything(service: TestService, tenant: TenantScope): Promise<string> {
  const ring = await service.keys.get(tenant)
  const texts: string[] = []
  for (const { table, key, columns } of SEALED_TABLES)
    for (const column of columns) {
      const rows = (await service.owner.read(tenant, {
        text: `select array[${key.map((one) => `${one.column}::text`).join(', ')}] as key, ${column} as sealed
          from casenote.${table} where tenant_id = $1 and ${column} is not null`,
        values: [tenant.tenantId],
      })) as { key: string[]; sealed: Buffer }[]
      for (const row of rows) {
        const place = { table, row: row.key.join('/'), column }
        // Secrets are no JSON.
        const opened = unsealLongText(ring, place, row.sealed)
        texts.push(await opened.catch(() => ring.unseal(place, row.sealed).toString()))
      }
    }
  return texts.join('\n')
}
