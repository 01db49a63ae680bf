import { useLayoutEffect } from 'preact/hooks'
import { EngineError } from '../../engine/engine.js'
import { useSession } from '../open-session/session-context.js'
import { useUi } from '../ui-context.js'
import { writeClipboard } from '../write-clipboard.js'
import { tellOfCopy, useCopyGuard } from './copy-guard.js'

/** What takes selected words out of the frame without a button of ours. */
const ways = ['copy', 'cut', 'dragstart'] as const

/**
 * Words of a session that are selected and copied by hand: asked about as the buttons are, while the page shows another
 * client's chart. Else the browser does what it always does, and a copy of the note is on record.
 */
export function HandCopies() {
  const { engine, texts, announce } = useUi()
  const { session } = useSession()
  const guard = useCopyGuard()
  const { sessionId, client } = session
  useLayoutEffect(() => {
    const hear = (event: Event): void => {
      const words = readSelected(event.target)
      if (words === null) return
      const { clientId } = engine.chart.peek()
      const isOther = clientId !== null && clientId !== client.id
      if (!isOther) {
        // The browser does not tell where a dragged selection is dropped. So each is recorded as a copy: one that was dropped nowhere
        // is recorded needlessly, and none that arrived somewhere is missing.
        if (words.isNote) tellOfCopy(engine, sessionId, { to: 'clipboard', chartClientId: clientId })
        return
      }
      event.preventDefault()
      guard.run(async (chartClientId) => {
        if (!(await writeClipboard(words.text))) throw new EngineError(texts.peek().note.copyRefused, 0)
        if (words.isNote) tellOfCopy(engine, sessionId, { to: 'clipboard', chartClientId })
        announce(texts.peek().note.copied)
        return true
      })
    }
    for (const way of ways) document.addEventListener(way, hear)
    return () => {
      for (const way of ways) document.removeEventListener(way, hear)
    }
  }, [sessionId, client.id])
  return <>{guard.dialog}</>
}

interface Selected {
  text: string
  isNote: boolean
}

/** Null: nothing is selected, or nothing of this session. What is marked in a field is no selection of the document. */
function readSelected(target: EventTarget | null): Selected | null {
  if (target instanceof HTMLTextAreaElement) {
    const { value, selectionStart, selectionEnd } = target
    const text = value.slice(selectionStart, selectionEnd)
    return isOurs(target) || text.trim() === ''
      ? null
      : { text, isNote: target.closest('.sections') !== null }
  }
  const selection = getSelection()
  if (selection === null || selection.rangeCount === 0 || selection.toString().trim() === '') return null
  const range = selection.getRangeAt(0)
  const touches = (place: string): boolean => {
    const element = document.querySelector(place)
    return element !== null && range.intersectsNode(element)
  }
  return touches('.screen') ? { text: selection.toString(), isNote: touches('.note') } : null
}

/** The field that `writeClipboard` copies from was asked about before. */
const isOurs = (field: Element): boolean => field.classList.contains('hidden')
