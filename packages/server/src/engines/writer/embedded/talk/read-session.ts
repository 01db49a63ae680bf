import type { TranscriptItem } from '@casenote/contract'
import { findMedications, type MedicationMention } from '../../../lexicon/medications.js'
import { doesAsk } from '../../text/detect-question.js'
import { removeDisfluencies } from '../../text/remove-disfluencies.js'
import { splitSpoken } from '../../text/split-spoken.js'
import { countWords, isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'
import { findAskedTopics } from './ask-topics.js'
import { joinBroken } from './join-broken.js'
import { splitRunOn } from './split-run-on.js'
import { isRiskQuestion } from './risk-words.js'
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
  /** The question that is still being answered after "Mm-hm" or an echo; it says what the talk is about, and no more. */
  open: Spoken | null
  /** The speaker goes on after a mere back-channel of the other. */
  continues: boolean
  /** The first sentence of the item that has words. */
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
  let before: Spoken | null = null
  let open: Spoken | null = null
  let askedBy = ''
  let isBackChannel = false
  let heard = ''
  for (const [item, { speaker, transcript: text }] of transcript.entries()) {
    const role = roleOf(speaker)
    const asked: Spoken | null = question ?? (answersPlainly.test(text) ? before : null)
    const answers = asked !== null && speaker !== askedBy && !asksAgain.test(text) ? asked : null
    // A second turn in the same voice may be about anything.
    if (answers !== null) question = null
    before = null
    const turn = readTurn(text, {
      item,
      role,
      order: sentences.length,
      question: answers,
      open: role === 'clinician' ? null : (answers ?? open),
      continues: role !== 'clinician' && isBackChannel,
    })
    sentences.push(...turn)
    if (role !== 'clinician') {
      heard = text
      isBackChannel = false
      continue
    }
    const last = findAsked(turn)
    const isNew = last !== null && !isEcho(last.clean, heard) && !leavesTopicOpen(last.clean)
    isBackChannel = last === null && turn.every(({ clean }) => isBackChannelOf(clean, heard))
    question = isNew ? last : null
    before = last === null ? findAskedBefore(turn) : null
    if (isNew) open = last
    else if (!isBackChannel && last === null) open = null
    askedBy = speaker
  }
  return {
    sentences,
    words: transcript.reduce((sum, item) => sum + countWords(item.transcript), 0),
    itemCount: transcript.length,
  }
}

type Place = Pick<Spoken, 'item' | 'role' | 'order' | 'question' | 'open' | 'continues'>

const readTurn = (text: string, place: Place): Spoken[] => {
  const turn: Spoken[] = []
  const spoken = joinBroken(splitSpoken(text))
  for (const said of place.role === 'clinician' ? spoken : spoken.flatMap(splitRunOn)) {
    const clean = removeDisfluencies(said)
    const previous = turn.at(-1) ?? null
    const named = findMedications(clean)
    const asks = doesAsk(said, place.role === 'clinician')
    // "We moved the Effexor up. How's that been going?": what is asked about stands in the sentence before.
    const isAnaphoric = asks && previous !== null && /\b(?:that|it|this|those|them)\b/i.test(clean)
    // "Who have you got? Who knows?"
    const goesOnAsking = asks && previous?.asks === true
    const medicines = isAnaphoric && named.length === 0 ? previous.medicines : named
    const worded = findTopics(clean, medicines.length > 0)
    const opened = asks && place.role === 'clinician' ? findAskedTopics(clean) : []
    const topics = [...new Set([...worded, ...opened])]
    turn.push({
      ...place,
      said,
      clean,
      asks,
      topics: topics.length === 0 && (isAnaphoric || goesOnAsking) ? previous.topics : topics,
      medicines,
      order: place.order + turn.length,
      // "Um. Flat.": a sound is no answer yet.
      opensTurn: previous === null || (previous.opensTurn && countWords(previous.clean) === 0),
      previous,
    })
  }
  return turn
}

