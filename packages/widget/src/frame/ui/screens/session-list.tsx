import type { WidgetSession } from '@casenote/contract'
import { formatTime } from '../format.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { Pending } from '../parts/pending.js'
import { useTexts, useUi } from '../ui-context.js'
import { SessionChip } from '../parts/session-chip.js'
import { useSessionPages } from '../use-session-pages.js'

interface SessionListProps {
  title: string
  empty: string
  path: string
}

export function SessionList({ title, empty, path }: SessionListProps) {
  const texts = useTexts()
  const list = useSessionPages(path)
  return (
    <section class="stack">
      <h2>{title}</h2>
      {list.sessions.length === 0 && list.state === 'loaded' ? <p class="muted">{empty}</p> : null}
      {list.sessions.length === 0 ? null : (
        <ul class="list">
          {list.sessions.map((session) => (
            <SessionRow key={session.sessionId} session={session} />
          ))}
        </ul>
      )}
      {list.state === 'loading' ? <Pending /> : null}
      {list.state === 'failed' ? <Failure error={list.error} onRetry={list.next} /> : null}
      {list.state === 'loaded' && list.hasMore ? (
        <Button onClick={list.next}>{texts.general.showMore}</Button>
      ) : null}
    </section>
  )
}

function SessionRow({ session }: { session: WidgetSession }) {
  const { go, texts } = useUi()
  const { locale, noteTypes } = texts.value
  return (
    <li>
      <button
        type="button"
        class="list-row"
        onClick={() => go({ name: 'session', sessionId: session.sessionId })}
      >
        <span class="grow">
          <span class="row-title">{formatTime(locale, session.startedAt ?? session.createdAt)}</span>
          <span class="muted detail">{noteTypes[session.noteType]}</span>
        </span>
        <SessionChip session={session} />
        <Icon name="chevron" />
      </button>
    </li>
  )
}
