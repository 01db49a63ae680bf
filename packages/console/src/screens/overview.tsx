import type { ComponentChildren } from 'preact'
import type { ConsoleOverview } from '@casenote/contract'
import { useTenantPath } from '../console-state.js'
import { formatNumber, formatSpan } from '../format.js'
import type { Screen } from '../place.js'
import { Go, Id, Pill, Time, Title, Waiting } from '../ui/parts.js'
import { useLive } from '../use-live.js'
import { deliveryWords, sessionWords, wordStatus, type Worded } from '../words.js'

export function Overview() {
  const live = useLive<ConsoleOverview>(`${useTenantPath()}/overview`)
  return (
    <>
      <Title>Overview</Title>
      <Waiting live={live} />
      {live.value !== null && <Shown told={live.value} />}
    </>
  )
}

function Shown({ told }: { told: ConsoleOverview }) {
  const { sessionsByStatus, deliveriesByStatus, requests, failing, oldestWaitingAt } = told
  return (
    <div class="tiles">
      <Tile title="Sessions">
        <Counts counts={sessionsByStatus} words={sessionWords} screen="sessions" />
        <p class="soft">
          {oldestWaitingAt === null ? (
            'Nothing waits.'
          ) : (
            <>
              The oldest that waits: {formatSpan(Date.now() - Date.parse(oldestWaitingAt))}, since{' '}
              <Time at={oldestWaitingAt} />
            </>
          )}
        </p>
      </Tile>
      <Tile title="Webhook deliveries">
        <Counts counts={deliveriesByStatus} words={deliveryWords} screen="deliveries" />
        {failing.length === 0 && <p class="soft">Every endpoint takes what it is sent.</p>}
        {failing.map(({ endpointId, since }) => (
          <p key={endpointId} class="notice bad">
            <Go screen="deliveries" filters={{ endpoint: endpointId, status: 'failed' }}>
              An endpoint fails
            </Go>{' '}
            since <Time at={since} /> <Id id={endpointId} />
          </p>
        ))}
      </Tile>
      <Tile title="Requests of the last 24 hours">
        <ul class="counts">
          <Count count={requests.last24h} screen="requests">
            In all
          </Count>
          <Count count={requests.errors4xx} screen="requests" filters={{ status: '4xx' }}>
            Refused (4xx)
          </Count>
          <Count count={requests.errors5xx} screen="requests" filters={{ status: '5xx' }}>
            Faults (5xx)
          </Count>
        </ul>
      </Tile>
    </div>
  )
}

function Tile({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  )
}

interface CountsProps {
  counts: Readonly<Partial<Record<string, number>>>
  words: Readonly<Record<string, Worded>>
  screen: Screen
}

/** In the order of their life, then what this page does not know. */
function Counts({ counts, words, screen }: CountsProps) {
  const known = Object.keys(words)
  const others = Object.keys(counts).filter((status) => !known.includes(status))
  return (
    <ul class="counts">
      {[...known, ...others].map((status) => (
        <Count key={status} count={counts[status] ?? 0} screen={screen} filters={{ status }}>
          <Pill {...wordStatus(words, status)} />
        </Count>
      ))}
    </ul>
  )
}

interface CountProps {
  count: number
  screen: Screen
  filters?: Readonly<Record<string, string>>
  children: ComponentChildren
}

function Count({ count, screen, filters = {}, children }: CountProps) {
  return (
    <li>
      <Go screen={screen} filters={filters}>
        <span>{children}</span> <strong>{formatNumber(count)}</strong>
      </Go>
    </li>
  )
}
