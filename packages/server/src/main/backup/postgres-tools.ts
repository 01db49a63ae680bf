import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { libpqVariablesOf } from '../../kernel/db/connection-tls.js'

export type ToolName = 'pg_dump' | 'pg_restore'

/** Asking for a version. */
const versionWithinMs = 30_000

/** The newest major version of a tool that the search path has; null: there is none. */
export async function findTool(
  searchPath: string,
  name: ToolName,
): Promise<{ path: string; major: number } | null> {
  for (const folder of searchPath.split(delimiter).filter((one) => one !== '')) {
    const path = join(folder, name)
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (!isThere) continue
    const printed = await run(path, ['--version'], {}, AbortSignal.timeout(versionWithinMs)).catch(() => '')
    const major = Number(/(\d+)(?:\.\d+)*/.exec(printed)?.[1] ?? Number.NaN)
    if (Number.isInteger(major)) return { path, major }
  }
  return null
}

/** The tool's own environment: no secret of ours but the connection's, and that where no list of processes shows it. */
export async function runTool(path: string, args: readonly string[], url: string): Promise<void> {
  const variables = libpqVariablesOf(url)
  await run(path, [...args, `--dbname=dbname=${quote(variables.PGDATABASE ?? '')}`], variables)
}

/** For pg_restore the name must be among the arguments; as libpq reads it, lest a name be taken for a whole connection. */
const quote = (name: string): string => `'${name.replaceAll(/['\\]/g, String.raw`\$&`)}'`

async function run(
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<string> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(?:PATH|HOME|TMPDIR|PGPASSFILE)$/.test(name)),
  )
  const child = spawn(path, args, {
    env: { ...inherited, LC_ALL: 'C', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (chunk: Buffer) => (said.out = (said.out + chunk.toString()).slice(-outputMost)))
  child.stderr.on('data', (chunk: Buffer) => (said.err = (said.err + chunk.toString()).slice(0, outputMost)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code === 0) return said.out
  throw new Error(`${path} failed${describeFailure(said.err)}`)
}

const outputMost = 10_000

/** What a server says about a row shows the row: only what the tool says first, and nothing of a COPY. */
function describeFailure(stderr: string): string {
  const line = stderr.split('\n').find((one) => /^pg_\w+: error: /.test(one) && !one.includes('COPY'))
  return line === undefined ? '' : `: ${line.replace(/^pg_\w+: error: /, '').slice(0, 300)}`
}
