import { useEffect, useState } from 'preact/hooks'
import type { ConsoleList } from '@casenote/contract'
import { useLive } from '../use-live.js'
import { Button, Waiting } from './parts.js'
import { Table, type Column } from './table.js'

/** So many pages one can go back by: further back, the list begins anew. */
const pagesMost = 200

interface LiveListProps<Row> {
  label: string
  path: string
  filters: Readonly<Record<string, string>>
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  empty: string
}

/** A list of the service a page at a time; the page that is shown is asked for again and again. */
export function LiveList<Row>({ label, path, filters, columns, keyOf, empty }: LiveListProps<Row>) {
  const [cursors, setCursors] = useState<readonly string[]>([])
  const asked = new URLSearchParams(Object.entries(filters).filter(([, value]) => value !== ''))
  const list = `${path}?${asked}`
  useEffect(() => setCursors([]), [list])
  const cursor = cursors.at(-1)
  if (cursor !== undefined) asked.set('cursor', cursor)
  const live = useLive<ConsoleList<Row>>(asked.size === 0 ? path : `${path}?${asked}`)
  const next = live.value?.next ?? null
  return (
    <>
      <Waiting live={live} />
      {live.value !== null && <Table rows={live.value.data} {...{ label, columns, keyOf, empty }} />}
      {(cursors.length > 0 || next !== null) && (
        <nav class="pages" aria-label={`Pages of ${label.toLowerCase()}`}>
          {cursors.length > 0 && <Button onDo={() => setCursors([])}>First</Button>}
          {cursors.length > 0 && <Button onDo={() => setCursors(cursors.slice(0, -1))}>Previous</Button>}
          {next !== null && (
            <Button onDo={() => setCursors([...cursors, next].slice(-pagesMost))}>Next</Button>
          )}
          <span class="soft">Page {cursors.length + 1}</span>
        </nav>
      )}
    </>
  )
}
