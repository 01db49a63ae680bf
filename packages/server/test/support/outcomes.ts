import type { WebhookEvent } from '@casenote/contract'
import type { TenantScope } from '../../src/kernel/tenant.js'
import type { TestService } from './test-service.js'

/** What was put into the outbox about a session, oldest first. */
export async function listEvents(
  service: TestService,
  tenant: TenantScope,
  sessionId: string,
): Promise<WebhookEvent[]> {
  const rows = (await service.db.read(tenant, {
    text: `select body from casenote.events
      where tenant_id = $1 and position(convert_to($2, 'UTF8') in body) > 0 order by seq`,
    values: [tenant.tenantId, sessionId],
  })) as { body: Buffer }[]
  return rows
    .map(({ body }) => JSON.parse(body.toString()) as WebhookEvent)
    .filter(({ payload }) => 'sessionId' in payload && payload.sessionId === sessionId)
}

/** The subjects of every audit entry of an operation that names a record, whether chained yet or not. */
export async function listSubjects(
  service: TestService,
  tenant: TenantScope,
  operation: string,
  about: string,
): Promise<string[][]> {
  const rows = await service.owner.throughDoor<{ subjects: string[] }>({
    text: `select subject_ids::text[] as subjects from casenote.audit_pending
        where tenant_id = $1 and operation = $2 and $3 = any(subject_ids)
      union all select subject_ids::text[] from casenote.audit_entries
        where tenant_id = $1 and body::jsonb ->> 'operation' = $2 and $3 = any(subject_ids)`,
    values: [tenant.tenantId, operation, about],
  })
  return rows.map(({ subjects }) => subjects)
}
