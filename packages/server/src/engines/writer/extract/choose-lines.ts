import type { Finding } from '../../reader/reading.js'
import { readAnswer } from '../../text/read-answer.js'
import { RISK_SECTIONS } from '../risk-sections.js'
import type { WritingRequest } from '../writer-engine.js'
import type { ContextFinder } from './find-context.js'
import { labelLine } from './label-line.js'
import { union, type Heading, type Line } from './line.js'
import {
  isNothing,
  isReport,
  isToldPlace,
  placeSentence,
  sectionKeys,
  type Placed,
} from './place-sentences.js'
import type { Said, Talk } from './read-turns.js'

/** Of the talk, names before the quotes included: 45 % of its words on 56 sessions. Below so many words there is no limit. */
const shareOfTalk = 0.48
const unlimitedBelowWords = 400
/** Danger and medicines must not leave the rest of the talk without room. */
const leastShare = 0.2

/** Below this a sentence is more likely of no use than of some, whatever room is left. */
const worthMin = 0.3

/** "Client (12:40):" before the words of each turn. */
const labelWords = 2

const countWithLabels = (sentences: readonly Said[]): number =>
  sentences.reduce((sum, { words }) => sum + words, 0) +
  labelWords * new Set(sentences.map(({ turn }) => turn)).size

interface Candidate extends Placed {
  said: Said
  /** In the order of the session, itself included. */
  needed: readonly Said[]
  rank: number
  /** About danger, medicines or allergies: outside the limit. */
  isDue: boolean
}

const unlimited: ReadonlySet<Heading | null> = new Set<Heading>(['Danger', 'Medicines', 'Allergies'])

/** The lines of a note besides those about danger that the reader found. */
export function chooseLines(
  request: WritingRequest,
  { talk, contextOf, danger }: { talk: Talk; contextOf: ContextFinder; danger: readonly Line[] },
): Line[] {
  const { noteType, reading } = request
  const chosen = new Choice(noteType)
  const candidates = listCandidates(request, { talk, contextOf, danger })
  const isLimited = talk.words >= unlimitedBelowWords
  for (const one of candidates) if (!isLimited || one.isDue) chosen.take(one)
  if (isLimited) {
    const quoted = new Set(danger.flatMap((line) => line.quoted))
    const spent = chosen.words + countWithLabels([...quoted])
    const budget = Math.max(shareOfTalk * talk.words - spent, leastShare * talk.words)
    const from = chosen.words
    for (const [key, share] of shareSections(candidates, sectionKeys(noteType))) {
      let left = share * budget
      for (const one of candidates)
        if (one.section === key && chosen.cost(one) <= left) left -= chosen.take(one)
    }
    for (const one of candidates) if (chosen.words - from + chosen.cost(one) <= budget) chosen.take(one)
  }
  return setLines(chosen.taken, reading.findings)
}

/** How far from what the reader found about danger more of it is said. */
const dangerSentencesMax = 8
const dangerShareMin = 0.6

/** Every sentence that can stand in the note, the best first. */
function listCandidates(
  { noteType, reading }: WritingRequest,
  { talk, contextOf, danger }: { talk: Talk; contextOf: ContextFinder; danger: readonly Line[] },
): Candidate[] {
  const inDanger = new Set(danger.flatMap(({ quoted }) => quoted.map(({ index }) => index)))
  const isNearDanger = ({ index }: Said): boolean => {
    for (let at = index - dangerSentencesMax; at <= index + dangerSentencesMax; at += 1)
      if (inDanger.has(at)) return true
    return false
  }
  return talk.sentences
    .flatMap((said): Candidate[] => {
      const isDanger = (said.figures.places.danger ?? 0) >= dangerShareMin
      if (said.figures.worth < worthMin && !isDanger) return []
      // Of danger nothing is left out because its beginning is out of reach.
      const needed = contextOf(said) ?? (isDanger ? contextOf.nearest(said) : null)
      if (needed === null || isOfferRefused(said, talk)) return []
      // What rests on a question or a sentence under Danger is the rest of that answer.
      const restsOnDanger =
        isToldPlace(said.place) && needed.some((one) => one !== said && inDanger.has(one.index))
      const placed =
        (isDanger && isNearDanger(said)) || restsOnDanger
          ? { section: RISK_SECTIONS[noteType], heading: 'Danger' as const }
          : placeSentence(said, needed, { noteType, reading })
      if (placed === null) return []
      // A mother's suicide stands under Danger, and is looked for in the family's history too.
      if (inDanger.has(said.index) && !isFamilyHistory(said)) return []
      const isDue = isDanger || unlimited.has(placed.heading)
      return [{ ...placed, said, needed, rank: rankOf(needed), isDue }]
    })
    .toSorted((a, b) => b.rank - a.rank || a.said.index - b.said.index)
}

/** "There's also a group on Wednesdays." "No, thanks.": unless it was asked something else meanwhile. */
function isOfferRefused(said: Said, { turns }: Talk): boolean {
  const rest = turns[said.turn]?.sentences.filter(({ index }) => index > said.index) ?? []
  const answer = turns[said.turn + 1]?.sentences[0]
  return (
    said.place === 'plan' &&
    said.speaker === 'clinician' &&
    offers.test(said.raw) &&
    rest.every((one) => !one.asks || one.place === 'plan') &&
    answer !== undefined &&
    readAnswer(answer.text) === 'no'
  )
}

