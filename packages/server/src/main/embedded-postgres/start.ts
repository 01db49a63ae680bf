import { prepareBinaries } from './binaries.js'
import { ensureCluster } from './cluster.js'
import { makeConnectionUrls, type ConnectionUrls } from './connection-urls.js'
import { removeOtherCopies } from './copy-binaries.js'
import { ensureDatabase } from './create-database.js'
import { createDataFolder, refuseForeignFolder } from './data-folder.js'
import type { EmbeddedLog } from './embedded-log.js'
import { findLiveServer, recoveryLimitMs, type LiveServer } from './find-live-server.js'
import { launchServer, type LaunchPlan } from './launch-server.js'
import { createPasswords, findPasswords, passwordsPath, type Passwords } from './passwords.js'
import { EmbeddedPostgresProblem } from './problem.js'
import { chooseServerUser } from './run-as.js'
import { findOwnedCluster, findServerHome, prepareServerHome } from './server-home.js'
import { boundLogFolder } from './server-log.js'
import { adoptProcess, stopProcess, type ServerProcess } from './server-process.js'
import { createSocketFolder, removeTemporarySocketFolder } from './socket-folder.js'
import { superviseServer } from './supervise-server.js'

interface StartOptions {
  dataDir: string
  log: EmbeddedLog
  /** Server settings on top of ours, such as a smaller shared_buffers for tests. */
  settings?: Record<string, string>
  /** Infinity for a restore: all log that was written during a backup is replayed, while the server says so and runs. */
  recoveryWithinMs?: number
  /** Called when the server died and every try to start it again failed. */
  onGivenUp?: (error: Error) => void
}

export interface EmbeddedPostgres extends ConnectionUrls {
  pid(): number
  stop(): Promise<void>
}

/** A file grows 16 MB in ten minutes only under a storm of errors. */
const boundLogEveryMs = 600_000

/** Starts the server of a data folder, or finds it running. The caller has the folder's lock. */
export async function startEmbeddedPostgres(options: StartOptions): Promise<EmbeddedPostgres> {
  const { log, recoveryWithinMs = recoveryLimitMs } = options
  const { passwords, ...parts } = await prepareFolder(options)
  const { home, user } = parts
  const live = await findCurrentServer(parts, passwords, { log, recoveryWithinMs })
  const socketDir = live?.socketDir ?? (await createSocketFolder(home, user))
  const urls = makeConnectionUrls(passwords, socketDir)
  const settings = options.settings ?? {}
  const plan = { ...parts, socketDir, superuserUrl: urls.superuserUrl, settings, recoveryWithinMs }
  const first = live ? adoptProcess(live.pid, home.cluster) : await launchFirst(plan)
  log.info(
    live ? `Adopted the running PostgreSQL (pid ${first.pid})` : `PostgreSQL is ready (pid ${first.pid})`,
  )
  try {
    await ensureDatabase(urls.superuserUrl, passwords.casenote_owner)
  } catch (error) {
    await stopProcess(first)
    throw error
  }
  const supervised = superviseServer(first, {
    log,
    onGivenUp: options.onGivenUp ?? (() => undefined),
    bringUp: (abort) => bringUpAgain(plan, passwords, abort),
  })
  const boundLog = setInterval(
    () => void boundLogFolder(home).catch(() => undefined),
    boundLogEveryMs,
  ).unref()
  return {
    ...urls,
    pid: () => supervised.pid(),
    stop: async () => {
      clearInterval(boundLog)
      await supervised.stop()
      await removeTemporarySocketFolder(socketDir)
    },
  }
}

type PreparedFolder = Pick<LaunchPlan, 'home' | 'user' | 'binaries'>

async function prepareFolder({
  dataDir,
  log,
}: StartOptions): Promise<PreparedFolder & { passwords: Passwords }> {
  const folder = await createDataFolder(dataDir)
  await refuseForeignFolder(folder)
  const cluster = await findOwnedCluster(await findServerHome(folder))
  const known = await findPasswords(folder)
  if (!known && cluster) {
    throw new EmbeddedPostgresProblem(`${passwordsPath(folder)} is missing: restore it from a backup`)
  }
  const user = await chooseServerUser(cluster, log)
  const passwords = known ?? (await createPasswords(folder))
  const home = await prepareServerHome(folder, user, log)
  const binaries = await prepareBinaries(home, user)
  await ensureCluster({ home, user, binaries, superuserPassword: passwords.postgres, log })
  await boundLogFolder(home)
  return { home, user, binaries, passwords }
}

/** A server of other binaries would run on libraries that an update has replaced: it makes room for ours. */
async function findCurrentServer(
  { home, binaries }: PreparedFolder,
  passwords: Passwords,
  { log, recoveryWithinMs }: { log: EmbeddedLog; recoveryWithinMs: number },
): Promise<LiveServer | null> {
  const live = await findLiveServer(home.cluster, passwords, { recoveryWithinMs })
  if (!live || live.versionNum === binaries.versionNum) return live
  const [old, ours] = [live.versionNum, binaries.versionNum].map(
    (num) => `${Math.floor(num / 10_000)}.${num % 10_000}`,
  )
  log.info(`Stopping PostgreSQL ${old} (pid ${live.pid}) to start ${ours}`)
  await stopProcess(adoptProcess(live.pid, home.cluster))
  await removeTemporarySocketFolder(live.socketDir)
  return null
}

async function launchFirst(plan: LaunchPlan): Promise<ServerProcess> {
  try {
    return await launch(plan, new AbortController().signal)
  } catch (error) {
    await removeTemporarySocketFolder(plan.socketDir)
    throw error
  }
}

async function launch(plan: LaunchPlan, abort: AbortSignal): Promise<ServerProcess> {
  await removeOtherCopies(plan.home.path, plan.binaries.postgres)
  return launchServer(plan, abort)
}

async function bringUpAgain(
  plan: LaunchPlan,
  passwords: Passwords,
  abort: AbortSignal,
): Promise<ServerProcess> {
  const live = await findLiveServer(plan.home.cluster, passwords, { abort })
  if (!live) return launch(plan, abort)
  if (live.socketDir === plan.socketDir) return adoptProcess(live.pid, plan.home.cluster)
  throw new EmbeddedPostgresProblem(
    `Somebody else started a PostgreSQL (pid ${live.pid}) on ${plan.home.cluster}`,
  )
}
