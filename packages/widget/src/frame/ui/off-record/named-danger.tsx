import type { StruckStretch } from '@casenote/contract'
import type { Signal } from '@preact/signals'
import { formatClock } from '../format.js'
import { Notice } from '../parts/notice.js'
import { recordLanguage } from '../record-language.js'
import { useTexts } from '../ui-context.js'

/** What was said about danger in a stretch that is to go: read before it does. */
export function NamedDanger({
  danger,
  isSeen,
}: {
  danger: StruckStretch['danger']
  isSeen: Signal<boolean>
}) {
  const { offRecord: words } = useTexts()
  if (danger.length === 0) return null
  return (
    <Notice kind="danger" role="alert" title={words.danger}>
      <ul>
        {danger.map(({ label, words: said, startTime }) => (
          <li key={`${startTime} ${said}`}>
            {formatClock(startTime)}{' '}
            <span lang={recordLanguage}>
              {label}: “{said}”
            </span>
          </li>
        ))}
      </ul>
      <label>
        <input
          type="checkbox"
          checked={isSeen.value}
          onChange={(event) => (isSeen.value = event.currentTarget.checked)}
        />{' '}
        {words.seen}
      </label>
    </Notice>
  )
}
