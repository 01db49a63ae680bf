import type { TranscriptItem } from '@casenote/contract'
import { DANGER_TOPICS, highestDanger, type DangerTopic } from '../../reader/danger/danger-topics.js'
import { makeFindingId } from '../../reader/finding-id.js'
import {
  unpackFigures,
  type DangerFinding,
  type DangerMatter,
  type Finding,
  type Reading,
  type TopicScores,
} from '../../reader/reading.js'
import { countWords, tokenizeWords } from '../../text/tokenize-words.js'

/*
 * What may speak of danger though the reader makes no finding of it: the encoder's low figures, steps that keep the means away,
 * and the things that danger was told with (a hammer, a platform), named once more. One finding of a session at most, merged
 * from its likeliest stretches, and only for the clinician's list: most of it is nothing. The reader's own findings, and what
 * is counted of them, stay as they are.
 */
const stretchesMax = 3
const wordsMax = 120
/** Items nearer to each other than this are one stretch. */
const gapMax = 2
/** "Okay.", "I know." */
const itemWordsMin = 4

/** From here an item may speak of danger, where some was told in words for it and not denied; elsewhere such figures are nothing. */
const faintAt = 0.2
/** Of what is to be done the encoder's figure says more about the plan than about danger. */
const safetyShare = 0.6
/** What was suffered or done long ago may be violence. */
const traumaShare = 0.5
/** What names the means, or a thing of the danger again, comes behind what the encoder suspects, and before its lowest figures. */
const stepScore = 0.5
const echoScore = 0.2
/** Before all: of it there is seldom more than a few sentences, and the encoder knows nothing of them. */
const leaveScore = 0.9

interface Faint {
  item: number
  score: number
}

/** `told`: items that a line of the note quotes. Null: nothing was left. */
export function listFaint(
  transcript: readonly TranscriptItem[],
  reading: Reading,
  told: ReadonlySet<number>,
): DangerFinding | null {
  const { topics } = unpackFigures(reading.figures)
  const affirmed = reading.findings.filter((one) => one.kind === 'danger').filter(isAffirmed)
  if (affirmed.length === 0) return null
  const known = new Set([...told, ...reading.findings.flatMap((one) => (isListed(one) ? one.items : []))])
  const score = makeScore(affirmed, transcript)
  const abusedFrom = findAbuse(affirmed)
  const items = transcript.flatMap(({ transcript: text, source }, item): Faint[] => {
    if (source === 'typed' || countWords(text) < itemWordsMin) return []
    // An item that is quoted for something else may still speak of leaving.
    const isLeaving = item > abusedFrom && leaves.test(text)
    if (known.has(item) && !(isLeaving && isRiskOfLeaving.test(text))) return []
    const own = isLeaving ? leaveScore : score(text, topics[item] ?? {})
    return own >= faintAt ? [{ item, score: own }] : []
  })
  const chosen = choose(gather(items), transcript)
  const [first] = chosen
  if (first === undefined) return null
  const texts = chosen.map((item) => transcript[item]?.transcript.trim() ?? '')
  const words = texts.join(' … ')
  const matter = matterOf(chosen, topics) ?? affirmed[0]?.matter ?? 'suicide'
  return {
    kind: 'danger',
    id: makeFindingId('danger', matter, 'faint', first, words),
    items: chosen,
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
}

/** What the list has already, if the note has not. */
const isListed = (one: Finding): boolean =>
  one.kind === 'danger' || (one.kind === 'decision' && one.about === 'safety_step')

const isAffirmed = ({ standing, certainty, foundBy }: DangerFinding): boolean =>
  standing === 'affirmed' && certainty === 'plain' && foundBy !== 'encoder'

function makeScore(
  affirmed: readonly DangerFinding[],
  transcript: readonly TranscriptItem[],
): (text: string, scores: TopicScores) => number {
  const things = listThings(affirmed, transcript)
  return (text, scores) =>
    Math.max(
      highestDanger(scores),
      safetyShare * (scores.safety_plan ?? 0),
      traumaShare * (scores.trauma_history ?? 0),
      keepsAway.test(text) ? stepScore : 0,
      namesOf(text).some((name) => things.has(name)) ? echoScore : 0,
    )
}

/** "Lock them up", "I don't want them in the house with you tonight", "bring that bag to the pharmacy". */
const keepsAway =
  /\block(?:ed|ing|s)?(?: \w+){0,3} (?:up|away|in|box)\b|\block ?box\b|\b(?:them|it|those|that|guns?|pills|tablets) (?:out of|in|anywhere in) the house\b|\bget(?:ting)? rid of (?:it|them|those|the)\b|\b(?:give|gave|giving|hand(?:ed|ing)?|bring|take|taking|took|drop)\b[^.?!]{0,30}\b(?:to|at|in(?:to)?) the (?:pharmacy|chemist\w{0,2}|police|station|safe)\b|\b(?:988|911|999|nine eight eight|nine one one|triple zero)\b/i

/** Where abuse is first told; Infinity: nowhere. */
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

function gather(items: readonly Faint[]): Faint[][] {
  const stretches: Faint[][] = []
  for (const one of items) {
    const last = stretches.at(-1)
    if (last !== undefined && one.item - (last.at(-1)?.item ?? 0) <= gapMax) last.push(one)
    else stretches.push([one])
  }
  return stretches
}

/** Items of the likeliest stretches, in order, until there is no room. */
function choose(stretches: readonly (readonly Faint[])[], transcript: readonly TranscriptItem[]): number[] {
  const best = (stretch: readonly Faint[]): number => Math.max(...stretch.map(({ score }) => score))
  const chosen: number[] = []
  let words = 0
  for (const stretch of stretches.toSorted((a, b) => best(b) - best(a)).slice(0, stretchesMax))
    for (const { item } of stretch) {
      words += countWords(transcript[item]?.transcript ?? '')
      if (words <= wordsMax) chosen.push(item)
    }
  return chosen.toSorted((a, b) => a - b)
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
