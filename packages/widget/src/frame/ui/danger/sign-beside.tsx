import type { DangerItem } from '@casenote/contract'
import type { Signal } from '@preact/signals'
import { Notice } from '../parts/notice.js'
import { useUi } from '../ui-context.js'
import { DangerWords } from './danger-entry.js'
import { ReasonField } from './reason-field.js'

/** What is open and not in the note that is about to be signed, and the line that signing without it takes. */
export function SignBeside({ missing, reason }: { missing: readonly DangerItem[]; reason: Signal<string> }) {
  const { danger: words } = useUi().texts.value
  if (missing.length === 0) return null
  return (
    <Notice kind="danger" title={words.besideTitle}>
      <div class="stack tight">
        <ul class="points">
          {missing.map((item) => (
            <li key={item.id}>
              <strong>{item.label}</strong>
              <DangerWords item={item} />
            </li>
          ))}
        </ul>
        <p>{words.besideLead}</p>
        <ReasonField label={words.besideReason} reason={reason} />
      </div>
    </Notice>
  )
}
