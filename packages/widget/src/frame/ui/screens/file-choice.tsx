import { useId } from 'preact/hooks'
import type { FileRefusal } from '../../engine/engine.js'
import { Button } from '../parts/button.js'
import { Icon } from '../parts/icon.js'
import { Notice } from '../parts/notice.js'
import { useUi } from '../ui-context.js'

interface FileChoiceProps {
  title: string
  isDisabled?: boolean
  onFile: (file: File) => void
}

/** A button that is a file field: the field itself cannot be drawn. */
export function FileChoice({ title, isDisabled = false, onFile }: FileChoiceProps) {
  const { setup } = useUi().texts.value
  const id = useId()
  return (
    <span class="file-choice">
      <input
        id={id}
        type="file"
        accept="audio/*,video/*"
        disabled={isDisabled}
        aria-describedby={`${id}-hint`}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          // Chosen again after a failure, the same file must be a change.
          event.currentTarget.value = ''
          if (file !== undefined) onFile(file)
        }}
      />
      <label for={id} class="button plain">
        <Icon name="upload" />
        <span>{title}</span>
      </label>
      <span id={`${id}-hint`} class="hidden">
        {setup.uploadHint}
      </span>
    </span>
  )
}

interface RefusedFileProps {
  refusal: FileRefusal
  onFile: (file: File) => void
  onAnyway: () => void
}

/** Nothing was begun for it: the next step is here, and "Start recording" right below. */
export function RefusedFile({ refusal, onFile, onAnyway }: RefusedFileProps) {
  const { setup } = useUi().texts.value
  return (
    <Notice
      kind="warning"
      role="alert"
      title={setup.uploadRefused}
      actions={
        <>
          <FileChoice title={setup.uploadOther} onFile={onFile} />
          {refusal.isDoubt ? <Button onClick={onAnyway}>{setup.uploadAnyway}</Button> : null}
        </>
      }
    >
      {refusal.message}
    </Notice>
  )
}
