import { useId } from 'preact/hooks'

interface FieldProps {
  label: string
  value: string
  onType: (text: string) => void
  hint?: string
  type?: 'text' | 'password' | 'datetime-local'
  autocomplete?: string
  inputMode?: 'text' | 'numeric'
  isRequired?: boolean
  minLength?: number
}

export function Field({ label, value, onType, hint, type = 'text', isRequired = true, ...rest }: FieldProps) {
  const hintId = useId()
  // Preact tells the kinds of fields apart by what else they take; ours take the same.
  const kind = { type } as { type: 'text' }
  const { autocomplete = 'off', inputMode = 'text', minLength } = rest
  return (
    <label class="field full">
      <span>{label}</span>
      <input
        {...{ value, autocomplete, inputMode }}
        {...kind}
        {...(minLength === undefined ? {} : { minLength })}
        required={isRequired}
        maxLength={256}
        spellcheck={false}
        autocapitalize="none"
        aria-describedby={hint === undefined ? undefined : hintId}
        onInput={({ currentTarget }) => onType(currentTarget.value)}
      />
      {hint !== undefined && (
        <small id={hintId} class="soft">
          {hint}
        </small>
      )}
    </label>
  )
}
