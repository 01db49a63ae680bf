import type { CorrectedItem, CorrectedItems, Transcript, WordCorrection } from '@casenote/contract'
import { signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { EngineError, type WidgetRequests } from '../../engine/engine.js'

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
  }
}
