import type { Page, WidgetSession, WidgetWork } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { attempt, makeLook } from './load.js'
import { useUi } from './ui-context.js'

export interface SessionPages {
  sessions: WidgetSession[]
  state: 'loading' | 'loaded' | 'failed'
  error: unknown
  hasMore: boolean
  /** Counts of a clinician's own work; null elsewhere, and before it is loaded. */
  counts: WidgetWork['counts'] | null
  next: () => void
  /** Looks at its newest page again. */
  refresh: () => void
}

/** Each look is on record as a read of all that is listed: not oftener than somebody would look by themselves. */
const refreshMs = 20_000

const isWorkedOn = ({ stage, note }: WidgetSession): boolean =>
  note.isLoading || stage === 'preparing' || stage === 'transcribing' || stage === 'writing'

const firstPage = {
  sessions: [] as WidgetSession[],
  page: 0,
  hasMore: true,
  counts: null as SessionPages['counts'],
}

type Answer = Page<WidgetSession> | WidgetWork

const countsOf = (answer: Answer): SessionPages['counts'] => ('counts' in answer ? answer.counts : null)

/** `path` may have a query; another path is another list. */
export function useSessionPages(path: string): SessionPages {
  const { engine, begun } = useUi()
  const read = (page: number): Promise<Answer> =>
    engine.api.get<Page<WidgetSession> | WidgetWork>(`${path}${path.includes('?') ? '&' : '?'}page=${page}`)
  /** Answers to the question before are dropped. */
  const round = useRef(0)
  const loaded = useSignal(firstPage)
  const state = useSignal<SessionPages['state']>('loading')
  const error = useSignal<unknown>(null)
  const readNext = async (): Promise<void> => {
    const asked = round.current
    const page = loaded.peek().page + 1
    const answer = await read(page)
    const { data, meta } = answer
    const counts = countsOf(answer)
    if (asked !== round.current) return
    // A session recorded meanwhile moves the pages by one: none is shown twice.
    const known = new Set(loaded.peek().sessions.map(({ sessionId }) => sessionId))
    const sessions = [...loaded.peek().sessions, ...data.filter((row) => !known.has(row.sessionId))]
    loaded.value = { sessions, page, hasMore: page < meta.totalPages, counts }
    state.value = 'loaded'
  }
  const next = (): void => {
    state.value = 'loading'
    const asked = round.current
    attempt(readNext, (reason) => {
      if (asked !== round.current) return
      error.value = reason
      state.value = 'failed'
    })
  }
  /** Its newest page again. What fails is tried again as if nothing had changed. */
  const readAgain = async (): Promise<void> => {
    if (document.hidden || loaded.peek().page === 0) return
    const asked = round.current
    const answer = await read(1).catch(() => null)
    if (asked !== round.current) return
    const { sessions, page } = loaded.peek()
    if (answer === null) {
      loaded.value = { ...loaded.peek() }
      return
    }
    const { data, meta } = answer
    const counts = countsOf(answer)
    const newest = new Set(data.map(({ sessionId }) => sessionId))
    // What left a list of one page is not on it any more; of a longer one the rest is not known.
    const older = page === 1 ? [] : sessions.filter(({ sessionId }) => !newest.has(sessionId))
    loaded.value = { sessions: [...data, ...older], page, hasMore: page < meta.totalPages, counts }
  }
  /** Another list does not wait for the answer of the one before. */
  const refresh = useMemo(() => makeLook(readAgain), [path])
  useEffect(() => {
    round.current += 1
    loaded.value = { ...firstPage, counts: loaded.peek().counts }
    next()
    document.addEventListener('visibilitychange', refresh)
    return () => document.removeEventListener('visibilitychange', refresh)
  }, [path])
  // What is begun elsewhere, or arrives, is looked for.
  useEffect(() => {
    if (begun.value > 0) refresh()
  }, [begun.value])
  useEffect(() => {
    const isIdle = !loaded.value.sessions.some(isWorkedOn)
    const timer = isIdle ? undefined : setTimeout(refresh, refreshMs)
    return () => clearTimeout(timer)
  }, [loaded.value])
  return { ...loaded.value, state: state.value, error: error.value, next, refresh }
}
