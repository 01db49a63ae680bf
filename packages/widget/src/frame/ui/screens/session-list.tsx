import type { Page, WidgetSession } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { formatName, formatTime } from '../format.js'
import { attempt } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { Pending } from '../parts/pending.js'
import { useTexts, useUi } from '../ui-context.js'
import { SessionChip } from './session-chip.js'

interface SessionListProps {
  title: string
  empty: string
  path: string
  isOfManyClients?: boolean
}

export function SessionList({ title, empty, path, isOfManyClients = false }: SessionListProps) {
  const texts = useTexts()
  const list = usePages(path)
  return (
    <section class="stack">
      <h2>{title}</h2>
      {list.sessions.length === 0 && list.state === 'loaded' ? <p class="muted">{empty}</p> : null}
      {list.sessions.length === 0 ? null : (
        <ul class="list">
          {list.sessions.map((session) => (
            <SessionRow key={session.sessionId} session={session} isOfManyClients={isOfManyClients} />
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

interface Pages {
  sessions: WidgetSession[]
  state: 'loading' | 'loaded' | 'failed'
  error: unknown
  hasMore: boolean
  next: () => void
}

/** Each look is on record as a read of all that is listed: not oftener than somebody would look by themselves. */
const refreshMs = 20_000

const isWorkedOn = ({ stage, note }: WidgetSession): boolean =>
  note.isLoading || stage === 'preparing' || stage === 'transcribing' || stage === 'writing'

const firstPage = { sessions: [] as WidgetSession[], page: 0, hasMore: true }

function usePages(path: string): Pages {
  const { engine } = useUi()
  const loaded = useSignal(firstPage)
  const state = useSignal<Pages['state']>('loading')
  const error = useSignal<unknown>(null)
  const readNext = async (): Promise<void> => {
    const page = loaded.peek().page + 1
    const { data, meta } = await engine.api.get<Page<WidgetSession>>(`${path}?page=${page}`)
    // A session recorded meanwhile moves the pages by one: none is shown twice.
    const known = new Set(loaded.peek().sessions.map(({ sessionId }) => sessionId))
    const sessions = [...loaded.peek().sessions, ...data.filter((row) => !known.has(row.sessionId))]
    loaded.value = { sessions, page, hasMore: page < meta.totalPages }
    state.value = 'loaded'
  }
  const next = (): void => {
    state.value = 'loading'
    attempt(readNext, (reason) => {
      error.value = reason
      state.value = 'failed'
    })
  }
  /** Its newest page again. What fails is tried again as if nothing had changed. */
  const refresh = (): void => {
    if (document.hidden || loaded.peek().page === 0) return
    const read = async (): Promise<void> => {
      const { data } = await engine.api.get<Page<WidgetSession>>(`${path}?page=1`)
      const newest = new Set(data.map(({ sessionId }) => sessionId))
      const older = loaded.peek().sessions.filter(({ sessionId }) => !newest.has(sessionId))
      loaded.value = { ...loaded.peek(), sessions: [...data, ...older] }
    }
    attempt(read, () => (loaded.value = { ...loaded.peek() }))
  }
  useEffect(() => {
    loaded.value = firstPage
    next()
    document.addEventListener('visibilitychange', refresh)
    return () => document.removeEventListener('visibilitychange', refresh)
  }, [path])
  useEffect(() => {
    const isIdle = !loaded.value.sessions.some(isWorkedOn)
    const timer = isIdle ? undefined : setTimeout(refresh, refreshMs)
    return () => clearTimeout(timer)
  }, [loaded.value])
  return { ...loaded.value, state: state.value, error: error.value, next }
}

function SessionRow({ session, isOfManyClients }: { session: WidgetSession; isOfManyClients: boolean }) {
  const { go, texts } = useUi()
  const { locale, noteTypes } = texts.value
  const when = formatTime(locale, session.startedAt ?? session.createdAt)
  const noteType = noteTypes[session.noteType]
  return (
    <li>
      <button
        type="button"
        class="list-row"
        onClick={() => go({ name: 'session', sessionId: session.sessionId })}
      >
        <span class="grow">
          <span class="row-title">{isOfManyClients ? formatName(session.client) : when}</span>
          <span class="muted detail">{isOfManyClients ? `${when} · ${noteType}` : noteType}</span>
        </span>
        <SessionChip session={session} />
        <Icon name="chevron" />
      </button>
    </li>
  )
}
