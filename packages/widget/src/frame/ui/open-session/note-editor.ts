import type { NotePatch, NoteSection, ProgressNote } from '@casenote/contract'
import { batch, computed, effect, signal, type ReadonlySignal } from '@preact/signals'
import { EngineError, type WidgetRequests } from '../../engine/engine.js'
import { toEngineError } from '../../engine/to-engine-error.js'
import { engineTexts } from '../../texts/texts.js'
import type { KeptDraft, NoteDrafts } from './note-drafts.js'
import {
  findContent,
  rebaseDrafts,
  renewConflicts,
  type Conflict,
  type SectionText,
} from './rebase-drafts.js'

/** Every save is a version in the history: long enough for a sentence, short enough to lose nothing. */
const typingPauseMs = 1_200

/** After a failure that may pass: no connection, or a service that is busy. What was typed is kept sealed meanwhile. */
const tryAgainMs = 5_000

/** Each round means that somebody else saved in between; five in a row is not a person. */
const saveRoundsMax = 5

export type SaveState = 'saved' | 'pending' | 'saving' | 'failed' | 'conflict'

/** The note of one session as it is edited here: what is saved, what is not yet, and what others did to it meanwhile. */
export interface NoteEditor {
  note: ReadonlySignal<ProgressNote | null>
  /** With what was typed and is not saved yet. */
  sections: ReadonlySignal<NoteSection[]>
  saveState: ReadonlySignal<SaveState>
  saveFailure: ReadonlySignal<unknown>
  /** What was typed and is not taken, however often it is tried; null while it may be. */
  refused: ReadonlySignal<readonly SectionText[] | null>
  /** Shows what is saved in their place: the caller has them elsewhere. */
  letGo: () => void
  conflicts: ReadonlySignal<readonly Conflict[]>
  /** Reads the note anew, unless this is what it shows already. */
  refresh: (etag?: string) => Promise<void>
  /** Another call's answer: newer than anything that was asked for before. */
  show: (answered: ProgressNote) => void
  edit: (key: string, content: string) => void
  settle: (conflict: Conflict, keep: 'mine' | 'theirs') => void
  /** Saves what is pending; rejects where that is not possible. Before anything else is done to the note. */
  flush: () => Promise<void>
  /** For what cannot be taken back: rejects as well where two texts of a section wait for a choice. */
  requireSaved: () => Promise<void>
  /** Tag of the note that is shown: whoever signs it names it by this. */
  getTag: () => string
  /** Saves what is pending once more; rejects where that failed: nobody tries again. */
  close: () => Promise<void>
}

