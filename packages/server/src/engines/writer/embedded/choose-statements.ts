import type { NoteType } from '@casenote/contract'
import { countWords, isContentWord, stemWord, tokenizeWords } from '../text/tokenize-words.js'
import type { Statement } from './statement.js'

/** The upper ends of the word ranges of the clinical sheet 1.1; a section of the longer notes shares theirs. */
const sectionWordsMax: Readonly<Record<string, number>> = {
  subjective: 150,
  objective: 90,
  assessment: 120,
  plan: 90,
  data: 200,
  behavior: 120,
  intervention: 120,
  response: 100,
  goal: 70,
  problem: 90,
}
const otherSectionWordsMax = 130

/** A note is at most half of what was said, a quarter when much was said; a little is kept back for the verbs of the frames. */
export const countWordsAllowed = (wordsSaid: number): number =>
  Math.floor(wordsSaid * (wordsSaid < 1_000 ? 0.46 : 0.235))

/** The words that "Client reports that" costs. */
const frameWords = 3

const costOf = (statement: Statement): number =>
  countWords(statement.text) + (statement.frame === null ? 0 : frameWords)

export interface Placed {
  section: string
  statement: Statement
}

/**
 * What is weightiest first, until the words are spent: what must not be left out, then the best of each section, then the
 * rest. Order of session is kept by the caller.
 */
export const chooseStatements = (
  placed: readonly Placed[],
  wordsAllowed: number,
  noteType: NoteType,
): Placed[] => {
  const distinct = dropRepeated(placed)
  const ranked = distinct.toSorted(
    (a, b) => b.statement.score - a.statement.score || a.statement.order - b.statement.order,
  )
  const best = new Set<string>()
  const first = ranked.filter(({ section }) => !best.has(section) && best.add(section).size > 0)
  const queue = [...ranked.filter(({ statement }) => statement.isMandatory), ...first, ...ranked]
  const chosen = new Set<Placed>()
  const spent = new Map<string, number>()
  let left = wordsAllowed
  for (const candidate of queue) {
    const { section, statement } = candidate
    const cost = costOf(statement)
    const inSection = (spent.get(section) ?? 0) + cost
    const limit = sectionWordsMax[section] ?? otherSectionWordsMax
    const isWorth = statement.isMandatory || statement.score >= scoreMin
    if (chosen.has(candidate) || !isWorth || cost > left || (inSection > limit && !statement.isMandatory))
      continue
    chosen.add(candidate)
    spent.set(section, inSection)
    left -= cost
  }
  void noteType
  return distinct.filter((candidate) => chosen.has(candidate))
}

/** Below it a sentence is about nothing that a note asks for. */
const scoreMin = 1.6

const stemsOf = (text: string): Set<string> =>
  new Set(
    tokenizeWords(text)
      .filter((token) => isContentWord(token.lower))
      .map((token) => stemWord(token.lower)),
  )

/** Of two statements with nearly the same words the weightier stays. */
const dropRepeated = (placed: readonly Placed[]): Placed[] => {
  const kept: { placed: Placed; stems: Set<string> }[] = []
  for (const candidate of placed) {
    const stems = stemsOf(candidate.statement.text)
    const twin = kept.findIndex((other) => isTwin(stems, other.stems))
    if (twin < 0) kept.push({ placed: candidate, stems })
    else if ((kept[twin]?.placed.statement.score ?? 0) < candidate.statement.score)
      kept[twin] = { placed: candidate, stems }
  }
  return kept.map((entry) => entry.placed).toSorted((a, b) => a.statement.order - b.statement.order)
}

const isTwin = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  const shared = [...a].filter((stem) => b.has(stem)).length
  return shared > 2 && shared / Math.min(a.size, b.size) >= 0.85
}
