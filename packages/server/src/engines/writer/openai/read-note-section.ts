import type { NoteSection } from '@casenote/contract'
import type { DraftSection, DraftSentence } from '../writer-engine.js'

/**
 * A section of a stored note as a draft: its sentences with the evidence that they had. What a clinician wrote between
 * them has none, and keeps its place.
 */
export function readNoteSection(section: NoteSection): DraftSection {
  const lines = section.content.split('\n').filter((line) => line.trim() !== '')
  const isList = lines.length > 0 && lines.every((line) => /^\s*[-•]\s/.test(line))
  const left = section.evidence.map(({ sentence, transcriptItems }) => ({ text: sentence, transcriptItems }))
  const sentences = lines.flatMap((line) => readLine(line.replace(/^\s*[-•]\s+/, '').trim(), left))
  return { key: section.key, layout: isList ? 'bullets' : 'paragraph', sentences }
}

/** Takes from `left` what it finds, in the order of the text. */
function readLine(line: string, left: DraftSentence[]): DraftSentence[] {
  const sentences: DraftSentence[] = []
  let rest = line
  while (rest !== '') {
    const found = findFirst(rest, left)
    if (found === null) return [...sentences, ...splitPlain(rest)]
    sentences.push(...splitPlain(rest.slice(0, found.at).trim()), found.sentence)
    left.splice(left.indexOf(found.sentence), 1)
    rest = rest.slice(found.at + found.sentence.text.length).trim()
  }
  return sentences
}

function findFirst(
  text: string,
  left: readonly DraftSentence[],
): { at: number; sentence: DraftSentence } | null {
  let first: { at: number; sentence: DraftSentence } | null = null
  for (const sentence of left) {
    const at = sentence.text === '' ? -1 : text.indexOf(sentence.text)
    if (at >= 0 && (first === null || at < first.at)) first = { at, sentence }
  }
  return first
}

const splitPlain = (text: string): DraftSentence[] =>
  Array.from(new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text), ({ segment }) =>
    segment.trim(),
  )
    .filter((sentence) => sentence !== '')
    .map((sentence) => ({ text: sentence, transcriptItems: [] }))
