import type { WidgetSession, WidgetTypedSession } from '@casenote/contract'
import { signal, type ReadonlySignal } from '@preact/signals'
import { EngineError, type Engine } from '../../engine/engine.js'
import { newId } from '../note/addendum-writer.js'
import { makeNoteDrafts } from '../note/note-drafts.js'

/** What is being typed about a session of one client: kept on this device until the service has it. */
export interface TypedDraft {
  text: ReadonlySignal<string>
  write: (text: string) => void
  /**
   * Rejects where it cannot be sent; what was typed stays. Sent again it is the same session; where the service has that session
   * with another text it says so, and what is sent then is another one.
   */
  send: (given: Omit<WidgetTypedSession, 'text' | 'recordingId'>) => Promise<WidgetSession>
  close: () => void
}

interface Draft {
  id: string
  text: string
}

const none: Draft = { id: '', text: '' }

export function makeTypedDraft(engine: Engine, clientId: string): TypedDraft {
  const kept = makeNoteDrafts(engine, `typed/${clientId}`)
  const text = signal('')
  let draft = none
  const put = (next: Draft): void => {
    draft = next
    text.value = next.text
    kept.keep(next.text.trim() === '' ? null : { base: [], drafts: [[next.id, next.text]] })
  }
  const takeUp = async (): Promise<void> => {
    const [left] = (await kept.read())?.drafts ?? []
    // Whoever was faster than the storage types on.
    if (left !== undefined && draft === none) put({ id: left[0], text: left[1] })
  }
  void takeUp()
  return {
    text,
    // One id until a session answers: who adds a word after an answer that was lost must not get two sessions unasked.
    write: (typed) => put({ id: draft.id || newId(), text: typed }),
    send: async (given) => {
      const { id: recordingId, text: typed } = draft
      const body: WidgetTypedSession = { ...given, recordingId, text: typed }
      const path = `/clients/${encodeURIComponent(clientId)}/typed-sessions`
      const session = await engine.api.send<WidgetSession>('POST', path, body).catch((error: unknown) => {
        if (error instanceof EngineError && error.status === 409) put({ id: newId(), text: draft.text })
        throw error
      })
      // What was typed while it was on its way is the next draft.
      const left = draft.text.startsWith(typed) ? draft.text.slice(typed.length).trim() : draft.text
      put(left === '' ? none : { id: newId(), text: left })
      return session
    },
    close: () => kept.close(),
  }
}
