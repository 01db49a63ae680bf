import { useEffect, useState } from 'preact/hooks'
import { useConsole } from '../console-state.js'
import type { TenantScreen } from '../place.js'
import { Button } from './parts.js'

interface PickProps {
  name: string
  label: string
  options: readonly (readonly [value: string, text: string])[]
}

/** A filter that stands in the address, so that it can be linked to and survives a reload. */
export function Pick({ name, label, options }: PickProps) {
  const desk = useConsole()
  return (
    <label class="field">
      <span>{label}</span>
      <select
        class="filter"
        value={desk.place.value.filters[name] ?? ''}
        onChange={({ currentTarget }) => desk.filter({ [name]: currentTarget.value })}
      >
        <option value="">All</option>
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  )
}

/** Asked for when the field is left or Enter is pressed: every letter would be a question of its own. */
export function Search({ name, label, hint }: { name: string; label: string; hint: string }) {
  const desk = useConsole()
  const given = desk.place.value.filters[name] ?? ''
  const [text, setText] = useState(given)
  useEffect(() => setText(given), [given])
  const ask = (): void => desk.filter({ [name]: text.trim() })
  return (
    <label class="field wide">
      <span>{label}</span>
      <input
        class="filter"
        type="search"
        maxLength={100}
        placeholder={hint}
        autocomplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onBlur={ask}
        onKeyDown={({ key }) => key === 'Enter' && ask()}
      />
    </label>
  )
}

/** For an id that somebody was told. */
export function OpenById({ screen, label }: { screen: TenantScreen; label: string }) {
  const desk = useConsole()
  const [id, setId] = useState('')
  return (
    <form
      class="open-by-id"
      onSubmit={(event) => {
        event.preventDefault()
        if (id.trim() !== '') desk.go({ screen, id: id.trim() })
      }}
    >
      <label class="field">
        <span>{label}</span>
        <input
          type="search"
          maxLength={100}
          autocomplete="off"
          spellcheck={false}
          value={id}
          onInput={({ currentTarget }) => setId(currentTarget.value)}
        />
      </label>
      <Button>Open</Button>
    </form>
  )
}
