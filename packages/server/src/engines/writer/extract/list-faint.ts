import type { TranscriptItem } from '@casenote/contract'
import { DANGER_TOPICS, type DangerTopic } from '../../reader/danger/danger-topics.js'
import { makeFindingId } from '../../reader/finding-id.js'
import {
  unpackFigures,
  type DangerFinding,
  type DangerMatter,
  type Reading,
  type TopicScores,
} from '../../reader/reading.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import { weighSurroundings } from './danger-surroundings.js'
import { countSaidWords, type Said, type Talk } from './read-turns.js'

/*
 * What was said about danger and is neither quoted nor found: what belongs to such talk by its surroundings, wherever any was found; and, where danger was
 * told and not denied, steps that keep the means away and the things that it was told with (a hammer, a platform), named once more. Only for the
 * clinician's list: half of it is nothing. The reader's own findings, and what is counted of them, stay as they are.
 */

/**
 * From here a sentence belongs to the talk about danger. Of 232 sessions, each weighed by a network that had not seen it, 0.3 % of the words about danger stood in
 * neither note nor list at this figure (1.0 % by figures of single sentences, in lists as long).
 */
const belongsFrom = 0.02
/** Some sentence has so much where danger is spoken of: the talk of an ordinary consultation, of which the reader took something for danger, has none. */
const surelyFrom = 0.8
/** More than this nobody reads; with 500 words the last stretches of nine in 483 were left out. */
const wordsMax = 650
/** One entry of the list holds so many of them: more are not read in one breath. */
const entryWordsMax = 100
/** Sentences nearer to each other than this are one stretch. */
const gapMax = 3
/** "How often?" "Five.": so few words between two sentences of the list are in it. */
const betweenWordsMax = 6
/** "Okay.", "I know." */
const sentenceWordsMin = 4

/** Words of leaving a violent partner come first: there are seldom more than a few such sentences, and the encoder knows nothing of them. */
const leaveScore = 0.9
/** What names the means, or a thing of the danger again, comes behind what the encoder suspects, and before its lowest figures. */
const stepScore = 0.5
const echoScore = 0.2

interface Faint {
  said: Said
  score: number
}

/** `quoted`: what lines of the note hold. The likeliest stretches first, as many as there is room for, in the order of the talk. */
export function listFaint(
  transcript: readonly TranscriptItem[],
  reading: Reading,
  { talk, quoted }: { talk: Talk; quoted: ReadonlySet<Said> },
): DangerFinding[] {
  const { topics } = unpackFigures(reading.figures)
  const danger = reading.findings.filter((one) => one.kind === 'danger')
  const affirmed = danger.filter(isAffirmed)
  const [told] = [...affirmed, ...danger]
  if (told === undefined) return []
  const isListed = listedIn(danger, quoted)
  const isThere = (said: Said): boolean => said.isTyped || quoted.has(said) || isListed(said)
  const figures = weighSurroundings(talk)
  const surroundings = figures.some((figure) => figure >= surelyFrom) ? figures : []
  const score = makeScore(affirmed, transcript)
  const faint = talk.sentences.flatMap((said): Faint[] => {
    if (isThere(said)) return []
    const asked = [said, talk.sentences[said.index - 1]].some((one) => one !== undefined && asksOfMeans(one))
    const figure = Math.max(surroundings[said.index] ?? 0, score(said), asked ? stepScore : 0)
    return figure >= belongsFrom ? [{ said, score: figure }] : []
  })
  const stretches = gather(withShortBetween(faint, talk, isThere))
  return cutEntries(choose(stretches)).map((entry) => {
    const words = joinWords(entry.map(({ said }) => said))
    const items = [...new Set(entry.flatMap(({ said }) => said.items))]
    const matter = matterOf(items, topics) ?? told.matter
    return {
      kind: 'danger',
      id: makeFindingId('danger', matter, 'faint', items[0] ?? 0, words),
      items,
      words,
      matter,
      element: 'unspecified',
      standing: 'unclear',
      time: 'present',
      whose: 'client',
      certainty: 'suspected',
      foundBy: 'encoder',
      questionItem: null,
    }
  })
}

/** What was left out between two sentences is said. */
const joinWords = (sentences: readonly Said[]): string =>
  sentences.reduce((words, { raw, index, turn }, at) => {
    const before = sentences[at - 1]
    if (before === undefined) return raw.trim()
    const isNext = before.index + 1 === index && before.turn === turn
    return `${words}${isNext ? ' ' : ' … '}${raw.trim()}`
  }, '')

