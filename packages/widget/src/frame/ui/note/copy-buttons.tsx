import { useSignal } from '@preact/signals'
import { attempt } from '../load.js'
import { Button } from '../parts/button.js'
import { useUi } from '../ui-context.js'
import { useSession } from '../session/session-context.js'
import { toSections } from './note-text.js'
import { toPlainText, withoutPlan } from './plan-sections.js'

/** Long enough to be read, short enough that the next copy shows again. */
const doneMs = 2_500

export function CopyTextButton({ text }: { text: () => string }) {
  const { texts, announce } = useUi()
  const words = texts.value.note
  const isDone = useSignal(false)
  const copy = async (): Promise<void> => {
    await writeClipboard(text())
    isDone.value = true
    announce(words.copied)
    setTimeout(() => (isDone.value = false), doneMs)
  }
  return (
    <Button
      icon={isDone.value ? 'check' : 'copy'}
      onClick={() =>
        attempt(copy, () => {
          announce(texts.peek().general.failed)
        })
      }
    >
      {isDone.value ? words.copied : words.copy}
    </Button>
  )
}

/** Into the page around us, which has its own name for it. */
export function CopyToPageButton() {
  const { engine, texts, announce } = useUi()
  const { model } = useSession()
  const words = texts.value.note
  const isDone = useSignal(false)
  if (!engine.canCopy.value) return null
  const { copyNoteButtonText, hideTreatmentPlan } = engine.settings.value
  const copy = async (): Promise<void> => {
    await model.editor.flush()
    const note = model.editor.note.peek()
    if (note === null) return
    const text = toPlainText([
      ...withoutPlan(note.note, hideTreatmentPlan),
      ...toSections(texts.peek(), note.addenda),
    ])
    engine.copyNote({ note: text, progressNoteId: note.progressNoteId, sessionId: note.sessionId })
    isDone.value = true
    announce(words.copiedToPage)
    setTimeout(() => (isDone.value = false), doneMs)
  }
  const title =
    copyNoteButtonText === undefined || copyNoteButtonText === '' ? words.copyToPage : copyNoteButtonText
  return (
    <Button
      icon={isDone.value ? 'check' : 'send'}
      onClick={() =>
        attempt(copy, () => {
          announce(texts.peek().general.failed)
        })
      }
    >
      {title}
    </Button>
  )
}

/** A frame may write to the clipboard only where the page allows it; the old way needs no permission. */
async function writeClipboard(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    area.className = 'hidden'
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    if (!isCopied) throw new Error('the browser does not let us copy')
  }
}
