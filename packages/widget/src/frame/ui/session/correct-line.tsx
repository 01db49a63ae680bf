import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { useTask } from '../task.js'
import { useTexts } from '../ui-context.js'
import { isChanged, type WordDraft } from '../open-session/word-corrections.js'

interface CorrectLineProps {
  draft: WordDraft
  onInput: (text: string) => void
  onSave: () => Promise<void>
  onCancel: () => void
}

/** One line of the transcript, to be put right. What is typed stays until it is saved or given up. */
export function CorrectLine({ draft, onInput, onSave, onCancel }: CorrectLineProps) {
  const { correction: words, general } = useTexts()
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const { isBusy, failure, run } = useTask()
  useLayoutEffect(() => {
    // One that was begun before does not take the focus from who walks along the tabs.
    if (document.activeElement?.role !== 'tab') field.current?.focus()
  }, [])
  const isSame = draft.text.trim() === '' || draft.text.trim() === draft.before
  const save = (): void => {
    if (!isSame && !isBusy) run(onSave)
  }
  return (
    <form
      class="correct-line stack tight"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <label class="hidden" for={id}>
        {words.label}
      </label>
      <textarea
        id={id}
        ref={field}
        rows={3}
        maxLength={20_000}
        value={draft.text}
        onInput={(event) => onInput(event.currentTarget.value)}
        onKeyDown={(event) => {
          // Only where nothing is lost by it.
          if (event.key === 'Escape' && !isChanged(draft)) onCancel()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
        }}
      />
      <div class="row">
        <Button type="submit" kind="primary" icon="check" isBusy={isBusy} isDisabled={isSame}>
          {words.save}
        </Button>
        <Button kind="quiet" onClick={onCancel}>
          {general.cancel}
        </Button>
      </div>
      <Failure error={failure} />
    </form>
  )
}
