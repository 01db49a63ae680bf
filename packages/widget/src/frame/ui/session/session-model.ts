import type { Transcript, WidgetSession } from '@casenote/contract'
import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'
import type { Engine } from '../../engine/engine.js'
import { makeNoteEditor, type NoteEditor } from '../note/note-editor.js'
import { makeNoteRewriter, type NoteRewriter } from '../note/note-rewriter.js'

/** One session while its screen is open: followed live, its note and transcript kept fresh. */
export interface SessionModel {
  session: ReadonlySignal<WidgetSession | null>
  failure: ReadonlySignal<unknown>
  transcript: ReadonlySignal<Transcript | null>
  editor: NoteEditor
  rewriter: NoteRewriter
  path: string
  setTranscript(transcript: Transcript): void
  open(): void
  close(): void
}

export function makeSessionModel(engine: Engine, sessionId: string): SessionModel {
  const { api } = engine
  const path = `/sessions/${encodeURIComponent(sessionId)}`
  const session = signal<WidgetSession | null>(null)
  const transcript = signal<Transcript | null>(null)
  const failure = signal<unknown>(null)
  const editor = makeNoteEditor(api, sessionId)
  const fail = (error: unknown): void => {
    failure.value = error
  }
  const receive = (next: WidgetSession): void => {
    const before = session.value
    session.value = next
    failure.value = null
    const isReady = next.stage === 'done' && !next.note.isLoading
    if (before !== null && isReady && (before.stage !== 'done' || before.note.isLoading)) {
      engine.raise('progressNoteReady', { sessionId, progressNoteId: next.note.progressNoteId })
    }
  }
  const stops: (() => void)[] = []
  const open = (): void => {
    api.get<WidgetSession>(path).then((first) => {
      // The live answer may have been faster.
      if (session.value === null) receive(first)
    }, fail)
    stops.push(
      api.watchSession(sessionId, receive).stop,
      effect(() => {
        const etag = session.value?.note.etag
        if (etag !== undefined) untracked(() => void editor.refresh(etag).catch(fail))
      }),
      effect(() => {
        if (session.value?.hasTranscript !== true || transcript.peek() !== null) return
        untracked(() =>
          api.get<Transcript>(`${path}/transcript`).then((loaded) => {
            transcript.value = loaded
          }, fail),
        )
      }),
    )
  }
  return {
    session,
    failure,
    transcript,
    editor,
    rewriter: makeNoteRewriter(api, editor, `${path}/progress-note`),
    path,
    setTranscript: (next) => {
      transcript.value = next
    },
    open,
    close: () => {
      for (const stop of stops.splice(0)) stop()
      editor.close()
    },
  }
}
