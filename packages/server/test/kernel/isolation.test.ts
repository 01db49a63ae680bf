import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

/** What stands outside tenant isolation, each for its reason. A new one must be added here, knowingly. */
const tablesWithoutTenant = [
  'directory_version',
  'installation',
  'instruments',
  'pulses',
  'schema_migrations',
]

/** SECURITY DEFINER: looks across tenants. The doors of ARCHITECTURE.md, and the trigger function behind one. */
const doors = [
  'append_audit_entries',
  'append_request_logs',
  'ask_erasure',
  'bump_directory_version',
  'cancel_webhook_deliveries',
  'claim_job',
  'claim_webhook_deliveries',
  'describe_job_queue',
  'describe_usage',
  'describe_webhook_queue',
  'end_exports_of_erased',
  'end_pulse',
  'erase_rows',
  'expire_rows',
  'fan_out_webhook_events',
  'find_api_key',
  'find_console_tenant',
  'find_tenant_by_api_key',
  'has_console_users',
  'keep_pulse',
  'list_abandoned_recordings',
  'list_blob_tenants_of_moved_clocks',
  'list_cut_off_recordings',
  'list_cut_offs_behind',
  'list_due_sittings',
  'list_ended_erasures',
  'list_key_marks',
  'list_left_downloads',
  'list_master_key_ids',
  'list_recordings_of_moved_clocks',
  'list_retaining_tenants',
  'list_sittings_of_moved_clocks',
  'list_tenants_with_due_blobs',
  'list_unapplied_erasures',
  'list_unfinished_erasures',
  'list_unsealed_tenants',
  'purge_client_mails',
  'purge_client_openings',
  'purge_deliveries_beside_holds',
  'purge_deliveries_of_moved_clocks',
  'purge_events_beside_holds',
  'purge_jobs',
  'purge_kept_answers',
  'purge_old_events',
  'purge_request_logs',
  'purge_sign_in_codes',
  'purge_webhook_deliveries',
  'purge_widget_sessions',
  'record_webhook_outcomes',
  'release_jobs',
  'release_webhook_claims',
  'renew_jobs',
  'renew_webhook_leases',
  'schedule_audio_deletion',
  'schedule_audio_of_moved_clocks',
  'search_clients',
  'settle_sandbox',
  'strike_rows',
  'tell_pulse',
]

let service: TestService
let one: TestPartner
let two: TestPartner
/** Goes around the application with its own roles. */
let app: pg.Client
let dispatcher: pg.Client
let superuser: pg.Client

beforeAll(async () => {
  service = await makeTestService()
  one = await service.addPartner()
  two = await service.addPartner()
  for (const of of [one, two]) {
    await service.call({
      method: 'POST',
      url: `/v2/clinicians/${of.clinicianId}/authenticate`,
      headers: of.headers,
    })
    await service.call({ method: 'GET', url: '/v2/organizations', headers: of.headers })
    await service.call({
      method: 'PATCH',
      url: `/v2/partners/${of.partnerId}`,
      headers: of.headers,
      payload: { callbackUrl: 'http://localhost/hook' },
    })
  }
  const open = async (connectionString: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString })
    await client.connect()
    return client
  }
  app = await open(service.database.databaseUrl)
  dispatcher = await open(service.database.dispatcherUrl)
  superuser = await open(service.database.superuserUrl)
})
afterAll(async () => {
  for (const client of [app, dispatcher, superuser]) await client.end()
  await service.close()
})

interface Table {
  name: string
  hasTenant: boolean
  isForced: boolean
  keys: string[]
}

async function listTables(): Promise<Table[]> {
  const { rows } = await superuser.query<Table>(`
    select c.relname as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id' and a.attnotnull) as "hasTenant",
      c.relrowsecurity and c.relforcerowsecurity as "isForced",
      array(select a.attname::text from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
        where i.indrelid = c.oid and i.indisunique) as keys
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'casenote' and c.relkind in ('r', 'p', 'v', 'm', 'f')`)
  return rows
}

