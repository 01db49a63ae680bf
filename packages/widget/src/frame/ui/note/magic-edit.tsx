import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../session/session-context.js'

/** Contract part 8. */
const instructionsLengthMax = 5_000

/** The note changed by an instruction in plain words; suggestions are put into the field, to be read before they are sent. */
export function MagicEditPanel() {
  const { texts } = useUi()
  const { model } = useSession()
  const words = texts.value.magic
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
    field.current?.focus()
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
      <ul class="chips" aria-label={words.suggestionsLabel}>
        {words.suggestions.map((suggestion) => (
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
          placeholder={words.placeholder}
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
