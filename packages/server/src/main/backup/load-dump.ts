import { makeRoles, type RoleUrls } from '../../kernel/db/roles.js'
import { afterLoading, beforeLoading, findSchema } from './backup.sql.js'
import type { DumpPart } from './manifest.js'
import { findTool, runTool } from './postgres-tools.js'
import { withOpenConnection } from './snapshot.js'

const loadArguments = ['--single-transaction', '--exit-on-error']

/** Before anything is changed. */
export async function requireEmptyDatabase(migrateUrl: string): Promise<void> {
  const found = await withOpenConnection(migrateUrl, ({ ask }) => ask(findSchema()))
  if (found.length > 0)
    throw new Error(
      'the database is not empty: it has a schema casenote. Name one that is new, or drop that first',
    )
}

/** A dump is read by its own version of pg_restore, or a later one. */
export async function requireLoader(searchPath: string, { postgresql }: DumpPart): Promise<string> {
  const major = Math.floor(postgresql / 10_000)
  const tool = await findTool(searchPath, 'pg_restore')
  if (tool !== null && tool.major >= major) return tool.path
  const found = tool === null ? 'there is none in PATH' : `PATH has version ${tool.major}`
  throw new Error(
    `a restore of this backup needs pg_restore ${major} or later, and ${found}. Install the client programs of PostgreSQL ${major}`,
  )
}

/** All of it or nothing, with owners and privileges; the roles that they name are made first. */
export async function loadDump(
  dump: string,
  tool: string,
  { migrateUrl, ...urls }: RoleUrls & { migrateUrl: string; report: (line: string) => void },
): Promise<void> {
  await makeRoles({ migrateUrl, ...urls })
  const askAll = (statements: ReturnType<typeof beforeLoading>): Promise<void> =>
    withOpenConnection(migrateUrl, async ({ ask }) => {
      for (const statement of statements) await ask(statement)
    })
  await askAll(beforeLoading())
  try {
    await runTool(tool, [...loadArguments, dump], migrateUrl)
  } finally {
    await askAll(afterLoading())
  }
}
