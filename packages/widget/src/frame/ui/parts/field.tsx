import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

interface ChoiceProps {
  label: string
  value: string
  choices: readonly { value: string; title: string }[]
  onChange: (value: string) => void
}

export function Choice({ label, value, choices, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <Field label={label} id={id}>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.title}
          </option>
        ))}
      </select>
    </Field>
  )
}

export const Field = ({
  label,
  id,
  children,
}: {
  label: string
  id: string
  children: ComponentChildren
}) => (
  <div class="field">
    <label for={id}>{label}</label>
    {children}
  </div>
)
