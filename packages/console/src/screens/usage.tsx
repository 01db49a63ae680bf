import type { Limit, UsageDay } from '../answers.js'
import { useTenantPath } from '../console-state.js'
import { formatBytes, formatDay, formatNumber } from '../format.js'
import { DayChart } from '../ui/day-chart.js'
import { Title, Waiting } from '../ui/parts.js'
import { Table, type Column } from '../ui/table.js'
import { useLive } from '../use-live.js'
import { spellOut } from '../words.js'

const drawn = [
  {
    title: 'Requests',
    read: (day: UsageDay) => day.requests,
    bad: (day: UsageDay) => day.errors,
    format: formatNumber,
  },
  { title: 'Sessions', read: (day: UsageDay) => day.sessions, format: formatNumber },
  { title: 'Minutes of audio', read: (day: UsageDay) => day.audioMinutes, format: formatNumber },
  { title: 'Deliveries', read: (day: UsageDay) => day.deliveries, format: formatNumber },
  { title: 'Stored', read: (day: UsageDay) => day.storedBytes ?? 0, format: formatBytes },
] as const

const dayColumns: readonly Column<UsageDay>[] = [
  { name: 'Day', show: ({ day }) => formatDay(day) },
  { name: 'Requests', show: ({ requests }) => formatNumber(requests), isNumber: true },
  { name: 'Errors', show: ({ errors }) => formatNumber(errors), isNumber: true },
  { name: 'Sessions', show: ({ sessions }) => formatNumber(sessions), isNumber: true },
  { name: 'Minutes of audio', show: ({ audioMinutes }) => formatNumber(audioMinutes), isNumber: true },
  { name: 'Deliveries', show: ({ deliveries }) => formatNumber(deliveries), isNumber: true },
  {
    name: 'Stored',
    show: ({ storedBytes }) => (storedBytes === null ? '–' : formatBytes(storedBytes)),
    isNumber: true,
  },
]

const isBytes = (name: string): boolean => /bytes$/i.test(name)
const formatLimit = ({ name }: Limit, value: number): string =>
  isBytes(name) ? formatBytes(value) : formatNumber(value)

const limitColumns: readonly Column<Limit>[] = [
  { name: 'Limit', show: ({ name }) => spellOut(name.replace(/bytes$/i, '')) },
  { name: 'At most', show: (limit) => formatLimit(limit, limit.limit), isNumber: true },
  { name: 'In', show: ({ window }) => window ?? '–' },
  {
    name: 'Used',
    show: (limit) => (limit.used === null ? '–' : formatLimit(limit, limit.used)),
    isNumber: true,
  },
  { name: 'Part', show: (limit) => <Part {...limit} /> },
]

export function Usage() {
  const path = useTenantPath()
  const limits = useLive<Limit[] | { data: Limit[] }>(`${path}/limits`)
  const usage = useLive<{ days: UsageDay[] }>(`${path}/usage?days=30`)
  const limitRows = limits.value === null || Array.isArray(limits.value) ? limits.value : limits.value.data
  return (
    <>
      <Title>Limits and usage</Title>
      <section>
        <h2>Limits</h2>
        <Waiting live={limits} />
        {limitRows !== null && (
          <Table
            label="Limits"
            rows={limitRows}
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
  return (
    <>
      <div class="charts">
        {drawn.map(({ title, read, format, ...more }) => (
          <DayChart
            key={title}
            title={title}
            format={format}
            days={days.map((day) => ({
              day: day.day,
              value: read(day),
              bad: 'bad' in more ? more.bad(day) : 0,
            }))}
          />
        ))}
      </div>
      <p class="soft">Days are in UTC. The lower part of a bar of requests was refused or went wrong.</p>
      <details>
        <summary>As a table</summary>
        <Table
          label="Usage by day"
          rows={days.toReversed()}
          columns={dayColumns}
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
