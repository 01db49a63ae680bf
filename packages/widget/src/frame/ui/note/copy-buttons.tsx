import { useSignal } from '@preact/signals'
import { fill } from '../../texts/fill.js'
import { attempt } from '../load.js'
import { Button } from '../parts/button.js'
import { useTexts, useUi } from '../ui-context.js'
import { useSession } from '../session/session-context.js'
import { toSections } from './note-text.js'
import { toPlainText, withoutPlan } from './plan-sections.js'

/** Long enough to be read, short enough that the next copy shows again. */
const doneMs = 2_500

/** Onto the clipboard; `isDone` for a moment afterwards. */
export function useCopy(text: () => string): { isDone: boolean; copy: () => void } {
  const { texts, announce } = useUi()
  const isDone = useSignal(false)
  const copy = async (): Promise<void> => {
    await writeClipboard(text())
    isDone.value = true
    announce(texts.peek().note.copied)
    setTimeout(() => (isDone.value = false), doneMs)
  }
  return { isDone: isDone.value, copy: () => attempt(copy, () => announce(texts.peek().general.failed)) }
}

export function CopyTextButton({ text }: { text: () => string }) {
  const { note: words } = useTexts()
  const { isDone, copy } = useCopy(text)
  return (
    <Button icon={isDone ? 'check' : 'copy'} onClick={copy}>
      {isDone ? words.copied : words.copy}
    </Button>
  )
}

/** Beside its heading, as small as it may be. */
export function CopySectionButton({ title, text }: { title: string; text: () => string }) {
  const { note: words } = useTexts()
  const { isDone, copy } = useCopy(text)
  return (
    <Button
      kind="quiet"
      icon={isDone ? 'check' : 'copy'}
      label={fill(isDone ? words.copiedSection : words.copySection, { title })}
      onClick={copy}
    />
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
