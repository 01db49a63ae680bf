import { openSuperuser } from '../support/test-database.js'
import type { TestPartner, TestService } from '../support/test-service.js'

/** As many as an operator's list has, each with an endpoint: as many as the health of an installation looks at. */
const tenantsCount = 10_000

/** What a tenant may have; the pages of the console's other lists have fifty rows. */
const endpointsCount = 100
const keysCount = 50
const rowsCount = 200

/** More than a page of the report has of one client, less than is looked for chain by chain. */
const entriesOfClient = 12_000
/** More than that, of everybody. */
const entriesCount = 30_000
/** Processes that wrote into the log, as one that is restarted every day has in some years. */
const chainsCount = 2_000

type Query = (text: string) => Promise<unknown>

/** Of the row that is the nth copy. */
export const freshId = `md5('row ' || n)::uuid`

/** A row again and again, with other values in some columns. */
export function copyRow(
  table: string,
  count: number,
  where: string,
  changed: Record<string, string>,
): string {
  const values = Object.entries(changed).map(([column, value]) => `'${column}', ${value}`)
  return `insert into casenote.${table} overriding user value
    select r.* from casenote.${table} t, generate_series(1, ${count}) n, lateral
      jsonb_populate_record(null::casenote.${table}, to_jsonb(t) || jsonb_build_object(${values.join(', ')})) r
    where ${where}`
}

/** An installation with as many tenants as its operator sees, one of which has as much as there may be of everything that is listed. */
export async function makeLargestTenants({ database }: TestService, partner: TestPartner): Promise<void> {
  const client = await openSuperuser(database)
  // Neither foreign keys nor triggers: it is no more than rows.
  const query: Query = (text) => client.query(text)
  try {
    await query('set session_replication_role = replica')
    await addTenants(query, partner)
    await addStandings(query, partner)
    await addLists(query, partner)
    await addEntries(query, partner)
    await query('analyze')
  } finally {
    await client.end()
  }
}

async function addTenants(query: Query, { partnerId, endpointId }: TestPartner): Promise<void> {
  const idOf = (n: string): string => `md5('tenant ' || ${n})::uuid`
  await query(copyRow('tenants', tenantsCount, `t.tenant_id = '${partnerId}'`, { tenant_id: idOf('n') }))
  await query(
    `insert into casenote.tenant_usage select ${idOf('n')}, n * 1000000000::bigint, 1 from generate_series(1, ${tenantsCount}) n`,
  )
  await query(
    copyRow('webhook_endpoints', tenantsCount, `t.endpoint_id = '${endpointId}'`, {
      tenant_id: idOf('n'),
      endpoint_id: freshId,
    }),
  )
}

async function addStandings(query: Query, { partnerId, endpointId }: TestPartner): Promise<void> {
  const ofTenant = `t.tenant_id = '${partnerId}'`
  await query(
    copyRow('webhook_endpoints', endpointsCount, `t.endpoint_id = '${endpointId}'`, {
      endpoint_id: freshId,
      is_primary: 'false',
    }),
  )
  await query(copyRow('client_secrets', keysCount, ofTenant, { secret_id: freshId, expires_at: 'now()' }))
  await query(
    `insert into casenote.usage_days (tenant_id, day, stored_bytes)
      select '${partnerId}', current_date - n, n from generate_series(0, 90) n`,
  )
  await query(
    `insert into casenote.pulses select gen_random_uuid(), 'api', now(), '1.0.0', 1.5 from generate_series(1, 1000)`,
  )
}

async function addLists(query: Query, partner: TestPartner): Promise<void> {
  const { partnerId, clientId, sessionId, deliveryId, clinicId, clinicianId } = partner
  const fresh = (column: string): Record<string, string> => ({ [column]: freshId })
  await query(copyRow('sessions', rowsCount, `t.session_id = '${sessionId}'`, fresh('session_id')))
  await query(
    copyRow('webhook_deliveries', rowsCount, `t.delivery_id = '${deliveryId}'`, {
      delivery_id: freshId,
      event_id: freshId,
    }),
  )
  await query(copyRow('clinics', rowsCount, `t.clinic_id = '${clinicId}'`, fresh('clinic_id')))
  await query(
    copyRow('clinicians', rowsCount, `t.clinician_id = '${clinicianId}'`, {
      ...fresh('clinician_id'),
      email_folded: `n || '@example.com'`,
    }),
  )
  await query(
    `insert into casenote.session_status_history (tenant_id, session_id, action, from_status, to_status)
      select tenant_id, session_id, action, from_status, to_status from casenote.session_status_history t,
        generate_series(1, ${rowsCount}) where t.session_id = '${sessionId}'`,
  )
  await query(
    `insert into casenote.webhook_attempts
      select '${partnerId}', '${deliveryId}', n, n, now(), 30000, null, 'timeout' from generate_series(1, ${rowsCount}) n`,
  )
  await query(
    `insert into casenote.request_logs
      select '${partnerId}', now() - n * interval '1 second', gen_random_uuid(), 'session.find', 404, 'not_found', 12,
        array['${clientId}', '${sessionId}']::uuid[] from generate_series(1, ${entriesCount}) n`,
  )
}

/** Entries of lists that showed a page of clients. */
export async function addEntries(
  query: Query,
  { partnerId, clientId, clinicianId }: Pick<TestPartner, 'partnerId' | 'clientId' | 'clinicianId'>,
): Promise<void> {
  const writer = (n: string): string => `md5('writer ' || ${n})::uuid`
  const body = `'{"at":"' || to_char(timestamptz '2026-01-01' + n * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ||
    '","operation":"client.list","actor":{"kind":"clinician","id":"${clinicianId}"},"requestId":"' || gen_random_uuid() || '"}'`
  const others = `array(select md5('client ' || m)::uuid from generate_series(1, 50) m)`
  await query('drop index casenote.audit_entries_by_subject')
  await query(
    `insert into casenote.audit_entries (tenant_id, writer_id, seq, key_version, subject_ids, body, hash)
      select '${partnerId}', ${writer(`n % ${chainsCount}`)}, n / ${chainsCount} + 1, 1,
        case when n <= ${entriesOfClient} then array['${clientId}'::uuid] else '{}' end || s.ids,
        ${body}, sha256('x') from (select ${others} as ids offset 0) s, generate_series(1, ${entriesCount}) n`,
  )
  await query(
    `insert into casenote.audit_heads (tenant_id, writer_id, seq, hash, is_covered)
      select tenant_id, writer_id, max(seq), sha256('x'), true from casenote.audit_entries
      where tenant_id = '${partnerId}' group by 1, 2 on conflict do nothing`,
  )
  await query(
    'create index audit_entries_by_subject on casenote.audit_entries using gin (subject_ids) with (fastupdate=off)',
  )
}
