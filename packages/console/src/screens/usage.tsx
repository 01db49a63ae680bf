import type { ConsoleLimit, ConsoleRates, ConsoleUsage, ConsoleUsageDay } from '@casenote/contract'
import { useTenantPath } from '../console-state.js'
import { formatBytes, formatDay, formatMinute, formatNumber } from '../format.js'
import { BarChart } from '../ui/bar-chart.js'
import { Title, Waiting } from '../ui/parts.js'
import { Table, type Column } from '../ui/table.js'
import { useLive } from '../use-live.js'
import { spellOut } from '../words.js'

interface Drawn {
  title: string
  /** Null: of that day nobody knows. */
  read: (day: ConsoleUsageDay) => number | null
  bad?: (day: ConsoleUsageDay) => number
  /** All of it went wrong. */
  isBad?: true
  /** The name of the limit that it is compared with. */
  limit?: string
  format: (value: number) => string
}

const everything: readonly Drawn[] = [
  {
    title: 'Requests',
    read: ({ requests }) => requests,
    bad: ({ errors }) => errors,
    limit: 'perDay',
    format: formatNumber,
  },
  {
    title: 'Refused by a limit',
    read: ({ limited }) => limited,
    isBad: true,
    format: formatNumber,
  },
  { title: 'Sessions', read: ({ sessions }) => sessions, format: formatNumber },
  { title: 'Minutes of audio', read: ({ audioMinutes }) => audioMinutes, format: formatNumber },
  { title: 'Deliveries', read: ({ deliveries }) => deliveries, format: formatNumber },
  { title: 'Stored', read: ({ storedBytes }) => storedBytes, limit: 'storedBytes', format: formatBytes },
]

/** One day is no course of time: what is used now stands with the limits. */
const listDrawn = (days: readonly ConsoleUsageDay[]): Drawn[] =>
  everything.filter(({ read }) => days.filter((day) => read(day) !== null).length > 1)

const listDayColumns = (drawn: readonly Drawn[]): Column<ConsoleUsageDay>[] => [
  { name: 'Day', show: ({ day }) => formatDay(day) },
  ...drawn.flatMap(({ title, read, bad, format }): Column<ConsoleUsageDay>[] => [
    { name: title, show: (day) => show(read(day), format), isNumber: true },
    ...(bad === undefined
      ? []
      : [{ name: 'Of which errors', show: (day: ConsoleUsageDay) => format(bad(day)), isNumber: true }]),
  ]),
]

const show = (value: number | null, format: (value: number) => string): string =>
  value === null ? '–' : format(value)

const formatLimit = ({ name }: ConsoleLimit, value: number): string =>
  name.endsWith('Bytes') ? formatBytes(value) : formatNumber(value)

/** By the names of `casenote partner set-limits` and `set-quotas`; a newer one as it is called. */
const limitWords: Readonly<Record<string, string>> = {
  ratePerSecond: 'Requests, on average',
  burst: 'Requests at once',
  perDay: 'Requests of a day',
  storedBytes: 'Stored recordings',
  openUploads: 'Uploads under way',
}

const limitColumns: readonly Column<ConsoleLimit>[] = [
  { name: 'Limit', show: ({ name }) => limitWords[name] ?? spellOut(name) },
  { name: 'At most', show: (limit) => formatLimit(limit, limit.limit), isNumber: true },
  { name: 'In a', show: ({ window }) => window ?? '–' },
  { name: 'Used', show: (limit) => show(limit.used, (used) => formatLimit(limit, used)), isNumber: true },
  { name: 'Part', show: (limit) => <Part {...limit} /> },
]

export function Usage() {
  const path = useTenantPath()
  const limits = useLive<ConsoleLimit[]>(`${path}/limits`)
  const rates = useLive<ConsoleRates>(`${path}/rates`)
  const usage = useLive<ConsoleUsage>(`${path}/usage?days=30`)
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
        <h2>Last hour</h2>
        <Waiting live={rates} />
        {rates.value !== null && <LastHour {...rates.value} />}
      </section>
      <section>
        <h2>Last 30 days</h2>
        <Waiting live={usage} />
        {usage.value !== null && <Days days={usage.value.days} limits={limits.value ?? []} />}
      </section>
    </>
  )
}

function LastHour({ ratePerSecond, minutes }: ConsoleRates) {
  const sum = (of: (minute: ConsoleRates['minutes'][number]) => number | null): number =>
    minutes.reduce((total, minute) => total + (of(minute) ?? 0), 0)
  const limited = sum(({ limited: refused }) => refused)
  const known = minutes.filter(({ requests }) => requests !== null).length
  const since =
    known === minutes.length ? '' : ` in the last ${known} minutes; there were too many to look at all`
  return (
    <>
      <div class="charts">
        <BarChart
          title="Requests of a minute"
          each="minute"
          badWords="refused by a limit"
          format={formatNumber}
          limit={ratePerSecond * 60}
          bars={minutes.map((minute) => ({
            key: minute.at,
            label: formatMinute(minute.at),
            value: minute.requests,
            bad: minute.limited ?? 0,
          }))}
        />
      </div>
      <p class={limited > 0 ? 'notice bad' : 'soft'}>
        {formatNumber(sum(({ requests }) => requests))} requests
        {since}
        {limited > 0
          ? `, of which ${formatNumber(limited)} were refused because a limit was reached (429), marked in the bars.`
          : since === ''
            ? ', none refused by a limit.'
            : ', none of these refused by a limit.'}
      </p>
    </>
  )
}

function Days({ days, limits }: { days: readonly ConsoleUsageDay[]; limits: readonly ConsoleLimit[] }) {
  const drawn = listDrawn(days)
  return (
    <>
      <div class="charts">
        {drawn.map(({ title, read, bad, isBad, limit, format }) => (
          <BarChart
            key={title}
            title={title}
            each="day"
            format={format}
            limit={limits.find(({ name }) => name === limit)?.limit ?? null}
            bars={days.map((day) => ({
              key: day.day,
              label: formatDay(day.day),
              value: read(day),
              bad: (isBad === true ? read(day) : bad?.(day)) ?? 0,
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
          columns={listDayColumns(drawn)}
          keyOf={({ day }) => day}
          empty="Nothing was used yet."
        />
      </details>
    </>
  )
}

function Part({ limit, used }: ConsoleLimit) {
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
