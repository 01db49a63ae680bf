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
  const { autocomplete = 'off', inputMode = 'text', minLength } = rest
  return (
    <label class="field full">
      <span>{label}</span>
      <input
        {...{ value, autocomplete, inputMode }}
        type={type as 'text'}
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
