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

export const countUnsupported = (sections: readonly NoteSection[]): number =>
  sections.reduce((sum, { evidence }) => sum + evidence.filter(({ supported }) => !supported).length, 0)
