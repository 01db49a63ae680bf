import { useState } from 'preact/hooks'
import type { ConsoleDelivery, ConsoleEndpoint, ConsoleList } from '@casenote/contract'
import { useConsole, useTenantPath } from '../console-state.js'
import { formatNumber } from '../format.js'
import { OpenById, Pick } from '../ui/filters.js'
import { LiveList } from '../ui/live-list.js'
import { Button, Go, Pill, Time, Title, Waiting } from '../ui/parts.js'
import { Table, type Column } from '../ui/table.js'
import { useLive } from '../use-live.js'
import { deliveryWords, wordStatus } from '../words.js'
import { Recover } from './recover.js'

const statuses = Object.entries(deliveryWords).map(([status, { text }]) => [status, text] as const)

export function Deliveries() {
  const { status = '', endpoint = '' } = useConsole().place.value.filters
  const path = useTenantPath()
  const endpoints = useLive<ConsoleList<ConsoleEndpoint>>(`${path}/endpoints`)
  const rows = endpoints.value?.data ?? []
  const [recovering, setRecovering] = useState<ConsoleEndpoint | null>(null)
  return (
    <>
      <Title>Webhook deliveries</Title>
      <section>
        <h2>Endpoints</h2>
        <Waiting live={endpoints} />
        {endpoints.value !== null && (
          <Table
            label="Endpoints"
            rows={rows}
            columns={endpointColumns(setRecovering)}
            keyOf={({ id }) => id}
            empty="No endpoint is registered."
          />
        )}
      </section>
      <section>
        <h2>Deliveries</h2>
        <div class="filters">
          <Pick name="status" label="Status" options={statuses} />
          <Pick
            name="endpoint"
            label="Endpoint"
            options={rows.map(({ id, host }) => [id, `${host} (${id.slice(-6)})`])}
          />
          <OpenById screen="deliveries" label="Open by id" />
        </div>
        <LiveList
          label="Deliveries"
          path={`${path}/deliveries`}
          filters={{ status, endpoint }}
          columns={deliveryColumns(endpoints.value?.data ?? null)}
          keyOf={({ id }) => id}
          empty="There is no such delivery."
        />
      </section>
      {recovering !== null && <Recover endpoint={recovering} onClose={() => setRecovering(null)} />}
    </>
  )
}

const endpointColumns = (
  onRecover: (endpoint: ConsoleEndpoint) => void,
): readonly Column<ConsoleEndpoint>[] => [
  {
    name: 'Host',
    show: ({ id, host }) => (
      <Go screen="deliveries" filters={{ endpoint: id }}>
        {host}
      </Go>
    ),
  },
  { name: 'State', show: (endpoint) => <Pill {...wordEndpoint(endpoint)} /> },
  { name: 'Events', show: ({ eventTypes }) => listEvents(eventTypes) },
  { name: 'Waiting', show: ({ pending }) => formatNumber(pending), isNumber: true },
  { name: 'Failed in 24 h', show: ({ failed24h }) => formatNumber(failed24h), isNumber: true },
  { name: 'Lost events', show: (endpoint) => <Button onDo={() => onRecover(endpoint)}>Recover …</Button> },
]

/** More are a list that nobody reads here. */
const eventsNamed = 3

const listEvents = (eventTypes: readonly string[]): string =>
  eventTypes.length > eventsNamed ? `${eventTypes.length} kinds` : eventTypes.join(', ')

function wordEndpoint({ isActive, isPaused }: ConsoleEndpoint) {
  if (!isActive) return { text: 'Off', tone: 'quiet' } as const
  return isPaused ? ({ text: 'Paused', tone: 'bad' } as const) : ({ text: 'Active', tone: 'good' } as const)
}

/** Of endpoints that are not loaded yet nobody says that they were removed. */
const deliveryColumns = (
  endpoints: readonly ConsoleEndpoint[] | null,
): readonly Column<ConsoleDelivery>[] => [
  {
    name: 'Delivery',
    show: ({ id, eventType }) => (
      <>
        <Go screen="deliveries" id={id}>
          <code>{id}</code>
        </Go>{' '}
        {eventType}
      </>
    ),
  },
  {
    name: 'Endpoint',
    show: ({ endpointId }) =>
      endpoints === null
        ? endpointId.slice(-6)
        : (endpoints.find(({ id }) => id === endpointId)?.host ?? 'removed'),
  },
  {
    name: 'Status',
    show: ({ status, nextAttemptAt }) => (
      <>
        <Pill {...wordStatus(deliveryWords, status)} />
        {nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now() && (
          <span class="soft">
            {' '}
            until <Time at={nextAttemptAt} />
          </span>
        )}
      </>
    ),
  },
  { name: 'Attempts', show: ({ attempts }) => formatNumber(attempts), isNumber: true },
  { name: 'Created', show: ({ createdAt }) => <Time at={createdAt} /> },
]
