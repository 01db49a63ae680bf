import type { Limit, UsageDay } from '../answers.js'
import { useTenantPath } from '../console-state.js'
import { formatBytes, formatDay, formatNumber } from '../format.js'
import { DayChart } from '../ui/day-chart.js'
import { Title, Waiting } from '../ui/parts.js'
import { Table, type Column } from '../ui/table.js'
import { useLive } from '../use-live.js'
import { spellOut } from '../words.js'

interface Drawn {
  title: string
  /** Null: of that day nobody knows. */
  read: (day: UsageDay) => number | null
  bad?: (day: UsageDay) => number
  format: (value: number) => string
}

const everything: readonly Drawn[] = [
  { title: 'Requests', read: ({ requests }) => requests, bad: ({ errors }) => errors, format: formatNumber },
  { title: 'Sessions', read: ({ sessions }) => sessions, format: formatNumber },
  { title: 'Minutes of audio', read: ({ audioMinutes }) => audioMinutes, format: formatNumber },
  { title: 'Deliveries', read: ({ deliveries }) => deliveries, format: formatNumber },
  { title: 'Stored', read: ({ storedBytes }) => storedBytes, format: formatBytes },
]

/** One day is no course of time: what is used now stands with the limits. */
const listDrawn = (days: readonly UsageDay[]): Drawn[] =>
  everything.filter(({ read }) => days.filter((day) => read(day) !== null).length > 1)

const listDayColumns = (drawn: readonly Drawn[]): Column<UsageDay>[] => [
  { name: 'Day', show: ({ day }) => formatDay(day) },
  ...drawn.flatMap(({ title, read, bad, format }): Column<UsageDay>[] => [
    { name: title, show: (day) => show(read(day), format), isNumber: true },
    ...(bad === undefined
      ? []
      : [{ name: 'Of which errors', show: (day: UsageDay) => format(bad(day)), isNumber: true }]),
  ]),
]

const show = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value)

const formatLimit = ({ name }: Limit, value: number): string =>
  name.endsWith('Bytes') ? formatBytes(value) : formatNumber(value)

/** By the names of `casenote partner set-limits` and `set-quotas`; a newer one as it is called. */
const limitWords: Readonly<Record<string, string>> = {
  ratePerSecond: 'Requests, on average',
  burst: 'Requests at once',
  perDay: 'Requests of a day',
  storedBytes: 'Stored recordings',
  openUploads: 'Uploads under way',
}

const limitColumns: readonly Column<Limit>[] = [
  { name: 'Limit', show: ({ name }) => limitWords[name] ?? spellOut(name) },
  { name: 'At most', show: (limit) => formatLimit(limit, limit.limit), isNumber: true },
  { name: 'In a', show: ({ window }) => window ?? '–' },
  { name: 'Used', show: (limit) => show(limit.used, (used) => formatLimit(limit, used)), isNumber: true },
  { name: 'Part', show: (limit) => <Part {...limit} /> },
]

export function Usage() {
  const path = useTenantPath()
  const limits = useLive<Limit[]>(`${path}/limits`)
  const usage = useLive<{ days: UsageDay[] }>(`${path}/usage?days=30`)
  return (
    <>
      <Title>Limits and usage</Title>
      <section>
        <h2>Limits</h2>
        <Waiting live={limits} />
        {limits.value !== null && (
          <Table
            label="Limits"
            rows={limits.value}
            columns={limitColumns}
            keyOf={({ name }) => name}
            empty="There is no limit."
          />
        )}
      </section>
      <section>
        <h2>Last 30 days</h2>
        <Waiting live={usage} />
        {usage.value !== null && <Days days={usage.value.days} />}
      </section>
    </>
  )
}

function Days({ days }: { days: readonly UsageDay[] }) {
  const drawn = listDrawn(days)
  return (
    <>
      <div class="charts">
        {drawn.map(({ title, read, bad, format }) => (
          <DayChart
            key={title}
            title={title}
            format={format}
            days={days.map((day) => ({ day: day.day, value: read(day) ?? 0, bad: bad?.(day) ?? 0 }))}
          />
        ))}
      </div>
      <p class="soft">Days are in UTC. The lower part of a bar of requests was refused or went wrong.</p>
      <details>
        <summary>As a table</summary>
        <Table
          label="Usage by day"
          rows={days.toReversed()}
          columns={listDayColumns(drawn)}
          keyOf={({ day }) => day}
          empty="Nothing was used yet."
        />
      </details>
    </>
  )
}

function Part({ limit, used }: Limit) {
  if (used === null || limit <= 0) return <>–</>
  const part = Math.min(1, used / limit)
  return (
    <span class="part">
      <svg aria-hidden="true" viewBox="0 0 100 8" preserveAspectRatio="none">
        <rect class="track" width={100} height={8} />
        <rect class={part > 0.9 ? 'bar bad' : 'bar'} width={part * 100} height={8} />
      </svg>
      {Math.round(part * 100)} %
    </span>
  )
}
