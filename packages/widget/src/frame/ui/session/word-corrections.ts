import type { CorrectedItem, CorrectedItems, Transcript, WordCorrection } from '@casenote/contract'
import { effect, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { EngineError, type WidgetRequests } from '../../engine/engine.js'
import type { NoteDrafts } from '../note/note-drafts.js'

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
  const stopKeeping = keepDraft(draft, kept)
  const load = async (): Promise<void> => {
    const { items } = await api.get<CorrectedItems>(path)
    corrected.value = new Map(items.map((item) => [item.item, item]))
  }
  const catchUp = async (item: number, text: string): Promise<void> => {
    const transcript = await api.get<Transcript>(`${sessionPath}/transcript`)
    show(transcript)
    draft.value = { item, before: transcript.transcriptItems[item]?.transcript ?? '', text }
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
        if (error instanceof EngineError && error.status === 409) await catchUp(item, text)
        throw error
      }
      draft.value = null
      await load()
    },
    close: () => {
      stopKeeping()
      kept.close()
    },
  }
}

function keepDraft(draft: Signal<WordDraft | null>, kept: NoteDrafts): () => void {
  let isRead = false
  const takeUp = async (): Promise<void> => {
    const left = await kept.read()
    isRead = true
    const [key, text = ''] = left?.drafts[0] ?? []
    // Whoever was faster than the storage types on.
    if (key !== undefined && draft.peek() === null)
      draft.value = { item: Number(key), before: left?.base[0]?.content ?? '', text }
  }
  void takeUp()
  return effect(() => {
    const now = draft.value
    if (now === null || !isChanged(now)) return isRead ? kept.keep(null) : undefined
    const key = String(now.item)
    kept.keep({ base: [{ key, content: now.before }], drafts: [[key, now.text]] })
  })
}
