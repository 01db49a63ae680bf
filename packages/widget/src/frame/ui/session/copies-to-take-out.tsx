import type { WidgetSession, WithdrawnSession } from '@casenote/contract'
import { EngineError, type Engine } from '../../engine/engine.js'
import { fill } from '../../texts/fill.js'
import { formatName, formatTime } from '../format.js'
import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'

/** Sessions of which the page has heard in this frame. */
const told = new Set<string>()

/** What to take back. A page is rather told twice than never: the answer to the correction may have been lost, with the frame as well. */
export function tellPage(engine: Engine, { session, withdrawn }: WithdrawnSession): void {
  const { clientId, sessionId, sessionExternalId, progressNoteIds, copies } = withdrawn
  told.add(sessionId)
  const of = { clientId, sessionId, sessionExternalId, progressNoteId: progressNoteIds[0] ?? '' }
  const corrected =
    session === null ? {} : { correctedClientId: session.client.id, correctedSessionId: session.sessionId }
  engine.raise('noteWithdrawn', { ...of, ...corrected, progressNoteIds, copies }, of)
}

/** Below what says that a session was withdrawn, or was another client's before. */
export function CopiesToTakeOut({ sessionId }: { sessionId: string }) {
  const { engine, texts } = useUi()
  const { session: open } = useSession()
  const { result, again } = useLoad(async () => {
    const read = await engine.api.get<WithdrawnSession>(`/sessions/${sessionId}/withdrawn`)
    if (!told.has(sessionId)) tellPage(engine, read)
    return read
  }, [sessionId])
  const { value } = result
  if (value.state === 'loading') return <Pending />
  if (value.state === 'failed') {
    // Of a client whom they no longer treat, nothing is theirs to read.
    const isGone = value.error instanceof EngineError && value.error.status === 404
    return isGone ? null : <Failure error={value.error} onRetry={again} />
  }
  const { session, withdrawn } = value.value
  if (withdrawn.copies.length === 0) return null
  return (
    <div class="stack tight">
      <p>
        <strong>{texts.value.wrongClient.copiesTitle}</strong>
      </p>
      <Copies withdrawn={withdrawn} clients={[open.client, ...(session === null ? [] : [session.client])]} />
    </div>
  )
}

interface CopiesProps extends Pick<WithdrawnSession, 'withdrawn'> {
  /** Whom the screen may name. */
  clients: WidgetSession['client'][]
}

export function Copies({ withdrawn, clients }: CopiesProps) {
  const { texts } = useUi()
  const { wrongClient: words, chart, locale } = texts.value
  const charts = new Map<string | null, string>(clients.map((client) => [client.id, formatName(client)]))
  return (
    <ul class="points">
      {withdrawn.copies.map(({ copiedAt, to, chartClientId }) => (
        <li key={copiedAt}>
          {fill(to === 'page' ? words.copiedToPage : words.copiedToClipboard, {
            name: charts.get(chartClientId) ?? chart.another,
            time: formatTime(locale, copiedAt),
          })}
        </li>
      ))}
    </ul>
  )
}
