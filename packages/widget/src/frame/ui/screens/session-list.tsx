import type { WidgetSession } from '@casenote/contract'
import { formatTime } from '../format.js'
import { Icon } from '../parts/icon.js'
import { PagedList } from '../parts/paged-list.js'
import { useUi } from '../ui-context.js'
import { SessionChip } from '../parts/session-chip.js'
import { useSessionPages } from '../use-session-pages.js'

interface SessionListProps {
  title: string
  empty: string
  path: string
}

export function SessionList({ title, empty, path }: SessionListProps) {
  const list = useSessionPages(path)
  return (
    <section class="stack">
      <h2>{title}</h2>
      <PagedList
        list={list}
        empty={empty}
        row={(session) => <SessionRow key={session.sessionId} session={session} />}
      />
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
