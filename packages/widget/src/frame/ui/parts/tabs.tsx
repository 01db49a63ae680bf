import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

export interface Tab<Key extends string> {
  key: Key
  title: string
}

interface TabListProps<Key extends string> {
  /** Id of the list and its panel, which stand apart: the list stays in place. */
  id: string
  label: string
  tabs: readonly Tab<Key>[]
  selected: Key
  onSelect: (key: Key) => void
}

/** The tab pattern of the ARIA practices: arrow keys, Home and End; selection follows the focus. */
export function TabList<Key extends string>({ id, label, tabs, selected, onSelect }: TabListProps<Key>) {
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ key }) => key === selected)
    const next = tabs[nextIndex(event.key, at, tabs.length)]
    if (next === undefined) return
    event.preventDefault()
    onSelect(next.key)
    list.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus()
  }
  return (
    <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {tabs.map(({ key, title }) => (
        <button
          key={key}
          type="button"
          role="tab"
          id={`${id}-${key}`}
          data-key={key}
          class="tab"
          aria-selected={key === selected}
          aria-controls={key === selected ? `${id}-panel` : undefined}
          tabIndex={key === selected ? 0 : -1}
          onClick={() => onSelect(key)}
        >
          {title}
        </button>
      ))}
    </div>
  )
}

interface TabPanelProps {
  id: string
  selected: string
  children: ComponentChildren
}

export const TabPanel = ({ id, selected, children }: TabPanelProps) => (
  <div
    class="tab-panel"
    role="tabpanel"
    id={`${id}-panel`}
    aria-labelledby={`${id}-${selected}`}
    tabIndex={0}
  >
    {children}
  </div>
)

function nextIndex(key: string, index: number, length: number): number {
  if (key === 'ArrowRight') return (index + 1) % length
  if (key === 'ArrowLeft') return (index + length - 1) % length
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  return -1
}
