import { namesDanger } from '../../reader/danger/names-danger.js'
import type { Finding, Reading } from '../../reader/reading.js'
import { findGround } from './find-ground.js'
import { countSaidWords, type Said, type Talk } from './read-turns.js'
import { remember } from './remember.js'

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()

export interface Source {
  talk: Talk
  reading: Reading
}

/** The sentences that a finding rests on, and before them what they answer. */
export function quoteFinding(finding: Finding, { talk, reading }: Source): Said[] {
  const there = [...new Set(finding.items.flatMap((item) => talk.byItem[item] ?? []))]
  const words = plain(finding.words)
  const deciding = there.filter((said) => {
    const raw = plain(said.raw)
    return (
      raw !== '' && (` ${words} `.includes(` ${raw} `) || (words !== '' && ` ${raw} `.includes(` ${words} `)))
    )
  })
  const core = inOneItem(deciding.length > 0 ? deciding : there, finding)
  const first = core[0]
  if (first === undefined) return []
  // What somebody typed answers nothing, and needs no ground.
  if (first.isTyped) return core
  const question =
    finding.kind === 'danger' && finding.questionItem !== null
      ? askedIn(finding.questionItem, first, talk)
      : []
  const context = question.length > 0 ? question : findGround(first, talk)
  const answer = isCounter(core, question)
    ? goOnToAnswer(core, talk)
    : core.every((said) => said.asks)
      ? answerTo(core, talk, reading)
      : question.length > 0
        ? restOfTurn(core, talk)
        : []
  return [...new Set([...context, ...core, ...answer])].toSorted((a, b) => a.index - b.index)
}

/** A longer answer is quoted to here. */
const answerWordsMax = 60

/** "No. I mean, Coach would pinch you.": what comes behind a no may take it back. */
function restOfTurn(core: readonly Said[], { turns }: Talk): Said[] {
  const last = core.at(-1)
  const rest: Said[] = []
  let words = countSaidWords(core)
  for (const said of turns[last?.turn ?? -1]?.sentences ?? []) {
    if (said.index <= (last?.index ?? Infinity)) continue
    words += said.words
    if (words > answerWordsMax) break
    rest.push(said)
  }
  return rest
}

