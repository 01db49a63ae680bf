import type { NoteSection } from '@casenote/contract'
import type { Goal, GoalLinks } from '../background.js'
import { countShared, stemsOf } from '../ledger/share-words.js'
import { saysNotAsked } from '../ledger/says-not-asked.js'
import { noteWords } from '../ledger/find-own-words.js'

export interface LinkGoalsRequest {
  sections: readonly NoteSection[]
  goals: readonly Goal[]
}

/** Words that goals of every kind have: two goals that share them have nothing in common. */
const goalWords = stemsOf(
  `goal objective progress improve increase decrease reduce lower raise develop learn use practice maintain able better
  more less least most day week month year time daily weekly per each every within next demonstrate identify skill make keep
  take try begin start continue
  one two three four five six seven eight nine ten percent`,
)

/** Of a goal's own words so many must stand in a sentence, or the only one it has: rather no link than a wrong one. */
const sharedMin = 2
const shareMin = 0.3

/** A note has some forty; more are not compared. */
const sentencesMax = 2_000

/** Which sentences speak to which goal, by the words that they share with it or with one of its objectives. What was refused speaks to none. */
export function linkGoals({ sections, goals }: LinkGoalsRequest): GoalLinks[] {
  const sentences = listLinkable(sections).map((one) => ({ ...one, stems: stemsOf(one.sentence) }))
  return goals.map(({ goalId, texts }) => {
    const wanted = texts.map(readOwnWords)
    return {
      goalId,
      sentences: sentences
        .filter(({ stems }) => wanted.some((own) => speaksOf(own, stems)))
        .map(({ section, sentence }) => ({ section, sentence })),
    }
  })
}

/** What a link may name. */
export const listLinkable = (sections: readonly NoteSection[]): { section: string; sentence: string }[] =>
  sections
    .flatMap(({ key, evidence }) =>
      evidence
        .filter(({ supported, sentence }) => supported && !saysNotAsked(sentence))
        .map(({ sentence }) => ({ section: key, sentence })),
    )
    .slice(0, sentencesMax)

const readOwnWords = (text: string): ReadonlySet<string> =>
  new Set(
    [...stemsOf(text)].filter((stem) => !goalWords.has(stem) && !noteWords.has(stem) && !/^\d/.test(stem)),
  )

const speaksOf = (own: ReadonlySet<string>, stems: ReadonlySet<string>): boolean => {
  const shared = countShared(own, stems)
  return own.size > 0 && shared >= Math.min(sharedMin, own.size) && shared / own.size >= shareMin
}
