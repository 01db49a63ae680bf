import { useId } from 'preact/hooks'
import { Field } from '../parts/field.js'

interface TextFieldProps {
  label: string
  text: string
  isLong?: boolean
  onChange: (text: string) => void
}

export function TextField({ label, text, isLong = false, onChange }: TextFieldProps) {
  const id = useId()
  const onInput = (event: { currentTarget: { value: string } }): void => onChange(event.currentTarget.value)
  return (
    <Field label={label} id={id}>
      {isLong ? (
        <textarea id={id} rows={2} value={text} onInput={onInput} />
      ) : (
        <input id={id} type="text" value={text} onInput={onInput} />
      )}
    </Field>
  )
}

interface DayFieldProps {
  label: string
  day: string
  onChange: (day: string) => void
}

export function DayField({ label, day, onChange }: DayFieldProps) {
  const id = useId()
  return (
    <Field label={label} id={id}>
      <input id={id} type="date" value={day} onInput={(event) => onChange(event.currentTarget.value)} />
    </Field>
  )
}
