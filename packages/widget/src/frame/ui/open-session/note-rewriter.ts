import type {
  NoteRewriting,
  NoteSection,
  NoteSigning,
  NoteType,
  OpenRewriting,
  ProgressNote,
} from '@casenote/contract'
import { effect, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { WidgetRequests } from '../../engine/engine.js'
import { keepRequest, readNewestEdit } from './keep-request.js'
import type { NoteDrafts } from './note-drafts.js'
import { isSigned, type NoteEditor } from './note-editor.js'
import { listUndone } from './open-change.js'

/** The service takes up to ten seconds to compare; a read without an answer is repeated for good. */
const lateMs = 15_000

type Call = 'magic-edit' | 'regenerate'

export type RewriteOutcome =
  | { kind: 'none' }
  /** `before`: what the note says meanwhile. */
  | { kind: 'working'; call: Call; before: readonly NoteSection[] }
  | { kind: 'changed' }
  /** `reason`: a sentence of the writer's; null where it gave none. */
  | { kind: 'failed'; call: Call; reason: string | null }

/** Whatever writes the note anew as a whole. What is unsaved is saved first. */
export interface NoteRewriter {
  outcome: ReadonlySignal<RewriteOutcome>
  /** What the clinician asks for: theirs until it was done. */
  request: Signal<string>
  /** What was changed and is not looked over yet; null: nothing. */
  change: ReadonlySignal<NoteRewriting | null>
  /** Whether `change` is known: `pending` while the service is asked, `failed` where it gave no answer, or none yet. */
  changeState: ReadonlySignal<'known' | 'pending' | 'failed'>
  /** Keys of the sections that were looked over. */
  kept: ReadonlySignal<ReadonlySet<string>>
  magicEdit: () => Promise<void>
  /** `templateId`: empty for the usual one of the type. */
  regenerate: (noteType: NoteType, templateId?: string) => Promise<void>
  /** The whole version, or only some sections of it. */
  restore: (version: number, sectionKeys?: readonly string[]) => Promise<void>
  /** All of the open change, and nothing that was typed beside it. */
  undo: () => Promise<void>
  /** Asks anew, of the text as it is saved now; never rejects. */
  lookAgain: () => Promise<void>
  keepSection: (key: string) => void
  /** It could not be kept: it is asked about again. */
  askAgain: (key: string) => void
  keep: () => Promise<void>
  /** As `request`: what was written before signing was refused is there when it is tried again. */
  signingReason: Signal<string>
  /**
   * `openDangerReason`: why it is signed beside open danger that it does not hold, which is what was shown, `openDangerItemIds`; null
   * where there is none. `expectsCoSignature`: what the clinician was told that signing does.
   */
  finalize: (signing: Required<NoteSigning>) => Promise<void>
  /** The signature was kept although its answer was lost: the page waits to hear of it. */
  tellSigned: () => void
  dismiss: () => void
  close: () => void
}

export function makeNoteRewriter(
  api: WidgetRequests,
  editor: NoteEditor,
  notePath: string,
  drafts: NoteDrafts,
  /** The service has the signature, whatever is read after it. */
  onSigned: () => void = () => {},
): NoteRewriter {
  const outcome = signal<RewriteOutcome>({ kind: 'none' })
  const request = signal('')
  const signingReason = signal('')
  const leaveRequest = keepRequest({
    api,
    notePath,
    kept: drafts,
    request,
    whenWritten: (tell) => whenWritten(editor, tell),
    onRefused: (reason) => {
      if (outcome.peek().kind === 'none') outcome.value = { kind: 'failed', call: 'magic-edit', reason }
    },
  })
  const change = signal<NoteRewriting | null>(null)
  const kept = signal<ReadonlySet<string>>(new Set())

  const changeState = signal<'known' | 'pending' | 'failed'>('known')
  let looks = 0

  const look = async (): Promise<void> => {
    looks += 1
    const own = looks
    changeState.value = 'pending'
    const timer = setTimeout(() => {
      if (own === looks) changeState.value = 'failed'
    }, lateMs)
    try {
      const { rewriting } = await api.get<OpenRewriting>(`${notePath}/rewriting`)
      // A later question gets a newer answer.
      if (own !== looks) return
      if (rewriting?.generationId !== change.peek()?.generationId) kept.value = new Set()
      change.value = rewriting
      changeState.value = 'known'
    } catch (error) {
      if (own === looks) changeState.value = 'failed'
      throw error
    } finally {
      clearTimeout(timer)
    }
  }

  // Every rewriting gives the note a new id, whoever asked for it: what it changed waits to be looked over.
  let looked = ''
  const stop = effect(() => {
    const note = editor.note.value
    if (note === null || note.isLoading) return
    // A supervisor may return it under the same id, and then it is asked about again.
    const id = isSigned(note) ? '' : note.progressNoteId
    if (id === looked) return
    looked = id
    if (isRewritten(note)) void look().catch(() => (looked = ''))
    else {
      looks += 1
      change.value = null
      changeState.value = 'known'
    }
  })

  const rewrite = async (
    call: Call,
    body: unknown,
    end: (isDone: boolean) => Promise<string | null>,
  ): Promise<void> => {
    await editor.flush()
    const idBefore = editor.note.peek()?.progressNoteId
    const before = editor.sections.peek()
    editor.show(await api.send<ProgressNote>('POST', `${notePath}/${call}`, body))
    outcome.value = { kind: 'working', call, before }
    whenWritten(editor, (note) => {
      // A failed one leaves the id as it was.
      const isDone = note.progressNoteId !== idBefore
      end(isDone).then(
        (reason) => (outcome.value = isDone ? { kind: 'changed' } : { kind: 'failed', call, reason }),
        () => (outcome.value = isDone ? { kind: 'changed' } : { kind: 'failed', call, reason: null }),
      )
    })
    // It is under way by now: whoever reads the note next, the session's stream for one, tells how it ended.
    await editor.refresh().catch(() => {})
  }

  const restore = async (version: number, sectionKeys?: readonly string[]): Promise<void> => {
    await editor.flush()
    const body = sectionKeys === undefined ? { version } : { version, sectionKeys }
    try {
      await api.send<ProgressNote>('POST', `${notePath}/restore`, body)
      outcome.value = { kind: 'none' }
    } finally {
      // Also where somebody else was faster: then theirs is what is looked at.
      await editor.refresh()
      await look()
    }
  }

  return {
    outcome,
    request,
    signingReason,
    change,
    changeState,
    kept,
    magicEdit: async () => {
      const userInstructions = request.peek().trim()
      await rewrite('magic-edit', { userInstructions }, async (isDone) => {
        if (!isDone) return (await readNewestEdit(api, notePath))?.failureReason ?? null
        // What was typed meanwhile is the next request.
        if (request.peek().trim() === userInstructions) request.value = ''
        return null
      })
    },
    regenerate: (noteType, templateId = '') =>
      rewrite('regenerate', { noteType, templateId }, async () => null),
    restore,
    undo: async () => {
      const open = change.peek()
      if (open === null) return
      const undone = listUndone(open, kept.peek(), editor.sections.peek())
      await restore(open.versionBefore, undone ?? undefined)
    },
    lookAgain: async () => {
      const note = editor.note.peek()
      if (note !== null && !note.isLoading && isRewritten(note)) await look().catch(() => {})
    },
    keepSection: (key) => {
      kept.value = new Set([...kept.value, key])
    },
    askAgain: (key) => {
      kept.value = new Set([...kept.value].filter((one) => one !== key))
    },
    keep: async () => {
      const open = change.peek()
      if (open === null) return
      const { generationId, gone } = open
      await api.send('POST', `${notePath}/rewriting/keep`, { generationId, goneCount: gone?.length ?? 0 })
      change.value = null
      outcome.value = { kind: 'none' }
    },
    finalize: async (signing) => {
      await editor.requireSaved()
      const seen = { 'If-Match': editor.getTag() }
      await api.send<ProgressNote>('POST', `${notePath}/finalize`, signing, seen)
      onSigned()
      signingReason.value = ''
      outcome.value = { kind: 'none' }
      change.value = null
      await editor.refresh()
    },
    tellSigned: onSigned,
    dismiss: () => {
      outcome.value = { kind: 'none' }
    },
    close: () => {
      stop()
      leaveRequest()
    },
  }
}

const isRewritten = (note: ProgressNote): boolean => note.status === 'regenerated' && !isSigned(note)

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
