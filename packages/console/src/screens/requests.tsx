import type { RequestLog } from '@casenote/contract'
import { useConsole, useTenantPath } from '../console-state.js'
import { formatSpan } from '../format.js'
import { Pick, Search } from '../ui/filters.js'
import { LiveList } from '../ui/live-list.js'
import { Go, Pill, Time, Title } from '../ui/parts.js'
import type { Column } from '../ui/table.js'
import { spellOut, type Tone } from '../words.js'

const classes = [
  ['2xx', 'Answered (2xx)'],
  ['4xx', 'Refused (4xx)'],
  ['5xx', 'Faults (5xx)'],
] as const

const toneOf = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'quiet' : 'good')

const isSession = (kind: string): boolean => /^session(?:_?id)?$/i.test(kind)

const columns: readonly Column<RequestLog>[] = [
  { name: 'When', show: ({ at }) => <Time at={at} /> },
  { name: 'Status', show: ({ status }) => <Pill tone={toneOf(status)} text={String(status)} /> },
  {
    name: 'Operation',
    show: ({ method, path, operation, code }) => (
      <>
        <strong>{operation}</strong>{' '}
        <span class="soft">
          {method} {path}
        </span>{' '}
        {code !== null && <code>{code}</code>}
      </>
    ),
  },
  { name: 'Took', show: ({ latencyMs }) => formatSpan(latencyMs), isNumber: true },
  {
    name: 'Ids',
    show: ({ ids, requestId }) => (
      <ul class="ids">
        {[{ kind: 'request', id: requestId }, ...ids].map(({ kind, id }) => (
          <li key={kind + id}>
            <span class="soft">{spellOut(kind.replace(/_?id$/i, ''))}</span>{' '}
            {isSession(kind) ? (
              <Go screen="sessions" id={id}>
                <code>{id}</code>
              </Go>
            ) : (
              <code>{id}</code>
            )}
          </li>
        ))}
      </ul>
    ),
  },
]

export function Requests() {
  const { status = '', operation = '' } = useConsole().place.value.filters
  return (
    <>
      <Title>Request log</Title>
      <p class="soft">Kept for 14 days: ids, status and time, never what was said.</p>
      <div class="filters">
        <Pick name="status" label="Status" options={classes} />
        <Search name="operation" label="Operation" hint="session.create" />
      </div>
      <LiveList
        label="Requests"
        path={`${useTenantPath()}/request-logs`}
        filters={{ status, operation }}
        columns={columns}
        keyOf={({ requestId, at }) => requestId + at}
        empty="No such request in 14 days."
      />
    </>
  )
}
