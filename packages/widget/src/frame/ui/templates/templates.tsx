import type { NoteLength, NoteType, WidgetTemplates, WritingPreferences } from '@casenote/contract'
import { useSignal, type Signal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { useLoad } from '../load.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { Choice, Field } from '../parts/field.js'
import { useTask } from '../task.js'
import { useUi } from '../ui-context.js'

interface TemplatesProps {
  noteType: NoteType
  /** The id of the template that was chosen; empty: the usual one of the note type. */
  value: Signal<string>
  /** With what the clinician wants of every note. */
  hasPreferences?: true
}

/** The templates of a note type, where there is more than ours; and what the clinician wants of every note. */
export function Templates({ noteType, value: chosen, hasPreferences }: TemplatesProps) {
  const { engine, texts } = useUi()
  const { templates: words } = texts.value
  const loaded = useLoad(() => engine.api.get<WidgetTemplates>('/templates'), [])
  const result = loaded.result.value
  // What was chosen is of another type now.
  useEffect(() => {
    chosen.value = ''
  }, [noteType])
  if (result.state === 'failed') return <Failure error={result.error} onRetry={loaded.again} />
  if (result.state === 'loading') return null
  const own = result.value.templates.filter((template) => template.noteType === noteType)
  return (
    <>
      {own.length > 1 ? (
        <Choice
          label={words.label}
          value={chosen.value}
          choices={[{ value: '', title: words.usual }, ...own.map(({ id, title }) => ({ value: id, title }))]}
          onChange={(value) => (chosen.value = value)}
        />
      ) : null}
      {hasPreferences === true ? <Preferences loaded={result.value} noteType={noteType} /> : null}
    </>
  )
}

const lengths: readonly NoteLength[] = ['shorter', 'usual', 'longer']

/** Headings of the type that is chosen; a key counts in every template that has it. */
function listHeadings({ templates }: WidgetTemplates, noteType: string): { key: string; title: string }[] {
  const found = new Map<string, string>()
  for (const template of templates)
    if (template.noteType === noteType)
      for (const { key, title, isAlwaysWritten } of template.sections)
        if (!isAlwaysWritten && !found.has(key)) found.set(key, title)
  return [...found].map(([key, title]) => ({ key, title }))
}

function Preferences({ loaded, noteType }: { loaded: WidgetTemplates; noteType: string }) {
  const { engine, texts, announce } = useUi()
  const { templates: words } = texts.value
  const id = useId()
  const wanted = useSignal<WritingPreferences>(loaded.preferences)
  const phrases = useSignal(loaded.preferences.avoidedPhrases.join('\n'))
  const { isBusy, failure, run } = useTask()
  const change = (part: Partial<WritingPreferences>): void => {
    wanted.value = { ...wanted.value, ...part }
  }
  const save = async (): Promise<void> => {
    const avoidedPhrases = phrases.value.split('\n').filter((phrase) => phrase.trim() !== '')
    const body = { ...wanted.value, avoidedPhrases }
    wanted.value = await engine.api.send<WritingPreferences>('POST', '/writing-preferences', body)
    announce(words.saved)
  }
  return (
    <details class="writing-preferences">
      <summary>{words.preferences}</summary>
      <div class="stack">
        <p class="muted detail">{words.lead}</p>
        <Choice
          label={words.length}
          value={wanted.value.length}
          choices={lengths.map((length) => ({ value: length, title: words.lengths[length] }))}
          onChange={(value) => change({ length: lengths.find((length) => length === value) ?? 'usual' })}
        />
        <fieldset class="stack tight">
          <legend>{words.leftOut}</legend>
          {listHeadings(loaded, noteType).map(({ key, title }) => (
            <label key={key} class="row">
              <input
                type="checkbox"
                checked={wanted.value.leftOut.includes(key)}
                onChange={({ currentTarget: { checked } }) => {
                  const others = wanted.value.leftOut.filter((one) => one !== key)
                  change({ leftOut: checked ? [...others, key] : others })
                }}
              />
              {title}
            </label>
          ))}
        </fieldset>
        <Field label={words.phrases} id={id}>
          <textarea
            id={id}
            rows={3}
            value={phrases.value}
            onInput={(event) => (phrases.value = event.currentTarget.value)}
          />
        </Field>
        <Failure error={failure} />
        <div class="row">
          <Button icon="check" isBusy={isBusy} onClick={() => run(save)}>
            {words.save}
          </Button>
        </div>
      </div>
    </details>
  )
}