const dangerWords =
  /\b(?:suicid|unaliv|switchblade|psycho(?:sis|tic)|hallucinat|paranoi|kill|hurt|harm|dead\b|\bdie[ds]?\b|dying|alive|end (?:it|your life|my life)|unsafe|\bsafe\b|voices?\b|hear(?:ing)? (?:things|someone|people)|\bhit\b|hits\b|hitting|abus|violen|weapon|\bguns?\b|rifle|shotgun|pistol|attempt|overdos|thoughts? (?:of|like|about)|(?<!\b(?:any|a|the|paper|small|little|clean) )\bcut(?:s|ting)?\b|blade|razor|burn(?:t|ed|ing)? (?:my|your|her|him)sel|hang(?:ed|ing)? (?:my|your|him|her)sel|strangl|chok|threat|grab(?:s|bed|bing)? (?:me|you|her|him|them|hold|by|my (?!finger))|punch|slap|beat(?:s|en|ing)?\b|bruis|belt|throttl|watching (?:me|you)|following (?:me|you)|(?:\b(?:is|are|was|were|be|been|being|com(?:e|es|ing)|came)|['’](?:s|re|m)) after (?:me|you)\b|neglect|rape|molest|better off|burden|no point|not (?:be|want to be) here|give up|goodbye)|n.t want to (?:be here|live)/i
/** Of these nobody makes a figure of speech that the reader would call plain. */
const plainest =
  /\b(?:suicid|kill(?:ed|ing)? (?:my|your|him|her|them)sel|(?:end|take|took|ended|ending|taking) (?:my|your|his|her) (?:own )?life|hang(?:ed|ing)? (?:my|him|her|your)self|shot (?:him|her)self|overdos|strangl|chok(?:ed|ing) (?:me|her|him)|rap(?:ed|ing)\b|molest)/i
/** Of the encoder's finding a word for it is asked, too: what has none is a suspicion, however sure it is. */
const foundShareMin = 0.4
/** "As long as it doesn't hit me on the line" has a word for it and nothing else. */
const wordedShareMin = 0.15

/** "Any panic, like where you thought you were dying?": what panic is like. */
const likePanic = /\b(?:panic\w{0,4}|heart|chest|breathe?)\b[^.?!]{0,60}\b(?:dying|(?:going to|gonna) die)\b/i

/** "She was a pistol." */
const likePerson =
  /\b(?:she|he|they|you)(?:['’]s| was| is| were|['’]re) (?:a|such a|quite a) (?:real )?pistol\b/i

const hasWord = (raw: string): boolean =>
  dangerWords.test(raw.replace(likePerson, ' ')) && !likePanic.test(raw)

/** About danger by its words, where the encoder's figure for the sentence does not speak against it. */
export const isDangerTalk = ({ figures, raw }: Said, { byWords }: { byWords: boolean }): boolean =>
  (byWords && plainest.test(raw)) ||
  ((figures.places.danger ?? 0) >= (byWords ? wordedShareMin : foundShareMin) &&
    (hasWord(raw) || (byWords && namesDanger(raw) && !likePerson.test(raw))))

/** Whether it has a word of which nobody makes a figure of speech. */
export const hasPlainestWord = ({ raw }: Said): boolean => plainest.test(raw)

/** Whether a stretch has a word for danger at all. */
export const hasDangerWord = (quoted: readonly Said[]): boolean => quoted.some(isWorded)

const isWorded = remember(
  ({ raw }: Said): boolean => hasWord(raw) || (namesDanger(raw) && !likePerson.test(raw)),
)

/** "Thoughts of killing yourself?" – "Hold on, is that going to hurt?" */
const isCounter = (core: readonly Said[], question: readonly Said[]): boolean =>
  question.length > 0 &&
  core.every(({ raw, speaker }) => speaker !== question[0]?.speaker && raw.trimEnd().endsWith('?'))

const counterSentencesMax = 20
const counterWordsMax = 120
/** "Both. I guess.": fewer words leave it open what was answered. */
const tellingWordsMin = 4

/**
 * All that was said until whoever asked back has told something, to the end of that turn: what answers what, is for the
 * clinician to read.
 */
export function goOnToAnswer(core: readonly Said[], talk: Talk): Said[] {
  const [last] = core.slice(-1)
  const behind: Said[] = []
  if (last === undefined) return behind
  let words = 0
  let telling: number | null = null
  for (const said of talk.sentences.slice(last.index + 1, last.index + 1 + counterSentencesMax)) {
    words += said.words
    if (words > counterWordsMax || (telling !== null && said.turn !== telling)) break
    behind.push(said)
    const isTold = said.speaker === last.speaker && !said.asks && said.turn !== last.turn
    if (isTold && behind.length > 2 && said.words >= tellingWordsMin) telling = said.turn
  }
  return behind
}

/** A question alone says nothing: what was answered, up to the first sentence that is more than "yes". */
function answerTo(asked: readonly Said[], talk: Talk, reading: Reading): Said[] {
  const items = new Set(asked.flatMap((said) => said.items))
  const answered = Object.entries(reading.questionOf).find(([, question]) => items.has(question))?.[0]
  const there = answered === undefined ? [] : (talk.byItem[Number(answered)] ?? [])
  const full = there.findIndex((said) => said.words > 2)
  return there.slice(0, full < 0 ? there.length : full + 1)
}

/** The words are from one item; "No." stands in many: then the one after the question, else the last. */
function inOneItem(sentences: readonly Said[], finding: Finding): Said[] {
  const asked = finding.kind === 'danger' ? (finding.questionItem ?? -1) : -1
  const lengths = new Map<number, number>()
  for (const { items: its, raw } of sentences) {
    for (const item of its) lengths.set(item, (lengths.get(item) ?? 0) + raw.length)
  }
  const lengthIn = (item: number): number => lengths.get(item) ?? 0
  const items = [...lengths.keys()].toSorted(
    (a, b) => lengthIn(b) - lengthIn(a) || (asked < 0 ? b - a : a - b),
  )
  const best = items.find((item) => item > asked) ?? items[0]
  return sentences.filter((said) => best !== undefined && said.items.includes(best))
}

/**
 * The questions of one breath from the first about danger on, so that the answer follows the one that it may be to; none about
 * it: the last ones. Nothing where somebody asked something else since, or so much was said since that it may answer another.
 */
function askedIn(item: number, before: Said, talk: Talk): Said[] {
  const there = (talk.byItem[item] ?? []).filter(
    (said) => said.index < before.index && said.speaker !== before.speaker && !said.isBackchannel,
  )
  const last = there.at(-1)
  if (last === undefined) return []
  const since = talk.sentences.slice(last.index + 1, before.index)
  if (since.some((said) => said.asks && said.speaker !== before.speaker)) return []
  const told = since.filter((said) => !said.isBackchannel)
  if (countSaidWords(told) > betweenWordsMax) return []
  const asking = there.filter((said) => said.asks)
  const asked = asking.length > 0 ? asking : there
  const about = asked.findIndex((said) => isDangerTalk(said, { byWords: false }) || hasWord(said.raw))
  return [...asked.slice(about >= 0 ? about : breathOf(asked)), ...told]
}

/** Where the last questions begin that were asked without anything between them. */
function breathOf(asked: readonly Said[]): number {
  let at = asked.length - 1
  while (at > 0 && (asked[at]?.index ?? 0) - (asked[at - 1]?.index ?? 0) === 1) at -= 1
  return at
}

/** More between a question and the words that are quoted for its answer, and nobody can say that they are. */
const betweenWordsMax = 45
