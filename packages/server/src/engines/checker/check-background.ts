import type { Background } from '../background.js'
import { countShared, stemsOf, without } from '../ledger/share-words.js'
import { isCommonWord } from '../lexicon/common-words.js'
import { splitSentences } from '../text/split-sentences.js'
import { isContentWord, stemWord, tokenizeWords } from '../text/tokenize-words.js'
import { noteWords } from '../ledger/find-own-words.js'
import {
  isKinSaid,
  isLooseKinSaid,
  isRelative,
  listOtherNames,
  listSaidOtherwise,
  nameOfCode,
  rootOf,
  withForms,
} from './background-words.js'
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

/** What plans of every kind say of what comes next: "Follow up.", "Monitor." */
const planWords = stemsOf(
  `follow monitor review support discuss schedule return check refer goal plan progress improve increase reduce manage
  maintain develop learn work practice explore complete attend coping homework safety`,
)

/** A code of a classification, which says nothing that a sentence could share: "F42.2". */
const codes = /\b\p{Lu}\d[\p{Lu}\d](?:\.[\p{Lu}\d]{1,4})?\b/gu

/** "MDD", "OCD", "HIV"; in an entry that is all in capitals a plain word is none. */
const abbreviation = /^\p{Lu}{2,5}$/u

/** What diagnoses of every kind have: none is known by it. */
const naming = stemsOf('disorder syndrome disease')
const degrees = stemsOf(
  `mild moderate severe major minor single recurrent episode unspecified specified chronic acute partial full remission
  current past type primary secondary history symptom problem condition`,
)

/** What medicines of every kind have. */
const dosing = stemsOf(
  `tablet capsule pill drop spray dose daily day once twice times night nightly morning evening bedtime week weekly needed
  hour hours extended release oral`,
)

/** What a whole plan is compared by; a longer one is read to here. */
const piecesMax = 100

/**
 * Nothing of the background is written as if it had been said (decision 0040). Of a diagnosis or a medicine one word is enough, in whatever form, that
 * no English dictionary of common words has and nobody said, the only one of its own that nobody said, or two others; of goals and plans, whose words are everyday ones, two that
 * nobody said near the items that the sentence rests on, or one of a goal that has but two. One word that nobody said in the whole talk is enough where it is
 * all of a goal, a name or a relative.
 */
export function makeBackgroundFinder(background: Background, talk: Talk): BackgroundFinder {
  const said = collect(everyItem(talk))
  const names = [
    ...background.diagnoses.map((entry) => readDiagnosis(entry, said.has)),
    ...background.medicines.map((entry) => readName(entry, said.has, dosing)),
  ]
  const pieces = [...background.goals, ...splitSentences(background.lastPlan ?? '')]
    .flatMap((text) => text.split(/[;\n]/))
    .slice(0, piecesMax)
    .map((text) => readPiece(text, said))
    .filter(({ stems }) => stems.size > 0)
  return ({ text, transcriptItems }) => {
    const stems = withForms(stemsOf(text))
    const roots = new Set([...stems].map(rootOf))
    for (const name of names) {
      const part = findPart(name, stems, roots)
      if (part !== null) return { reason: 'not_said', part, isBackground: true }
    }
    for (const piece of pieces) {
      const part = find(stems, piece.telling)
      if (part !== null) return { reason: 'not_said', part, isBackground: true }
    }
    const touched = pieces.filter((piece) => countShared(piece.stems, stems) > 1)
    if (touched.length === 0) return null
    const near = collect(talk.around(transcriptItems, besideItems))
    for (const piece of touched) {
      const shared = [...piece.stems].filter((stem) => stems.has(stem))
      const unsaid = shared.filter((stem) => !near.has(stem))
      if (unsaid.length > 1 || (unsaid.length === 1 && piece.stems.size === 2))
        return { reason: 'not_said', part: unsaid.join(' '), isBackground: true }
    }
    return null
  }
}

/** One thing that a goal or a plan asks for. */
interface Piece {
  stems: ReadonlySet<string>
  /** Of these one is enough: nobody said it, nor anything like it. */
  telling: ReadonlySet<string>
}

function readPiece(text: string, said: Said): Piece {
  const stems = without(without(stemsOf(text), noteWords), plainVerbs)
  const names = new Set(
    tokenizeWords(text)
      .slice(1)
      .filter((token) => /^\p{Lu}/u.test(token.text) && !isCommonWord(token.lower))
      .map(({ lower }) => stemWord(lower)),
  )
  // A goal that is written in capitals shows no name by them.
  const isName = /\p{Ll}/u.test(text) ? (stem: string) => names.has(stem) : () => false
  const isTelling = (stem: string): boolean =>
    (stems.size === 1 && !planWords.has(stem)) || isName(stem) || isRelative(stem)
  return {
    stems,
    telling: new Set(
      [...stems].filter((stem) => isTelling(stem) && !said.has(stem) && !isLooseKinSaid(stem, said.stems)),
    ),
  }
}

