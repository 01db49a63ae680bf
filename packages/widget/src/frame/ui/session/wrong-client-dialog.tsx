import type { CorrectedClient, WidgetClient } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { useOtherChart } from '../chart/other-chart.js'
import { formatDate, formatName } from '../format.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Dialog } from '../parts/dialog.js'
import { Pending } from '../parts/pending.js'
import { ClientSearch } from '../screens/client-search.js'
import { stayPut } from '../stay-put.js'
import { whenCopiesAreTold } from '../note/copy-guard.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'
import { Copies, tellPage } from './copies-to-take-out.js'

/** It is opened from there, and so loaded before: `loaded-later.ts` says why it is named here. */
export * from '../loaded-later.js'
export { CopiesToTakeOut } from './copies-to-take-out.js'

export function WrongClientDialog({ onClose }: { onClose: () => void }) {
  const { session } = useSession()
  const other = useOtherChart(session.client.id)
  const chosen = useSignal<WidgetClient | null>(null)
  const done = useSignal<CorrectedClient | null>(null)
  // Settled once: what somebody reads does not change under their eyes, whatever the page shows next.
  const isSettled = useSignal(other === null)
  const choose = (next: WidgetClient | null): void => {
    isSettled.value = true
    chosen.value = next
  }
  const isKnown = other === null || other.isRead
  useEffect(() => {
    // Whom the page shows is most often who was recorded.
    if (isKnown && !isSettled.peek()) choose(other?.client ?? null)
  }, [isKnown])
  const client = chosen.value
  if (!isSettled.value) return <FindingClient onClose={onClose} />
  if (done.value !== null) return <PutRight corrected={done.value} />
  if (client === null) return <ChooseClient onChoose={choose} onClose={onClose} />
  return (
    <ConfirmCorrection
      key={client.id}
      client={client}
      onOther={() => choose(null)}
      onDone={(corrected) => (done.value = corrected)}
      // What has to be taken out is shown in its place.
      onClose={() => (done.peek() === null ? onClose() : undefined)}
    />
  )
}

const FindingClient = ({ onClose }: { onClose: () => void }) => (
  <Dialog title={useUi().texts.value.wrongClient.title} onClose={onClose}>
    <Pending lines={3} />
  </Dialog>
)

function ChooseClient({
  onChoose,
  onClose,
}: {
  onChoose: (client: WidgetClient) => void
  onClose: () => void
}) {
  const { wrongClient: words } = useUi().texts.value
  const { client } = useSession().session
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>{fill(words.lead, { name: formatName(client) })}</p>
      <ClientSearch onChoose={onChoose} exceptId={client.id} />
    </Dialog>
  )
}

interface ConfirmCorrectionProps {
  client: WidgetClient
  onOther: () => void
  onDone: (corrected: CorrectedClient) => void
  onClose: () => void
}

function ConfirmCorrection({ client, onOther, onDone, onClose }: ConfirmCorrectionProps) {
  const { texts } = useUi()
  const { wrongClient: words, general, locale } = texts.value
  const { session } = useSession()
  const id = useId()
  // Whoever types or dictates what happened records nobody.
  const needsConsent = session.source === 'recording' && client.consentedAt === null
  const hasAgreed = useSignal(!needsConsent)
  const correct = useCorrection(client, onDone)
  const names = { name: formatName(client), wrong: formatName(session.client) }
  return (
    <ConfirmDialog
      title={fill(words.confirmTitle, names)}
      action={fill(words.confirm, names)}
      icon="check"
      isDanger
      isDisabled={!hasAgreed.value || client.isArchived}
      work={correct}
      onClose={onClose}
    >
      <p>
        <strong>{names.name}</strong>{' '}
        <span class="muted">{fill(general.born, { date: formatDate(locale, client.dateOfBirth) })}</span>{' '}
        <button type="button" class="link" onClick={onOther}>
          {words.other}
        </button>
      </p>
      <ul class="points">
        {words.points.map((point) => (
          <li key={point}>{fill(point, names)}</li>
        ))}
      </ul>
      {client.isArchived ? <p class="problem">{texts.value.clientScreen.archived}</p> : null}
      {needsConsent ? (
        <label class="check" for={id}>
          <input
            id={id}
            type="checkbox"
            checked={hasAgreed.value}
            onChange={(event) => (hasAgreed.value = event.currentTarget.checked)}
          />
          <span>{fill(words.agreed, names)}</span>
        </label>
      ) : null}
    </ConfirmDialog>
  )
}

/** What was typed is saved first: it stays with the withdrawn session, for this clinician to read. */
function useCorrection(client: WidgetClient, onDone: (corrected: CorrectedClient) => void) {
  const ui = useUi()
  const { engine, texts, announce } = ui
  const { session, model } = useSession()
  return async (): Promise<void> => {
    const goOn = stayPut(ui)
    await model.editor.requireSaved()
    const { version: textVersion } = texts.peek().consent
    if (session.source === 'recording' && client.consentedAt === null) {
      await engine.api.send('POST', `/clients/${client.id}/consent`, { textVersion, given: true })
    }
    const { clientId, options } = engine.chart.peek()
    const sessionExternalId = clientId === client.id ? (options.sessionExternalId ?? null) : null
    const body = { clientId: client.id, sessionExternalId }
    await whenCopiesAreTold(session.sessionId)
    const corrected = await engine.api.send<CorrectedClient>('POST', `${model.path}/correct-client`, body)
    tellPage(engine, corrected)
    announce(fill(texts.peek().wrongClient.done, { name: formatName(client) }))
    if (corrected.withdrawn.copies.length > 0) onDone(corrected)
    else goOn({ name: 'session', sessionId: corrected.session.sessionId })
  }
}

/** It is done; what only people can do is named. */
function PutRight({ corrected }: { corrected: CorrectedClient }) {
  const { texts, go } = useUi()
  const { wrongClient: words } = texts.value
  const { session: wrong } = useSession()
  const { session, withdrawn } = corrected
  const open = (): void => go({ name: 'session', sessionId: session.sessionId })
  return (
    <Dialog title={words.copiesTitle} onClose={open}>
      <p>{fill(words.copiesLead, { name: formatName(session.client), wrong: formatName(wrong.client) })}</p>
      <Copies withdrawn={withdrawn} clients={[wrong.client, session.client]} />
      <Button kind="primary" onClick={open}>
        {words.openNew}
      </Button>
    </Dialog>
  )
}
