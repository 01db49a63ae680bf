import type { TranscriptItem } from '@casenote/contract'
import { findMedications, type MedicationMention } from '../../lexicon/medications.js'
import { isQuestion } from '../text/detect-question.js'
import { removeDisfluencies } from '../text/remove-disfluencies.js'
import { splitSentences } from '../text/split-sentences.js'
import { countWords } from '../text/tokenize-words.js'
import { findTopics, type Topic } from './topics.js'

export type Role = 'client' | 'clinician' | 'unknown'

/** A sentence as it was said, and where. */
export interface Spoken {
  item: number
  role: Role
  /** As transcribed; only this is ever quoted. */
  said: string
  /** Without filler. */
  clean: string
  asks: boolean
  /** What the sentence is about, and the medicines in it: read once, since looking them up is most of the work. */
  topics: readonly Topic[]
  medicines: readonly MedicationMention[]
  /** In the session, counted in sentences. */
  order: number
  /** The question that the item answers, if it answers one. */
  question: Spoken | null
  /** The first sentence of the item. */
  opensTurn: boolean
  /** The sentence before it in the same item. */
  previous: Spoken | null
}

export interface Session {
  sentences: readonly Spoken[]
  words: number
  itemCount: number
}

const roleOf = (speaker: string): Role =>
  speaker === 'client' || speaker === 'clinician' ? speaker : 'unknown'

/** Sentences with the questions that they answer. An item may go on answering after a pause in the same voice. */
export const readSession = (transcript: readonly TranscriptItem[]): Session => {
  const sentences: Spoken[] = []
  let question: Spoken | null = null
  let askedBy = ''
  for (const [item, { speaker, transcript: text }] of transcript.entries()) {
    const role = roleOf(speaker)
    const answers = question !== null && speaker !== askedBy ? question : null
    // A second turn in the same voice may be about anything.
    if (answers !== null) question = null
    let previous: Spoken | null = null
    for (const said of splitSentences(text)) {
      const clean = removeDisfluencies(said)
      const medicines = findMedications(clean)
      const spoken: Spoken = {
        item,
        role,
        said,
        clean,
        asks: isQuestion(said),
        topics: findTopics(clean, medicines.length > 0),
        medicines,
        order: sentences.length,
        question: answers,
        opensTurn: previous === null,
        previous,
      }
      sentences.push(spoken)
      previous = spoken
    }
    const last: Spoken | null = previous
    if (role !== 'clinician') continue
    question = last?.asks === true ? last : null
    askedBy = speaker
  }
  return {
    sentences,
    words: transcript.reduce((sum, item) => sum + countWords(item.transcript), 0),
    itemCount: transcript.length,
  }
}
