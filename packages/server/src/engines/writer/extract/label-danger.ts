import type { Standing } from '../../reader/reading.js'
import { countWords, tokenizeWords } from '../../text/tokenize-words.js'
import { readAskedDanger, type AskedDanger } from './asked-danger.js'
import type { Said, Talk } from './read-turns.js'

/**
 * "Suicidal thoughts: denied.": what was asked by the question's own words, and a plain yes, a plain no or a plain evasion to it; or
 * what the client says of it in so many words. In doubt nothing: a quote without a mark is always true.
 */
export function labelDanger(quoted: readonly Said[], talk: Talk): string {
  const marks = new Map<string, Set<Standing>>()
  const mark = (name: string, standing: Standing): void => {
    marks.set(name, (marks.get(name) ?? new Set()).add(standing))
  }
  const isClients = makeClientFinder(talk)
  const isQuoted = new Set(quoted)
  // What comes behind a no, here or to another question, may take it back.
  const isDeniedToTheEnd = quoted.every(
    (said) => !isClients(said) || said.isBackchannel || isBareNo(said.raw) || isEcho(said.raw),
  )
  for (const [asked, first] of pairsOf(quoted, talk, isClients)) {
    const standing = readStanding(asked, answerFrom(first, isQuoted, talk))
    const names = standing === 'affirmed' && !asked.isSingle ? [] : asked.names
    if (standing === null || (standing === 'denied' && !isDeniedToTheEnd)) continue
    for (const name of names) mark(withTime(name, standing, asked, first), standing)
  }
  for (const said of quoted)
    if (isClients(said) && !said.asks) for (const name of nameTold(said.raw)) mark(name, 'affirmed')
  const told = [...marks].flatMap(([name, standings]) =>
    standings.size === 1 ? [`${name}: ${[...standings].join()}`] : [],
  )
  return told.length > 0 ? `${told.join('; ')}.` : ''
}

/** Of two who speak with the clinician, a mark would have to say of whom it is. */
function makeClientFinder({ turns }: Talk): (said: Said) => boolean {
  const others = new Set(turns.map(({ speaker }) => speaker).filter((speaker) => speaker !== 'clinician'))
  return ({ speaker, isTyped }) =>
    speaker !== 'clinician' && !isTyped && (speaker === 'client' || others.size === 1)
}

/** Each question about danger with the first sentence that answers it. */
function pairsOf(
  quoted: readonly Said[],
  talk: Talk,
  isClients: (said: Said) => boolean,
): [AskedDanger, Said][] {
  return quoted.flatMap((said, at): [AskedDanger, Said][] => {
    const before = quoted[at - 1]
    if (before?.speaker !== 'clinician' || !isClients(said)) return []
    const between = talk.sentences.slice(before.index + 1, said.index)
    if (!between.every((one) => one.isBackchannel || one.turn === before.turn)) return []
    const asked = readBreath(before.turn, talk)
    return asked === null ? [] : [[asked, said]]
  })
}

/** Without one of these a sentence goes on with the question before it: "Have you had thoughts? Of killing yourself?" */
const isFramed =
  /\b(?:have|has|had|do|does|did|are|is|was|were|any|ever|thoughts?|been|would|could|no|nothing)\b/i

const tellsYou = /\b(?:voices?|tell(?:s|ing)? you)\b/i

/** The last question of a turn, where what was asked behind it is nothing else. */
function readBreath(turn: number, { turns }: Talk): AskedDanger | null {
  const questions: string[] = []
  for (const { asks, raw } of turns[turn]?.sentences ?? []) {
    if (!asks) continue
    const last = questions.at(-1)
    if (last === undefined || isFramed.test(raw)) questions.push(raw)
    else questions[questions.length - 1] = `${last.replace(/\?\s*$/, '')}, ${raw}`
  }
  const asked = readAskedDanger(questions.at(-1) ?? '')
  // "Does the voice tell you things? Anything to do with hurting yourself?"
  if (questions.slice(0, -1).some((raw) => tellsYou.test(raw))) return null
  return asked === null ? null : { ...asked, isSingle: asked.isSingle && questions.length === 1 }
}

