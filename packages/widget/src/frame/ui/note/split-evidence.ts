import type { NoteSection } from '@casenote/contract'

type Evidence = NoteSection['evidence'][number]

/** A stretch of a section: a sentence with what it rests on, or text that nobody checked. */
export interface EvidencePart {
  text: string
  evidence: Evidence | null
}

/** Cuts a section at its checked sentences, in their order. The parts joined are the content, always. */
export function splitEvidence(content: string, evidence: readonly Evidence[]): EvidencePart[] {
  const parts: EvidencePart[] = []
  let end = 0
  for (const one of evidence) {
    const start = one.sentence === '' ? -1 : content.indexOf(one.sentence, end)
    if (start < 0) continue
    if (start > end) parts.push({ text: content.slice(end, start), evidence: null })
    end = start + one.sentence.length
    parts.push({ text: one.sentence, evidence: one })
  }
  if (end < content.length) parts.push({ text: content.slice(end), evidence: null })
  return parts
}

/** A part, or a piece of one that was cut at the ends of lines; `index`: which part. */
export interface LinePart extends EvidencePart {
  index: number
}

/** `marker`: what makes it an item of a list, cut off of its text. */
export interface Line {
  marker: string
  parts: LinePart[]
}

export interface Block {
  /** Running text has all of its lines in one. */
  kind: 'text' | 'bullets' | 'numbers'
  lines: Line[]
}

/** As models, people and our own extracts write them. */
const markerPattern = /^[ \t]{0,8}(?:[-*•–]|\d{1,2}[.)])[ \t]{1,8}/

/** Lists, and the text between them. Only text that nobody checked is cut into lines: a sentence stays whole. */
export function splitBlocks(parts: readonly EvidencePart[]): Block[] {
  const blocks: Block[] = []
  for (const line of splitLines(parts).map(cutMarker)) {
    const kind = line.marker === '' ? 'text' : /\d/.test(line.marker) ? 'numbers' : 'bullets'
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(line)
    else blocks.push({ kind, lines: [line] })
  }
  return blocks
}

function splitLines(parts: readonly EvidencePart[]): LinePart[][] {
  const lines: LinePart[][] = [[]]
  parts.forEach(({ text, evidence }, index) => {
    const pieces = evidence === null ? text.split('\n') : [text]
    pieces.forEach((piece, at) => {
      if (at > 0) lines.push([])
      if (piece !== '') lines.at(-1)?.push({ text: piece, evidence, index })
    })
  })
  return lines
}

function cutMarker(parts: LinePart[]): Line {
  const [first, ...rest] = parts
  const marker = first === undefined ? '' : (markerPattern.exec(first.text)?.[0] ?? '')
  if (first === undefined || marker === '') return { marker, parts }
  const text = first.text.slice(marker.length)
  return { marker, parts: text === '' ? rest : [{ ...first, text }, ...rest] }
}

/** Lists keep their own distance: a blank line before or after one is not shown as well. */
export function trimBlankLines(lines: readonly Line[]): Line[] {
  const isFilled = ({ parts }: Line): boolean => parts.length > 0
  return lines.slice(Math.max(0, lines.findIndex(isFilled)), lines.findLastIndex(isFilled) + 1)
}

export const countUnsupported = (sections: readonly NoteSection[]): number =>
  sections.flatMap(({ evidence }) => evidence).filter(({ judgement }) => judgement === 'refused').length
