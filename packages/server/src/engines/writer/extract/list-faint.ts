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
import type { Said, Talk } from './read-turns.js'
import { listTakenUp } from './take-up-danger.js'

/*
 * What may speak of danger though the reader makes no finding of it: the encoder's low figures, steps that keep the means away,
 * and the things that danger was told with (a hammer, a platform), named once more. Only where danger was told, and only for the
 * clinician's list: most of it is nothing. The reader's own findings, and what is counted of them, stay as they are.
 */

/** In 120 tagged sessions the lists of these words left 4 of 897 stretches of danger in neither note nor list; 120 words in one entry left 10. */
const wordsMax = 300
/** One entry of the list holds so many of them: more are not read in one breath. */
const entryWordsMax = 100
/** Items nearer to each other than this are one stretch. */
const gapMax = 2
/** "Okay.", "I know." */
const itemWordsMin = 4

/** From here an item may speak of danger, where some was told in words for it and not denied; elsewhere such figures are nothing. */
const faintAt = 0.05
/** Of what is to be done the encoder's figure says more about the plan than about danger. */
const safetyShare = 0.6
/** What was suffered or done long ago may be violence. */
const traumaShare = 0.7
const protectiveShare = 0.3
/** What names the means, or a thing of the danger again, comes behind what the encoder suspects, and before its lowest figures. */
const stepScore = 0.5
const echoScore = 0.2
/** Words of leaving a violent partner come first: there are seldom more than a few such sentences, and the encoder knows nothing of them. */
const leaveScore = 0.9
/** Of an item that is quoted in part, a sentence that was left out speaks of danger from here by its own figure. */
const cutAt = 0.3

interface Faint {
  item: number
  score: number
  words: string
}