/** To the end of its turn, whether quoted or not, and what the same person says behind it before the clinician goes on. */
function answerFrom(first: Said, isQuoted: ReadonlySet<Said>, { turns, sentences }: Talk): string[] {
  const own = (turns[first.turn]?.sentences ?? []).filter(({ index }) => index >= first.index)
  const behind: Said[] = []
  for (let at = (own.at(-1)?.index ?? first.index) + 1; at < sentences.length; at += 1) {
    const said = sentences[at]
    if (said === undefined || said.speaker === 'clinician') break
    if (said.speaker === first.speaker && isQuoted.has(said)) behind.push(said)
  }
  const told = [...own, ...behind].filter(({ isBackchannel }) => !isBackchannel || own.length === 1)
  return withoutEcho(told.map(({ raw }) => raw.toLowerCase().replaceAll('’', "'").trim()))
}

/** "Anybody hurting you?" "Me? No.": what is asked back is no answer. */
const withoutEcho = (answers: string[]): string[] =>
  answers.length > 1 && isEcho(answers[0] ?? '') ? answers.slice(1) : answers
const isEcho = (raw: string): boolean => raw.endsWith('?') && countWords(raw) <= echoWordsMax
const echoWordsMax = 3

const lead = '^(?:\\W|(?:um+|uh+|oh|ah|well|god|gosh|lord|honestly|look)\\b)*'
const ends = '(?=\\W*$|[.,;:!?—-])'
const plainNo = new RegExp(
  `${lead}(?:(?:no|nope|nah|naw)\\b(?! (?:more|less|idea|comment|doubt|wonder|problem|matter))|never\\b|none\\b|neither\\b|not at all|not once|nothing(?: like that| at all)?${ends}|(?:absolutely|definitely|of course) not|i (?:don't|haven't|didn't|wouldn't|am not|do not|have not)${ends}|i'm not${ends}|i(?:'d| would) never${ends})`,
)
const plainYes = new RegExp(
  `${lead}(?:(?:yes|yeah|yea|yep|yup|aye|uh.?huh)\\b(?![, ]+(?:no|nah|not|right|but)\\b)|i (?:do|have|am|did|was|have been)${ends}|(?:sometimes|often|once|twice|all the time|off and on|on and off|every (?:day|night)|(?:some|most) (?:days|nights|mornings|times)|a (?:few|couple)(?: of)? times)${ends})`,
)
const evades = new RegExp(
  `${lead}(?:not really|not exactly|kind of|kinda|sort of|i don't know|i dunno|dunno|hard to say|i guess|maybe|(?:it )?depends|(?:i'm )?not sure)\\b`,
)
const negates = /\b(?:no|not|never|none|nothing|nah|nope|nobody|stopped)\b|n't\b/i
/** Words that an answer may have beside its yes or no without saying anything else. */
const idle =
  'um uh oh ah hm well god gosh lord honestly really absolutely definitely thank you thanks sir maam doctor doc okay me'
const noWords = wordsOf(
  'no nope nah naw never none neither nothing not i im dont havent didnt wouldnt at all ever like that them those any',
)
const yesWords = wordsOf(
  'yes yeah yea yep yup aye at in i do have am did been was sometimes often once twice all the a time times on off and every day days night nights morning mornings most some few couple of',
)
function wordsOf(own: string): ReadonlySet<string> {
  return new Set(`${own} ${idle}`.split(' '))
}
const saysOnly = (raw: string, words: ReadonlySet<string>): boolean =>
  tokenizeWords(raw).every(({ lower }) => words.has(lower.replaceAll("'", '')))
/** "No thoughts.", "Not once.", "Of course not." */
const longNo = /\bno (?:thoughts?|plans?|ideas?|guns?|voices)\b|\bnot (?:even )?once\b|\bof course not\b/gi
/** "No. Never, not once." and nothing else; "never a day without" has more, and "No, I did". */
const isBareNo = (raw: string): boolean => negates.test(raw) && saysOnly(raw.replace(longNo, 'no'), noWords)

const evasiveWordsMax = 12

/** Nothing but a no is a denial, nothing but a yes an affirmation: whatever else is said may turn it. */
function readStanding(asked: AskedDanger, answers: readonly string[]): Standing | null {
  const [first = ''] = answers
  const all = answers.join(' ')
  if (evades.test(first)) return countWords(all) <= evasiveWordsMax ? 'unclear' : null
  // "Any of that with Rick?" "He never hit me.": of one person or one kind, and the mark would be of all.
  if (plainNo.test(first)) return !isOfViolence(asked) && answers.every(isBareNo) ? 'denied' : null
  return plainYes.test(first) && saysOnly(all, yesWords) ? 'affirmed' : null
}

