import type { MagicEdit, NoteType, Page, ProgressNote } from '@casenote/contract'
import { effect, signal, type ReadonlySignal } from '@preact/signals'
import type { WidgetRequests } from '../../engine/engine.js'
import type { NoteEditor } from './note-editor.js'
import { readNewestVersions } from './note-versions.js'

export type RewriteOutcome =
  | { kind: 'none' }
  | { kind: 'working' }
  /** `before`: the version to go back to, where there is one. */
  | { kind: 'changed'; before: number | null }
  /** `reason`: a sentence of the writer's; null where it gave none. */
  | { kind: 'failed'; reason: string | null }

/** Whatever writes the note anew as a whole. What is unsaved is saved first. */
export interface NoteRewriter {
  outcome: ReadonlySignal<RewriteOutcome>
  magicEdit: (userInstructions: string) => Promise<void>
  regenerate: (noteType: NoteType) => Promise<void>
  restore: (version: number) => Promise<void>
  /** `openDangerReason`: why it is signed beside open danger that it does not hold; null where there is none. */
  finalize: (openDangerReason: string | null) => Promise<void>
  dismiss: () => void
}

export function makeNoteRewriter(api: WidgetRequests, editor: NoteEditor, notePath: string): NoteRewriter {
  const outcome = signal<RewriteOutcome>({ kind: 'none' })

  const rewrite = async (
    call: string,
    body: unknown,
    readReason: () => Promise<string | null>,
  ): Promise<void> => {
    await editor.flush()
    const idBefore = editor.note.peek()?.progressNoteId
    editor.show(await api.send<ProgressNote>('POST', `${notePath}/${call}`, body))
    outcome.value = { kind: 'working' }
    await editor.refresh()
    whenWritten(editor, (note) => {
      // Every rewriting gives the note a new id; a failed one leaves it as it was.
      const told =
        note.progressNoteId === idBefore
          ? readReason().then((reason): RewriteOutcome => ({ kind: 'failed', reason }))
          : readBefore(api, notePath).then((before): RewriteOutcome => ({ kind: 'changed', before }))
      told.then(
        (next) => (outcome.value = next),
        () => (outcome.value = { kind: 'none' }),
      )
    })
  }

  return {
    outcome,
    magicEdit: (userInstructions) =>
      rewrite('magic-edit', { userInstructions }, () => readFailure(api, notePath)),
    regenerate: (noteType) => rewrite('regenerate', { noteType }, async () => null),
    restore: async (version) => {
      await editor.flush()
      await api.send<ProgressNote>('POST', `${notePath}/restore`, { version })
      outcome.value = { kind: 'none' }
      await editor.refresh()
    },
    finalize: async (openDangerReason) => {
      await editor.requireSaved()
      await api.send<ProgressNote>('POST', `${notePath}/finalize`, { openDangerReason })
      outcome.value = { kind: 'none' }
      await editor.refresh()
    },
    dismiss: () => {
      outcome.value = { kind: 'none' }
    },
  }
}

function whenWritten(editor: NoteEditor, tell: (note: ProgressNote) => void): void {
  let isTold = false
  const stop = effect(() => {
    const note = editor.note.value
    if (isTold || note === null || note.isLoading) return
    isTold = true
    tell(note)
    queueMicrotask(() => stop())
  })
}

async function readBefore(api: WidgetRequests, notePath: string): Promise<number | null> {
  const { versions } = await readNewestVersions(api, notePath)
  return versions[1]?.version ?? null
}

async function readFailure(api: WidgetRequests, notePath: string): Promise<string | null> {
  const first = await api.get<Page<MagicEdit>>(`${notePath}/magic-edits?page=1`)
  const { totalPages } = first.meta
  const last =
    totalPages === 1 ? first : await api.get<Page<MagicEdit>>(`${notePath}/magic-edits?page=${totalPages}`)
  const newest = [...first.data, ...last.data].toSorted((one, other) =>
    other.createdAt.localeCompare(one.createdAt),
  )
  return newest[0]?.failureReason ?? null
}
