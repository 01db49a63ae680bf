import { dangerReasonLengthMax } from '@casenote/contract'
import type { Signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { Field } from '../parts/field.js'

/** One line: what is longer belongs into the note. */
export function ReasonField({ label, reason }: { label: string; reason: Signal<string> }) {
  const id = useId()
  return (
    <Field label={label} id={id}>
      <input
        id={id}
        type="text"
        required
        autofocus
        maxLength={dangerReasonLengthMax}
        autocomplete="off"
        value={reason.value}
        onInput={(event) => (reason.value = event.currentTarget.value)}
      />
    </Field>
  )
}
