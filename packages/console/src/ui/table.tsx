import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

export interface Column<Row> {
  name: string
  show: (row: Row) => ComponentChildren
  /** Numbers stand under each other. */
  isNumber?: boolean
}

interface TableProps<Row> {
  label: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  keyOf: (row: Row, at: number) => string
  empty: string
}

/**
 * On a phone every row is a card. The roles say what CSS would otherwise take from it: browsers forget that a table is one
 * when it is laid out as blocks.
 */
export function Table<Row>({ label, rows, columns, keyOf, empty }: TableProps<Row>) {
  const table = useRef<HTMLTableElement>(null)
  useKeptFocus(table, rows)
  if (rows.length === 0) return <p class="soft empty">{empty}</p>
  return (
    <table ref={table} role="table" aria-label={label} tabIndex={-1}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, isNumber }) => (
            <th key={name} role="columnheader" scope="col" class={isNumber ? 'number' : ''}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row, at) => (
          <tr role="row" key={keyOf(row, at)}>
            {columns.map(({ name, show, isNumber }) => (
              <td key={name} role="cell" data-name={name} class={isNumber ? 'number' : ''}>
                {/* On a phone the cell is a grid, of which this is one field. */}
                <div>{show(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A row that is gone takes the focus with it: the table has it then, so that the keyboard stays where it was. */
function useKeptFocus(table: { current: HTMLTableElement | null }, rows: unknown): void {
  const hadFocus = useRef(false)
  useEffect(() => {
    if (hadFocus.current && document.activeElement === document.body)
      table.current?.focus({ preventScroll: true })
  }, [rows, table])
  useEffect(() => {
    const onFocus = ({ target }: FocusEvent): void => {
      hadFocus.current = target instanceof Node && table.current?.contains(target) === true
    }
    document.addEventListener('focusin', onFocus)
    return () => document.removeEventListener('focusin', onFocus)
  }, [table])
}
