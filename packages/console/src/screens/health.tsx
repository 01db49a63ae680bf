import type {
  ConsoleEngine,
  ConsoleHealth,
  ConsoleLate,
  ConsoleList,
  ConsoleProcess,
  ConsoleQueue,
  ConsoleRefusal,
} from '@casenote/contract'
import { formatBytes, formatNumber, formatSpan } from '../format.js'
import { FactList, Pill, Time, Title, Waiting } from '../ui/parts.js'
import { Table, type Column } from '../ui/table.js'
import { useLive } from '../use-live.js'
import { spellOut, type Worded } from '../words.js'

const processColumns: readonly Column<ConsoleProcess>[] = [
  { name: 'Role', show: ({ role }) => spellOut(role) },
  { name: 'State', show: ({ isSilent }) => <Pill {...(isSilent ? silent : well)} /> },
  { name: 'Version', show: ({ version }) => version ?? '–' },
  { name: 'Last seen', show: ({ seenAt }) => <Time at={seenAt} /> },
  { name: 'Lag', show: ({ lagMs }) => showSpan(lagMs), isNumber: true },
]

const well: Worded = { text: 'Running', tone: 'good' }
const silent: Worded = { text: 'Silent', tone: 'bad' }

const engineColumns: readonly Column<ConsoleEngine>[] = [
  { name: 'Engine', show: ({ name }) => <strong>{spellOut(name)}</strong> },
  { name: 'State', show: (engine) => <Pill {...wordEngine(engine)} /> },
  {
    name: 'Chosen',
    show: ({ chosen, lastUsed }) => (
      <>
        {chosen}
        {lastUsed !== null && <small class="soft">last: {lastUsed}</small>}
      </>
    ),
  },
  { name: 'Answered', show: ({ answeredAt }) => <Time at={answeredAt} /> },
  { name: 'Given up', show: ({ gaveUpAt }) => <Time at={gaveUpAt} /> },
  { name: 'Waiting for it', show: ({ waitingForIt }) => formatNumber(waitingForIt), isNumber: true },
]

/** By its newest job; whoever waits for one that is away is counted. */
function wordEngine({ answeredAt, gaveUpAt, waitingForIt }: ConsoleEngine): Worded {
  if (waitingForIt > 0) return { text: 'Away', tone: 'bad' }
  if (gaveUpAt !== null && (answeredAt === null || gaveUpAt > answeredAt))
    return { text: 'Failed last', tone: 'bad' }
  return answeredAt === null ? { text: 'Not used yet', tone: 'quiet' } : { text: 'Answers', tone: 'good' }
}

const queueColumns: readonly Column<ConsoleQueue>[] = [
  { name: 'Step', show: ({ kind }) => spellOut(kind) },
  { name: 'Due', show: ({ due }) => formatNumber(due), isNumber: true },
  { name: 'Oldest due', show: ({ oldestDueMs }) => showSpan(oldestDueMs), isNumber: true },
  { name: 'Running', show: ({ running }) => formatNumber(running), isNumber: true },
  { name: 'For later', show: ({ later }) => formatNumber(later), isNumber: true },
  { name: 'Engine away', show: ({ away }) => formatNumber(away), isNumber: true },
]

const refusalColumns: readonly Column<ConsoleRefusal>[] = [
  { name: 'When', show: ({ at }) => <Time at={at} /> },
  { name: 'User', show: ({ userName }) => userName ?? 'removed since' },
  { name: 'What', show: ({ isLock }) => (isLock ? 'Refused, and locked for a while' : 'Refused') },
]

const wordLate = ({ kind, oldestDueMs }: ConsoleLate): string =>
  `${spellOut(kind).toLowerCase()} (due for ${formatSpan(oldestDueMs)})`

const showSpan = (ms: number | null): string => (ms === null ? '–' : formatSpan(ms))

const parts = ['deliveries', 'database', 'blobs'] as const

export function Health() {
  const live = useLive<ConsoleHealth>('/health')
  return (
    <>
      <Title>Health</Title>
      <Waiting live={live} />
      {live.value !== null && <Report report={live.value} />}
      <Refusals />
    </>
  )
}

function Report({ report }: { report: ConsoleHealth }) {
  const { failing, late, processes, engines, queue } = report
  return (
    <>
      {failing.length > 0 && (
        <p class="notice bad" role="alert">
          Not well: {failing.join(', ')}
        </p>
      )}
      {late.length > 0 && (
        <p class="notice bad" role="alert">
          Late, although it could be done: {late.map(wordLate).join(', ')}. Is a worker running for it, and a
          dispatcher for webhooks? If they are, start more.
        </p>
      )}
      <section>
        <h2>Processes</h2>
        <Table
          label="Processes"
          rows={processes}
          columns={processColumns}
          keyOf={({ role }, at) => `${role} ${at}`}
          empty="No process has told of itself."
        />
        <p class="soft">
          Each tells of itself every 2 seconds. One that was silent for 10 and did not end in order is shown
          for an hour. The lag is how late its own work was at most since it last told.
        </p>
      </section>
      <section>
        <h2>Engines</h2>
        <Table
          label="Engines"
          rows={engines}
          columns={engineColumns}
          keyOf={({ name }) => name}
          empty="There is no engine."
        />
      </section>
      <section>
        <h2>Queue</h2>
        <Table
          label="Queue"
          rows={queue}
          columns={queueColumns}
          keyOf={({ kind }) => kind}
          empty="Nothing waits, nothing runs."
        />
      </section>
      <div class="tiles">
        {parts.map((part) => (
          <section key={part} class="card">
            <h2>{spellOut(part)}</h2>
            <FactList facts={listFacts(report[part])} />
          </section>
        ))}
      </div>
    </>
  )
}

function Refusals() {
  const live = useLive<ConsoleList<ConsoleRefusal>>('/refusals')
  return (
    <section>
      <h2>Refused sign-ins of operators</h2>
      <Waiting live={live} />
      {live.value !== null && (
        <Table
          label="Refused sign-ins"
          rows={live.value.data}
          columns={refusalColumns}
          keyOf={({ at }, row) => `${at} ${row}`}
          empty="None."
        />
      )}
    </section>
  )
}

/** Nested facts stand under both names. */
function listFacts(facts: object, above = ''): (readonly [string, string])[] {
  return Object.entries(facts).flatMap(([name, value]) => {
    const word = spellOut(name.replace(/^is(?=[A-Z])/, '').replace(/(?:Ms|Bytes)$/, ''))
    const whole = above === '' ? word : `${above}, ${word.toLowerCase()}`
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return listFacts(value, whole)
    return [[whole, showFact(name, value)] as const]
  })
}

function showFact(name: string, value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(String).join(', ')
  if (typeof value !== 'number') return typeof value === 'string' ? value : JSON.stringify(value)
  if (/bytes$/i.test(name)) return formatBytes(value)
  return /ms$/i.test(name) ? formatSpan(value) : formatNumber(value)
}
