import type { TranscriptItem } from '@casenote/contract'
import { makeFindingId, sortItems } from '../../reader/finding-id.js'
import type { DangerFinding, Reading } from '../../reader/reading.js'
import { findWords, readSaid, readWanted, type Said, type Wanted } from '../../text/find-said.js'
import { countWords } from '../../text/tokenize-words.js'
import type { Danger } from './answer-schemas.js'
import { readText } from './quote-data.js'
import type { Window } from './token-budget.js'

export type ToldDanger = Danger['findings'][number]

export interface PlaceDangerRequest {
  found: readonly ToldDanger[]
  /** What the model was given. */
  window: Pick<Window, 'start' | 'end'>
  transcript: readonly TranscriptItem[]
  questionOf: Reading['questionOf']
}

/** What a model found, where it was said. What was not said, at no place that the model was given, is left out. */
export function placeDanger({ found, window, transcript, questionOf }: PlaceDangerRequest): DangerFinding[] {
  const talk = readTalk(transcript, questionOf)
  const told = found.map((one) => ({ ...one, wanted: readWanted(readText(one.words)) }))
  return renumber(told, talk, window).flatMap((one) => toFinding(one, talk, window) ?? [])
}

type Told = ToldDanger & { wanted: Wanted }

interface Talk extends Pick<PlaceDangerRequest, 'questionOf'> {
  textOf(item: number): string
  /** The words as they were said there; null: they were not. */
  saidAt(item: number, wanted: Wanted): string | null
}

/** Each item is split into words once, however many findings are looked for in it. */
function readTalk(transcript: readonly TranscriptItem[], questionOf: PlaceDangerRequest['questionOf']): Talk {
  const read = new Map<number, Said>()
  const textOf = (item: number): string => transcript[item]?.transcript ?? ''
  return {
    questionOf,
    textOf,
    saidAt(item, wanted) {
      const said = read.get(item) ?? readSaid(textOf(item))
      read.set(item, said)
      return findWords(said, wanted)
    },
  }
}

/** The items of a part are numbered through the whole session. A model that counts from its beginning is known by its quotes. */
function renumber(found: readonly Told[], talk: Talk, { start, end }: PlaceDangerRequest['window']): Told[] {
  if (start === 0) return [...found]
  const shift = (one: Told): Told => ({
    ...one,
    items: one.items.map((item) => item + start).filter((item) => item < end),
  })
  const shifted = found.map(shift)
  const countSaid = (all: readonly Told[]): number =>
    all.filter(({ items, wanted }) => items.some((item) => talk.saidAt(item, wanted) !== null)).length
  return countSaid(shifted) > countSaid(found) ? shifted : [...found]
}

/** Null: neither were the words said nor is the place in what the model was given. */
function toFinding(one: Told, talk: Talk, window: PlaceDangerRequest['window']): DangerFinding | null {
  const { matter, standing, time, whose } = one
  // Voices that tell to hurt somebody are psychosis; of the harm itself the model names no part then.
  const isOfVoices = ofVoices.has(one.element) && matter !== 'psychosis'
  const element = isOfVoices ? 'unspecified' : one.element
  const placed = findPlace(one, talk, window)
  if (placed === null) return null
  const { items, words, isSaid } = placed
  return {
    kind: 'danger',
    id: makeFindingId('danger', 'model', matter, element, standing, time, whose, ...items),
    matter,
    element,
    standing,
    time,
    whose,
    items,
    words,
    // What it could not quote it may have misread.
    certainty: isSaid ? 'plain' : 'suspected',
    foundBy: 'model',
    questionItem: null,
  }
}

const ofVoices = new Set<DangerFinding['element']>(['commands', 'voices', 'beliefs'])

interface Placed {
  items: number[]
  /** As the transcript spells them. */
  words: string
  isSaid: boolean
}

/** Fewer may be anybody's: they are not looked for elsewhere. */
const movedWordsMin = 3

/** Where the words were said: at the items given, else at the nearest place in the part that holds them. */
function findPlace(one: Told, talk: Talk, { start, end }: PlaceDangerRequest['window']): Placed | null {
  const items = sortItems(one.items)
  for (const item of items) {
    const words = talk.saidAt(item, one.wanted)
    if (words !== null) return { items, words, isSaid: true }
  }
  const given = items[0] ?? start
  if (countWords(one.words) >= movedWordsMin) {
    for (const nearest of outwards(given, { start, end })) {
      const words = talk.saidAt(nearest, one.wanted)
      if (words === null) continue
      const question = talk.questionOf[nearest]
      const asked = question === undefined ? [nearest] : [question, nearest]
      return { items: sortItems(asked), words, isSaid: true }
    }
  }
  const inside = items.filter((item) => item >= start && item < end)
  const last = inside.at(-1)
  return last === undefined ? null : { items: inside, words: talk.textOf(last), isSaid: false }
}

/** The nearest first, of two the earlier. */
function* outwards(from: number, { start, end }: PlaceDangerRequest['window']): Generator<number> {
  for (let away = 0; away < Math.max(end - from, from - start + 1); away += 1) {
    if (from - away >= start && from - away < end) yield from - away
    if (away > 0 && from + away >= start && from + away < end) yield from + away
  }
}