interface Name {
  /** All that the entry has, said or not. */
  all: ReadonlySet<string>
  /** One of them is enough: nobody said them. */
  rare: ReadonlySet<string>
  /** The roots of all words of the name, which its other forms share. */
  roots: ReadonlySet<string>
  /** Two of them are; one, where it is all that is left of what is the entry's own. */
  others: ReadonlySet<string>
  own: ReadonlySet<string>
  /** With another word of the entry: "panic disorder", where panic was spoken of and no disorder. */
  naming: ReadonlySet<string>
}

const findPart = (
  { all, rare, roots, others, own, naming: named }: Name,
  stems: ReadonlySet<string>,
  stemRoots: ReadonlySet<string>,
): string | null =>
  find(stems, rare) ??
  find(stemRoots, roots) ??
  (own.size === 1 ? find(stems, own) : null) ??
  (countShared(others, stems) > 1 ? find(stems, others) : null) ??
  (countShared(all, stems) > 1 ? find(stems, named) : null)

function readDiagnosis(entry: string, isSaid: (stem: string) => boolean): Name {
  const plain = entry.replace(codes, ' ')
  const text = /\p{L}/u.test(plain) ? plain : nameOfCode(entry)
  const name = readName(text, isSaid, new Set([...naming, ...degrees]))
  const isMixed = /\p{Ll}/u.test(text)
  const abbreviations = tokenizeWords(text)
    .filter((token) => abbreviation.test(token.text) && (isMixed || !isCommonWord(token.lower)))
    .map(({ lower }) => stemWord(lower))
  const called = listOtherNames(text, stemsOf(text))
  const others = new Set([...name.others, ...[...stemsOf(called.whole)].filter((stem) => !isSaid(stem))])
  return {
    ...name,
    all: new Set([...name.all, ...stemsOf(called.whole)]),
    rare: new Set([...name.rare, ...[...abbreviations, ...called.short].filter((stem) => !isSaid(stem))]),
    others,
    naming: new Set([...naming].filter((stem) => others.has(stem))),
  }
}

/** The words of an entry that nobody said; `shared` are those that entries of its kind have in common. */
function readName(entry: string, isSaid: (stem: string) => boolean, shared: ReadonlySet<string>): Name {
  const all = without(stemsOf(entry), noteWords)
  const unsaid = [...all].filter((stem) => !isSaid(stem))
  const common = new Set(
    tokenizeWords(entry)
      .filter(({ lower }) => isCommonWord(lower))
      .map(({ lower }) => stemWord(lower)),
  )
  const isRare = (stem: string): boolean =>
    stem.length >= nameLengthMin && /^\p{L}/u.test(stem) && !common.has(stem)
  const others = new Set(unsaid.filter((stem) => !isRare(stem) && /\p{L}{3}|\d/u.test(stem)))
  const isOwn = (stem: string): boolean => /^\p{L}/u.test(stem) && !shared.has(stem) && !plainVerbs.has(stem)
  const rare = new Set(unsaid.filter(isRare))
  return {
    all,
    rare,
    roots: new Set([...rare].filter((stem) => !shared.has(stem)).map(rootOf)),
    others,
    own: new Set([...others].filter(isOwn)),
    naming: new Set(),
  }
}

const find = (stems: ReadonlySet<string>, wanted: ReadonlySet<string>): string | null =>
  [...wanted].find((stem) => stems.has(stem)) ?? null

interface Said {
  stems: ReadonlySet<string>
  /** Whether a word was said, in whatever form. */
  has: (stem: string) => boolean
}

function collect(items: readonly SpokenItem[]): Said {
  const stems = new Set<string>()
  const prefixes = new Set<string>()
  for (const { text, tokens } of items) {
    for (const stem of stemsOf(text)) stems.add(stem)
    for (const { lower } of tokens) if (isContentWord(lower)) prefixes.add(lower.slice(0, prefixLength))
  }
  for (const stem of listSaidOtherwise(stems)) stems.add(stem)
  const isSaid = (stem: string): boolean =>
    stems.has(stem) || (stem.length >= prefixLength && prefixes.has(stem.slice(0, prefixLength)))
  return { stems, has: (stem) => isSaid(stem) || isKinSaid(stem, stems) }
}

const everyItem = (talk: Talk): SpokenItem[] =>
  Array.from({ length: talk.length }, (_, index) => talk.at(index)).filter((item) => item !== null)
