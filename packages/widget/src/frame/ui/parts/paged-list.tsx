import type { WidgetSession } from '@casenote/contract'
import type { JSX } from 'preact'
import { useTexts } from '../ui-context.js'
import type { SessionPages } from '../use-session-pages.js'
import { Button } from './button.js'
import { Failure } from './failure.js'
import { Pending } from './pending.js'

interface PagedListProps {
  list: SessionPages
  /** Said where there is none. */
  empty: string
  row: (session: WidgetSession) => JSX.Element
}

/** Sessions page by page: those that are there, what is on its way or failed, and a way to more. */
export function PagedList({ list, empty, row }: PagedListProps) {
  const { general } = useTexts()
  const { sessions, state } = list
  return (
    <>
      {sessions.length > 0 ? (
        <ul class="list">{sessions.map(row)}</ul>
      ) : state === 'loaded' ? (
        <p class="muted">{empty}</p>
      ) : null}
      {state === 'loading' ? (
        <Pending />
      ) : state === 'failed' ? (
        <Failure error={list.error} onRetry={list.next} />
      ) : list.hasMore ? (
        <Button onClick={list.next}>{general.showMore}</Button>
      ) : null}
    </>
  )
}