const offers =
  /\b(?:there(?:['’]s| is| are)|could|can|would you|some (?:people|students|folks)|i['’]d (?:also )?(?:like|love|want) (?:you|to have you))\b/i

/** What a word of it is worth, with all that is quoted for it. */
const rankOf = (needed: readonly Said[]): number =>
  needed.reduce((sum, said) => sum + (isNothing(said) ? 0 : said.figures.worth), 0) / countWithLabels(needed)

const isFamilyHistory = ({ place, topics }: Said): boolean =>
  place === 'history' && topics.some(({ family_history: score = 0 }) => score >= 0.5)

/** Half of the words evenly, half by what there is to say; three quarters in all, the rest goes to the best. */
function shareSections(candidates: readonly Candidate[], keys: readonly string[]): [string, number][] {
  const worth = new Map<string, number>()
  for (const { section, said } of candidates)
    worth.set(section, (worth.get(section) ?? 0) + said.figures.worth)
  const total = [...worth.values()].reduce((sum, value) => sum + value, 0)
  return keys
    .filter((key) => worth.has(key))
    .map((key) => [key, 0.75 * (0.5 / worth.size + (0.5 * (worth.get(key) ?? 0)) / total)])
}

/** What was taken so far. A sentence stands in one section, or under Danger too; words that stand there already cost nothing. */
class Choice {
  readonly taken: Candidate[] = []
  words = 0
  readonly #noteType: WritingRequest['noteType']
  readonly #own = new Set<number>()
  readonly #sectionOf = new Map<number, string>()
  readonly #inDanger = new Map<number, string>()

  constructor(noteType: WritingRequest['noteType']) {
    this.#noteType = noteType
  }

  cost(one: Candidate): number {
    const there = this.#placesFor(one)
    return countWithLabels(one.needed.filter((said) => !there.has(said.index)))
  }

  /** What it cost; 0 where it stands there already or cannot. */
  take(one: Candidate): number {
    const placed = this.#own.has(one.said.index) ? null : this.#settle(one)
    if (placed === null) return 0
    const cost = this.cost(one)
    this.#own.add(one.said.index)
    for (const { index } of one.needed) this.#placesFor(one).set(index, placed.section)
    this.taken.push({ ...one, ...placed })
    this.words += cost
    return cost
  }

  #placesFor({ heading }: Candidate): Map<number, string> {
    return heading === 'Danger' ? this.#inDanger : this.#sectionOf
  }

  /** What it needs may stand elsewhere already: a report goes there with it, anything else is left out. */
  #settle(one: Candidate): Placed | null {
    const there = this.#placesFor(one)
    const others = new Set(
      one.needed.flatMap(({ index }) => there.get(index) ?? []).filter((key) => key !== one.section),
    )
    if (others.size === 0) return one
    const [section = ''] = others
    const areReports = isReport(this.#noteType, section) && isReport(this.#noteType, one.section)
    return others.size === 1 && areReports ? { section, heading: null } : null
  }
}

/** A line of more words is parted where a sentence stands by itself. */
const lineWordsMax = 60
/** And one of more sentences anywhere. */
const lineSentencesMax = 20

interface Group {
  section: string
  chosen: Candidate[]
  sentences: Said[]
}

/** Sentences that belong together, because one needs the other or both were said in one breath, are one line. */
function setLines(taken: readonly Candidate[], findings: readonly Finding[]): Line[] {
  const groups: Group[] = []
  const lastOf = new Map<string, Group>()
  for (const one of taken.toSorted((a, b) => a.said.index - b.said.index)) {
    const key = `${one.section} ${one.heading === 'Danger'}`
    const last = lastOf.get(key)
    if (last !== undefined && isOneLine(last, one)) {
      last.chosen.push(one)
      last.sentences = union(last.sentences, one.needed)
    } else {
      const group: Group = { section: one.section, chosen: [one], sentences: [...one.needed] }
      groups.push(group)
      lastOf.set(key, group)
    }
  }
  return groups.map(({ section, chosen, sentences }) => {
    const worth = Math.max(...chosen.map(({ said }) => said.figures.worth))
    const line: Line = { section, heading: headingOf(chosen), label: '', quoted: sentences, worth }
    return { ...line, label: labelLine(line, findings) }
  })
}

function isOneLine({ chosen, sentences }: Group, { needed, heading }: Candidate): boolean {
  if (sentences.length >= lineSentencesMax) return false
  if (sentences.some((said) => needed.includes(said))) return true
  const words = sentences.reduce((sum, said) => sum + said.words, 0)
  return (
    chosen.at(-1)?.heading === heading && sentences.at(-1)?.turn === needed[0]?.turn && words < lineWordsMax
  )
}

/** Where most of its words belong. */
function headingOf(chosen: readonly Candidate[]): Heading | null {
  const words = new Map<Heading | null, number>()
  for (const { heading, said } of chosen) words.set(heading, (words.get(heading) ?? 0) + said.words)
  return [...words].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null
}
