import type { NoteCopy } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { EngineError, type Engine } from '../../engine/engine.js'
import { backOffMs, onOnline, waitUpTo } from '../../engine/wait.js'
import { fill } from '../../texts/fill.js'
import { useOtherChart } from '../chart/other-chart.js'
import { formatDate, formatName } from '../format.js'
import { attempt, explain } from '../load.js'
import { Button } from '../parts/button.js'
import { ConfirmDialog } from '../parts/confirm-dialog.js'
import { Dialog } from '../parts/dialog.js'
import { useSession } from '../open-session/session-context.js'
import { useUi } from '../ui-context.js'

/** For the chart of this client. False: the page shows another one by now, and nothing was copied. */
type Copy = (chartClientId: string | null) => Promise<boolean>

interface CopyGuard {
  run: (copy: Copy) => void
  /** Stands in the screen while it asks. */
  dialog: ComponentChildren
}

/** Whatever leaves the widget with a note in it passes here: into another client's chart only when the clinician says so. */
export function useCopyGuard(): CopyGuard {
  const { engine, texts } = useUi()
  const { session } = useSession()
  const asked = useSignal<{ copy: Copy; chartClientId: string } | null>(null)
  const failed = useSignal<{ copy: Copy; error: unknown } | null>(null)
  const run = (copy: Copy): void => {
    const { clientId } = engine.chart.peek()
    if (clientId !== null && clientId !== session.client.id) asked.value = { copy, chartClientId: clientId }
    else
      attempt(
        () => copyFor(copy, clientId),
        (error) => (failed.value = { copy, error }),
      )
  }
  const copyFor = async (copy: Copy, chartClientId: string | null): Promise<void> => {
    if (!(await copy(chartClientId))) run(copy)
  }
  const close = (): void => {
    asked.value = null
    failed.value = null
  }
  // A click that is meant for one chart must not copy into the next one.
  const hasMoved = asked.value !== null && asked.value.chartClientId !== engine.chart.value.clientId
  if (asked.value !== null && !hasMoved)
    return { run, dialog: <OtherChartDialog {...asked.value} onClose={close} /> }
  const moved = asked.value && { ...asked.value, error: new EngineError(texts.value.chart.moved, 0) }
  const failure = moved ?? failed.value
  if (failure === null) return { run, dialog: null }
  const { copy, error } = failure
  const again = (): void => {
    close()
    run(copy)
  }
  return { run, dialog: <NotCopiedDialog error={error} onRetry={again} onClose={close} /> }
}

interface NotCopiedDialogProps {
  error: unknown
  onRetry: () => void
  onClose: () => void
}

/** Whoever pastes next would paste what they had copied before. */
function NotCopiedDialog({ error, onRetry, onClose }: NotCopiedDialogProps) {
  const { texts } = useUi()
  const retry = (
    <Button kind="primary" icon="refresh" onClick={onRetry}>
      {texts.value.general.retry}
    </Button>
  )
  return (
    <Dialog title={texts.value.note.notCopied} confirm={retry} onClose={onClose}>
      <p>{explain(error, texts.value)}</p>
    </Dialog>
  )
}

interface OtherChartDialogProps {
  copy: Copy
  chartClientId: string
  onClose: () => void
}

function OtherChartDialog({ copy, chartClientId, onClose }: OtherChartDialogProps) {
  const { texts } = useUi()
  const { chart: words, general, locale } = texts.value
  const { client } = useSession().session
  const other = useOtherChart(client.id)
  const bornOn = (dateOfBirth: string): string =>
    fill(general.born, { date: formatDate(locale, dateOfBirth) })
  const confirm = async (): Promise<void> => {
    if (!(await copy(chartClientId))) throw new EngineError(words.moved, 0)
  }
  return (
    <ConfirmDialog
      title={words.copyTitle}
      action={other === null ? words.copy : fill(words.copyAnyway, { name: other.name })}
      icon="warning"
      isDanger
      work={confirm}
      onClose={onClose}
    >
      <dl class="pair">
        <dt>{words.noteOf}</dt>
        <dd>
          <strong>{formatName(client)}</strong> <span class="muted">{bornOn(client.dateOfBirth)}</span>
        </dd>
        <dt>{words.chartOf}</dt>
        <dd>
          <strong>{other?.name ?? formatName(client)}</strong>{' '}
          <span class="muted">{other?.client ? bornOn(other.client.dateOfBirth) : null}</span>
        </dd>
      </dl>
      <p>{words.copyBody}</p>
    </ConfirmDialog>
  )
}

/** Without an answer for this often it is not on record; the clinician has it all the same. */
const tellMost = 6

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** On record beside the copy: what must be taken out again is named when a session is withdrawn. */
export function tellOfCopy(
  engine: Engine,
  sessionId: string,
  { to, chartClientId }: { to: NoteCopy['to']; chartClientId: string | null },
): void {
  const isId = chartClientId !== null && idPattern.test(chartClientId)
  const copy: NoteCopy = { to, chartClientId: isId ? chartClientId : null }
  tellService(engine, sessionId, 'copies', copy)
}

/** On record, too. Paper names its client by itself. */
export const tellOfPrint = (engine: Engine, sessionId: string): void =>
  tellService(engine, sessionId, 'prints')

function tellService({ api, auth }: Engine, sessionId: string, what: string, body?: NoteCopy): void {
  const readClinicianId = (): string | undefined => {
    const now = auth.peek()
    return 'clinician' in now ? now.clinician?.id : undefined
  }
  const copiedBy = readClinicianId()
  const tell = async (): Promise<void> => {
    // Who is signed in by then is on record as who did it.
    for (let failures = 0; failures < tellMost && readClinicianId() === copiedBy; failures += 1) {
      try {
        return await api.send('POST', `/sessions/${sessionId}/progress-note/${what}`, body)
      } catch (error) {
        if (!(error instanceof EngineError) || (error.status > 0 && error.status < 500)) return
        await waitUpTo(backOffMs(failures), onOnline)
      }
    }
  }
  const told = tell()
  const ofSession = underway.get(sessionId) ?? new Set()
  underway.set(sessionId, ofSession.add(told))
  void told.finally(() => {
    ofSession.delete(told)
    if (ofSession.size === 0) underway.delete(sessionId)
  })
}

const underway = new Map<string, Set<Promise<void>>>()

/** Before a session is withdrawn: what comes to the service later is named to nobody. Not longer than somebody waits. */
export const whenCopiesAreTold = (sessionId: string): Promise<unknown> =>
  Promise.race([Promise.allSettled(underway.get(sessionId) ?? new Set<Promise<void>>()), waitUpTo(5_000)])
