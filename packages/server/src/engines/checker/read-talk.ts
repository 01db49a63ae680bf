import { isAccountItem } from '@casenote/contract'
import type { NamedItem, Person } from '../named-item.js'
import { findMedications, type MedicationMention } from '../lexicon/medications.js'
import { plainWords } from '../text/plain-words.js'
import { readAmountsIn, type Amount } from '../text/read-amounts.js'
import { tokenizeWords, type WordToken } from '../text/tokenize-words.js'

export type Role = 'client' | 'clinician' | 'unknown'

/** A transcript item as the checks need it; each part is read when it is first asked for. */
export interface SpokenItem {
  readonly index: number
  readonly role: Role
  readonly speaker: string
  /** Who that is, where several were named. */
  readonly person: Person | null
  readonly text: string
  /** The item's words as quotes are compared with them. */
  readonly plain: string
  readonly tokens: readonly WordToken[]
  readonly amounts: readonly Amount[]
  readonly medicines: readonly MedicationMention[]
}

/** A transcript that is read once, however many sentences are checked against it. */
export interface Talk {
  readonly length: number
  /** All of it is what the clinician typed or dictated, and what it does not say may still have been said. */
  readonly isAccount: boolean
  /** Null where there is no such item. */
  at(index: number): SpokenItem | null
  /** The items named and those within `reach` of them, in order, each once. */
  around(indexes: readonly number[], reach: number): SpokenItem[]
  /** What `make` found in the whole talk, made once. One key is for one type. */
  remember<T>(key: string, make: () => T): T
}

export const roleOf = (speaker: string): Role =>
  speaker === 'client' || speaker === 'clinician' ? speaker : 'unknown'

/** What was heard and what it was put right to both count as said. */
const textOf = ({ transcript, corrections }: NamedItem): string =>
  corrections === undefined || corrections.length === 0
    ? transcript
    : `${transcript} ${corrections.map(({ corrected }) => corrected).join('; ')}`

export const readTalk = (transcript: readonly NamedItem[]): Talk => {
  const read = new Map<number, SpokenItem>()
  const remembered = new Map<string, unknown>()
  const at = (index: number): SpokenItem | null => {
    const known = read.get(index)
    if (known !== undefined) return known
    const item = transcript[index]
    if (item === undefined) return null
    const spoken = readItem(item, index)
    read.set(index, spoken)
    return spoken
  }
  return {
    length: transcript.length,
    isAccount: transcript.some(isAccountItem),
    at,
    around: (indexes, reach) => {
      const wanted = new Set<number>()
      for (const index of indexes)
        for (let near = index - reach; near <= index + reach; near++) wanted.add(near)
      return [...wanted]
        .toSorted((a, b) => a - b)
        .map(at)
        .filter((item): item is SpokenItem => item !== null)
    },
    remember: <T>(key: string, make: () => T): T => {
      if (!remembered.has(key)) remembered.set(key, make())
      return remembered.get(key) as T
    },
  }
}

const readItem = (item: NamedItem, index: number): SpokenItem => {
  const text = textOf(item)
  let plain: string | null = null
  let tokens: WordToken[] | null = null
  let amounts: Amount[] | null = null
  let medicines: MedicationMention[] | null = null
  return {
    index,
    // What the clinician typed tells what both of them said.
    role: isAccountItem(item) ? 'unknown' : roleOf(item.speaker),
    speaker: item.speaker,
    person: item.person ?? null,
    text,
    get plain() {
      return (plain ??= plainWords(text))
    },
    get tokens() {
      return (tokens ??= tokenizeWords(text))
    },
    get amounts() {
      return (amounts ??= readAmountsIn(text))
    },
    get medicines() {
      return (medicines ??= findMedications(text))
    },
  }
}
