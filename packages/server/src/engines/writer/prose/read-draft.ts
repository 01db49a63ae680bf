import type { DraftSection, DraftSentence } from '../writer-engine.js'
import { readText } from './quote-data.js'

/** A checked section of an answer as a draft; sentences that hold nothing are left out. */
export function readDraft(
  key: string,
  section: {
    layout: 'paragraph' | 'bullets'
    sentences: readonly { text: string; items: readonly number[] }[]
  },
): DraftSection {
  return { key, layout: section.layout, sentences: section.sentences.flatMap(readSentence) }
}

export function readSentence(sentence: { text: string; items: readonly number[] }): DraftSentence[] {
  const text = readText(sentence.text)
  if (!/[\p{L}\p{N}]/u.test(text)) return []
  return [{ text, transcriptItems: [...new Set(sentence.items)].toSorted((a, b) => a - b) }]
}
