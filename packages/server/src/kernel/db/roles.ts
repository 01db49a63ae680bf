import pg from 'pg'
import { answerInTime, connectionLimits, endInTime } from './connection-limits.js'
import { connectionOf } from './connection-tls.js'

/**
 * The roles of design section 5. The groups hold the privileges and cannot log in; the logins in the services' URLs
 * are members of them. `casenote_door` owns the SECURITY DEFINER doors and is the only role whose policies look
 * across tenants.
 */
const groups = ['casenote_app', 'casenote_dispatcher', 'casenote_door'] as const

export interface RoleUrls {
  databaseUrl: string | null
  dispatcherUrl: string | null
}

/** The roles alone: what a dump is loaded with names them. */
export async function makeRoles({
  migrateUrl,
  ...urls
}: RoleUrls & { migrateUrl: string; report: (line: string) => void }): Promise<void> {
  const client = new pg.Client({
    ...connectionOf(migrateUrl),
    application_name: 'casenote roles',
    ...connectionLimits,
  })
  // The statement in hand fails; without a listener the same loss would also end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    await answerInTime(client, () => ensureRoles(client, urls))
  } finally {
    await endInTime(
      () => [client],
      () => client.end(),
    )
  }
}

export async function ensureRoles(
  client: pg.Client,
  { report, ...urls }: RoleUrls & { report: (line: string) => void },
): Promise<void> {
  for (const group of groups) {
    if (await hasRole(client, group)) continue
    await createRole(client, `create role ${group} nologin`)
    report(`made role ${group}, which was not there`)
  }
  // The owner hands functions over to the door role, and operates on every tenant through it.
  await client.query('grant casenote_door to current_user')
  if (urls.databaseUrl !== null) await ensureLogin(client, urls.databaseUrl, 'casenote_app')
  if (urls.dispatcherUrl !== null) await ensureLogin(client, urls.dispatcherUrl, 'casenote_dispatcher')
}

async function hasRole(client: pg.Client, name: string): Promise<boolean> {
  return (await client.query('select 1 from pg_roles where rolname = $1', [name])).rows.length > 0
}

/** Roles belong to the whole server: another database's migration may have made it a moment ago. */
async function createRole(client: pg.Client, statement: string): Promise<void> {
  try {
    await client.query(statement)
  } catch (error) {
    const isThere = error instanceof pg.DatabaseError && ['42710', '23505'].includes(error.code ?? '')
    if (!isThere) throw error
  }
}

async function ensureLogin(client: pg.Client, url: string, group: string): Promise<void> {
  const { user, password } = new pg.Client(connectionOf(url))
  if (user === undefined) throw new Error(`the database URL for ${group} names no role`)
  const login = pg.escapeIdentifier(user)
  if (!(await hasRole(client, user))) {
    const secret = typeof password === 'string' ? ` password ${pg.escapeLiteral(password)}` : ''
    await createRole(client, `create role ${login} login${secret}`)
  }
  const { rows } = await client.query<{ member: boolean }>("select pg_has_role($1, $2, 'usage') as member", [
    user,
    group,
  ])
  if (rows[0]?.member !== true) await client.query(`grant ${group} to ${login}`)
}

/** The services refuse roles for which row security would be no net: superuser, BYPASSRLS, the tables' owner. */
export async function requireServiceRole(url: string, group: string, variable: string): Promise<void> {
  const client = new pg.Client({
    ...connectionOf(url),
    application_name: 'casenote role check',
    ...connectionLimits,
  })
  // The question in hand fails; without a listener the same loss would also end the process.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await answerInTime(client, () =>
      client.query<{ name: string; reason: string | null }>(roleCheck, [group]),
    )
    const row = rows[0]
    if (row?.reason) {
      throw new Error(
        `${variable}: the services cannot run as database role "${row.name}": ${row.reason}. ` +
          'Name a login of its own there, put the owner into CASENOTE_MIGRATE_URL and run "casenote migrate": ' +
          'it creates that login with the right memberships.',
      )
    }
  } finally {
    await endInTime(
      () => [client],
      () => client.end(),
    )
  }
}

const roleCheck = `
  select current_user as name,
    case
      when rolsuper then 'it is a superuser'
      when rolbypassrls then 'it bypasses row level security'
      when exists (
        select from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = 'casenote' and pg_has_role(current_user, c.relowner, 'member')
      ) then 'it owns the tables, or is a member of the role that does'
      when not exists (select from pg_roles where rolname = $1) then 'the database has not been migrated'
      when pg_has_role(current_user, 'casenote_door', 'member') then 'it is a member of casenote_door'
      when not pg_has_role(current_user, $1, 'usage') then 'it is no member of ' || $1
    end as reason
  from pg_roles where rolname = current_user`