const isOfViolence = ({ names }: AskedDanger): boolean =>
  names.some((name) => /^(?:Violence|Threats)/.test(name))

const isOfThen =
  /\b(?:did|were|was|had) (?:you|he|she|they|there|any ?(?:one|body))\b|\bback then\b|\bat the time\b|\bthat night\b|\bgrowing up\b|\bas a (?:kid|child)\b|\bin the past\b/
const isOfNow =
  /\b(?:lately|recent\w{0,2}|this (?:week|month)|today|now|currently|these days|(?:last|past) (?:few|two|couple|week|month))\b/
const everAsked = /\b(?:have|has|had|was there|did) .{0,30}\bever\b/
const tellsOfThen =
  /\b(?:used to|years? ago|months? ago|when i was|back (?:then|in)|in (?:19|20)\d\d|as a (?:kid|child|teenager)|at school)\b/i

/** An attempt is always of the past. */
function withTime(name: string, standing: Standing, { plain }: AskedDanger, first: Said): string {
  if (name === 'Suicide attempt' || name.startsWith('Weapons') || isOfNow.test(plain)) return name
  if (isOfThen.test(plain) || (standing === 'affirmed' && tellsOfThen.test(first.raw)))
    return `${name} (past)`
  return standing === 'affirmed' && everAsked.test(plain) ? `${name} (at some time)` : name
}

const relative =
  '(?:he|she|they|(?:step)?(?:dad|father|mom|mum|mother|brother|sister|son)|husband|wife|boyfriend|girlfriend|partner|ex|uncle|cousin|coach)'
const adverbs = "(?: (?:just|then|also|always|would|used to|has|had|even|once|actually|really)|'d|'s)"

/** What somebody says of danger in so many words. */
const told: readonly (readonly [string, RegExp])[] = [
  [
    'Suicidal thoughts',
    /\bi(?:'ve| have|'m| am)?(?: (?:been|do|still|just|sometimes|always|keep|had|have)){0,3} (?:think(?:ing)?|thoughts?)(?: a lot)? (?:about|of) (?:killing myself|suicide|ending my life|taking my (?:own )?life)\b/,
  ],
  [
    'Wish to be dead',
    /\bi (?:just |really |still )*(?:want to|wanna) (?:die|be dead)\b|\bi wish i (?:was|were) dead\b/,
  ],
  [
    'Suicide attempt',
    /\bi(?:'ve| have)?(?: (?:once|even|actually|already))? (?:tried to|attempted to) (?:kill myself|end my life|take my (?:own )?life|hang myself)\b|\bi attempted suicide\b/,
  ],
  [
    'Violence or abuse',
    new RegExp(
      `\\b${relative}${adverbs}{0,3} (?:hit|hits|beat|beats|chok(?:es|ed)|strangl(?:es|ed)|raped|molested)(?: on)? (?:me|us)\\b(?! (?:\\w{1,8} )?(?:up|with)\\b)`,
    ),
  ],
  ['Voices', /\bi(?:'m| am)?(?: (?:still|do|always))? hear(?:ing)? (?:the |these )?voices\b/],
  [
    'Suicide (another person)',
    new RegExp(
      `\\b(?:${relative}|friend)${adverbs}{0,2} (?:(?:killed|hanged|hung|shot) (?:him|her)self|took (?:his|her) own life|died by suicide)\\b`,
    ),
  ],
  [
    'Suicide attempt (another person)',
    new RegExp(
      `\\b(?:${relative}|friend)${adverbs}{0,2} (?:tried to kill (?:him|her)self|attempted suicide)\\b`,
    ),
  ],
]
const isSupposed = /\b(?:if|would|could|might|like|joke|joking|kidding|said|says|told|almost|dream\w{0,3})\b/

function nameTold(raw: string): string[] {
  const plain = raw.toLowerCase().replaceAll('’', "'")
  if (negates.test(plain) || isSupposed.test(plain)) return []
  return told.flatMap(([name, words]) => (words.test(plain) ? [name] : []))
}