/** The question that a turn ends with; "Any side effects? Nausea, headaches." still asks. */
const findAsked = (turn: readonly Spoken[]): Spoken | null => {
  const last = turn.at(-1)
  const before = turn.at(-2)
  if (last?.asks === true && before?.asks === true) return joinAlternative(before, last)
  if (last === undefined || last.asks) return last ?? null
  return before?.asks === true && countWords(last.clean) <= addedWordsMax && !/\b(?:I|we)\b/i.test(last.clean)
    ? before
    : null
}

/** "Have you ever had a seizure? Or an eating disorder?": one answer is to both; of danger each is asked alone. */
const joinAlternative = (before: Spoken, last: Spoken): Spoken =>
  !/^or (?:an?|any|of|the|[a-z]+s)\b/i.test(last.clean) || isRiskQuestion(`${before.clean} ${last.clean}`)
    ? last
    : {
        ...before,
        clean: `${before.clean.replace(/[?.!\s]+$/, '')} ${last.clean.charAt(0).toLowerCase()}${last.clean.slice(1)}`,
        topics: [...new Set([...before.topics, ...last.topics])],
        medicines: [...before.medicines, ...last.medicines],
      }

/** "Any thoughts of hurting anyone? He came up in the fall." – "No.": a plain yes or no answers what was asked before it. */
const findAskedBefore = (turn: readonly Spoken[]): Spoken | null => {
  const asked = turn.at(-2)
  return asked?.asks === true ? asked : null
}

/** "Pardon?" answers nothing. */
export const asksAgain =
  /^\W*(?:pardon(?: me)?|what|sorry|huh|say (?:that )?again|come again|what's that|what was that|excuse me)\W*$/i

const answersPlainly = /^\W*(?:oh |well |um,? |uh,? )*(?:no|nope|nah|never|yes|yeah|yep)\b/i

/** Longer than this, what follows a question is a statement of its own. */
const addedWordsMax = 6

const contentOf = (text: string): string[] =>
  tokenizeWords(text)
    .filter(({ lower }) => isContentWord(lower) || /^(?:one|two|three|once|twice)$/.test(lower))
    .map(({ lower }) => stemWord(lower))

/** "Three days in a row?" after "for like three days": the clinician says back what was said. */
const isEcho = (clean: string, heard: string): boolean => {
  if (countWords(clean) > echoWordsMax || asksAnew.test(clean)) return false
  const words = contentOf(clean)
  const before = new Set(contentOf(heard))
  return words.length > 0 && words.every((word) => before.has(word))
}

/** A question about risk is one, whatever was said before it. */
const asksAnew =
  /^(?:what|when|where|who|why|how|which|are|is|was|were|do|does|did|have|has|can|could|would|any)\b|\b(?:since when|how (?:long|often|many|much)|when)\W*$|\b(?:suicid\w*|kill\w*|die|dead|hurt\w*|harm\w*)\b/i

const echoWordsMax = 8

/** "And then?" asks for more of the same. */
const leavesTopicOpen = (clean: string): boolean =>
  /^(?:and |so |but )*(?:then|before that|after that|like what|how so|such as|what else|go on|(?:can you |could you )?(?:say|tell me) (?:a (?:bit|little) )?more(?: about [\w ]{1,20})?|anything else|tell me about that|and|yeah|really|okay)\W*$/i.test(
    clean,
  )

const isBackChannelOf = (clean: string, heard: string): boolean =>
  countWords(clean) <= 3 ||
  isEcho(clean, heard) ||
  (countWords(clean) <= comfortWordsMax && comfort.test(clean))

/** A longer one closes the topic. */
const comfortWordsMax = 12

const comfort =
  /^(?:I'm (?:so )?sorry|that (?:sounds|must|makes)|that's (?:a|such|really|great|good|hard|tough|important)|thank you|take your time|I see|got it|wow|oh)\b/i
