import type { ProgressNote } from '@casenote/contract'
import { useId, useRef } from 'preact/hooks'
import { fill } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Icon } from '../parts/icon.js'
import { Notice } from '../parts/notice.js'
import { recordLanguage } from '../record-language.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'
import { useSession } from '../open-session/session-context.js'
import { useNoteTypes } from './use-note-types.js'

/** Contract part 8. */
const instructionsLengthMax = 5_000

/** The note changed by an instruction in plain words; suggestions are put into the field, to be read before they are sent. */
export function MagicEditPanel({ note }: { note: ProgressNote }) {
  const { magic: words } = useTexts()
  const { rewriter } = useSession().model
  const suggestions = useSuggestions(note)
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const { request } = rewriter
  const { isBusy, failure, run } = useTask()
  const outcome = rewriter.outcome.value
  const isWorking = isBusy || outcome.kind === 'working'
  const suggest = (suggestion: string): void => {
    const before = request.value.trim()
    request.value = before === '' ? suggestion : `${before.replace(/[.;]?$/, '.')} ${suggestion}`
    const gap = request.value.indexOf('…', before.length)
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
        if (request.value.trim() === '') field.current?.focus()
        else if (!isWorking) run(rewriter.magicEdit)
      }}
    >
      <h3 id={`${id}-title`}>
        <Icon name="wand" /> {words.title}
      </h3>
      <ul class="chips" aria-label={words.suggestionsLabel}>
        {suggestions.map((suggestion) => (
          <li key={suggestion} lang={recordLanguage}>
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
          placeholder={words.label}
          value={request.value}
          onInput={(event) => (request.value = event.currentTarget.value)}
        />
        <Button type="submit" kind="primary" icon="wand" isBusy={isWorking}>
          {words.apply}
        </Button>
      </div>
      {isWorking ? (
        <p class="muted detail" role="status">
          {words.working}
        </p>
      ) : null}
      <Failure error={failure} />
      {outcome.kind === 'failed' && outcome.call === 'magic-edit' ? (
        <Notice kind="warning" role="alert" title={words.failedTitle}>
          {outcome.reason ?? words.failedUnknown}
        </Notice>
      ) : null}
    </form>
  )
}

/** Only what the writer in use can do with this note. */
function useSuggestions({ noteType, template, note }: ProgressNote): string[] {
  const { getClinician } = useUi()
  const { magic } = useTexts()
  const [own, other = own] = useNoteTypes(noteType)
  const hasModel = getClinician()?.hasModel === true
  const names = { section: template.sections.at(-1)?.title ?? '', noteType: nameInEnglish(other) }
  const isListed = note.some(({ content }) => /^[-•*] /m.test(content))
  const layout = isListed ? magic.paragraphs : magic.bullets
  const further = hasModel ? magic.suggestions : magic.withoutModelSuggestions
  return [
    layout,
    ...further
      .filter((text) => own !== other || !text.includes('{noteType}'))
      .map((text) => fill(text, names)),
  ]
}

/** As the writer reads it, whatever the screen is in: `SOAP`, `psychiatric evaluation`. */
const nameInEnglish = (noteType: string): string =>
  noteType.includes('_') ? noteType.replaceAll('_', ' ') : noteType.toUpperCase()
