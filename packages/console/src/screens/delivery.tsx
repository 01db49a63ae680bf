import { useState } from 'preact/hooks'
import type { ConsoleDeliveryTries } from '@casenote/contract'
import { useConsole, useTenantPath } from '../console-state.js'
import { formatNumber, formatSpan } from '../format.js'
import { Button, FactList, Go, Id, Pill, Problem, Time, Title, Waiting } from '../ui/parts.js'
import { useAct } from '../use-act.js'
import { useLive } from '../use-live.js'
import { deliveryWords, spellOut, wordStatus } from '../words.js'

export function Delivery({ id }: { id: string }) {
  const desk = useConsole()
  const act = useAct()
  const path = `${useTenantPath()}/deliveries/${encodeURIComponent(id)}`
  const live = useLive<ConsoleDeliveryTries>(path)
  const [isResent, setResent] = useState(false)
  const resend = async (): Promise<void> => {
    const done = await act.run(() => desk.call('POST', `${path}/resend`))
    setResent(done !== null)
    live.ask()
  }
  return (
    <>
      <p class="back">
        <Go screen="deliveries" filters={desk.filtersOf('deliveries')}>
          All deliveries
        </Go>
      </p>
      <Title>Delivery</Title>
      <Waiting live={live} />
      {live.value !== null && (
        <>
          <Facts delivery={live.value} />
          <Button kind="main" isBusy={act.isBusy} onDo={() => void resend()}>
            Send again
          </Button>
          <Problem text={act.problem} />
          <p role="status">{isResent && 'It waits to be sent again.'}</p>
          <Tries tries={live.value.tries} />
        </>
      )}
    </>
  )
}

function Facts({ delivery }: { delivery: ConsoleDeliveryTries }) {
  return (
    <FactList
      facts={[
        ['Delivery', <Id id={delivery.id} />],
        ['Status', <Pill {...wordStatus(deliveryWords, delivery.status)} />],
        ['Event', delivery.eventType],
        ['Event id', <Id id={delivery.eventId} />],
        ['Endpoint', <Id id={delivery.endpointId} />],
        ['Created', <Time at={delivery.createdAt} />],
        ['Attempts', formatNumber(delivery.attempts)],
        ['Next attempt', <Time at={delivery.nextAttemptAt} />],
      ]}
    />
  )
}

function Tries({ tries }: Pick<ConsoleDeliveryTries, 'tries'>) {
  return (
    <section class="card">
      <h2>Attempts</h2>
      {tries.length === 0 && <p class="soft">Nothing was sent yet.</p>}
      <ol class="timeline">
        {tries.map((one) => (
          <li key={one.at} class={isTaken(one) ? 'good' : 'bad'}>
            <p class="timeline-head">
              <strong>
                <Time at={one.at} />
              </strong>{' '}
              <Pill tone={isTaken(one) ? 'good' : 'bad'} text={wordTry(one)} />
            </p>
            {one.latencyMs !== null && <p class="soft">after {formatSpan(one.latencyMs)}</p>}
          </li>
        ))}
      </ol>
    </section>
  )
}

type Try = ConsoleDeliveryTries['tries'][number]

const isTaken = ({ status, fault }: Try): boolean =>
  fault === null && status !== null && status >= 200 && status < 300

const wordTry = ({ status, fault }: Try): string => {
  if (status !== null) return `Answered ${status}`
  return fault === null ? 'No answer' : spellOut(fault)
}