/** What the list has already: of a finding of which the note quotes a part the list has nothing. */
function listedIn(danger: readonly DangerFinding[], quoted: ReadonlySet<Said>): (said: Said) => boolean {
  const quotedItems = new Set([...quoted].flatMap(({ items }) => items))
  const wordsOf = new Map<number, string>()
  for (const { items, words } of danger)
    if (!items.some((item) => quotedItems.has(item)))
      for (const item of items) wordsOf.set(item, `${wordsOf.get(item) ?? ''}\n${words}`)
  return ({ raw, items }) => items.some((item) => wordsOf.get(item)?.includes(raw.trim()) === true)
}

const isAffirmed = ({ standing, certainty, foundBy }: DangerFinding): boolean =>
  standing === 'affirmed' && certainty === 'plain' && foundBy !== 'encoder'

/** What the encoder knows nothing of, by words; 0: nothing. Only where danger was told, and not denied: elsewhere such words are nothing. */
function makeScore(
  affirmed: readonly DangerFinding[],
  transcript: readonly TranscriptItem[],
): (said: Said) => number {
  if (affirmed.length === 0) return () => 0
  const things = listThings(affirmed, transcript)
  const abusedFrom = findAbuse(affirmed)
  return ({ raw, items, words }) => {
    if (items.some((item) => item > abusedFrom) && (leaves.test(raw) || isRiskOfLeaving.test(raw)))
      return leaveScore
    if (words < sentenceWordsMin) return 0
    if (isStep(raw)) return stepScore
    return namesOf(raw).some((name) => things.has(name)) || mayMean.test(raw) ? echoScore : 0
  }
}

/** "Is the engine running when you sit there?", "And if you see things?", which neither encoder nor words of danger know. */
const asksOfMeans = ({ speaker, raw }: Said): boolean =>
  speaker === 'clinician' && raw.includes('?') && meansAsked.test(raw)
const meansAsked =
  /\b(?:engine|motor|car)\b[^.?!]{0,20}\b(?:running|turned on)\b|\b(?:exhaust|tailpipe|carbon monoxide)\b|\b(?:see|sees|seeing|hear|hears|hearing) things\b/i

/** "Lock them up", "I don't want them in the house with you tonight", "bring that bag to the pharmacy". */
const keepsAway =
  /\block(?:ed|ing|s)?(?: \w+){0,3} (?:up|away|in|box)\b|\block ?box\b|\b(?:them|it|those|that|guns?|pills|tablets) (?:out of|in|anywhere in) the house\b|\bget(?:ting)? rid of (?:it|them|those|the)\b|\b(?:give|gave|giving|hand(?:ed|ing)?|bring|take|taking|took|drop)\b[^.?!]{0,30}\b(?:to|at|in(?:to)?) the (?:pharmacy|chemist\w{0,2}|police|station|safe)\b|\b(?:988|911|999|nine eight eight|nine one one|triple zero)\b/i

