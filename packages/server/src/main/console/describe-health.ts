import type { ConsoleEngine, ConsoleHealth, ConsoleQueue } from '@casenote/contract'
import { selectSummaryMaker } from '../../features/summaries/index.js'
import { selectTranscriptMaker } from '../../features/transcripts/index.js'
import { describeQueue, type EndpointQueue } from '../../features/webhooks/index.js'
import type { Health } from '../../http/health.js'
import {
  describeJobQueue,
  selectNewestEnds,
  type JobCount,
  type EndOf,
  type JobKind,
  type NewestEnd,
  type SessionJobKind,
} from '../../jobs/jobs.sql.js'
import { describeUsage } from '../../kernel/blobs/index.js'
import type { Config } from '../../kernel/config.js'
import type { Database, Statement } from '../../kernel/db/database.js'
import { describeDatabase, selectPulses } from '../../kernel/db/pulses.sql.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { readWriterChoice } from '../open-writer.js'
import type { ConsoleParts } from './console-parts.js'
import { listLate } from './list-late.js'

/** Five beats: no short fault of the database is as long. */
const silentAfterMs = 10_000

/** As many endpoints as are asked after; of more the rest is not counted. */
const endpointsMost = 10_000

/** How processes, engines and queues are, as the owner sees it. */
export async function describeHealth(
  { realm, db, config }: ConsoleParts,
  health: Health,
): Promise<ConsoleHealth> {
  const owner = realm.db
  const pulses = await owner.throughDoor(selectPulses())
  const jobs = await db.throughDoor(describeJobQueue())
  const ends = await owner.throughDoor(selectNewestEnds())
  const endpoints = await owner.throughDoor(describeQueue(endpointsMost))
  const [usage] = await db.throughDoor(describeUsage())
  const [database] = await owner.throughDoor(describeDatabase())
  if (usage === undefined || database === undefined) throw new Error('the database does not tell how it is')
  const chosen: Record<EngineName, string> = {
    speech: config.speech.engine,
    reader: 'embedded',
    writer: await findWriter(config),
  }
  const queue = listQueue(jobs)
  const deliveries = sumDeliveries(endpoints)
  return {
    processes: pulses.map(({ role, version, lagMs, seenAt, silentMs }) => ({
      role,
      version,
      lagMs,
      seenAt: seenAt.toISOString(),
      isSilent: silentMs > silentAfterMs,
    })),
    failing: health.findFailing(),
    late: listLate({ queue, deliveries }),
    engines: await Promise.all(
      engineNames.map(async (name) => ({
        name,
        chosen: chosen[name],
        ...(await describeEngine(owner, name, { jobs, ends })),
      })),
    ),
    queue,
    deliveries,
    database: { ...database, isEmbedded: config.databaseUrl === null },
    blobs: { store: config.s3 === null ? 'folder' : 's3', ...usage },
  }
}

/** Where a choice cannot be read: what the environment names. */
async function findWriter(config: Config): Promise<string> {
  try {
    return (await readWriterChoice(config))?.engine ?? 'extract'
  } catch {
    return config.writer.engine
  }
}

/** Which steps an engine works for. */
const engineSteps = {
  speech: ['transcribe', 'finish_live'],
  reader: ['read_transcript'],
  writer: ['write_note', 'derive_mdm', 'summarize'],
} as const satisfies Record<string, readonly JobKind[]>
type EngineName = keyof typeof engineSteps
const engineNames = Object.keys(engineSteps) as EngineName[]

interface Known {
  jobs: readonly JobCount[]
  ends: readonly NewestEnd[]
}

async function describeEngine(
  owner: Database,
  name: EngineName,
  { jobs, ends }: Known,
): Promise<Omit<ConsoleEngine, 'name' | 'chosen'>> {
  const isTheirs = ({ kind }: { kind: JobKind }): boolean =>
    (engineSteps[name] as readonly JobKind[]).includes(kind)
  const theirs = ends.filter(isTheirs).toSorted((a, b) => b.endedAt.getTime() - a.endedAt.getTime())
  const away = jobs.filter((job) => isTheirs(job) && job.state === 'away')
  return {
    lastUsed: await findMaker(owner, ends, name),
    answeredAt: theirs.find(({ status }) => status === 'done')?.endedAt.toISOString() ?? null,
    gaveUpAt: theirs.find(({ status }) => status === 'parked')?.endedAt.toISOString() ?? null,
    waitingForIt: away.reduce((sum, job) => sum + job.jobs, 0),
  }
}

async function findMaker(owner: Database, ends: readonly NewestEnd[], name: EngineName) {
  if (name === 'reader') return null
  const kinds: readonly JobKind[] = name === 'speech' ? engineSteps.speech : ['summarize']
  const isTheirs = (one: NewestEnd): one is EndOf<SessionJobKind> => kinds.includes(one.kind)
  const end = ends
    .filter(isTheirs)
    .filter(({ status }) => status === 'done')
    .toSorted((a, b) => b.endedAt.getTime() - a.endedAt.getTime())[0]
  if (end === undefined) return null
  const tenant = { tenantId: end.tenantId }
  const select: (tenant: TenantScope, sessionId: SessionId) => Statement<{ madeBy: string | null }> =
    name === 'speech' ? selectTranscriptMaker : selectSummaryMaker
  const [row] = await owner.read(tenant, select(tenant, end.subjectId))
  return row?.madeBy?.split(', prompt ')[0] ?? null
}

function listQueue(jobs: readonly JobCount[]): ConsoleQueue[] {
  const kinds = [...new Set(jobs.map(({ kind }) => kind))].toSorted()
  return kinds.map((kind) => {
    const of = (state: JobCount['state']) => jobs.find((job) => job.kind === kind && job.state === state)
    return {
      kind,
      due: of('due')?.jobs ?? 0,
      running: of('running')?.jobs ?? 0,
      later: of('later')?.jobs ?? 0,
      away: of('away')?.jobs ?? 0,
      oldestDueMs: of('due')?.oldestDueMs ?? null,
    }
  })
}

function sumDeliveries(endpoints: readonly EndpointQueue[]): ConsoleHealth['deliveries'] {
  const sum = (of: (endpoint: EndpointQueue) => number): number =>
    endpoints.reduce((total, endpoint) => total + of(endpoint), 0)
  return {
    waiting: sum(({ waiting }) => waiting),
    due: sum(({ due }) => due),
    underWay: sum(({ underWay }) => underWay),
    oldestDueMs: Math.max(0, ...endpoints.map(({ due, oldestDueMs }) => (due > 0 ? (oldestDueMs ?? 0) : 0))),
    endpointsNotWell: endpoints.filter(({ state }) => state !== 'well').length,
  }
}
