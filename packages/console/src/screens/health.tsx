import type { Facts, HealthReport } from '../answers.js'
import { formatBytes, formatNumber, formatSpan } from '../format.js'
import { FactList, Time, Title, Waiting } from '../ui/parts.js'
import { Table, type Column } from '../ui/table.js'
import { useLive } from '../use-live.js'
import { spellOut } from '../words.js'

type Process = HealthReport['processes'][number]

const columns: readonly Column<Process>[] = [
  { name: 'Role', show: ({ role }) => spellOut(role) },
  { name: 'Version', show: ({ version }) => version },
  {
    name: 'Last seen',
    show: ({ seenAt }) => (
      <>
        <Time at={seenAt} /> <span class="soft">({formatSpan(Date.now() - Date.parse(seenAt))} ago)</span>
      </>
    ),
  },
]

const parts = ['engines', 'queue', 'database', 'blobs'] as const

export function Health() {
  const live = useLive<HealthReport>('/health')
  return (
    <>
      <Title>Health</Title>
      <Waiting live={live} />
      {live.value !== null && (
        <>
          {live.value.failing.length > 0 && (
            <p class="notice bad" role="alert">
              Not well: {live.value.failing.join(', ')}
            </p>
          )}
          <section>
            <h2>Processes</h2>
            <Table
              label="Processes"
              rows={live.value.processes}
              columns={columns}
              keyOf={({ role }, at) => `${role} ${at}`}
              empty="No process has told of itself."
            />
          </section>
          <div class="tiles">
            {parts.map((part) => (
              <section key={part} class="card">
                <h2>{spellOut(part)}</h2>
                <FactList facts={listFacts(live.value?.[part] ?? {})} />
              </section>
            ))}
          </div>
        </>
      )}
    </>
  )
}

/** Nested facts stand under both names. */
function listFacts(facts: Facts, above = ''): (readonly [string, string])[] {
  return Object.entries(facts).flatMap(([name, value]) => {
    const word = spellOut(name.replace(/^is(?=[A-Z])/, '').replace(/(?:Ms|Bytes)$/, ''))
    const whole = above === '' ? word : `${above}, ${word.toLowerCase()}`
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return listFacts(value as Facts, whole)
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