export function makeNoteEditor(api: WidgetRequests, sessionId: string, kept: NoteDrafts): NoteEditor {
  const path = `/sessions/${sessionId}/progress-note`
  const note = signal<ProgressNote | null>(null)
  const drafts = signal<ReadonlyMap<string, string>>(new Map())
  const conflicts = signal<readonly Conflict[]>([])
  const isSaving = signal(false)
  const saveFailure = signal<unknown>(null)
  let base: readonly SectionText[] = []
  /** Texts that were sent without an answer: what the service has of them is nobody else's. */
  const unanswered = new Set<string>()
  let etag = ''
  let refreshes = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving: Promise<void> | null = null
  let isClosed = false
  /** What an earlier tab left behind; null once it was looked at. */
  let left: Promise<KeptDraft | null> | null = kept.read()

  /** `typedOn`: what the drafts were typed on. */
  const receive = (answered: ProgressNote, typedOn: readonly SectionText[]): void => {
    const theirs = withPlaces(answered)
    batch(() => {
      note.value = theirs
      // A note under generation shows sections from none: that is nobody's text yet.
      if (theirs.isLoading) return
      // To a signed note nothing is added: what was typed is shown beside it.
      const own = theirs.note.filter((section) => unanswered.has(toText(section)))
      const before = isSigned(theirs) ? [] : [...own, ...typedOn]
      const rebased = rebaseDrafts(before, theirs.note, drafts.value)
      base = theirs.note
      drafts.value = rebased.drafts
      conflicts.value = [...renewConflicts(conflicts.value, theirs.note), ...rebased.conflicts]
    })
    if (drafts.value.size > 0 && saving === null) schedule()
  }

  const refresh = async (known?: string): Promise<void> => {
    if (known !== undefined && known === etag) return
    refreshes += 1
    const own = refreshes
    const answer = await api.getTagged<ProgressNote>(path)
    const found = await left
    // A later question gets a newer answer.
    if (own !== refreshes) return
    if (left !== null && found !== null) {
      base = found.base
      drafts.value = new Map(found.drafts)
    }
    left = null
    etag = answer.etag
    receive(answer.body, base)
  }

  const saveRound = async (saved: ProgressNote): Promise<void> => {
    const sent = drafts.value
    const sections = saved.note.map(({ key, title, content }) => ({
      key,
      title,
      content: sent.get(key) ?? content,
    }))
    // The service takes no blanks where a strike left nothing.
    if (isLeftEmpty(saved) && !sections.some(({ content }) => /[\p{L}\p{N}]/u.test(content))) {
      drafts.value = new Map()
      return
    }
    const patch: NotePatch = { note: sections }
    try {
      const answer = await api.sendTagged<ProgressNote>('PATCH', path, patch, { 'If-Match': etag })
      // Whatever was asked for before is older.
      refreshes += 1
      unanswered.clear()
      etag = answer.etag
      receive(answer.body, sections)
    } catch (error) {
      const { status, code } = toEngineError(error)
      if (status === 0) for (const section of sections) unanswered.add(toText(section))
      if (status !== 409 && status !== 403) throw error
      const before = etag
      // What somebody else made of the note; where they did nothing to it, it is refused for itself.
      await refresh()
      if (etag === before && code !== 'note_changed') throw error
      saveFailure.value = error
    }
  }

  const saveAll = async (): Promise<void> => {
    clearTimeout(timer)
    isSaving.value = true
    try {
      for (let round = 0; round < saveRoundsMax && drafts.value.size > 0; round += 1) {
        saveFailure.value = null
        const saved = note.value
        if (conflicts.value.length > 0 || saved === null || saved.isLoading) return
        await saveRound(saved)
      }
      if (drafts.value.size === 0) saveFailure.value = null
      // Somebody else was faster each time.
      else if (saveFailure.value !== null) throw saveFailure.value
      else schedule()
    } catch (error) {
      saveFailure.value = error
      if (mayPass(error) && !isClosed) timer = setTimeout(() => void save(), tryAgainMs)
    } finally {
      isSaving.value = false
      saving = null
    }
  }

  const save = (): Promise<void> => (saving ??= saveAll())

  const schedule = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), typingPauseMs)
  }

  const saveNow = (): void => {
    if (drafts.value.size > 0) void save()
  }
  const saveWhenHidden = (): void => {
    if (document.visibilityState === 'hidden') saveNow()
  }
  document.addEventListener('visibilitychange', saveWhenHidden)
  addEventListener('pagehide', saveNow)
  // Also after it was closed: what is on its way then is done with when it has arrived.
  effect(() => {
    const open = conflicts.value
    const unsaved = new Map([...drafts.value, ...open.map(({ key, mine }) => [key, mine] as const)])
    if (left !== null) return
    // Without its base a text is in conflict again: the clinician was asked, and did not answer.
    const typedOn = base.filter(({ key }) => !open.some((conflict) => conflict.key === key))
    const draft = { base: typedOn.map(({ key, content }) => ({ key, content })), drafts: [...unsaved] }
    kept.keep(unsaved.size === 0 ? null : draft)
  })

  const refused = computed(() => {
    const isTried = isSaving.value || saveFailure.value === null || mayPass(saveFailure.value)
    if (isTried || conflicts.value.length > 0 || drafts.value.size === 0) return null
    return [...drafts.value].map(([key, content]) => ({ key, content }))
  })

  const flush = async (): Promise<void> => {
    await saving
    if (drafts.value.size > 0) await save()
    if (drafts.value.size > 0) throw saveFailure.value ?? new Error('the note cannot be saved now')
  }

  return {
    note,
    sections: computed(() =>
      (note.value?.note ?? []).map((section) => ({
        ...section,
        content: drafts.value.get(section.key) ?? section.content,
      })),
    ),
    saveState: computed(() => {
      if (conflicts.value.length > 0) return 'conflict'
      if (isSaving.value) return 'saving'
      if (saveFailure.value !== null && drafts.value.size > 0) return 'failed'
      return drafts.value.size > 0 ? 'pending' : 'saved'
    }),
    saveFailure,
    refused,
    letGo: () => {
      drafts.value = new Map()
    },
    conflicts,
    refresh,
    show: (answered) => {
      refreshes += 1
      receive(answered, base)
    },
    edit: (key, content) => {
      const next = new Map([...drafts.value, [key, content]])
      // Typed and taken back is no change; unless the first is on its way already, or there.
      if (saving === null && unanswered.size === 0 && findContent(base, key) === content) next.delete(key)
      drafts.value = next
      schedule()
    },
    settle: (conflict, keep) => {
      batch(() => {
        conflicts.value = conflicts.value.filter(({ key }) => key !== conflict.key)
        if (keep === 'mine') drafts.value = new Map([...drafts.value, [conflict.key, conflict.mine]])
      })
      void save()
    },
    flush,
    requireSaved: async () => {
      await flush()
      if (conflicts.value.length > 0) throw new EngineError(engineTexts.disputed, 0)
    },
    getTag: () => etag,
    close: () => {
      isClosed = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', saveWhenHidden)
      removeEventListener('pagehide', saveNow)
      const saved = flush()
      kept.close()
      return saved
    },
  }
}

const toText = ({ key, content }: SectionText): string => `${key} ${content}`

/** Also where the tokens are gone: the page was asked for new ones, and without any nothing is sent. */
const mayPass = (error: unknown): boolean =>
  error instanceof EngineError &&
  ([0, 401, 429].includes(error.status) || error.status >= 500 || error.code === 'note_changed')

/** What it said was struck, and could not be written again: until somebody writes, nobody signs. */
export const isLeftEmpty = ({ status, isEmptied }: ProgressNote): boolean => status === 'failed' && isEmptied

/** Whoever writes such a note themselves finds its sections. */
const withPlaces = (note: ProgressNote): ProgressNote =>
  isLeftEmpty(note)
    ? { ...note, note: note.template.sections.map((section) => ({ ...section, content: '', evidence: [] })) }
    : note

/** Nobody edits it: final, or with the supervisor. */
export const isSigned = ({ status, coSignature }: ProgressNote): boolean =>
  status === 'finalized' || coSignature?.state === 'awaited'

/** Written without a language model. */
export const isExtract = (note: ProgressNote | null): boolean => note?.writer?.isExtract === true
