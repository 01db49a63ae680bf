import type { ServerResponse } from 'node:http'
import { migrate } from '../../src/kernel/db/migrate.js'
import { completeGeneration, findNoteOfSession } from '../../src/features/progress-notes/index.js'
import { lockDataFolder, startEmbeddedPostgres } from '../../src/main/embedded-postgres/index.js'
import { CasenoteProcess, freePort, makeDataFolder, waitUntil } from '../support/casenote-process.js'
import { asPipeline, someSections, startRecord } from '../support/clinical-record.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import {
  makeHooks,
  makeReceiver,
  type PartnerHooks,
  type Received,
  type Receiver,
} from './dispatch-fixture.js'

/** A process that is started again whenever it ends, as a supervisor would. */
export class Supervised {
  readonly name: string
  readonly #start: () => CasenoteProcess
  #process: CasenoteProcess
  #isOver = false

  constructor(name: string, start: () => CasenoteProcess) {
    this.name = name
    this.#start = start
    this.#process = this.#launch()
  }

  kill(): void {
    this.signal('SIGKILL')
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.child.kill(signal)
  }

  async stop(): Promise<number | null> {
    this.#isOver = true
    return (await this.#process.end('SIGTERM')).code
  }

  async #succeed(running: CasenoteProcess): Promise<void> {
    await running.finished
    if (!this.#isOver) this.#process = this.#launch()
  }

  #launch(): CasenoteProcess {
    const running = this.#start()
    void this.#succeed(running)
    return running
  }
}

/** How a receiver behaves changes every second or so, until it is told to be well for good. */
export interface MoodyReceiver {
  receiver: Receiver
  /** Answered with 2xx, by webhook-id: how often. */
  accepted: Map<string, number>
  recover(): void
}

type Mood = 'well' | 'failing' | 'stalling' | 'resetting'

async function makeMoodyReceiver(moods: readonly Mood[], random: () => number): Promise<MoodyReceiver> {
  const receiver = await makeReceiver()
  const accepted = new Map<string, number>()
  let mood: Mood = 'well'
  const pick = (): void => {
    mood = moods[Math.floor(random() * moods.length)] ?? 'well'
  }
  const timer = setInterval(pick, 1_500)
  const accept = (response: ServerResponse, { headers }: Received): void => {
    const id = String(headers['webhook-id'])
    response.writeHead(204).end()
    accepted.set(id, (accepted.get(id) ?? 0) + 1)
  }
  receiver.answer = (response, request) => {
    if (mood === 'failing') response.writeHead(500).end()
    else if (mood === 'resetting') response.socket?.resetAndDestroy()
    else if (mood === 'stalling') setTimeout(() => accept(response, request), 4_000 * random())
    else accept(response, request)
  }
  const recover = (): void => {
    clearInterval(timer)
    mood = 'well'
  }
  return { receiver, accepted, recover }
}

export interface KillRun {
  service: TestService
  partner: TestPartner
  hooks: PartnerHooks
  receivers: MoodyReceiver[]
  endpointIds: string[]
  processes: Supervised[]
  postmasterPid(): number
  /** Of the API process. */
  url: string
  close(): Promise<void>
}

/** A server of its own with durable commits; API, worker and two dispatchers in processes of their own. */
export async function openKillRun(random: () => number): Promise<KillRun> {
  const folder = await makeDataFolder()
  const lock = await lockDataFolder(folder.path, { command: 'test' })
  const log = { info: () => {}, warn: () => {} }
  const postgres = await startEmbeddedPostgres({
    dataDir: folder.path,
    log,
    settings: { shared_buffers: '64MB' },
  })
  const { migrateUrl, databaseUrl, dispatcherUrl, superuserUrl } = postgres
  await migrate({ migrateUrl, databaseUrl, dispatcherUrl, report: () => {} })
  const database = { migrateUrl, databaseUrl, dispatcherUrl, superuserUrl, drop: async () => {} }
  const service = await makeTestService({ database })
  const partner = await service.addPartner()
  const hooks = await makeHooks(service, partner)
  const receivers = await Promise.all([
    makeMoodyReceiver(['well'], random),
    makeMoodyReceiver(['well', 'failing'], random),
    makeMoodyReceiver(['well', 'stalling'], random),
    makeMoodyReceiver(['well', 'resetting', 'failing', 'stalling'], random),
  ])
  const endpointIds = await Promise.all(receivers.map(({ receiver }) => hooks.addEndpoint(receiver.url)))
  const port = await freePort()
  const env = {
    PORT: String(port),
    ...service.settingsFor(folder.path),
    CASENOTE_DISPATCHER_URL: dispatcherUrl,
    CASENOTE_LOG_LEVEL: 'error',
  }
  const processes = ['api', 'worker', 'dispatcher', 'dispatcher'].map(
    (role) => new Supervised(role, () => new CasenoteProcess([role], env)),
  )
  const url = `http://127.0.0.1:${port}`
  const run: KillRun = {
    service,
    partner,
    hooks,
    receivers,
    endpointIds,
    processes,
    postmasterPid: () => postgres.pid(),
    url,
    close: async () => {
      await Promise.all(processes.map((one) => one.stop()))
      await Promise.all(receivers.map(({ receiver }) => receiver.close()))
      await service.close()
      await postgres.stop()
      await lock.release()
      await folder.remove()
    },
  }
  try {
    // Four processes start at once.
    const isReady = async (): Promise<boolean> => (await fetch(`${url}/health/ready`)).status === 200
    await waitUntil(isReady, 'the API is ready', 120_000)
  } catch (error) {
    await run.close()
    throw error
  }
  return run
}

/** Notes that are ready to be finalized through the API: each finalizing is one event. */
export async function writeNotes({ service, partner }: KillRun, count: number): Promise<string[]> {
  const tenant = { tenantId: partner.partnerId }
  const context = asPipeline(await service.keys.get(tenant))
  const write = async (): Promise<string> => {
    const { sessionId, generationId } = await startRecord(service.db, context, { clientId: partner.clientId })
    await service.db.write(tenant, (tx) =>
      completeGeneration(tx, context, { madeBy: 'test', generationId, sections: someSections(), review: [] }),
    )
    return (await findNoteOfSession(service.db, tenant, sessionId))?.progressNoteId ?? ''
  }
  const noteIds: string[] = []
  // Few at a time: who waits for a connection is refused after a while.
  while (noteIds.length < count) noteIds.push(...(await Promise.all([write(), write(), write(), write()])))
  return noteIds
}

/** What may be on its way: a machine that delivers less than is produced would measure its backlog and nothing else. */
const onTheirWayMost = 400

/** Produces until told to stop, at `perSecond` at the most, whatever the database does meanwhile. */
export function startProducing(
  { hooks, receivers }: KillRun,
  perSecond: number,
): { stop(): Promise<{ perSecond: number }> } {
  const batch = 10
  const startedAtMs = performance.now()
  let produced = 0
  const over = new AbortController()
  const produce = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const due = ((performance.now() - startedAtMs) / 1000) * perSecond
      const arrived = receivers[0]?.accepted.size ?? 0
      if (produced >= due || produced - arrived > onTheirWayMost) {
        await new Promise((resolve) => setTimeout(resolve, 10))
        continue
      }
      // Not counted when it fails: whether it was committed, the table of events tells.
      await hooks.happen(batch).then(
        () => (produced += batch),
        () => {},
      )
    }
  }
  const producing = Promise.all([produce(), produce(), produce(), produce()])
  return {
    stop: async () => {
      over.abort()
      await producing
      return { perSecond: (produced / (performance.now() - startedAtMs)) * 1000 }
    },
  }
}
