import type { NoteSection, TranscriptItem } from '@casenote/contract'
import {
  checkNegation,
  checkNumbers,
  checkQuotes,
  checkSpeaker,
  checkSubject,
  checkWords,
  type EvidenceFault,
} from './evidence/check-segment.js'
import { findDiscussion, isNotDiscussed } from './evidence/check-not-discussed.js'
import { readEvidence, type EvidenceSentence } from './evidence/read-evidence.js'
import { readSegments } from './evidence/read-segments.js'
import { makeEvidenceFinder } from './evidence/find-evidence.js'
import { withoutGiven } from './evidence/given-words.js'
import { splitSentences } from './text/split-sentences.js'
import type { DraftSection, DraftSentence } from './writer-engine.js'

export interface EvidenceVerdict {
  isSupported: boolean
  reason: EvidenceFault | null
}

const supported: EvidenceVerdict = { isSupported: true, reason: null }
const because = (reason: EvidenceFault): EvidenceVerdict => ({ isSupported: false, reason })

/** From the plainest fault to the subtlest; the first that finds something names the reason. */
const checks = [checkSpeaker, checkQuotes, checkNumbers, checkWords, checkNegation, checkSubject] as const

/**
 * Whether a sentence of a note is borne out by the transcript items that it names. It knows nothing of who wrote the
 * sentence, and shares with the writers only how words are cut.
 */
export const checkEvidence = (
  { text: written, transcriptItems }: DraftSentence,
  transcript: readonly TranscriptItem[],
  given: readonly string[] = [],
): EvidenceVerdict => {
  const sentence = { text: withoutGiven(written, given), transcriptItems }
  if (isNotDiscussed(sentence.text)) {
    return findDiscussion(sentence.text, transcript) === null ? supported : because('was_discussed')
  }
  const indexes = [...new Set(sentence.transcriptItems)].toSorted((a, b) => a - b)
  const evidence: EvidenceSentence[] = readEvidence(transcript, indexes)
  if (evidence.length === 0 || indexes.some((index) => transcript[index] === undefined))
    return because('no_evidence')
  for (const segment of readSegments(sentence.text)) {
    for (const check of checks) {
      const fault = check(segment, evidence)
      if (fault !== null) return because(fault)
    }
  }
  return supported
}

/**
 * A section as it is kept: what fails the check stays, and is marked. `given` are names that the clinician gave with the
 * session (treatment approaches): no evidence is asked for them.
 */
export const toNoteSection = (
  draft: DraftSection,
  title: string,
  transcript: readonly TranscriptItem[],
  given: readonly string[] = [],
): NoteSection => {
  const between = draft.layout === 'bullets' ? '\n- ' : ' '
  const content = draft.sentences.reduce(
    (text, sentence) => `${text}${sentence.startsParagraph === true ? '\n\n' : between}${sentence.text}`,
    '',
  )
  return {
    key: draft.key,
    title,
    content: content.trim(),
    evidence: draft.sentences.map((sentence) => toEvidence(sentence, transcript, given)),
  }
}

const toEvidence = (
  sentence: DraftSentence,
  transcript: readonly TranscriptItem[],
  given: readonly string[],
): NoteSection['evidence'][number] => ({
  sentence: sentence.text,
  transcriptItems: [...sentence.transcriptItems],
  supported: checkEvidence(sentence, transcript, given).isSupported,
})

export interface RecheckRequest {
  sections: readonly NoteSection[]
  transcript: readonly TranscriptItem[]
  given: readonly string[]
}

/**
 * After somebody changed the text: a sentence that stayed keeps its items, a new one gets those that are found to bear it
 * out, else none. Everything is checked anew. Evidence is looked for while `mayGoOn`; a note of the greatest length would
 * take minutes, and its clinician knows what they wrote.
 */
export const recheckNote = (
  { sections, transcript, given }: RecheckRequest,
  mayGoOn: () => boolean,
): NoteSection[] => {
  const findEvidence = makeEvidenceFinder(transcript)
  return sections.map((section) => {
    const known = new Map(section.evidence.map((entry) => [entry.sentence, entry.transcriptItems]))
    return {
      ...section,
      evidence: splitSentences(section.content).map((text) => {
        const kept = known.get(text)
        if (kept !== undefined) return toEvidence({ text, transcriptItems: kept }, transcript, given)
        if (!mayGoOn()) return { sentence: text, transcriptItems: [], supported: false }
        const isBorneOut = (transcriptItems: readonly number[]): boolean =>
          checkEvidence({ text, transcriptItems }, transcript, given).isSupported
        return toEvidence({ text, transcriptItems: findEvidence(text, isBorneOut) }, transcript, given)
      }),
    }
  })
}
