import type { WidgetClient } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { EngineError } from '../../engine/engine.js'
import { ChartNotice } from '../chart/chart-notice.js'
import { OpenDanger } from '../danger/lazy-danger.js'
import { formatDate, formatName } from '../format.js'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Notice } from '../parts/notice.js'
import { PendingScreen } from '../parts/pending-screen.js'
import { ScreenHeading } from '../parts/screen-heading.js'
import { useUi } from '../ui-context.js'
import { LazyBeforeSession, LazyClientAssessments, LazyClientConsents } from '../work/lazy-work.js'
import { ConsentCard, ConsentGiven } from './consent-given.js'
import { LazyLeftRecordings } from './lazy-screens.js'
import { RecordingForm } from './recording-form.js'
import { SessionList } from './session-list.js'

/** A new session for one client, and the earlier ones. */
export function ClientScreen({ clientId }: { clientId: string }) {
  const { engine } = useUi()
  const client = useLoad(
    () => engine.api.get<WidgetClient>(`/clients/${encodeURIComponent(clientId)}`),
    [clientId],
  )
  const result = client.result.value
  if (result.state === 'loaded') return <KnownClient key={clientId} loaded={result.value} />
  if (result.state === 'loading') return <PendingScreen />
  return <UnknownClient error={result.error} onRetry={client.again} />
}

function UnknownClient({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { texts, engine } = useUi()
  const { clientScreen } = texts.value
  const isUnknown = error instanceof EngineError && error.status === 404
  if (!isUnknown) return <Failure error={error} onRetry={onRetry} />
  return (
    <section class="screen">
      <ScreenHeading title={clientScreen.newSession} focusKey="unknown" />
      <Notice
        kind="warning"
        role="alert"
        actions={
          <Button icon="search" onClick={() => engine.select(null)}>
            {clientScreen.findAnother}
          </Button>
        }
      >
        {clientScreen.notFound}
      </Notice>
    </section>
  )
}

function KnownClient({ loaded }: { loaded: WidgetClient }) {
  const { engine, texts } = useUi()
  const { locale, general, clientScreen, chart } = texts.value
  const client = useSignal(loaded)
  const { id, consentedAt, isArchived } = client.value
  const update = (next: WidgetClient): void => {
    client.value = next
  }
  const heading = useRef<HTMLHeadingElement>(null)
  const wasAsked = useRef(false)
  useLayoutEffect(() => {
    // The button that said so is gone: it goes on with the session.
    if (wasAsked.current && document.hasFocus()) heading.current?.focus()
    wasAsked.current = consentedAt === null
  }, [consentedAt])
  return (
    <section class="screen">
      <ScreenHeading
        title={formatName(client.value)}
        detail={fill(general.born, { date: formatDate(locale, client.value.dateOfBirth) })}
        onBack={() => engine.select(null)}
        focusKey={id}
      />
      <ChartNotice clientId={id}>{fill(chart.here, { name: formatName(client.value) })}</ChartNotice>
      <OpenDanger path={`/clients/${id}/danger`} />
      <LazyLeftRecordings clientId={id} />
      <LazyBeforeSession clientId={id} isArchived={isArchived} />
      {isArchived ? <Notice kind="info">{clientScreen.archived}</Notice> : null}
      {!isArchived && consentedAt === null ? <ConsentCard client={client.value} onChange={update} /> : null}
      {!isArchived && consentedAt !== null ? (
        <section class="card stack">
          <h2 ref={heading} tabIndex={-1}>
            {clientScreen.newSession}
          </h2>
          <RecordingForm client={client.value} />
          <ConsentGiven client={client.value} consentedAt={consentedAt} onChange={update} />
        </section>
      ) : null}
      {isArchived ? null : <LazyClientConsents clientId={id} onChange={update} />}
      <LazyClientAssessments clientId={id} />
      <SessionList
        title={clientScreen.earlier}
        empty={clientScreen.noEarlier}
        path={`/clients/${id}/sessions`}
      />
    </section>
  )
}
