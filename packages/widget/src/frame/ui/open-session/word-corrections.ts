import type { CorrectedItem, CorrectedItems, Transcript, WordCorrection } from '@casenote/contract'
import { effect, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { EngineError, type WidgetRequests } from '../../engine/engine.js'
import type { NoteDrafts } from './note-drafts.js'

export interface WordDraft {
  item: number
  /** What the line said when it was opened. */
  before: string
  text: string
}

/** Words of the transcript that clinicians put right. */
export interface WordCorrections {
  /** By their place in the transcript. */
  corrected: ReadonlySignal<ReadonlyMap<number, CorrectedItem>>
  /** The line that is being corrected: it stays while another tab is looked at, and on this device until it is saved. */
  draft: Signal<WordDraft | null>
  load: () => Promise<void>
  save: (draft: WordDraft) => Promise<void>
  close: () => void
}

export const isChanged = ({ before, text }: WordDraft): boolean => text !== before

export function makeWordCorrections(
  api: WidgetRequests,
  sessionPath: string,
  show: (transcript: Transcript) => void,
  kept: NoteDrafts,
): WordCorrections {
  const path = `${sessionPath}/transcript/corrections`
  const corrected = signal<ReadonlyMap<number, CorrectedItem>>(new Map())
  const draft = signal<WordDraft | null>(null)
  const { keepNow, stopKeeping } = keepDraft(draft, kept)
  let loads = 0
  const load = async (): Promise<void> => {
    loads += 1
    const own = loads
    const { items } = await api.get<CorrectedItems>(path)
    // A later question gets a newer answer.
    if (own === loads) corrected.value = new Map(items.map((item) => [item.item, item]))
  }
  /** What was typed while it was on its way, there or in another line, stays. */
  const rebase = (item: number, before: string): void => {
    const now = draft.peek()
    if (now?.item === item) draft.value = { ...now, before }
  }
  const catchUp = async (item: number): Promise<void> => {
    const transcript = await api.get<Transcript>(`${sessionPath}/transcript`)
    show(transcript)
    rebase(item, transcript.transcriptItems[item]?.transcript ?? '')
    await load()
  }
  return {
    corrected,
    draft,
    load,
    save: async ({ item, before, text }) => {
      const body: WordCorrection = { item, before, after: text.trim() }
      try {
        show(await api.send<Transcript>('POST', path, body))
      } catch (error) {
        // Another's correction came first: what is typed stays, beside the words as they are now.
        if (error instanceof EngineError && error.status === 409) await catchUp(item)
        throw error
      }
      const now = draft.peek()
      if (now?.item === item && now.text.trim() === body.after) draft.value = null
      else rebase(item, body.after)
      // Also where the screen was left meanwhile, and nobody follows the draft any more.
      keepNow()
      // Who put it right is shown as soon as it is known; nobody waits for it.
      void load().catch(() => {})
    },
    close: () => {
      stopKeeping()
      kept.close()
    },
  }
}

function keepDraft(
  draft: Signal<WordDraft | null>,
  kept: NoteDrafts,
): { keepNow: () => void; stopKeeping: () => void } {
  let isRead = false
  const takeUp = async (): Promise<void> => {
    const left = await kept.read()
    isRead = true
    const [key, text = ''] = left?.drafts[0] ?? []
    const now = draft.peek()
    // Whoever was faster than the storage types on.
    if (key !== undefined && (now === null || !isChanged(now)))
      draft.value = { item: Number(key), before: left?.base[0]?.content ?? '', text }
  }
  const keepNow = (): void => {
    const now = draft.value
    if (now === null || !isChanged(now)) return isRead ? kept.keep(null) : undefined
    const key = String(now.item)
    kept.keep({ base: [{ key, content: now.before }], drafts: [[key, now.text]] })
  }
  void takeUp()
  return { keepNow, stopKeeping: effect(keepNow) }
}
