import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { makeDataFolder, runCasenote } from '../support/casenote-process.js'

let name: string
let env: Record<string, string>
let superuserUrl: string
let folder: { path: string; remove(): Promise<void> }

const into = (url: string): string => url.replace(/\/[a-z_]+\?/, `/${name}?`)

async function asSuperuser(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

beforeAll(async () => {
  const postgres = inject('postgres')
  name = `restore_${randomBytes(6).toString('hex')}`
  superuserUrl = postgres.superuserUrl
  await asSuperuser(superuserUrl, `create database ${name} owner casenote_owner`)
  folder = await makeDataFolder()
  env = {
    DATABASE_URL: into(postgres.databaseUrl),
    CASENOTE_DISPATCHER_URL: into(postgres.dispatcherUrl),
    CASENOTE_MIGRATE_URL: into(postgres.migrateUrl),
    CASENOTE_DATA_DIR: folder.path,
    CASENOTE_MASTER_KEY: randomBytes(32).toString('base64'),
  }
})
afterAll(async () => {
  await asSuperuser(superuserUrl, `drop database ${name} with (force)`)
  await folder.remove()
})

/** What `pg_restore` leaves where the roles are not there: no policies, no grants, everything the restorer's own. */
const loseRoles = `
  do $$
  declare
    one record;
  begin
    for one in select tablename, policyname from pg_policies where schemaname = 'casenote' loop
      execute format('drop policy %I on casenote.%I', one.policyname, one.tablename);
    end loop;
    for one in select oid::regprocedure as name from pg_proc where pronamespace = 'casenote'::regnamespace loop
      execute format('alter function %s owner to current_user', one.name);
      execute format('grant execute on function %s to public', one.name);
    end loop;
  end $$;
  revoke all on all tables in schema casenote from casenote_app, casenote_dispatcher, casenote_door;
  revoke all on schema casenote from casenote_app, casenote_dispatcher, casenote_door;`

describe('casenote migrate', () => {
  it('finds nothing missing on what it has migrated itself', async () => {
    const { code, stdout } = await runCasenote(['migrate'], env)
    expect(code).toBe(0)
    expect(stdout).toContain('owners, grants, policies and roles are in place')
  })

  it('says what one policy, one column and one function have become', async () => {
    await asSuperuser(
      into(superuserUrl),
      `alter policy tenant_isolation on casenote.clients using (true) with check (true);
      grant update (name) on casenote.tenants to casenote_app;
      alter function casenote.find_tenant_by_api_key(bytea) reset all;`,
    )
    const { code, stderr } = await runCasenote(['migrate'], env)
    expect(code).toBe(1)
    expect(stderr).toContain('policies: 1 missing')
    expect(stderr).toMatch(/table clients has policy tenant_isolation for .*, using true, check true/)
    expect(stderr).toContain('column tenants.name: casenote_app may UPDATE')
    expect(stderr).toContain(
      'function find_tenant_by_api_key looks across tenants as its owner, with no settings',
    )
  })

  it('says what is missing after a restore without roles, and leaves it as it is', async () => {
    await asSuperuser(into(superuserUrl), loseRoles)
    const { code, stdout, stderr } = await runCasenote(['migrate'], env)
    expect(code).toBe(1)
    expect(stdout).not.toContain('up to date')
    for (const line of [
      'table api_keys has policy operator for casenote_door',
      'grants: ',
      'owners: ',
      ': everyone may EXECUTE',
      'restore again into an empty database',
    ]) {
      expect(stderr).toContain(line)
    }
    expect(stderr).toMatch(/policies: \d{2,} missing/)
    expect(stderr).not.toContain('password')
  })
})