describe('the catalogue', () => {
  it('every table has a tenant, forced row security and the tenant first in every unique key', async () => {
    for (const table of await listTables()) {
      if (tablesWithoutTenant.includes(table.name)) continue
      expect(table).toMatchObject({ hasTenant: true, isForced: true })
      expect([table.name, ...new Set(table.keys)]).toEqual([table.name, 'tenant_id'])
    }
  })

  it('the tables without a tenant are the named ones, and services may only read them', async () => {
    const names = (await listTables()).filter((table) => !table.hasTenant).map(({ name }) => name)
    expect(names.toSorted()).toEqual(tablesWithoutTenant)
    const { rows } = await superuser.query(
      `select table_name, grantee, privilege_type from information_schema.role_table_grants
       where table_schema = 'casenote' and table_name = any($1) and grantee like 'casenote%'
         and grantee <> 'casenote_owner' and privilege_type <> 'SELECT'`,
      [tablesWithoutTenant],
    )
    expect(rows).toEqual([])
  })

  it('every policy that lets somebody in is one of the two; others only take away', async () => {
    const { rows } = await superuser.query(
      `select policyname as name, roles::text, qual, count(*)::int as tables from pg_policies
       where schemaname = 'casenote' and permissive = 'PERMISSIVE' group by 1, 2, 3 order by 1`,
    )
    const { rows: taking } = await superuser.query(
      `select policyname as name, tablename as table, cmd, qual, with_check as check from pg_policies
       where schemaname = 'casenote' and permissive = 'RESTRICTIVE' order by 1`,
    )
    // The service's login makes and ends credentials and token keys, and never keys that seal data or sign the audit log. What has
    // ended stays so, and is deleted once nobody needs it.
    expect(taking).toEqual([
      {
        name: 'api_keys_ended',
        table: 'api_keys',
        cmd: 'UPDATE',
        qual: '(revoked_at IS NULL)',
        check: '(revoked_at IS NOT NULL)',
      },
      {
        name: 'api_keys_gone',
        table: 'api_keys',
        cmd: 'DELETE',
        qual: "(revoked_at < (now() - '90 days'::interval))",
        check: null,
      },
      {
        name: 'client_secrets_ended',
        table: 'client_secrets',
        cmd: 'UPDATE',
        qual: '((expires_at IS NULL) OR (expires_at > now()))',
        check: "((expires_at IS NOT NULL) AND (expires_at <= (now() + '24:00:00'::interval)))",
      },
      {
        name: 'client_secrets_gone',
        table: 'client_secrets',
        cmd: 'DELETE',
        qual: '(expires_at <= now())',
        check: null,
      },
      {
        name: 'token_keys_ended',
        table: 'tenant_keys',
        cmd: 'UPDATE',
        qual: "((purpose = 'token'::text) AND (retired_at IS NULL))",
        check: "((purpose = 'token'::text) AND (retired_at IS NOT NULL))",
      },
      {
        name: 'token_keys_gone',
        table: 'tenant_keys',
        cmd: 'DELETE',
        qual: "((purpose = 'token'::text) AND (created_at < (now() - '8 days'::interval)))",
        check: null,
      },
      {
        name: 'token_keys_made',
        table: 'tenant_keys',
        cmd: 'INSERT',
        qual: null,
        check: "(purpose = 'token'::text)",
      },
    ])
    const isolated = (await listTables()).length - tablesWithoutTenant.length
    expect(rows).toEqual([
      { name: 'operator', roles: '{casenote_door}', qual: 'true', tables: isolated },
      {
        name: 'tenant_isolation',
        roles: '{casenote_app,casenote_dispatcher}',
        qual: "(tenant_id = (NULLIF(current_setting('app.tenant'::text, true), ''::text))::uuid)",
        tables: isolated,
      },
    ])
  })

  it('the functions that look across tenants are the named doors, closed to everyone else', async () => {
    const { rows } = await superuser.query<{ name: string; config: string[]; isPublic: boolean }>(
      `select p.proname as name, p.proconfig as config, p.prosecdef as "isDefiner",
         has_function_privilege('public', p.oid, 'execute') as "isPublic"
       from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'casenote'`,
    )
    const definers = (
      rows as unknown as { name: string; isDefiner: boolean; config: string[]; isPublic: boolean }[]
    ).filter((row) => row.isDefiner)
    expect(definers.map(({ name }) => name).toSorted()).toEqual(doors)
    for (const { config } of definers) expect(config).toContain('search_path=""')
    expect(rows.filter(({ isPublic }) => isPublic)).toEqual([])
  })

  it('views, if any, run with the rights of who asks', async () => {
    const { rows } = await superuser.query(
      `select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'casenote' and relkind = 'v' and not coalesce(reloptions @> '{security_invoker=true}', false)`,
    )
    expect(rows).toEqual([])
  })

  it('no service role is superuser, bypasses row security or owns anything', async () => {
    const { rows } = await superuser.query(
      `select rolname from pg_roles where rolname ~ '^casenote' and (rolsuper or rolbypassrls)`,
    )
    expect(rows).toEqual([])
    const owned = await superuser.query(
      `select relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = 'casenote' and pg_get_userbyid(relowner) <> 'casenote_owner'`,
    )
    expect(owned.rows).toEqual([])
  })
})

