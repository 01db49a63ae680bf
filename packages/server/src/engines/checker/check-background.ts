import type { Background } from '../background.js'
import { countShared, stemsOf } from '../ledger/share-words.js'
import { isCommonWord } from '../lexicon/common-words.js'
import { splitSentences } from '../text/split-sentences.js'
import { isContentWord, stemWord, tokenizeWords } from '../text/tokenize-words.js'
import { noteWords } from '../writer/prose/own-statement.js'
import { besideItems, type Fault } from './exact-check.js'
import type { SpokenItem, Talk } from './read-talk.js'

/** Finds in a sentence what stands in the background alone; null: nothing does. */
export type BackgroundFinder = (sentence: {
  text: string
  transcriptItems: readonly number[]
}) => Fault | null

/** Words of two sayings meet by their beginnings: "depressed" bears out "depressive". */
const prefixLength = 5

/** Shorter words are units and articles of a chart: "mg", "po", "bid". */
const nameLengthMin = 4

/** What one does with anything: they are nobody's goal. */
const plainVerbs = stemsOf('keep use make take try begin start continue do')

/** What a whole plan is compared by; a longer one is read to here. */
const piecesMax = 100

/**
 * Nothing of the background is written as if it had been said (decision 0040). Of a diagnosis or a medicine one word is enough that
 * no English dictionary of common words has and nobody said, or two others; of goals and plans, whose words are everyday ones, two that
 * nobody said near the items that the sentence rests on, or one of a goal that has but two.
 */
export function makeBackgroundFinder(background: Background, talk: Talk): BackgroundFinder {
  const said = collect(everyItem(talk))
  const names = [...background.diagnoses, ...background.medicines].map((entry) => readName(entry, said))
  const pieces = [...background.goals, ...splitSentences(background.lastPlan ?? '')]
    .flatMap((text) => text.split(/[;\n]/))
    .slice(0, piecesMax)
    .map((text) => without(without(stemsOf(text), noteWords), plainVerbs))
    .filter(({ size }) => size > 1)
  return ({ text, transcriptItems }) => {
    const stems = stemsOf(text)
    for (const { rare, others } of names) {
      const part = find(stems, rare) ?? (countShared(others, stems) > 1 ? find(stems, others) : null)
      if (part !== null) return { reason: 'not_said', part, isBackground: true }
    }
    const touched = pieces.filter((piece) => countShared(piece, stems) > 1)
    if (touched.length === 0) return null
    const near = collect(talk.around(transcriptItems, besideItems))
    for (const piece of touched) {
      const shared = [...piece].filter((stem) => stems.has(stem))
      const unsaid = shared.filter((stem) => !near(stem))
      if (unsaid.length > 1 || (unsaid.length === 1 && piece.size === 2))
        return { reason: 'not_said', part: unsaid.join(' '), isBackground: true }
    }
    return null
  }
}

interface Name {
  rare: ReadonlySet<string>
  others: ReadonlySet<string>
}

/** The words of an entry that nobody said. */
function readName(entry: string, isSaid: (stem: string) => boolean): Name {
  const unsaid = [...without(stemsOf(entry), noteWords)].filter((stem) => !isSaid(stem))
  const common = new Set(
    tokenizeWords(entry)
      .filter(({ lower }) => isCommonWord(lower))
      .map(({ lower }) => stemWord(lower)),
  )
  const isRare = (stem: string): boolean =>
    stem.length >= nameLengthMin && /^\p{L}/u.test(stem) && !common.has(stem)
  return {
    rare: new Set(unsaid.filter(isRare)),
    others: new Set(unsaid.filter((stem) => !isRare(stem) && /\p{L}{3}|\d/u.test(stem))),
  }
}

const find = (stems: ReadonlySet<string>, wanted: ReadonlySet<string>): string | null =>
  [...wanted].find((stem) => stems.has(stem)) ?? null

/** Whether a word was said in these items, in whatever form. */
function collect(items: readonly SpokenItem[]): (stem: string) => boolean {
  const stems = new Set<string>()
  const prefixes = new Set<string>()
  for (const { text, tokens } of items) {
    for (const stem of stemsOf(text)) stems.add(stem)
    for (const { lower } of tokens) if (isContentWord(lower)) prefixes.add(lower.slice(0, prefixLength))
  }
  return (stem) =>
    stems.has(stem) || (stem.length >= prefixLength && prefixes.has(stem.slice(0, prefixLength)))
}

const everyItem = (talk: Talk): SpokenItem[] =>
  Array.from({ length: talk.length }, (_, index) => talk.at(index)).filter((item) => item !== null)

const without = (stems: ReadonlySet<string>, dropped: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...stems].filter((stem) => !dropped.has(stem)))
