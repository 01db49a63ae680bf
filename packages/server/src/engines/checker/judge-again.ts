import type { NoteSection } from '@casenote/contract'
import { compareNote } from '../ledger/compare-note.js'
import type { Ledger } from '../ledger/ledger.js'
import { saysNotAsked } from '../ledger/says-not-asked.js'
import type { RefusalReason } from '../writer/writer-engine.js'
import { checkSentence } from './check-sentence.js'
import { makeContradictionFinder, type ContradictionFinder } from './find-contradiction.js'
import { readTalk } from './read-talk.js'
import { keep, makeTypedJudge } from './recheck-note.js'
import type { CorrectedTalk } from './checker-requests.js'

type Evidence = NoteSection['evidence'][number]

/**
 * After words of the transcript were put right: the same text, judged by the words of now. What the writer wrote and what rests on none
 * of those lines keeps its judgement, unless it is they that contradict it; what a person typed is compared with all.
 */
export const judgeAgain = (
  sections: readonly NoteSection[],
  { transcript, reading, correctedItems, names = [] }: CorrectedTalk,
): { sections: NoteSection[]; ledger: Ledger } => {
  const { findings } = reading
  const corrected = new Set(correctedItems)
  const judgeTyped = makeTypedJudge(transcript, reading)
  const findContradiction = makeContradictionFinder(findings, transcript)
  const findOther = makeOtherFinder({ transcript, reading, correctedItems })
  const talk = readTalk(transcript)
  const faultOf = ({ sentence, transcriptItems }: Evidence): RefusalReason =>
    findContradiction(sentence) ??
    checkSentence({ text: sentence, transcriptItems }, talk, reading)?.reason ??
    null
  const judge = (entry: Evidence): Evidence => {
    if (isTyped(entry)) return judgeTyped(entry.sentence)
    // "Not asked" rests on every line there is.
    if (saysNotAsked(entry.sentence) || entry.transcriptItems.some((item) => corrected.has(item)))
      return judged(entry, faultOf(entry))
    const reason = findContradiction(entry.sentence)
    return reason !== null && findOther(entry.sentence) === null ? judged(entry, reason) : entry
  }
  const again = sections.map((section) => ({
    ...section,
    evidence: section.evidence.map((entry) => judge(keep(entry))),
  }))
  return { sections: again, ledger: compareNote({ sections: again, findings, transcript, names }) }
}

/** Looks only at the lines that were not corrected: what they contradict was contradicted before the correction, too. */
const makeOtherFinder = ({ transcript, reading, correctedItems }: CorrectedTalk): ContradictionFinder => {
  const corrected = new Set(correctedItems)
  return makeContradictionFinder(
    reading.findings.filter(({ items }) => !items.some((item) => corrected.has(item))),
    transcript.map((item, index) => (corrected.has(index) ? { ...item, transcript: '' } : item)),
  )
}

/** Also what was refused because the session, as it was heard, said the contrary. */
const isTyped = ({ judgement, reason, transcriptItems }: Evidence): boolean =>
  judgement === 'clinicians_words' ||
  (judgement === 'refused' &&
    transcriptItems.length === 0 &&
    (reason === 'contradicted' || reason === 'dose' || reason === 'number'))

/** What a model alone can find wrong: so no exact check can find it right. */
const modelsReasons: ReadonlySet<RefusalReason> = new Set(['not_said', 'certainty', 'time', 'whose', 'act'])

/** No model has seen the words of now. */
const judged = (entry: Evidence, reason: RefusalReason): Evidence => {
  if (reason !== null) return { ...entry, supported: false, judgement: 'refused', reason }
  if (entry.judgement === 'refused' && modelsReasons.has(entry.reason)) return entry
  return { ...entry, supported: true, judgement: 'exact_checks_only', reason: null }
}
