import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'

export interface Tab<Key extends string> {
  key: Key
  title: string
  /** Said after the title: a count, a warning. */
  badge?: ComponentChildren
}

interface TabsProps<Key extends string> {
  label: string
  tabs: readonly Tab<Key>[]
  selected: Key
  onSelect: (key: Key) => void
  children: ComponentChildren
}

/** The tab pattern of the ARIA practices: arrow keys, Home and End; selection follows the focus. */
export function Tabs<Key extends string>({ label, tabs, selected, onSelect, children }: TabsProps<Key>) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const move = (event: KeyboardEvent): void => {
    const next =
      tabs[
        nextIndex(
          event.key,
          tabs.findIndex(({ key }) => key === selected),
          tabs.length,
        )
      ]
    if (next === undefined) return
    event.preventDefault()
    onSelect(next.key)
    list.current?.querySelector<HTMLElement>(`[data-key="${next.key}"]`)?.focus()
  }
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map(({ key, title, badge }) => (
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
            {badge}
          </button>
        ))}
      </div>
      <div
        class="tab-panel"
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${selected}`}
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  )
}

function nextIndex(key: string, index: number, length: number): number {
  if (key === 'ArrowRight') return (index + 1) % length
  if (key === 'ArrowLeft') return (index + length - 1) % length
  if (key === 'Home') return 0
  if (key === 'End') return length - 1
  return -1
}
