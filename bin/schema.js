// Writes packages/server/migrations/schema.txt, what the migrations amount to, for reviews; with --check only says
// whether it is stale. Beside it rights.txt, which `casenote migrate` compares a database with. Needs no pg_dump: an embedded server is started for it and asked for its catalogue.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { buildWhatIsStale } from './build.js'

const sections = {
  tables: `
    select format('table %s (%s)', c.relname, string_agg(
        format(E'\\n  %s %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
          case when a.attnotnull then ' not null' else '' end,
          coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), case a.attidentity when 'a' then ' identity' else '' end)),
        '' order by a.attnum) || E'\\n')
      || case when c.relrowsecurity and c.relforcerowsecurity then ' row security forced' else '' end as line
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'casenote'::regnamespace and c.relkind = 'r'
    group by c.oid, c.relname order by c.relname`,
  constraints: `
    select format('%s: %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as line from pg_constraint
    where connamespace = 'casenote'::regnamespace and contype <> 'n' order by conrelid::regclass::text, conname`,
  indexes: `select indexdef as line from pg_indexes where schemaname = 'casenote' order by tablename, indexname`,
  policies: `
    select format('%s: %s to %s using %s with check %s', tablename, policyname, roles, qual, with_check) as line
    from pg_policies where schemaname = 'casenote' order by tablename, policyname`,
  privileges: `
    select format('%s: %s %s', table_name, grantee, string_agg(privilege_type, ', ' order by privilege_type)) as line
    from information_schema.role_table_grants
    where table_schema = 'casenote' and grantee like 'casenote%' and grantee <> 'casenote_owner'
    group by table_name, grantee order by table_name, grantee`,
  functions: `
    select format(E'owned by %s, may be executed by %s\\n%s', pg_get_userbyid(proowner), proacl, pg_get_functiondef(oid)) as line
    from pg_proc where pronamespace = 'casenote'::regnamespace order by proname`,
  triggers: `
    select pg_get_triggerdef(t.oid) as line from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'casenote'::regnamespace and not tgisinternal order by c.relname, tgname`,
}

async function dumpSchema() {
  const { lockDataFolder, startEmbeddedPostgres } =
    await import('../packages/server/dist/main/embedded-postgres/index.js')
  const { migrate } = await import('../packages/server/dist/kernel/db/migrate.js')
  const dataDir = await mkdtemp(join(tmpdir(), 'casenote-schema-'))
  await chmod(dataDir, 0o711)
  const lock = await lockDataFolder(dataDir, { command: 'schema' })
  const quiet = { info: () => {}, warn: () => {} }
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet })
  const { migrateUrl, databaseUrl, dispatcherUrl } = postgres
  try {
    await migrate({ migrateUrl, databaseUrl, dispatcherUrl, report: () => {} })
    return { schema: await describe(migrateUrl), rights: await describeRights(migrateUrl) }
  } finally {
    await postgres.stop()
    await lock.release()
    await rm(dataDir, { recursive: true, force: true })
  }
}

async function describe(connectionString) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  let text = 'What the migrations amount to. Written by `npm run generate`.\n'
  for (const [name, query] of Object.entries(sections)) {
    const { rows } = await client.query(query)
    text += `\n# ${name}\n\n${rows.map(({ line }) => line.trimEnd()).join('\n')}\n`
  }
  await client.end()
  return text
}

async function describeRights(url) {
  const { Database } = await import('../packages/server/dist/kernel/db/database.js')
  const { listRights } = await import('../packages/server/dist/kernel/db/rights.js')
  const db = new Database({ url, poolSize: 1, applicationName: 'schema', onConnectionError: () => {} })
  const lines = await listRights(db)
  await db.end()
  return `${lines.join('\n')}\n`
}

buildWhatIsStale()
const dump = await dumpSchema()
for (const [name, text] of [
  ['schema.txt', dump.schema],
  ['rights.txt', dump.rights],
]) {
  const file = fileURLToPath(new URL(`../packages/server/migrations/${name}`, import.meta.url))
  if (!process.argv.includes('--check')) await writeFile(file, text)
  else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(
      `packages/server/migrations/${name} is stale: run \`npm run generate\` and commit it\n`,
    )
    process.exitCode = 1
  }
}
