import { readFile } from 'node:fs/promises'
import { ownFile } from '../own-files.js'
import type { Database } from './database.js'

const rightsFile = ownFile('migrations/rights.txt')

/**
 * Who owns what, who may do what, which policies stand and what they say, and what the groups are, a line each: what a dump can
 * lose, and a restore or a hand with it. The owner is called so, whatever its login; of other roles that an operator has let in,
 * nothing is said.
 */
const describeRights = `
  with named as (
    select oid, case
        when rolname in ('casenote_app', 'casenote_dispatcher', 'casenote_door') then rolname
        when pg_has_role(current_user, oid, 'member') then 'owner'
        else rolname end as name
    from pg_roles
  ), things as (
    select 'schema' as noun, nspname::text as thing, nspowner as owner,
      coalesce(nspacl, acldefault('n', nspowner)) as acl
    from pg_namespace where nspname = 'casenote'
    union all
    select 'table', relname::text, relowner, coalesce(relacl, acldefault('r', relowner))
    from pg_class where relnamespace = 'casenote'::regnamespace and relkind = 'r'
    union all
    select 'function', format('%s(%s)', proname, pg_get_function_identity_arguments(oid)), proowner,
      coalesce(proacl, acldefault('f', proowner))
    from pg_proc where pronamespace = 'casenote'::regnamespace
    union all
    select 'column', format('%s.%s', c.relname, a.attname), c.relowner, a.attacl
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'casenote'::regnamespace and c.relkind = 'r' and a.attacl is not null
      and not a.attisdropped
  ), grants as (
    select t.noun, t.thing, coalesce(n.name, 'everyone') as name, a.privilege_type as privilege
    from things t cross join lateral aclexplode(t.acl) a left join named n on n.oid = a.grantee
    where a.grantee <> t.owner
      and (a.grantee = 0 or n.name in ('casenote_app', 'casenote_dispatcher', 'casenote_door'))
  )
  select line from (
    select format('%s %s is owned by %s', t.noun, t.thing, n.name) as line
    from things t join named n on n.oid = t.owner where t.noun <> 'column'
    union all
    select format('%s %s: %s may %s', noun, thing, name, string_agg(distinct privilege, ', ' order by privilege))
    from grants group by noun, thing, name
    union all
    select format('table %s forces row security', relname) from pg_class
    where relnamespace = 'casenote'::regnamespace and relkind = 'r' and relrowsecurity and relforcerowsecurity
    union all
    select format('table %s has policy %s for %s, %s, %s, using %s, check %s', tablename, policyname,
      (select string_agg(r::text, ', ' order by r::text) from unnest(roles) r), lower(permissive), lower(cmd),
      coalesce(qual, 'nothing'), coalesce(with_check, 'the same'))
    from pg_policies where schemaname = 'casenote'
    union all
    select format('function %s looks across tenants as its owner, with %s', proname,
      coalesce(array_to_string(proconfig, ', '), 'no settings'))
    from pg_proc where pronamespace = 'casenote'::regnamespace and prosecdef
    union all
    select format('role %s is %s', rolname, coalesce(nullif(concat_ws(', ',
      case when rolsuper then 'a superuser' end, case when rolbypassrls then 'free of row security' end,
      case when rolcanlogin then 'a login' end, case when rolcreaterole then 'a maker of roles' end), ''), 'a group'))
    from pg_roles where rolname in ('casenote_app', 'casenote_dispatcher', 'casenote_door')
    union all
    select format('role %s is a member of %s', member.name, granted.name)
    from pg_auth_members m join named member on member.oid = m.member join named granted on granted.oid = m.roleid
    where member.name in ('casenote_app', 'casenote_dispatcher', 'casenote_door')
      and granted.name in ('casenote_app', 'casenote_dispatcher', 'casenote_door', 'owner')
  ) lines order by line collate "C"`

export async function listRights(db: Pick<Database, 'throughDoor'>): Promise<string[]> {
  const rows = await db.throughDoor<{ line: string }>({ text: describeRights, values: [] })
  return rows.map(({ line }) => line)
}

/** How many rights are told of each topic; a restore without roles loses hundreds, and three show which. */
const toldMost = 3

const topics = [
  ['roles', /^role /],
  ['policies', / has policy /],
  ['row security', / forces row security$/],
  ['grants', /: \S+ may /],
  ['owners', / is owned by /],
  ['functions', /./],
] as const

const topicOf = (line: string): string => topics.find(([, pattern]) => pattern.test(line))?.[0] ?? ''

function describeTopics(how: 'missing' | 'not expected', lines: readonly string[]): string[] {
  return topics.flatMap(([topic]) => {
    const found = lines.filter((line) => topicOf(line) === topic)
    if (found.length === 0) return []
    const more = found.length > toldMost ? ['    …'] : []
    return [
      `  ${topic}: ${found.length} ${how}`,
      ...found.slice(0, toldMost).map((line) => `    ${line}`),
      ...more,
    ]
  })
}

/**
 * A restore into a server without the roles, or without owners and grants, leaves the tables and their rows, and none of
 * what keeps tenants apart. The schema's version does not tell.
 */
export async function requireRights(db: Database): Promise<void> {
  const expected = (await readFile(rightsFile, 'utf8')).split('\n').filter((line) => line !== '')
  const found = await listRights(db)
  const missing = expected.filter((line) => !found.includes(line))
  const extra = found.filter((line) => !expected.includes(line))
  if (missing.length + extra.length === 0) return
  throw new Error(
    [
      'the database does not have the roles, owners, grants and policies that the migrations gave, as after a restore without roles:',
      ...describeTopics('missing', missing),
      ...describeTopics('not expected', extra),
      'The roles exist now: restore again into an empty database, with owners and privileges (no --no-owner, no --no-acl).',
    ].join('\n'),
  )
}
