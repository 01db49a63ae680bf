import type { NoteSection } from '@casenote/contract'
import type { JudgedSection, JudgedSentence } from '../writer-engine.js'

/**
 * A section of a stored note as a writer takes it: its sentences with the evidence and the judgement that they had. What
 * a clinician wrote between them is theirs, and keeps its place.
 */
export function readJudgedSection(section: NoteSection): JudgedSection {
  const lines = section.content.split('\n').filter((line) => line.trim() !== '')
  const isList = lines.length > 0 && lines.every((line) => /^\s*[-•]\s/.test(line))
  const left = section.evidence.map(({ sentence, ...evidence }) => ({ text: sentence, ...evidence }))
  const sentences = lines.flatMap((line) => readLine(line.replace(/^\s*[-•]\s+/, '').trim(), left))
  return { key: section.key, layout: isList ? 'bullets' : 'paragraph', sentences }
}

/** Takes from `left` what it finds, in the order of the text. */
function readLine(line: string, left: JudgedSentence[]): JudgedSentence[] {
  const sentences: JudgedSentence[] = []
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
  left: readonly JudgedSentence[],
): { at: number; sentence: JudgedSentence } | null {
  let first: { at: number; sentence: JudgedSentence } | null = null
  for (const sentence of left) {
    const at = sentence.text === '' ? -1 : text.indexOf(sentence.text)
    if (at >= 0 && (first === null || at < first.at)) first = { at, sentence }
  }
  return first
}

const splitPlain = (line: string): JudgedSentence[] =>
  Array.from(new Intl.Segmenter('en', { granularity: 'sentence' }).segment(line), ({ segment }) =>
    segment.trim(),
  )
    .filter((sentence) => sentence !== '')
    .map((text) => ({ text, transcriptItems: [], judgement: 'clinicians_words', reason: null }))
