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
  return (
    <>
      {list.sessions.length === 0 && list.state === 'loaded' ? <p class="muted">{empty}</p> : null}
      {list.sessions.length === 0 ? null : <ul class="list">{list.sessions.map(row)}</ul>}
      {list.state === 'loading' ? <Pending /> : null}
      {list.state === 'failed' ? <Failure error={list.error} onRetry={list.next} /> : null}
      {list.state === 'loaded' && list.hasMore ? (
        <Button onClick={list.next}>{general.showMore}</Button>
      ) : null}
    </>
  )
}
