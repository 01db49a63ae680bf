import { NOTE_TEMPLATES, type NoteType } from '@casenote/contract'
import { countWords, isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'
import { headOf } from '../set/condense-statement.js'
import { isSafetyStep } from '../statement/score-statement.js'
import { contradict, countWritten } from '../set/set-sentences.js'
import { shareOf } from './share-sections.js'
import type { Placed, Statement } from '../statement/statement.js'

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

/** The sheet's ranges are of short sessions; where a note has words left, a section may have half as many again. */
const sectionStretch = 1.5

/** The section that carries what a behavior section would, in the notes that have none (clinical sheet 1.1). */
const reportSections: Readonly<Partial<Record<NoteType, string>>> = { girp: 'response', pirp: 'problem' }

const countSectionWords = (noteType: NoteType, section: string): number =>
  sectionStretch *
  ((sectionWordsMax[section] ?? otherSectionWordsMax) +
    (reportSections[noteType] === section ? (sectionWordsMax['behavior'] ?? 0) : 0))

/** A note is at most half of what was said, a quarter when much was said. */
export const countWordsMax = (wordsSaid: number): number =>
  Math.floor(wordsSaid * (wordsSaid < 1_000 ? 0.5 : 0.25))

/** Two words in a thousand are kept back for what joining makes longer. */
export const countWordsAllowed = (wordsSaid: number): number => Math.floor(countWordsMax(wordsSaid) * 0.998)

/**
 * What is weightiest first, until the words are spent: the best of each section, so that none is said to be empty that is
 * not; what must not be left out; then the rest, which weighs less the more its section has. Words are counted as they
 * will be written, since joining saves some.
 */
export const chooseStatements = (
  placed: readonly Placed[],
  wordsAllowed: number,
  noteType: NoteType,
): Placed[] => {
  const distinct = keepContradictions(dropRepeated(placed))
  const ranked = distinct.toSorted(
    (a, b) => worthPerWord(b.statement) - worthPerWord(a.statement) || a.statement.order - b.statement.order,
  )
  const worthy = ranked.filter(({ statement }) => statement.score >= scoreMin)
  const risks = ranked.filter(({ statement }) => statement.isMandatory && mustStand(statement))
  const needed = fitFirst(worthy, wordsAllowed - countSpent(risks))
  const chosen = new Map<string, Statement[]>()
  const written = new Map<string, number>()
  const firstSection = NOTE_TEMPLATES[noteType].sections[0]?.key
  let left = wordsAllowed
  const taken = new Set<Statement>()
  const take = ({ section, statement }: Placed, isNeeded: boolean): void => {
    if (taken.has(statement)) return
    if (tryToTake(section, statement, isNeeded)) taken.add(statement)
    else {
      const head = headOf(statement)
      if (head !== null && tryToTake(section, head, false)) taken.add(statement)
    }
  }
  const tryToTake = (section: string, statement: Statement, isNeeded: boolean): boolean => {
    const inSection = chosen.get(section) ?? []
    const limit = countSectionWords(noteType, section)
    const isFull = left < sentenceWordsMin || (written.get(section) ?? 0) > limit - sentenceWordsMin
    if (isFull && !isNeeded) return false
    const together = [...inSection, statement].toSorted((a, b) => a.order - b.order)
    const words = countWritten(together, section === firstSection)
    const cost = words - (written.get(section) ?? 0)
    if (!isNeeded && (cost > left || words > limit)) return false
    chosen.set(section, together)
    written.set(section, words)
    left -= cost
    return true
  }
  for (const candidate of needed) take(candidate, true)
  for (const candidate of ranked.filter(({ statement }) => statement.isMandatory))
    take(candidate, mustStand(candidate.statement))
  const weigh = ({ section, statement }: Placed): number =>
    worthPerWord(statement) * shareOf(noteType, section, chosen.get(section)?.length ?? 0)
  // All of a section weigh less together, so the next one is among their firsts.
  const queues = partBySection(worthy)
  while (queues.length > 0) {
    const firsts = queues.map((queue) => ({ queue, weight: weigh(queue[0] as Placed) }))
    const { queue } = firsts.reduce((a, b) => (b.weight > a.weight ? b : a))
    take(queue.shift() as Placed, false)
    if (queue.length === 0) queues.splice(queues.indexOf(queue), 1)
  }
  return [...chosen]
    .flatMap(([section, statements]) => statements.map((statement) => ({ section, statement })))
    .toSorted((a, b) => a.statement.order - b.statement.order)
}

const partBySection = (entries: readonly Placed[]): Placed[][] => {
  const queues = new Map<string, Placed[]>()
  for (const entry of entries) {
    const queue = queues.get(entry.section)
    if (queue === undefined) queues.set(entry.section, [entry])
    else queue.push(entry)
  }
  return [...queues.values()]
}

const countSpent = (picks: readonly Placed[]): number =>
  picks.reduce((sum, { statement }) => sum + countWords(statement.text) + 1, 0)

/** The best of each section; where a short session has too few words for that, the shortest in the sections that save most. */
const fitFirst = (worthy: readonly Placed[], wordsAllowed: number): Placed[] => {
  const shortest = new Map(
    firstOfEach(worthy.toSorted((a, b) => countWords(a.statement.text) - countWords(b.statement.text))).map(
      (entry) => [entry.section, entry],
    ),
  )
  const picks = firstOfEach(worthy)
  const saving = (pick: Placed): number =>
    countSpent([pick]) - countSpent([shortest.get(pick.section) ?? pick])
  while (countSpent(picks) > wordsAllowed) {
    const longest = picks.toSorted((a, b) => saving(b) - saving(a)).at(0)
    if (longest === undefined || saving(longest) === 0) break
    picks[picks.indexOf(longest)] = shortest.get(longest.section) ?? longest
  }
  return picks
}

/** One of two accounts alone would be believed: "not drinking", and six whiskeys last night. */
const keepContradictions = (placed: readonly Placed[]): Placed[] => {
  const told = placed.filter(
    ({ statement: { topics } }) => topics.includes('substance') || topics.includes('medication'),
  )
  const kept = new Set(
    told.flatMap((later, index) => {
      const earlier = told
        .slice(0, index)
        .find((other) => other.section === later.section && contradict(other.statement, later.statement))
      return earlier === undefined ? [] : [earlier, later]
    }),
  )
  return placed.map((entry) =>
    kept.has(entry) ? { ...entry, statement: { ...entry.statement, isMandatory: true } } : entry,
  )
}

/** What was found about risk, and what to do about it, stands however few words there are. */
const mustStand = (statement: Statement): boolean => statement.kind === 'risk' || isSafetyStep(statement)

const firstOfEach = (ranked: readonly Placed[]): Placed[] => {
  const sections = new Set<string>()
  return ranked.filter(({ section }) => !sections.has(section) && sections.add(section).size > 0)
}

/** No sentence is shorter. */
const sentenceWordsMin = 3

/** Words are what is scarce: a short sentence may be worth more than a weightier long one. */
const worthPerWord = ({ score, text, isMandatory }: Statement): number =>
  (isMandatory ? 2 : 0) + score / (12 + countWords(text))

/** Below it a sentence is about nothing that a note asks for. */
const scoreMin = 0.9

const stemsOf = (text: string): Set<string> =>
  new Set(
    tokenizeWords(text)
      .filter((token) => isContentWord(token.lower))
      .map((token) => stemWord(token.lower)),
  )

/** More than the longest note can hold; comparing all statements of three hours with each other took a third of the time. */
const candidatesMax = 400

export const keepWeightiest = (placed: readonly Placed[]): readonly Placed[] => {
  if (placed.length <= candidatesMax) return placed
  const kept = new Set(
    placed.toSorted((a, b) => b.statement.score - a.statement.score).slice(0, candidatesMax),
  )
  const first = new Map(placed.toReversed().map((entry) => [entry.section, entry]))
  return placed.filter(
    (entry) => kept.has(entry) || entry.statement.isMandatory || first.get(entry.section) === entry,
  )
}

/** Of two statements with nearly the same words the weightier stays. */
const dropRepeated = (placed: readonly Placed[]): Placed[] => {
  const kept: { placed: Placed; stems: Set<string> }[] = []
  for (const candidate of placed) {
    const stems = stemsOf(candidate.statement.text)
    const twin = kept.findIndex(
      (other) =>
        other.placed.statement.text === candidate.statement.text ||
        isDeniedAgain(other.placed.statement, candidate.statement) ||
        // "hurting themselves" and "hurting someone else" share all their content words, and are two answers.
        (candidate.statement.kind !== 'risk' &&
          other.placed.statement.kind !== 'risk' &&
          isTwin(stems, other.stems)),
    )
    if (twin < 0) kept.push({ placed: candidate, stems })
    else if ((kept[twin]?.placed.statement.score ?? 0) < candidate.statement.score)
      kept[twin] = { placed: candidate, stems }
  }
  return kept.map((entry) => entry.placed).toSorted((a, b) => a.statement.order - b.statement.order)
}

/** "Client denied wanting to die", asked twice: the first stands, with its words. */
const isDeniedAgain = (first: Statement, second: Statement): boolean =>
  first.kind === 'risk' &&
  second.kind === 'risk' &&
  first.text.startsWith('client denied ') &&
  second.text.replace(/ when asked$/, '') === first.text.replace(/(?: when asked)?(?: \(.*\))?$/, '')

const isTwin = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean => {
  const shared = [...a].filter((stem) => b.has(stem)).length
  return shared > 2 && shared / Math.min(a.size, b.size) >= 0.85
}