/** "I do have to let our safeguarding lead know.", "I've got to go over it with my supervisor." */
const mustTell =
  /\b(?:have|['’]ve got|need|obliged|required|got) to (?:let|tell|report|inform|notify|warn|call|ring|phone|go over|make a (?:call|report))\b|\b(?:safeguarding|mandated|mandatory report\w*|child protect\w{3,4}|protective services|duty to)\b/i

const isStep = (text: string): boolean => keepsAway.test(text) || mustTell.test(text)

/** "I near died over page one.", "The rum makes the neighbour's radio very loud.": mostly ways of speaking, but not where danger was told. */
const mayMean =
  /\b(?:near(?:ly)?|almost|could(?:['’]ve| have)) (?:died|killed)\b|\bmakes?\b[^.?!]{0,30}\bloud(?:er)?\b/i

/** The item in which abuse is first told; Infinity: nowhere. */
const findAbuse = (affirmed: readonly DangerFinding[]): number =>
  Math.min(...affirmed.flatMap(({ matter, items }) => (matter === 'abuse' ? items : [])))

/** "Have you thought about leaving?", "six hundred dollars he doesn't know about", "I've got the birth certificate in there": what is said of getting away from somebody violent. */
const leaves =
  /\b(?:think(?:ing)?|thought|plan(?:s|ned|ning)?)\b[^.?!]{0,20}\b(?:leav(?:e|ing)|getting (?:out|away))\b|\b(?:leaving|getting away|getting out) is\b|\b(?:he|she) (?:doesn['’]t|don['’]t|does not) know (?:about|where)\b|\b(?:birth certificates?|passports?|go[- ]bag|packed (?:a|my|the) bag|bag packed|bank card|spare keys?)\b|\b(?:shelter|safe ?house|refuge|protective order|restraining order)\b|\b(?:hid|hidden|hiding|stashed|put away) (?:some |the |my )?(?:money|cash|papers|documents)\b/i
const isRiskOfLeaving =
  /\b(?:leaving|getting away|getting out) is\b|\b(?:most dangerous|riskiest|risky|dangerous) (?:time|moment|part)\b/i

/** A thing is named in few places: what is named in many is what the session is about. */
const thingItemsMax = 8

/** Things that harm is done with, and places where. */
const isMeans =
  /^(?:guns?|rifles?|pistols?|shotguns?|kni(?:fe|ves)|blades?|razors?|hammers?|hatchets?|axes?|ropes?|pills?|tablets|morphine|bleach|trackers?|bridges?|trains?|railway|platform|river|roof|overpass|voices?|cameras?)$/

/** What danger was told with. */
function listThings(
  affirmed: readonly DangerFinding[],
  transcript: readonly TranscriptItem[],
): ReadonlySet<string> {
  const told = new Set(affirmed.flatMap(({ words }) => namesOf(words)))
  const counts = new Map<string, number>()
  for (const { transcript: text } of transcript)
    for (const name of new Set(namesOf(text)))
      if (told.has(name)) counts.set(name, (counts.get(name) ?? 0) + 1)
  return new Set([...counts].flatMap(([name, count]) => (count <= thingItemsMax ? [name] : [])))
}

const namesOf = (text: string): string[] =>
  tokenizeWords(text).flatMap(({ lower }) => (isMeans.test(lower) ? [lower.replace(/s$/, '')] : []))

function withShortBetween(
  faint: readonly Faint[],
  { sentences }: Talk,
  isThere: (said: Said) => boolean,
): Faint[] {
  return faint.flatMap((one, at): Faint[] => {
    const next = faint[at + 1]
    const between = next === undefined ? [] : sentences.slice(one.said.index + 1, next.said.index)
    const isShort = countSaidWords(between) <= betweenWordsMax && !between.some(isThere)
    return [one, ...(isShort ? between.map((said) => ({ said, score: one.score })) : [])]
  })
}

function gather(faint: readonly Faint[]): Faint[][] {
  const stretches: Faint[][] = []
  for (const one of faint) {
    const last = stretches.at(-1)
    if (last !== undefined && one.said.index - (last.at(-1)?.said.index ?? 0) <= gapMax) last.push(one)
    else stretches.push([one])
  }
  return stretches
}

/** Those of the likeliest stretches, until there is no room. */
function choose(stretches: readonly (readonly Faint[])[]): Faint[] {
  const best = (stretch: readonly Faint[]): number => Math.max(...stretch.map(({ score }) => score))
  const chosen: Faint[] = []
  let room = wordsMax
  for (const one of stretches.toSorted((a, b) => best(b) - best(a)).flat()) {
    if (one.said.words > room) continue
    room -= one.said.words
    chosen.push(one)
  }
  return chosen.toSorted((a, b) => a.said.index - b.said.index)
}

/** In the order of the talk, each of so many words as are read in one breath. */
function cutEntries(chosen: readonly Faint[]): Faint[][] {
  const entries: Faint[][] = []
  let words = Infinity
  for (const one of chosen) {
    words += one.said.words
    const last = entries.at(-1)
    if (last === undefined || words > entryWordsMax) {
      entries.push([one])
      words = one.said.words
    } else last.push(one)
  }
  return entries
}

const matters: Readonly<Record<DangerTopic, DangerMatter>> = {
  risk_self: 'suicide',
  risk_others: 'harm_to_others',
  abuse: 'abuse',
  psychosis: 'psychosis',
}

/** Null: no figure says anything. */
function matterOf(items: readonly number[], topics: readonly TopicScores[]): DangerMatter | null {
  const sum = (topic: DangerTopic): number =>
    items.reduce((all, item) => all + (topics[item]?.[topic] ?? 0), 0)
  const best = DANGER_TOPICS.reduce((top, topic) => (sum(topic) > sum(top) ? topic : top))
  return sum(best) > 0 ? matters[best] : null
}
