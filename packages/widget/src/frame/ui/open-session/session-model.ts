import type { Transcript, WidgetSession } from '@casenote/contract'
import { effect, signal, untracked, type ReadonlySignal } from '@preact/signals'
import type { Engine } from '../../engine/engine.js'
import { attempt } from '../load.js'
import { makeAddendumWriter, type AddendumWriter } from './addendum-writer.js'
import { makeNoteDrafts } from './note-drafts.js'
import { makeNoteEditor, type NoteEditor } from './note-editor.js'
import { makeNoteRewriter, type NoteRewriter } from './note-rewriter.js'
import { makeWordCorrections, type WordCorrections } from './word-corrections.js'

/** One session while its screen is open: followed live, its note and transcript kept fresh. */
export interface SessionModel {
  session: ReadonlySignal<WidgetSession | null>
  failure: ReadonlySignal<unknown>
  /** Why note or transcript could not be read; a session that is heard of says nothing about it. */
  unread: ReadonlySignal<unknown>
  transcript: ReadonlySignal<Transcript | null>
  editor: NoteEditor
  rewriter: NoteRewriter
  addendum: AddendumWriter
  words: WordCorrections
  path: string
  setTranscript: (transcript: Transcript) => void
  /** Reads it again behind what is shown, which stays where that fails. */
  renewTranscript: () => Promise<void>
  open: () => void
  /** Rejects where what was typed into the note could not be saved. */
  close: () => Promise<void>
}

export function makeSessionModel(engine: Engine, sessionId: string): SessionModel {
  const { api } = engine
  const path = `/sessions/${encodeURIComponent(sessionId)}`
  const session = signal<WidgetSession | null>(null)
  const transcript = signal<Transcript | null>(null)
  const failure = signal<unknown>(null)
  const unread = signal<unknown>(null)
  const editor = makeNoteEditor(api, sessionId, makeNoteDrafts(engine, sessionId))
  const notePath = `${path}/progress-note`
  const addendum = makeAddendumWriter(api, editor, notePath, makeNoteDrafts(engine, `${sessionId}/addendum`))
  let reads = 0
  const show = (next: Transcript): void => {
    reads += 1
    transcript.value = next
  }
  const words = makeWordCorrections(api, path, show, makeNoteDrafts(engine, `${sessionId}/correction`))
  const fail = (error: unknown): void => {
    failure.value = error
  }
  const miss = (error: unknown): void => {
    unread.value = error
  }
  const receive = (next: WidgetSession): void => {
    session.value = next
    failure.value = null
  }
  /** With what was put right in it: wherever a line is quoted, it says so. */
  const loadTranscript = async (): Promise<void> => {
    reads += 1
    const own = reads
    const [next] = await Promise.all([
      api.get<Transcript>(`${path}/transcript`),
      words.load().catch(() => {}),
    ])
    // What was asked for or shown since is newer.
    if (own === reads) transcript.value = next
  }
  let readFor: string | null = null
  const loadSession = async (): Promise<void> => {
    const first = await api.get<WidgetSession>(path)
    // The live answer may have been faster.
    if (session.value === null) receive(first)
  }
  const stops: (() => void)[] = []
  const close = (): void => {
    for (const stop of stops.splice(0)) stop()
  }
  const open = (): void => {
    close()
    unread.value = null
    attempt(loadSession, fail)
    const watch = api.watchSession(sessionId, receive)
    stops.push(
      () => watch.stop(),
      effect(() => {
        const etag = session.value?.note.etag
        if (etag !== undefined) untracked(() => attempt(() => editor.refresh(etag), miss))
      }),
      effect(() => {
        const { hasTranscript = false, note } = session.value ?? {}
        const id = note?.progressNoteId ?? null
        if (!hasTranscript || (transcript.peek() !== null && id === readFor)) return
        // Whoever has the note written anew may have put words right before it.
        readFor = id
        attempt(loadTranscript, miss)
      }),
    )
  }
  /** Also where the screen is left, or the stream is blocked: the page waits for it. */
  const tellOfSignature = (): void => {
    const before = session.peek()
    if (before === null) return
    attempt(
      async () => api.tell(await api.get<WidgetSession>(path), before),
      () => {},
    )
  }
  const requests = makeNoteDrafts(engine, `${sessionId}/request`)
  const rewriter = makeNoteRewriter(api, editor, notePath, requests, tellOfSignature)
  return {
    session,
    failure,
    unread,
    transcript,
    editor,
    rewriter,
    addendum,
    words,
    path,
    setTranscript: show,
    renewTranscript: () =>
      transcript.peek() === null ? Promise.resolve() : loadTranscript().catch(() => {}),
    open,
    close: () => {
      close()
      rewriter.close()
      addendum.close()
      words.close()
      return editor.close()
    },
  }
}
