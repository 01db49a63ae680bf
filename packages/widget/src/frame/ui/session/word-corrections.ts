import type { CorrectedItem, CorrectedItems, Transcript, WordCorrection } from '@casenote/contract'
import { signal, type ReadonlySignal, type Signal } from '@preact/signals'
import type { WidgetRequests } from '../../engine/engine.js'

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
  /** The line that is being corrected: it stays while another tab is looked at. */
  draft: Signal<WordDraft | null>
  load: () => Promise<void>
  save: (draft: WordDraft) => Promise<void>
}

export function makeWordCorrections(
  api: WidgetRequests,
  sessionPath: string,
  show: (transcript: Transcript) => void,
): WordCorrections {
  const path = `${sessionPath}/transcript/corrections`
  const corrected = signal<ReadonlyMap<number, CorrectedItem>>(new Map())
  const draft = signal<WordDraft | null>(null)
  const load = async (): Promise<void> => {
    const { items } = await api.get<CorrectedItems>(path)
    corrected.value = new Map(items.map((item) => [item.item, item]))
  }
  return {
    corrected,
    draft,
    load,
    save: async ({ item, before, text }) => {
      const body: WordCorrection = { item, before, after: text.trim() }
      show(await api.send<Transcript>('POST', path, body))
      draft.value = null
      await load()
    },
  }
}
