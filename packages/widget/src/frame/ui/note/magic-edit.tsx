import type { ProgressNote } from '@casenote/contract'
import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { useTask } from '../task.js'
import { useTexts } from '../ui-context.js'
import { useSession } from '../session/session-context.js'
import { isExtract } from './note-editor.js'
import { useNoteTypes } from './use-note-types.js'

/** Contract part 8. */
const instructionsLengthMax = 5_000

/** The note changed by an instruction in plain words; suggestions are put into the field, to be read before they are sent. */
export function MagicEditPanel({ note }: { note: ProgressNote }) {
  const { magic: words } = useTexts()
  const { model } = useSession()
  const possible = useSuggestions(note)
  const suggestions = isExtract(note) ? possible : words.suggestions
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const instructions = useSignal('')
  const { isBusy, failure, run } = useTask()
  const apply = async (): Promise<void> => {
    await model.rewriter.magicEdit(instructions.value.trim())
    instructions.value = ''
  }
  const suggest = (suggestion: string): void => {
    const before = instructions.value.trim()
    instructions.value = before === '' ? suggestion : `${before.replace(/[.;]?$/, '.')} ${suggestion}`
    const gap = instructions.value.indexOf('…', before.length)
    // After it is rendered: what is still to be said can be typed over.
    requestAnimationFrame(() => {
      field.current?.focus()
      if (gap >= 0) field.current?.setSelectionRange(gap, gap + 1)
    })
  }
  return (
    <form
      class="card magic stack"
      aria-labelledby={`${id}-title`}
      onSubmit={(event) => {
        event.preventDefault()
        if (instructions.value.trim() === '') field.current?.focus()
        else run(apply)
      }}
    >
      <h3 id={`${id}-title`}>
        <Icon name="wand" /> {words.title}
      </h3>
      {isExtract(note) ? <p class="muted detail">{words.withoutModel}</p> : null}
      <ul class="chips" aria-label={words.suggestionsLabel}>
        {suggestions.map((suggestion) => (
          <li key={suggestion}>
            <button type="button" class="chip choice" onClick={() => suggest(suggestion)}>
              {suggestion}
            </button>
          </li>
        ))}
      </ul>
      <label for={id} class="hidden">
        {words.label}
      </label>
      <div class="magic-field">
        <textarea
          id={id}
          ref={field}
          rows={1}
          maxLength={instructionsLengthMax}
          placeholder={isExtract(note) ? suggestions[1] : words.placeholder}
          value={instructions.value}
          onInput={(event) => (instructions.value = event.currentTarget.value)}
        />
        <Button type="submit" kind="primary" icon="wand" isBusy={isBusy}>
          {words.apply}
        </Button>
      </div>
      <Failure error={failure} />
    </form>
  )
}

/** Without a model only what the service's own edits understand. */
function useSuggestions({ noteType, template }: ProgressNote): string[] {
  const { magic, noteTypes } = useTexts()
  const [own, other = own] = useNoteTypes(noteType)
  const names = { section: template.sections.at(-1)?.title ?? '', noteType: noteTypes[other] }
  return magic.withoutModelSuggestions.map((text) => fill(text, names))
}
