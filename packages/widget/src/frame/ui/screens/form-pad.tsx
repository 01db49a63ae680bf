import { padLengthMax, type NoteType } from '@casenote/contract'
import { effect, useSignal, type Signal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { makeNoteDrafts } from '../open-session/note-drafts.js'
import { LanguageChoice } from '../parts/language-choice.js'
import { Templates } from '../templates/templates.js'
import { jottedPlace } from '../open-session/draft-rows.js'
import { useUi } from '../ui-context.js'

interface FormPadProps {
  clientId: string
  text: Signal<string>
  noteType: NoteType
  value: Signal<string>
  /** What is spoken: as it stands, and as it was chosen here. */
  language: string
  spoken: Signal<string | null>
}

/** Language and template, where there is a choice; and the words that go with a file, as the pad's go with a recording; on this device until they do. */
export function FormPad({ clientId, text, language, spoken, ...template }: FormPadProps) {
  const { texts } = useUi()
  const { pad: words } = texts.value
  const id = useId()
  const isOpen = useSignal(false)
  // What was left of the last time goes with the next file, so it is in sight.
  useKept(clientId, text, () => (isOpen.value = true))
  return (
    <>
      <LanguageChoice
        label={texts.value.setup.language}
        value={language}
        onChange={(next) => (spoken.value = next)}
      />
      <Templates {...template} />
      <details open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary>{words.besideFile}</summary>
        <div class="field">
          <label for={id}>{words.label}</label>
          <textarea
            id={id}
            rows={3}
            maxLength={padLengthMax}
            value={text.value}
            placeholder={words.placeholder}
            aria-describedby={`${id}-hint`}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
          <p id={`${id}-hint`} class="muted detail">
            {words.hint}
          </p>
        </div>
      </details>
    </>
  )
}

function useKept(clientId: string, text: Signal<string>, onLeft: () => void): void {
  const { engine } = useUi()
  useEffect(() => {
    const kept = makeNoteDrafts(engine, jottedPlace(clientId))
    let isHere = true
    const takeUp = async (): Promise<void> => {
      const [left] = (await kept.read())?.drafts ?? []
      if (!isHere) return
      // Whoever was faster than the storage types on.
      if (left !== undefined && text.peek() === '') {
        text.value = left[1]
        onLeft()
      }
      // It goes on after the screen is left: an upload on its way takes its words out when it is done.
      effect(() => kept.keep(text.value.trim() === '' ? null : { base: [], drafts: [['pad', text.value]] }))
    }
    void takeUp()
    return () => {
      isHere = false
      kept.close()
    }
  }, [clientId])
}