describe('around the application, with its own database roles', () => {
  it('without a tenant nothing is seen, with one only that tenant, in every table', async () => {
    for (const client of [app, dispatcher]) {
      for (const { name, hasTenant } of await listTables()) {
        if (!hasTenant || !(await canRead(client, name))) continue
        expect([name, await countIn(client, name, null)]).toEqual([name, []])
        for (const of of [one, two]) {
          const tenants = await countIn(client, name, of.partnerId)
          expect([name, tenants.filter((tenant) => tenant !== of.partnerId)]).toEqual([name, []])
        }
      }
    }
    expect(await countIn(app, 'organizations', one.partnerId)).toEqual([one.partnerId])
  })

  it('a row of another tenant cannot be written, changed, taken over or pointed at', async () => {
    const attempts: [string, unknown[]][] = [
      [
        'insert into casenote.webhook_endpoints (tenant_id, endpoint_id, url) values ($1, $2, $3)',
        [two.partnerId, randomUUID(), 'x'],
      ],
      [
        'update casenote.clinicians set first_name = $2 where tenant_id = $1 returning 1',
        [two.partnerId, 'x'],
      ],
      ['update casenote.webhook_endpoints set tenant_id = $1 returning 1', [two.partnerId]],
      [
        'insert into casenote.widget_sessions (tenant_id, widget_session_id, clinician_id) values ($1, $2, $3)',
        [one.partnerId, randomUUID(), two.clinicianId],
      ],
    ]
    for (const [text, values] of attempts) {
      const outcome = await inTenant(app, one.partnerId, text, values)
      expect([text, outcome === 'refused' || outcome === 0]).toEqual([text, true])
    }
  })

  it('a unique conflict tells nothing about another tenant', async () => {
    const text = `insert into casenote.clinicians (tenant_id, clinician_id, clinic_id, first_name, last_name, email, email_folded)
      values ($1, $2, $3, 'a', 'b', $4, $4)`
    const taken = [one.partnerId, randomUUID(), one.clinicId, 'only-two-has-this@example.com']
    await inTenant(app, two.partnerId, text, [
      two.partnerId,
      randomUUID(),
      two.clinicId,
      'only-two-has-this@example.com',
    ])
    expect(await inTenant(app, one.partnerId, text, taken)).toBe(1)
    // The same id, too: the tenant is part of every key.
    expect(
      await inTenant(app, one.partnerId, text, [
        one.partnerId,
        two.clinicianId,
        one.clinicId,
        'new@example.com',
      ]),
    ).toBe(1)
  })

  it('the services cannot read credentials hashes, change keys, or switch row security off', async () => {
    for (const text of [
      'select * from casenote.api_keys',
      'select 1 from casenote.operator_users',
      'select 1 from casenote.operator_sessions',
      'insert into casenote.operator_links (tenant_id) values (null)',
      'delete from casenote.console_users',
      'update casenote.tenant_keys set version = 9',
      'delete from casenote.audit_entries',
      'update casenote.audit_checkpoints set number = 9',
      'alter table casenote.clients disable row level security',
      'set role casenote_door',
      'set role casenote_owner',
      'set session authorization postgres',
      'create function casenote.x() returns int language sql as $$ select 1 $$',
    ]) {
      for (const client of [app, dispatcher])
        expect([text, await inTenant(client, one.partnerId, text, [])]).toEqual([text, 'refused'])
    }
    const off = 'set row_security = off'
    await app.query(off)
    await expect(app.query('select * from casenote.clients')).rejects.toThrow()
    await app.query('reset row_security')
  })

  it('a door tells nothing without its key', async () => {
    const { rows } = await app.query('select casenote.find_tenant_by_api_key($1) as found', [
      Buffer.alloc(32),
    ])
    expect(rows).toEqual([{ found: null }])
    await expect(
      dispatcher.query('select casenote.find_tenant_by_api_key($1)', [Buffer.alloc(32)]),
    ).rejects.toThrow()
  })

  it('the tenant does not outlive its transaction on a pooled connection', async () => {
    await service.db.read({ tenantId: one.partnerId }, { text: 'select 1', values: [] })
    await service.db.write({ tenantId: one.partnerId }, (tx) => tx.run({ text: 'select 1', values: [] }))
    const rows = await service.db.throughDoor({
      text: 'select count(*) as seen from casenote.organizations',
      values: [],
    })
    expect(rows).toEqual([{ seen: 0 }])
  })
})

const canRead = async (client: pg.Client, table: string): Promise<boolean> =>
  (
    await client.query<{ can: boolean }>(`select has_table_privilege($1, 'select') as can`, [
      `casenote.${table}`,
    ])
  ).rows[0]?.can === true

async function countIn(client: pg.Client, table: string, tenantId: string | null): Promise<string[]> {
  await client.query('begin')
  if (tenantId !== null) await client.query("select set_config('app.tenant', $1, true)", [tenantId])
  const { rows } = await client.query<{ tenant: string }>(
    `select distinct tenant_id as tenant from casenote.${table}`,
  )
  await client.query('rollback')
  return rows.map(({ tenant }) => tenant)
}

/** Rows affected, or that it was refused; nothing stays but what `inTenant` of this file inserts on purpose. */
async function inTenant(
  client: pg.Client,
  tenantId: string,
  text: string,
  values: unknown[],
): Promise<number | 'refused'> {
  await client.query('begin')
  try {
    await client.query("select set_config('app.tenant', $1, true)", [tenantId])
    const { rowCount } = await client.query(text, values)
    await client.query('commit')
    return rowCount ?? 0
  } catch {
    await client.query('rollback')
    return 'refused'
  }
}
