import type { ProgressNote } from '@casenote/contract'
import { effect, signal, type ReadonlySignal } from '@preact/signals'
import type { WidgetRequests } from '../../engine/engine.js'
import { newId } from '../../engine/new-id.js'
import type { NoteDrafts } from './note-drafts.js'
import type { NoteEditor } from './note-editor.js'

/** What is being added to a signed note: kept on this device until the service has it. */
export interface AddendumWriter {
  text: ReadonlySignal<string>
  write: (text: string) => void
  /** Below what was typed before. */
  append: (more: string) => void
  /** Rejects where it cannot be added; what was typed stays. */
  add: () => Promise<void>
  close: () => void
}

/** A text and the id that it is sent under: the same text sent again, after a lost answer, is not added twice. */
interface Draft {
  id: string
  text: string
}

const none: Draft = { id: '', text: '' }

export function makeAddendumWriter(
  api: WidgetRequests,
  editor: NoteEditor,
  notePath: string,
  kept: NoteDrafts,
): AddendumWriter {
  const draft = signal<Draft>(none)
  const text = signal('')
  const put = (next: Draft): void => {
    draft.value = next
    text.value = next.text
    kept.keep(next.text.trim() === '' ? null : { base: [], drafts: [[next.id, next.text]] })
  }
  const takeUp = async (): Promise<void> => {
    const [left] = (await kept.read())?.drafts ?? []
    // Whoever was faster than the storage types on.
    if (left !== undefined && draft.peek() === none) put({ id: left[0], text: left[1] })
  }
  void takeUp()
  /** Also when the answer was lost and the service has it all the same. */
  const stop = effect(() => {
    const { id } = draft.value
    if (editor.note.value?.addenda.some((addendum) => addendum.id === id) === true) put(none)
  })
  const write = (typed: string): void => put({ id: newId(), text: typed })
  return {
    text,
    write,
    append: (more) => write([text.peek().trim(), more.trim()].filter((one) => one !== '').join('\n\n')),
    add: async () => {
      const { id, text: typed } = draft.peek()
      editor.show(await api.send<ProgressNote>('POST', `${notePath}/addenda`, { id, text: typed }))
    },
    close: () => {
      stop()
      kept.close()
    },
  }
}
