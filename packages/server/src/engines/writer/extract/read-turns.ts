import { isAccountItem } from '@casenote/contract'
import type { NamedItem, Person } from '../../named-item.js'
import {
  PLACES,
  STANDS,
  unpackFigures,
  type Place,
  type Reading,
  type SentenceFigures,
  type TalkFigures,
  type TopicScores,
} from '../../reader/reading.js'
import { highestDanger } from '../../reader/danger/danger-topics.js'
import { isDoubtful } from '../../reader/danger/figures-of-speech.js'
import { cutSentences, toPlain } from '../../reader/talk/read-talk.js'
import { doesAsk } from '../../text/detect-question.js'
import { readAnswer } from '../../text/read-answer.js'
import { countWords } from '../../text/tokenize-words.js'
import { isBackchannel } from './is-backchannel.js'
import { remember } from './remember.js'
import { trimQuote } from './trim-quote.js'

/** One sentence as it can be quoted. */
export interface Said {
  /** Among all sentences of the session. */
  index: number
  turn: number
  speaker: string
  /** Who that is, where several were named. */
  person?: Person | undefined
  /** More than one where a "mm-hmm" or a pause broke the sentence. */
  items: readonly number[]
  startTime: number
  /** Word for word. */
  raw: string
  /** Without noise. */
  text: string
  words: number
  asks: boolean
  /** Not said in the session: its clinician told it afterwards, and typed it or dictated it. */
  isTyped: boolean
  /** Nothing but listening: "mm-hmm". */
  isBackchannel: boolean
  figures: SentenceFigures
  /** The likeliest place of it. */
  place: Place
  /** What each of its items is about. */
  topics: readonly TopicScores[]
}

/** What one person said before another said more than "mm-hmm". */
export interface Turn {
  index: number
  speaker: string
  person?: Person | undefined
  sentences: readonly Said[]
}

export interface Talk {
  turns: readonly Turn[]
  sentences: readonly Said[]
  /** For each item: the sentences that have words from it. */
  byItem: readonly (readonly Said[])[]
  words: number
}

export const countSaidWords = (quoted: readonly Said[]): number =>
  quoted.reduce((sum, { words }) => sum + words, 0)

/** How much of what is said belongs in a place, by its words: one sentence of which the encoder is sure does not decide for the rest. */
export const shareOfPlace = (quoted: readonly Said[], place: Place): number =>
  quoted.reduce((sum, { words, figures }) => sum + words * (figures.places[place] ?? 0), 0) /
  (countSaidWords(quoted) || 1)

/** How much the encoder takes the items of a sentence for talk of danger. */
export const heatOfSaid = remember(({ topics }: Said): number => Math.max(0, ...topics.map(highestDanger)))

/** Whether words of danger in it may well be a way of speaking. */
export const mayBeFigure = remember(({ raw }: Said): boolean => isDoubtful(toPlain(raw)))

interface Piece {
  speaker: string
  person: Person | undefined
  items: number[]
  startTime: number
  raw: string
  figures: SentenceFigures
}

export function readTurns(transcript: readonly NamedItem[], reading: Reading): Talk {
  const { topics, sentences: figuresOf } = unpackFigures(reading.figures)
  const pieces = joinBroken(transcript, figuresOf)
  const crossed = findCrossed(pieces)
  const turns: (Turn & { sentences: Said[] })[] = []
  const sentences: Said[] = []
  const byItem: Said[][] = transcript.map(() => [])
  /** The last turn with more than listening in it. */
  let last: (typeof turns)[number] | undefined
  for (const piece of pieces) {
    const { speaker, person, items, startTime, raw, figures } = piece
    const isBy = (other: Turn | undefined): boolean =>
      other?.speaker === speaker && other.person?.label === person?.label
    // A listener's "okay" in the middle of a turn opens another one, which is not what was said last.
    const isLatest = last !== undefined && sentences.at(-1)?.turn === last.index
    const asked = !isBy(last) && last?.sentences.at(-1)?.asks === true && isLatest
    // After a question "yeah" is an answer.
    const listens = crossed.has(piece) || breaksOff(raw, speaker) || (!asked && isBackchannel(raw, speaker))
    // A question that got a "yeah" was answered: what its speaker says next is a new turn.
    const goesOn = isBy(last) && (isLatest || last?.sentences.at(-1)?.asks !== true)
    const latest = turns.at(-1)
    let turn = goesOn ? last : isBy(latest) ? latest : undefined
    if (turn === undefined) {
      turn = { index: turns.length, speaker, person, sentences: [] }
      turns.push(turn)
    }
    const isTyped = items.every((item) => isAccountItem(transcript[item] ?? {}))
    // What somebody typed has no noise to be left out, and what they dictate they mean to have written.
    const text = isTyped ? raw : trimQuote(raw)
    const said: Said = {
      index: sentences.length,
      turn: turn.index,
      speaker,
      ...(person === undefined ? {} : { person }),
      items,
      startTime,
      raw,
      text,
      words: countWords(text),
      asks: !isTyped && doesAsk(raw, speaker === 'clinician') && !seeksNod.test(raw),
      isTyped,
      isBackchannel: listens && !isTyped,
      figures,
      place: placeOf(figures),
      topics: items.map((item) => topics[item] ?? {}),
    }
    turn.sentences.push(said)
    if (!listens) last = turn
    sentences.push(said)
    for (const item of items) byItem[item]?.push(said)
  }
  const words = transcript.reduce((sum, item) => sum + countWords(item.transcript), 0)
  return { turns, sentences, byItem, words }
}

