import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
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

/** What the tool prints, as it comes: no more of it is in memory than `take` has not done with. */
export async function readTool(
  path: string,
  args: readonly string[],
  url: string,
  take: (chunk: Buffer) => Promise<void>,
): Promise<void> {
  const variables = libpqVariablesOf(url)
  const child = start(path, [...args, `--dbname=dbname=${quote(variables.PGDATABASE ?? '')}`], variables)
  const ended = waitForEnd(child)
  // Looked at when all that was printed has been taken.
  ended.catch(() => {})
  try {
    for await (const chunk of child.stdout) await take(chunk as Buffer)
  } catch (error) {
    // It asks the server to cancel, and its transaction with the snapshot ends.
    child.kill('SIGTERM')
    await ended.catch(() => {})
    throw error
  }
  await ended
}

/** For pg_restore the name must be among the arguments; as libpq reads it, lest a name be taken for a whole connection. */
const quote = (name: string): string => `'${name.replaceAll(/['\\]/g, String.raw`\$&`)}'`

async function run(
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<string> {
  const child = start(path, args, env, signal)
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out = (out + chunk.toString()).slice(-outputMost)))
  await waitForEnd(child)
  return out
}

function start(
  path: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): ChildProcessByStdio<null, Readable, Readable> {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => /^(?:PATH|HOME|TMPDIR|PGPASSFILE)$/.test(name)),
  )
  return spawn(path, args, {
    env: { ...inherited, LC_ALL: 'C', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  })
}

async function waitForEnd(child: ChildProcessByStdio<null, Readable, Readable>): Promise<void> {
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(0, outputMost)))
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`${child.spawnfile} failed${describeFailure(said)}`)
}

const outputMost = 10_000

/** What a server says about a row shows the row: only what the tool says first, and nothing of a COPY. */
function describeFailure(stderr: string): string {
  const line = stderr.split('\n').find((one) => /^pg_\w+: error: /.test(one) && !one.includes('COPY'))
  return line === undefined ? '' : `: ${line.replace(/^pg_\w+: error: /, '').slice(0, 300)}`
}
