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

export interface Block {
  /** As opposed to running text, which has all of its lines in one. */
  isList: boolean
  lines: LinePart[][]
}

/** What begins so is an item of a list. */
const bullet = '- '

/** Lists, and the text between them. Only text that nobody checked is cut: a sentence stays whole. */
export function splitBlocks(parts: readonly EvidencePart[]): Block[] {
  const blocks: Block[] = []
  parts.forEach(({ text, evidence }, index) => {
    const pieces = evidence === null ? text.split('\n') : [text]
    pieces.forEach((piece, at) => {
      const last = blocks.at(-1)
      // What a part begins with goes on with the line before.
      const line = at === 0 ? last?.lines.at(-1) : undefined
      const isList = line === undefined && piece.startsWith(bullet)
      const part = { text: isList ? piece.slice(bullet.length) : piece, evidence, index }
      if (line !== undefined) line.push(part)
      else if (last?.isList === isList) last.lines.push([part])
      else blocks.push({ isList, lines: [[part]] })
    })
  })
  return blocks
}

export const countUnsupported = (sections: readonly NoteSection[]): number =>
  sections.flatMap(({ evidence }) => evidence).filter(({ judgement }) => judgement === 'refused').length
