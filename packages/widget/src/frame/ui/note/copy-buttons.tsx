import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { EngineError } from '../../engine/engine.js'
import { fill } from '../../texts/fill.js'
import { Button } from '../parts/button.js'
import { useTexts, useUi } from '../ui-context.js'
import { writeClipboard } from '../write-clipboard.js'
import { useSession } from '../open-session/session-context.js'
import { tellOfCopy, useCopyGuard } from './copy-guard.js'
import { toSections } from './note-text.js'
import { toPlainText, withoutPlan } from './plan-sections.js'

/** Long enough to be read, short enough that the next copy shows again. */
const doneMs = 2_500

interface ClipboardCopy {
  /** For a moment afterwards. */
  isDone: boolean
  copy: () => void
  /** Stands in the screen while it is asked whose chart it is for. */
  dialog: ComponentChildren
}

/** Onto the clipboard. */
export function useCopy(text: () => string): ClipboardCopy {
  const { engine, texts, announce } = useUi()
  const { session } = useSession()
  const guard = useCopyGuard()
  const isDone = useSignal(false)
  const copy = async (chartClientId: string | null): Promise<boolean> => {
    if (!(await writeClipboard(text()))) throw new EngineError(texts.peek().note.copyRefused, 0)
    tellOfCopy(engine, session.sessionId, { to: 'clipboard', chartClientId })
    isDone.value = true
    announce(texts.peek().note.copied)
    setTimeout(() => (isDone.value = false), doneMs)
    return true
  }
  return { isDone: isDone.value, copy: () => guard.run(copy), dialog: guard.dialog }
}

export function CopyTextButton({ text }: { text: () => string }) {
  const { note: words } = useTexts()
  const { isDone, copy, dialog } = useCopy(text)
  return (
    <>
      <Button icon={isDone ? 'check' : 'copy'} onClick={copy}>
        {isDone ? words.copied : words.copy}
      </Button>
      {dialog}
    </>
  )
}

/** Beside its heading, as small as it may be. */
export function CopySectionButton({ title, text }: { title: string; text: () => string }) {
  const { note: words } = useTexts()
  const { isDone, copy, dialog } = useCopy(text)
  return (
    <>
      <Button
        kind="quiet"
        icon={isDone ? 'check' : 'copy'}
        label={fill(isDone ? words.copiedSection : words.copySection, { title })}
        onClick={copy}
      />
      {dialog}
    </>
  )
}

/** Into the page around us, which has its own name for it. */
export function CopyToPageButton() {
  const { engine, texts, announce } = useUi()
  const { model, session } = useSession()
  const guard = useCopyGuard()
  const words = texts.value.note
  const isDone = useSignal(false)
  if (!engine.canCopy.value) return null
  const { copyNoteButtonText, hideTreatmentPlan } = engine.settings.value
  const copy = async (chartClientId: string | null): Promise<boolean> => {
    await model.editor.flush()
    const note = model.editor.note.peek()
    if (note === null) return true
    const text = toPlainText([
      ...withoutPlan(note.note, note.template, hideTreatmentPlan),
      ...toSections(texts.peek(), note.addenda),
    ])
    const { sessionId, sessionExternalId, client } = session
    const { progressNoteId } = note
    const of = { clientId: client.id, sessionId, sessionExternalId, progressNoteId }
    if (!(await engine.copyNote({ note: text, progressNoteId, sessionId }, of, chartClientId))) return false
    tellOfCopy(engine, sessionId, { to: 'page', chartClientId })
    isDone.value = true
    announce(words.copiedToPage)
    setTimeout(() => (isDone.value = false), doneMs)
    return true
  }
  const title =
    copyNoteButtonText === undefined || copyNoteButtonText === '' ? words.copyToPage : copyNoteButtonText
  return (
    <>
      <Button icon={isDone.value ? 'check' : 'send'} onClick={() => guard.run(copy)}>
        {title}
      </Button>
      {guard.dialog}
    </>
  )
}