/** "You have a little fluid in your legs, okay?" tells. */
const seeksNod = /,\s*(?:okay|ok|all right|alright)\s*\?\s*$/i

/** "Has that.": given up before anything was asked; what is said next answers it no more. */
const breaksOff = (raw: string, speaker: string): boolean =>
  speaker === 'clinician' && !raw.includes('?') && isBrokenOff.test(raw)
const isBrokenOff =
  /^\W*(?:(?:and|so|but|okay|ok|now)\W+)?(?:has|have|had|is|are|was|were|do|does|did|can|could|would|will|any) ?(?:it|that|this|the|you|your|there|they|he|she)?\W*$/i

/** Above it a question may be about danger: of its answers none is left out. */
const mayBeDangerFrom = 0.1
/** "Yes it is, yeah." */
const crossedWordsMax = 4

/**
 * "Is that the blue one? Any others?" "Yes it is." "Uh, no.": where a yes and a no of one person follow each other as two items,
 * the yes was to something said before, while the other was still talking. With the question before it, it would be false. So it is
 * where the question is asked back behind the yes: "You feel weak. Are you fit and well?" "Yeah, pretty much." "Am I what?"
 */
function findCrossed(pieces: readonly Piece[]): ReadonlySet<Piece> {
  return new Set(
    pieces.filter((piece, at) => {
      const [before, next] = [pieces[at - 1], pieces[at + 1]]
      return (
        before?.speaker === 'clinician' &&
        next !== undefined &&
        piece.speaker !== 'clinician' &&
        next.speaker === piece.speaker &&
        next.items[0] !== piece.items.at(-1) &&
        doesAsk(before.raw, true) &&
        (before.figures.places.danger ?? 0) < mayBeDangerFrom &&
        countWords(piece.raw) <= crossedWordsMax &&
        readAnswer(piece.raw) === 'yes' &&
        (readAnswer(next.raw) === 'no' || asksBack.test(next.raw))
      )
    }),
  )
}

export const asksBack = /\b(?:sorry|pardon|what|huh|come again|say again)\?\W*$/i

/** Nothing is known of it: then it is not quoted. */
const unknown: SentenceFigures = { places: { none: 1 }, stands: { alone: 1 }, worth: 0 }

const placeOf = ({ places }: SentenceFigures): Place =>
  PLACES.reduce((best, place) => ((places[place] ?? 0) > (places[best] ?? 0) ? place : best), 'none')

/** Sentences in order; one that broke off and went on after a listener's "mm-hmm" or a pause is one. */
function joinBroken(transcript: readonly NamedItem[], figuresOf: TalkFigures['sentences']): Piece[] {
  const pieces: Piece[] = []
  for (const [item, { speaker, person, startTime, transcript: text, source }] of transcript.entries()) {
    for (const [at, raw] of cutSentences(text).entries()) {
      const figures = figuresOf[item]?.[at] ?? unknown
      // Lines that somebody typed end without a stop; who dictates pauses within a sentence as anybody does.
      const open =
        at === 0 && source !== 'typed' ? findOpen(pieces, { speaker, person, raw, item }) : undefined
      if (open === undefined) pieces.push({ speaker, person, items: [item], startTime, raw, figures })
      else {
        open.figures = combine(open, { raw, figures })
        open.raw = `${open.raw.trimEnd().replace(/(?<![\s—–-])[\s—–-]{1,9}$/, '')} ${raw}`
        open.items.push(item)
      }
    }
  }
  return pieces
}

/** Both halves count by their words for the place; whether it can stand is for its beginning to say, unless that was a shred. */
function combine(
  one: Pick<Piece, 'raw' | 'figures'>,
  other: Pick<Piece, 'raw' | 'figures'>,
): SentenceFigures {
  const [a, b] = [countWords(one.raw) || 1, countWords(other.raw) || 1]
  const mean = (x = 0, y = 0): number => (x * a + y * b) / (a + b)
  const [first, second] = [one.figures, other.figures]
  const isOpening = STANDS.some((stands) => stands !== 'shred' && (first.stands[stands] ?? 0) > 0.5)
  const whole = isOpening ? first.stands : second.stands
  return {
    places: Object.fromEntries(
      PLACES.map((place) => [place, mean(first.places[place], second.places[place])]),
    ),
    // The rest of it is there now.
    stands: { ...whole, goes_on: 0, alone: (whole.alone ?? 0) + (whole.goes_on ?? 0) },
    worth: Math.max(first.worth, second.worth),
  }
}

/** A sentence goes on over at most this many items: more is a recognizer that writes no stops at all. */
const itemsOfSentenceMax = 4

function findOpen(
  pieces: readonly Piece[],
  { speaker, person, raw, item }: Pick<Piece, 'speaker' | 'person' | 'raw'> & { item: number },
): Piece | undefined {
  const last = pieces.at(-1)
  const own = last?.speaker === speaker ? last : pieces.at(-2)
  if (own === undefined || last === undefined || own.speaker !== speaker) return undefined
  if (own.person?.label !== person?.label) return undefined
  if (own !== last && !isBackchannel(last.raw, last.speaker)) return undefined
  const from = own.items.at(-1) ?? 0
  if (item - from > 2 || own.items.length >= itemsOfSentenceMax || isBackchannel(raw, speaker))
    return undefined
  const isOpen = /[,—–-]\s*$/.test(own.raw) || (!/[.?!…]["”’')\]]*\s*$/.test(own.raw) && /^\p{Ll}/u.test(raw))
  return isOpen && !isBackchannel(own.raw, speaker) ? own : undefined
}
