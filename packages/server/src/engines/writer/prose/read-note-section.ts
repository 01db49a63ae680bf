import type { NoteSection } from '@casenote/contract'
import { makeKeptFinder } from '../../checker/find-kept.js'
import { splitLine } from '../../text/split-sentences.js'
import type { JudgedSection, JudgedSentence } from '../writer-engine.js'

/**
 * A section of a stored note as a writer takes it: its sentences with the evidence and the judgement that they had. What
 * a clinician wrote between them is theirs, and keeps its place.
 */
export function readJudgedSection(section: NoteSection): JudgedSection {
  const lines = section.content.split('\n').filter((line) => line.trim() !== '')
  const isList = lines.length > 0 && lines.every((line) => /^\s*[-•]\s/.test(line))
  const findKept = makeKeptFinder(section.evidence)
  const takeOwn = makeEvidenceInTurn(section.evidence)
  const sentences = lines.flatMap((line, lineAt) =>
    findKept(line.replace(/^\s*[-•]\s+/, '').trim())
      .flatMap((stretch): JudgedSentence[] => {
        if (!('kept' in stretch)) return splitPlain(stretch.text.trim())
        const { sentence, ...evidence } = takeOwn(stretch.kept)
        return [{ text: sentence, ...evidence }]
      })
      .map((sentence, at) =>
        !isList && lineAt > 0 && at === 0 ? { ...sentence, startsParagraph: true } : sentence,
      ),
  )
  return { key: section.key, layout: isList ? 'bullets' : 'paragraph', sentences }
}

type Evidence = NoteSection['evidence'][number]

/** A sentence that stands twice has two entries: each is given once, in their order. */
function makeEvidenceInTurn(evidence: readonly Evidence[]): (kept: Evidence) => Evidence {
  const entriesOf = new Map<string, Evidence[]>()
  for (const entry of evidence.toReversed()) {
    const entries = entriesOf.get(entry.sentence)
    if (entries === undefined) entriesOf.set(entry.sentence, [entry])
    else entries.push(entry)
  }
  return (kept) => entriesOf.get(kept.sentence)?.pop() ?? kept
}

const splitPlain = (line: string): JudgedSentence[] =>
  splitLine(line).map((text) => ({ text, transcriptItems: [], judgement: 'clinicians_words', reason: null }))
