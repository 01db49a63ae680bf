import { sectionKeys } from './place-topics.js'
import type { NoteType } from '@casenote/contract'
import { stemsOf } from './content-words.js'
import { isAdrift } from './find-context.js'
import type { Topic } from '../../reader/reading.js'
import type { Judged } from './judge-sentences.js'
import type { Said } from './read-turns.js'

/** About two fifths of the talk (issue 16); below so many words of talk there is no limit. */
const shareOfTalk = 0.4
const unlimitedBelowWords = 400
/** Decisions and scores must not leave the talk itself without room. */
const leastShare = 0.2

/** Below this a sentence is more likely small talk than not, whatever room is left. Measured: see docs. */
const valueMin = 0.16

/** A label is two words; counted as one, so that short answers are not passed over for their labels. */
const labelWords = 1

/** How much a long context counts against a sentence: 1 would prefer short words without weight. */
const costWeight = 0.45

export interface Chosen {
  judged: Judged
  /** What must stand before it, the earliest first. */
  context: readonly Said[]
}

interface Candidate extends Chosen {
  rank: number
}

/** "Portable." after "make it portable": says nothing new, and answers nothing. */
function isEcho(said: Said, context: readonly Said[]): boolean {
  const before = context.at(-1)
  if (before === undefined || before.asks || said.words > echoWordsMax) return false
  const there = new Set(stemsOf(before.text))
  return stemsOf(said.text).every((stem) => there.has(stem))
}

/** What a clinician says to the client's words is a comment, unless it decides something; "zero to ten" still asks. */
const isComment = ({ said, topic }: Judged, context: readonly Said[]): boolean =>
  said.speaker === 'clinician' &&
  (context.some(({ asks }) => asks) ||
    (context.some(({ speaker }) => speaker !== said.speaker) && !decisive.has(topic)))

const decisive: ReadonlySet<Topic> = new Set([
  'med_change',
  'safety_plan',
  'homework',
  'plan',
  'impression',
  'scores',
])

const echoWordsMax = 8

/** Each section's share first, then whatever is best, until the words are used up. */
export function chooseSentences(
  judged: readonly Judged[],
  {
    noteType,
    talkWords,
    spentWords,
    contextOf,
  }: {
    noteType: NoteType
    talkWords: number
    /** Of the limit: what stands in the note already, danger, medicines and allergies aside. */
    spentWords: number
    contextOf: (said: Said) => readonly Said[]
  },
): Chosen[] {
  const candidates = judged
    .filter((one) => one.value >= valueMin)
    .filter((one) => {
      const context = contextOf(one.said)
      return !isAdrift(one.said, context) && !isEcho(one.said, context) && !isComment(one, context)
    })
    .map((one): Candidate => {
      const context = contextOf(one.said)
      const cost = one.said.words + labelWords + context.reduce((sum, { words }) => sum + words, 0)
      return { judged: one, context, rank: one.value / cost ** costWeight }
    })
    .toSorted((a, b) => b.rank - a.rank || a.judged.said.index - b.judged.said.index)
  if (talkWords < unlimitedBelowWords) return candidates
  const budget = Math.max(shareOfTalk * talkWords - spentWords, leastShare * talkWords)
  const purse = makePurse()
  const chosen = new Set<Candidate>()
  for (const [key, share] of shareSections(candidates, noteType)) {
    let spent = 0
    for (const candidate of candidates.filter((one) => one.judged.section === key)) {
      const cost = purse.cost(candidate)
      if (spent + cost > share * budget) continue
      spent += purse.pay(candidate)
      chosen.add(candidate)
    }
  }
  for (const candidate of candidates) {
    if (chosen.has(candidate) || purse.spent() + purse.cost(candidate) > budget) continue
    purse.pay(candidate)
    chosen.add(candidate)
  }
  return [...chosen]
}

/** Half of the words evenly, half by what there is to say; three quarters in all, the rest goes to the best. */
function shareSections(candidates: readonly Candidate[], noteType: NoteType): [string, number][] {
  const worth = new Map<string, number>()
  for (const { judged } of candidates)
    worth.set(judged.section, (worth.get(judged.section) ?? 0) + judged.value)
  const total = [...worth.values()].reduce((sum, value) => sum + value, 0)
  return sectionKeys(noteType)
    .filter((key) => worth.has(key))
    .map((key) => [key, 0.75 * (0.5 / worth.size + (0.5 * (worth.get(key) ?? 0)) / total)])
}

/** What words cost that stand there already: nothing. A sentence beside a chosen one needs no label of its own. */
function makePurse(): {
  cost: (one: Candidate) => number
  pay: (one: Candidate) => number
  spent: () => number
} {
  const bought = new Map<string, Set<number>>()
  let spent = 0
  const price = ({ judged, context }: Candidate, own: ReadonlySet<number>): number => {
    const missing = [...context, judged.said].filter((said) => !own.has(said.index))
    const isBeside = own.has(judged.said.index - 1) || own.has(judged.said.index + 1)
    return (
      missing.reduce((sum, { words }) => sum + words, 0) +
      (isBeside ? 0 : labelWords) +
      (context.some((said) => said.speaker !== judged.said.speaker && !own.has(said.index)) ? labelWords : 0)
    )
  }
  const ownOf = (key: string): Set<number> => {
    const own = bought.get(key) ?? new Set<number>()
    bought.set(key, own)
    return own
  }
  return {
    cost: (one) => price(one, ownOf(one.judged.section)),
    pay: (one) => {
      const own = ownOf(one.judged.section)
      const cost = price(one, own)
      for (const said of [...one.context, one.judged.said]) own.add(said.index)
      spent += cost
      return cost
    },
    spent: () => spent,
  }
}
