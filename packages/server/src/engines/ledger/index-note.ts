import type { NoteSection } from '@casenote/contract'
import type { DangerMatter } from '../reader/reading.js'
import { hasNegation } from '../text/find-negation.js'
import { plainWords, takeQuotes } from '../text/plain-words.js'
import { findSaidMedicines } from '../lexicon/said-medicines.js'
import { readAmountsIn, type Amount } from '../text/read-amounts.js'
import { splitSentences } from '../text/split-sentences.js'
import { tokenizeWords } from '../text/tokenize-words.js'
import { readDangerClaims, type DangerClaim } from '../reader/danger/read-danger-claims.js'
import { readDoses, type WrittenDose } from './read-doses.js'
import { stemsOf } from './share-words.js'

/** A sentence of a note with what a finding may be compared with; what costs time is read when it is asked for. */
export interface NoteSentence {
  readonly text: string
  readonly items: readonly number[]
  /** It was refused: it may contradict a finding and cannot state one. */
  readonly isRefused: boolean
  /** The words outside its quotes. */
  readonly plain: string
  /** Each quote as plain words, to be searched in. */
  readonly quotes: readonly string[]
  readonly claims: readonly DangerClaim[]
  readonly amounts: readonly Amount[]
  readonly doses: readonly WrittenDose[]
  /** Its words in lower case, a space around each. */
  readonly words: string
  /** Between its stops: one part may deny what the next does not. */
  readonly parts: readonly SentencePart[]
  /** What it speaks of, quotes included. */
  readonly stems: ReadonlySet<string>
  /** The section that it stands in. */
  readonly section: string
}

export interface SentencePart {
  text: string
  stems: ReadonlySet<string>
  isNegated: boolean
  denyingQuotes: readonly DenyingQuote[]
}

/** A quote that denies something. */
interface DenyingQuote {
  /** What it speaks of. */
  stems: ReadonlySet<string>
  /** It says at the end of its part what something was for: "so nobody has to hunt for it". */
  isPurpose: boolean
}

/** No sentence of a note has more. */
const partsMax = 12

/** A note that is read once, however many findings it is compared with. */
export interface NoteIndex {
  readonly sentences: readonly NoteSentence[]
  /** Sentences that cite one of the items. */
  citing(items: readonly number[]): NoteSentence[]
  /** Sentences that cite an item at most so many items away. */
  citingNear(items: readonly number[], reach: number): NoteSentence[]
  /** Sentences that say something of this matter, whatever they cite. */
  claiming(matter: DangerMatter): NoteSentence[]
  /** Sentences that share words, those with most of them first. */
  sharing(words: string): NoteSentence[]
  /** Sentences that name the medicine, by any of its names. */
  naming(generic: string): NoteSentence[]
}

/** More sentences are not looked at for one finding: a note has some forty in all, and what is pasted a thousand times says no more. */
const candidatesMax = 80
/** A word that more sentences hold than this tells none of them from the others. */
const postingsMax = 200

export const indexNote = (sections: readonly NoteSection[]): NoteIndex => {
  const sentences = sections.flatMap(listSentences)
  const byItem = new Map<number, number[]>()
  const byStem = new Map<string, number[]>()
  const byMedicine = new Map<string, number[]>()
  for (const [index, sentence] of sentences.entries()) {
    for (const item of sentence.items) post(byItem, item, index)
    for (const stem of sentence.stems) post(byStem, stem, index)
    for (const { medication } of findSaidMedicines(sentence.text)) post(byMedicine, medication.generic, index)
  }
  const at = (indexes: Iterable<number>): NoteSentence[] =>
    [...indexes].flatMap((index) => sentences[index] ?? []).slice(0, candidatesMax)
  const citing = (items: readonly number[]): NoteSentence[] =>
    at(new Set(items.flatMap((item) => byItem.get(item) ?? [])))
  const byMatter = new Map<DangerMatter, NoteSentence[]>()
  return {
    sentences,
    citing,
    citingNear: (items, reach) => {
      const near = new Set<number>()
      for (const item of items) for (let one = item - reach; one <= item + reach; one++) near.add(one)
      return citing([...near])
    },
    claiming: (matter) => {
      const known = byMatter.get(matter)
      if (known !== undefined) return known
      const found = sentences
        .filter(({ claims }) => claims.some((claim) => claim.matter === matter))
        .slice(0, candidatesMax)
      byMatter.set(matter, found)
      return found
    },
    sharing: (words) => {
      const shared = new Map<number, number>()
      for (const stem of stemsOf(words))
        for (const index of byStem.get(stem) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1)
      return at([...shared].toSorted(([a, ofA], [b, ofB]) => ofB - ofA || a - b).map(([index]) => index))
    },
    naming: (generic) => at(new Set(byMedicine.get(generic) ?? [])),
  }
}

const post = <Key>(postings: Map<Key, number[]>, key: Key, index: number): void => {
  const known = postings.get(key)
  if (known === undefined) postings.set(key, [index])
  else if (known.length < postingsMax) known.push(index)
}

export const wordsOf = (text: string): string =>
  ` ${tokenizeWords(text)
    .map(({ lower }) => lower)
    .join(' ')} `

/** A note of an earlier version may have text without evidence: it is the note all the same. */
const listSentences = ({ key, content, evidence }: NoteSection): NoteSentence[] =>
  evidence.length > 0
    ? evidence.map(({ sentence, transcriptItems, supported }) =>
        readSentence(key, sentence, transcriptItems, !supported),
      )
    : splitSentences(content).map((sentence) => readSentence(key, sentence, [], false))

const purpose = /^\W{0,3}(?:so|because|'?cause|in case)\b/i

const readNegation = (part: string): Pick<SentencePart, 'isNegated' | 'denyingQuotes'> => {
  const { plain, quotes } = takeQuotes(part)
  const endsWithQuote = /…[\s.!?]*$/.test(plain)
  const denyingQuotes = quotes.flatMap((quote, index) => {
    if (!hasNegation(quote)) return []
    const isPurpose = endsWithQuote && index === quotes.length - 1 && purpose.test(quote)
    return [{ stems: stemsOf(quote), isPurpose }]
  })
  return { isNegated: hasNegation(plain), denyingQuotes }
}

const readSentence = (
  section: string,
  text: string,
  items: readonly number[],
  isRefused: boolean,
): NoteSentence => {
  let taken: { plain: string; quotes: string[] } | null = null
  let quotes: string[] | null = null
  let claims: DangerClaim[] | null = null
  let amounts: Amount[] | null = null
  let doses: WrittenDose[] | null = null
  let words: string | null = null
  let stems: Set<string> | null = null
  let parts: SentencePart[] | null = null
  return {
    section,
    text,
    items,
    isRefused,
    get plain() {
      return (taken ??= takeQuotes(text)).plain
    },
    get quotes() {
      return (quotes ??= (taken ??= takeQuotes(text)).quotes.map(plainWords))
    },
    get claims() {
      return (claims ??= readDangerClaims((taken ??= takeQuotes(text)).plain))
    },
    get doses() {
      return (doses ??= readDoses(text))
    },
    get words() {
      return (words ??= wordsOf(text))
    },
    get amounts() {
      return (amounts ??= readAmountsIn(text))
    },
    get stems() {
      return (stems ??= stemsOf(text))
    },
    get parts() {
      return (parts ??= text
        .split(/;|, but |, though /, partsMax)
        .map((part) => ({ text: part, stems: stemsOf(part), ...readNegation(part) })))
    },
  }
}