/** `quoted`: what lines of the note hold. The likeliest first, as many as there is room for, in the order of the talk. */
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
  const faint = affirmed.length > 0 ? chooseFaint(transcript, reading, { affirmed, talk, quoted }) : []
  const takenUp = listTakenUp(danger, talk, quoted).flatMap((said): Faint[] => {
    const words = said.map(({ raw }) => raw).join(' ')
    const item = said[0]?.items[0] ?? 0
    return faint.some((one) => one.item === item && one.words.includes(words))
      ? []
      : [{ item, score: 1, words }]
  })
  return cutEntries([...faint, ...takenUp].toSorted((a, b) => a.item - b.item)).map((entry) => {
    const words = entry.map((one) => one.words).join(' … ')
    const at = [...new Set(entry.map(({ item }) => item))]
    const matter = matterOf(at, topics) ?? told.matter
    return {
      kind: 'danger',
      id: makeFindingId('danger', matter, 'faint', at[0] ?? 0, words),
      items: at,
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

/** What may speak of danger, until there is no room for more. */
function chooseFaint(
  transcript: readonly TranscriptItem[],
  reading: Reading,
  { affirmed, talk, quoted }: { affirmed: readonly DangerFinding[]; talk: Talk; quoted: ReadonlySet<Said> },
): Faint[] {
  const { topics } = unpackFigures(reading.figures)
  const listed = listItems(reading.findings)
  const score = makeScore(affirmed, transcript)
  const abusedFrom = findAbuse(affirmed)
  const items = transcript.flatMap(({ transcript: text, source }, item): Faint[] => {
    if (source === 'typed' || countWords(text) < itemWordsMin) return []
    const isLeaving = item > abusedFrom && leaves.test(text)
    const said = talk.byItem[item] ?? []
    // An item that is quoted for something else may still speak of leaving.
    if (isLeaving && isRiskOfLeaving.test(text)) return [{ item, score: leaveScore, words: text.trim() }]
    if (said.some((one) => quoted.has(one))) return listCut(item, said, quoted)
    const own = listed.get(item)
    // Of what is listed for something else, the list has these words alone; of a long stretch of danger it has not the end.
    if (own === null)
      return listCut(
        item,
        said.filter(({ raw }) => isStep(raw)),
        quoted,
      )
    if (own !== undefined)
      return listCut(
        item,
        said.filter(({ raw }) => !own.includes(raw)),
        quoted,
      )
    const sentences = said.map(({ figures }) => figures.places.danger ?? 0)
    const figure = isLeaving ? leaveScore : Math.max(score(text, topics[item] ?? {}), ...sentences)
    return figure >= faintAt ? [{ item, score: figure, words: text.trim() }] : []
  })
  const isQuoted = (item: number): boolean => (talk.byItem[item] ?? []).some((one) => quoted.has(one))
  const answers = listAnswers(transcript, { items, listed, isQuoted })
  const chosen = choose(gather([...items, ...answers].toSorted((a, b) => a.item - b.item)))
  return fillGaps(transcript, chosen, isQuoted)
}

/** One turn that was left out behind a question, or between two entries, is as long as this; in one session they have so many words. */
const gapTurnWordsMax = 25
const gapWordsMax = 80

/** "Yeah, well."; "By yourself?" is none. */
const isNod = (text: string): boolean => countWords(text) < itemWordsMin && !text.trimEnd().endsWith('?')

/** "What do you want her to know?" … "We'll start with that.": what was said between them stands there, too. */
function fillGaps(
  transcript: readonly TranscriptItem[],
  chosen: readonly Faint[],
  isQuoted: (item: number) => boolean,
): Faint[] {
  const there = new Set(chosen.map(({ item }) => item))
  let room = gapWordsMax
  const filled = chosen.flatMap(({ item, words: listed }): Faint[] => {
    const next = transcript[item + 1]
    if (next === undefined || next.source === 'typed' || there.has(item + 1) || isQuoted(item + 1)) return []
    const isAsked = listed.trimEnd().endsWith('?')
    const words = countWords(next.transcript)
    if (!isAsked && (!there.has(item + 2) || isNod(next.transcript))) return []
    if (words === 0 || words > gapTurnWordsMax || words > room) return []
    room -= words
    return [{ item: item + 1, score: answerScore, words: next.transcript.trim() }]
  })
  return [...chosen, ...filled].toSorted((a, b) => a.item - b.item)
}

/** "I took four." is quoted, "I'd have taken the rest." behind it is not. */
function listCut(item: number, said: readonly Said[], quoted: ReadonlySet<Said>): Faint[] {
  const left = said.filter(
    (one) =>
      !quoted.has(one) &&
      one.words >= itemWordsMin &&
      ((one.figures.places.danger ?? 0) >= cutAt || isStep(one.raw)),
  )
  const scores = left.map(({ figures }) => figures.places.danger ?? 0)
  return left.length === 0
    ? []
    : [{ item, score: Math.max(stepScore, ...scores), words: left.map(({ raw }) => raw).join(' ') }]
}

/** What the list has already, if the note has not: of danger all that was said (null), of a step to be safe the words of it. */
function listItems(findings: readonly Finding[]): ReadonlyMap<number, string | null> {
  const listed = new Map<number, string | null>()
  for (const one of findings) {
    if (one.kind === 'decision' && one.about === 'safety_step')
      for (const item of one.items) listed.set(item, `${listed.get(item) ?? ''} ${one.words}`)
  }
  for (const one of findings) if (one.kind === 'danger') for (const item of one.items) listed.set(item, null)
  return listed
}

/** A short answer to what is only asked in the list would be in neither: "Sealed tins." to "What do you eat?" */
const answerScore = 0.3

function listAnswers(
  transcript: readonly TranscriptItem[],
  {
    items,
    listed,
    isQuoted,
  }: {
    items: readonly Faint[]
    listed: ReadonlyMap<number, string | null>
    isQuoted: (item: number) => boolean
  },
): Faint[] {
  const there = new Set([...items.map(({ item }) => item), ...listed.keys()])
  const asked = [...there].filter(
    (item) => !isQuoted(item) && transcript[item]?.transcript.trimEnd().endsWith('?') === true,
  )
  return asked.flatMap((item): Faint[] => {
    const [question, answer] = [transcript[item], transcript[item + 1]]
    if (answer === undefined || answer.speaker === question?.speaker || answer.source === 'typed') return []
    if (there.has(item + 1) || isQuoted(item + 1)) return []
    return [{ item: item + 1, score: answerScore, words: answer.transcript.trim() }]
  })
}

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
      protectiveShare * (scores.protective ?? 0),
      isStep(text) ? stepScore : 0,
      namesOf(text).some((name) => things.has(name)) || mayMean.test(text) ? echoScore : 0,
    )
}

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

/** Those of the likeliest stretches, until there is no room. */
function choose(stretches: readonly (readonly Faint[])[]): Faint[] {
  const best = (stretch: readonly Faint[]): number => Math.max(...stretch.map(({ score }) => score))
  const chosen: Faint[] = []
  let room = wordsMax
  for (const one of stretches.toSorted((a, b) => best(b) - best(a)).flat()) {
    const words = countWords(one.words)
    if (words > room) continue
    room -= words
    chosen.push(one)
  }
  return chosen.toSorted((a, b) => a.item - b.item)
}

/** In the order of the talk, each of so many words as are read in one breath. */
function cutEntries(chosen: readonly Faint[]): Faint[][] {
  const entries: Faint[][] = []
  let words = Infinity
  for (const one of chosen) {
    words += countWords(one.words)
    const last = entries.at(-1)
    if (last === undefined || words > entryWordsMax) {
      entries.push([one])
      words = countWords(one.words)
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
