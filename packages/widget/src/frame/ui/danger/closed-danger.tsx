import type { ClosedDanger, ClosedDangerItem } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { formatDay } from '../format.js'
import { useLoad } from '../load.js'
import { Failure } from '../parts/failure.js'
import { Pending } from '../parts/pending.js'
import { useUi } from '../ui-context.js'
import { DangerWords } from './danger-entry.js'

/** Who answered for what is not open any more, and how. Asked for only when somebody wants to know: it is read of a record. */
export function ClosedDangerList({ path }: { path: string }) {
  const { danger: words } = useUi().texts.value
  const isOpen = useSignal(false)
  return (
    <details class="closed-danger" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{words.closedBefore}</summary>
      {isOpen.value ? <Closed path={path} /> : null}
    </details>
  )
}

function Closed({ path }: { path: string }) {
  const { engine, texts } = useUi()
  const loaded = useLoad(() => engine.api.get<ClosedDanger>(path), [path])
  const result = loaded.result.value
  if (result.state === 'loading') return <Pending lines={2} />
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  const { items } = result.value
  if (items.length === 0) return <p class="muted detail">{texts.value.danger.noneClosed}</p>
  return (
    <ul class="plain-list">
      {items.map((item) => (
        <li key={item.id}>
          <strong>{item.label}</strong>
          <DangerWords item={item} />
          <Answer item={item} />
        </li>
      ))}
    </ul>
  )
}

function Answer({ item: { closedAt, closedBy, reason } }: { item: ClosedDangerItem }) {
  const { danger: words, locale } = useUi().texts.value
  const date = formatDay(locale, closedAt)
  return (
    <p class="muted detail">
      {closedBy === null || reason === null
        ? fill(words.inNoteOn, { date })
        : fill(words.closedOn, { date, name: closedBy, reason })}
    </p>
  )
}
