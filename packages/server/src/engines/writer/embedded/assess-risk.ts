import { hasNegation } from '../text/find-negation.js'
import { countWords } from '../text/tokenize-words.js'
import { readAsked } from './ask-indirectly.js'
import type { NameHider } from './hide-names.js'
import { readAnswer } from './read-answer.js'
import type { Role, Session, Spoken } from './read-session.js'
import type { Statement } from './statement.js'
import { isMachineTalk } from './topics.js'

/** The elements of a risk assessment that are asked for one by one; each is denied only if it was asked and denied. */
const elements = {
  past_attempts: /\b(?:attempts?|attempted|tried to (?:kill|hurt|end)|ever tried)\b/i,
  homicidal_ideation:
    /\b(?:homicid\w*|(?:hurt|harm|kill)(?:ing)? (?:anyone|someone|somebody|anybody|others|other people|him|her|them))\b/i,
  suicidal_ideation:
    /\bsuicid\w*|\bkill(?:ing)? yourself|\bend(?:ing)? (?:your (?:own )?life|it all)|\bbetter off dead|\bnot (?:want\w* to )?(?:be here|be alive|wake up)|\bnot waking up|\blife (?:isn't|is not|wasn't|not) worth|\b(?:hurt|harm)(?:ing)? yourself|\bwant(?:ing)? to die|\bwish(?:ing|ed)? you were(?:n't alive| dead)|\bdark thoughts\b/i,
  nssi: /\b(?:self.?harm\w*|cut(?:ting)?\b|burn(?:ing)? yourself|hurt(?:ing)? yourself on purpose)/i,
  means: /\b(?:guns?|firearms?|weapons?|rifles?|pistols?|access to|stockpil\w*)\b/i,
} as const

type Element = keyof typeof elements | 'plan' | 'intent'

/** Whether a question is part of a risk assessment, whatever its answer. */
export const isRiskQuestion = (text: string): boolean =>
  Object.values(elements).some((pattern) => pattern.test(text))

const planAsked = /\b(?:a|any) plan\b|\bthought about how\b|\bhow you (?:would|might|'d)\b|\bmethod\b/i
const intentAsked = /\binten(?:d|t|tion)\w*\b|\bact(?:ing)? on\b|\bgo through with\b/i

export interface RiskReading {
  statements: readonly Statement[]
  /** Orders of the sentences that are spoken for. */
  consumed: ReadonlySet<number>
  isSuicideDiscussed: boolean
  isHarmToOthersDiscussed: boolean
  /** Items in which an endorsed risk is being talked over. */
  isWithinRisk: (spoken: Spoken) => boolean
}

/** Questions and what they cover: the talk goes on about plan and intent for some turns after ideation came up. */
const followUpItems = 8

const findElement = (question: Spoken, riskItem: number): Element | null => {
  const isFollowUp = riskItem >= 0 && question.item - riskItem <= followUpItems
  if (isFollowUp && intentAsked.test(question.clean)) return 'intent'
  if (isFollowUp && planAsked.test(question.clean)) return 'plan'
  const found = Object.entries(elements).find(([, pattern]) => pattern.test(question.clean))
  return (found?.[0] as Element | undefined) ?? null
}

/** Rule table 1.5 of the clinical sheet: state by element, each from a question and its answer, or from what was volunteered. */
export const assessRisk = (session: Session, names: NameHider): RiskReading => {
  const statements: Statement[] = []
  const consumed = new Set<number>()
  const discussed = new Set<Element>()
  let riskItem = -1
  let endorsedItem = -1
  let suicideItem = -1
  for (const spoken of session.sentences) {
    if (isMachineTalk(spoken.said)) continue
    const read =
      spoken.role === 'clinician'
        ? readRiskQuestion(spoken, session, { riskItem, suicideItem }, names)
        : readVolunteered(spoken, consumed, names)
    if (read === null) continue
    statements.push(read.statement)
    for (const order of read.orders) consumed.add(order)
    discussed.add(read.element)
    riskItem = spoken.item
    if (read.element === 'suicidal_ideation') suicideItem = spoken.item
    if (read.isEndorsed && read.element === 'suicidal_ideation') endorsedItem = spoken.item
  }
  return {
    statements,
    consumed,
    isSuicideDiscussed: ['suicidal_ideation', 'plan', 'intent', 'past_attempts'].some((element) =>
      discussed.has(element as Element),
    ),
    isHarmToOthersDiscussed: discussed.has('homicidal_ideation'),
    isWithinRisk: ({ item, question }) =>
      endorsedItem >= 0 &&
      item >= endorsedItem &&
      item <= endorsedItem + 2 * followUpItems &&
      (item <= endorsedItem + 1 || (question !== null && riskFollowUp.test(question.clean))),
  }
}

/** "There was an attempt. Can you tell me about it?" */
const findElementBefore = ({ previous, clean }: Spoken): Element | null =>
  previous !== null && /\b(?:it|that|this)\b/i.test(clean) && !isAboutAnother(previous.clean)
    ? findElement(previous, -1)
    : null

/** What is asked once somebody has said yes: how often, what holds them, who is there, the parts of a safety plan. */
const riskFollowUp =
  /\b(?:how (?:often|long|strong|intense)|come up|keeps? you|stops? you|guns?|locked|anyone (?:at home|with you)|who (?:could|can|would|do) you|call\b|sign\b|by yourself|safe|happens? when|those thoughts|when (?:do|does|did))\b/i

interface RiskFinding {
  statement: Statement
  orders: readonly number[]
  element: Element
  isEndorsed: boolean
}

const readRiskQuestion = (
  question: Spoken,
  session: Session,
  { riskItem, suicideItem }: { riskItem: number; suicideItem: number },
  names: NameHider,
): RiskFinding | null => {
  if (!question.asks) return null
  const element = findElement(question, riskItem) ?? findElementBefore(question)
  if (element === null || isAboutAnother(question.clean) || asksToAgree(question.clean)) return null
  const answers = session.sentences.filter((spoken) => spoken.question === question).slice(0, 5)
  const [first] = answers
  const matter = nameMatter(element, question, answers, names)
  if (first === undefined) return wordUnanswered(element, matter, question, session)
  const isFollowUp =
    riskItem >= 0 &&
    question.item - riskItem <= followUpItems &&
    !elements.suicidal_ideation.test(question.clean)
  const items = [
    ...new Set([
      ...(isFollowUp && suicideItem >= 0 ? [suicideItem, suicideItem + 1] : []),
      question.item,
      ...answers.map(({ item }) => item),
    ]),
  ]
  const isBefore = findElement(question, riskItem) === null
  const { text, isEndorsed, orders } = isBefore
    ? wordTold(element, answers, names)
    : wordFinding(element, matter, answers, names)
  if (text === null) return null
  return {
    statement: toStatement(text, question.order, items, first.role),
    orders: [question.order, ...orders],
    element,
    isEndorsed,
  }
}

/** Only the last question before the client speaks is answered; one that nobody answered is said to be open. */
const wordUnanswered = (
  element: Element,
  matter: string,
  question: Spoken,
  session: Session,
): RiskFinding | null => {
  const isAnsweredTogether = session.sentences.some(
    ({ item, asks, order, clean }) =>
      item === question.item && asks && order > question.order && isRiskQuestion(clean),
  )
  if (isAnsweredTogether || !/[a-z]/.test(matter)) return null
  const text = `clinician asked about ${matter}, unanswered; clinician review required`
  return {
    statement: toStatement(text, question.order, [question.item], 'clinician'),
    orders: [question.order],
    element,
    isEndorsed: false,
  }
}

const toStatement = (text: string, order: number, items: readonly number[], role: Role): Statement => ({
  kind: 'risk',
  order,
  items,
  role,
  topics: [],
  asked: [],
  text,
  frame: null,
  bare: null,
  score: 10,
  isMandatory: true,
})

const labels: Readonly<Record<Element, string>> = {
  suicidal_ideation: 'suicidal ideation',
  past_attempts: 'past suicide attempts',
  homicidal_ideation: 'thoughts of hurting someone',
  nssi: 'self-harm',
  means: 'access to firearms',
  plan: 'a plan',
  intent: 'intent',
}

/** The question's own words wherever they can be had, so that no more is denied than was asked. */
const nameMatter = (
  element: Element,
  question: Spoken,
  answers: readonly Spoken[],
  names: NameHider,
): string => {
  const own = answers
    .map(({ clean }) => /\bI (?:don't|do not) have (?:a |any )?(plan|intent\w*)/i.exec(clean)?.[1])
    .find((word) => word !== undefined)
  if (own !== undefined && (element === 'plan' || element === 'intent'))
    return own.toLowerCase() === 'plan' ? 'having a plan' : `having ${own.toLowerCase()}`
  const asked = readAsked(names.hide(question.clean)).matter
  return asked !== null && countWords(asked) <= 14 && !/\b(?:that|those|it)$/i.test(asked)
    ? asked
    : (ownWords(element, question.clean) ?? labels[element])
}

/** Deny only what was asked: thoughts of killing oneself are not all of suicidal ideation. */
const ownWords = (element: Element, question: string): string | null => {
  if (element !== 'suicidal_ideation') return null
  const verb = /\b(kill|hurt|harm|end)(?:ing)? (yourself|your (?:own )?life|it all)/i.exec(question)
  if (verb === null) return /\bsuicid/i.test(question) ? 'thoughts of suicide' : null
  const whom = (verb[2] ?? '').toLowerCase().replace('yourself', 'themselves').replace('your', 'their')
  return `thoughts of ${(verb[1] ?? '').toLowerCase()}ing ${whom}`
}

const doubled = /\bnot not\b|\bnever say never\b|\b(?:i'd|i would) never\b[^.]*\bbut\b|\bno,? but\b/i
const past =
  /\b(?:when i was|back (?:in|then)|in (?:\w+ grade|college|high school|middle school|my (?:teens|twenties)|(?:19|20)\d\d)|years? ago|used to|as a (?:kid|teen\w*|child)|last (?:year|spring|summer|fall|winter)|in the past|a long time ago)\b/i
const passive =
  /\b(?:wake up|waking up|better off dead|not be here|n't be here|disappear|not exist|worth living|easier if)\b/i
const active = /\b(?:kill myself|suicide|end my life|take my life|hang myself|overdose|shoot myself)\b/i

const thoughtOfIt = /\bI(?:'ve| have)? (?:thought|was thinking|think) about (?:it|that|doing it)\b/i

interface Finding {
  text: string | null
  isEndorsed: boolean
  orders: readonly number[]
}

const wordFinding = (
  element: Element,
  matter: string,
  answers: readonly Spoken[],
  names: NameHider,
): Finding => {
  const said = answers.map((spoken) => spoken.said).join(' ')
  const client = answers[0]?.role === 'client' ? 'client' : 'a participant'
  const answer = doubled.test(said) ? 'unclear' : readAnswer(said)
  const quote = findQuote(answers, names)
  const opening = answer === 'unclear' ? openingWords(answers, names) : null
  const quoted = quote === null ? '' : ` ("${opening ?? quote.text}")`
  const orders = answers
    .slice(0, 1)
    .map(({ order }) => order)
    .concat(quote === null ? [] : [quote.order])
  if (answer === 'no') {
    const isFirm =
      quote !== null && countWords(quote.text) > 2 && !/^no\b/i.test(quote.text) && hasNegation(quote.text)
    const isHistory = quote !== null && past.test(quote.text)
    return {
      text: `${client} denied ${matter} when asked${isFirm || isHistory ? quoted : ''}`,
      isEndorsed: false,
      orders: [...orders, ...answers.filter(({ clean }) => countWords(clean) < 4).map(({ order }) => order)],
    }
  }
  // Two things were asked at once, and one of them was answered.
  if (/\b(?:the )?(?:first|second|former|latter|other) (?:one|part)\b/i.test(said) && quote !== null)
    return { text: `asked about ${matter}, ${client} responded, "${quote.text}"`, isEndorsed: true, orders }
  const told = answers.find((spoken) => thoughtOfIt.test(spoken.said))
  if (answer === 'other' && told !== undefined) {
    const words = clipTo(told.said, thoughtOfIt)
    return names.hide(words) === words
      ? { text: `asked about ${matter}, ${client} responded, "${words}"`, isEndorsed: true, orders: [...orders, told.order] }
      : { text: `${client} endorsed ${matter}`, isEndorsed: true, orders }
  }
  const isHistorical = past.test(said) && !/\b(?:now|still|lately|this week|today)\b/i.test(said)
  if (element === 'means' && answer === 'other') return { text: null, isEndorsed: false, orders: [] }
  if (isHistorical && answer !== 'unclear' && (answer === 'yes' || isOfThatTime(quote?.text ?? '')))
    return {
      text: `${client} reported past ${element === 'homicidal_ideation' ? matter : matterOfPast(element)}${quoted}`,
      isEndorsed: false,
      orders,
    }
  if (
    answer === 'yes' ||
    (answer === 'other' &&
      (passive.test(said) ||
        active.test(said) ||
        (countWords(said) <= shortAnswerWords &&
          /\b(?:times|every|once|twice|often|days|nights)\b/i.test(said))))
  ) {
    const isPassive = element === 'suicidal_ideation' && passive.test(said) && !active.test(said)
    return {
      text: `${client} endorsed ${isPassive ? 'passive suicidal ideation' : matter}${quoted}`,
      isEndorsed: true,
      orders,
    }
  }
  if (
    answer === 'other' &&
    quote !== null &&
    element !== 'suicidal_ideation' &&
    element !== 'homicidal_ideation'
  )
    return { text: `asked about ${matter}, ${client} responded, "${quote.text}"`, isEndorsed: true, orders }
  return {
    text: `asked about ${matter}, ${client} gave an unclear response${quoted}; clinician review required`,
    isEndorsed: false,
    orders,
  }
}

/** An answer that says neither yes nor no tells of the past only if it speaks of the thing asked. */
const isOfThatTime = (quote: string): boolean =>
  past.test(quote) &&
  /\b(?:thought|think|thoughts|tried|suicid\w*|kill|wanted|took|hurt|cut|scratch\w*|it)\b/i.test(quote)

/** The matter stands in a statement of the clinician: only the client's own words tell of it. */
const wordTold = (element: Element, answers: readonly Spoken[], names: NameHider): Finding => {
  const quote = findQuote(answers, names)
  if (quote === null || countWords(quote.text) < 4) return { text: null, isEndorsed: false, orders: [] }
  return {
    text: `asked about ${labels[element]}, ${answers[0]?.role === 'client' ? 'client' : 'a participant'} responded, "${quote.text}"`,
    isEndorsed: false,
    orders: [quote.order],
  }
}

const matterOfPast = (element: Element): string =>
  element === 'suicidal_ideation' ? 'suicidal thoughts' : labels[element].replace(/^past /, '')

/** "Every night." answers how it is; a longer sentence with "every" in it may be about anything. */
const shortAnswerWords = 6

/** As long as a quote may be (clinical style), and as short as it may be without losing its sense. */
const quoteWordsMax = 15

/** The words up to and with what tells, as many as a quote may have. */
const clipTo = (said: string, telling: RegExp): string => {
  const match = telling.exec(said)
  const end = match === null ? said.length : match.index + match[0].length
  return said.slice(0, end).split(' ').slice(-quoteWordsMax).join(' ').replaceAll('"', "'")
}

/** An evasive answer is best known by how it begins. */
const openingWords = (answers: readonly Spoken[], names: NameHider): string | null => {
  let text = ''
  for (const { said } of answers) {
    const longer = `${text} ${said}`.trim()
    if (countWords(longer) > quoteWordsMax || names.hide(longer) !== longer) break
    text = longer
  }
  return text === '' ? null : text.replace(/[.!?…"]+$/g, '').replaceAll('"', "'")
}

const findQuote = (answers: readonly Spoken[], names: NameHider): { text: string; order: number } | null => {
  const candidates = answers
    .map(({ said, order }) => ({
      text: said
        .replace(/[.!?…"]+$/g, '')
        .replaceAll('"', "'")
        .trim(),
      order,
    }))
    .filter(
      ({ text }) => names.hide(text) === text && countWords(text) <= quoteWordsMax && !isMachineTalk(text),
    )
  const weight = ({ text }: { text: string }): number =>
    (past.test(text) ? 8 : 0) +
    (/^but\b/i.test(text) ? -4 : 0) +
    (passive.test(text) || active.test(text) || thoughtOfIt.test(text) ? 6 : 0) +
    (/\bI\b/.test(text) ? 3 : 0) +
    Math.min(countWords(text), 6) / 3
  return candidates.toSorted((a, b) => weight(b) - weight(a) || a.order - b.order).at(0) ?? null
}

const ofSelf =
  /\bI(?:'m| am|'ve| have)?\b[^.?!]{0,40}\b(?:suicidal|kill myself|killing myself|end my life|end it all|want(?:ed)? to die|wanna die|wish I (?:was|were) dead|(?:not|n't) wake up|(?:not|n't) be here|(?:not|n't) want to live|take my own life|hurt myself|cut myself|cutting again|cut since|self.?harm\w*)\b|\bbetter off (?:dead|without me)\b/i
const ofOthers =
  /\bI(?:'ll| will|'m going to| want to| could| might)?\s+(?:kill|hurt) (?:him|her|them|somebody|someone)\b/i
const figure =
  /\b(?:killing me|dead tired|to die for|dying (?:to|of|for)|scared of dying|killed it|drop dead|could kill for)\b/i

const isAboutAnother = (text: string): boolean =>
  /\b(?:he|she|his|her|they) (?:\w+ )?(?:died|killed|attempted|tried|was)|\b(?:died by suicide|suicide loss|lost (?:him|her|them) to)\b/i.test(
    text,
  )

/** "Will you text the line before you cut?" asks for a promise: a yes to it endorses no risk. */
const asksToAgree = (text: string): boolean =>
  /^(?:(?:and|so|okay|but|then)[, ]+)*(?:will|would|can|could) you (?!say you|describe)/i.test(text) ||
  /\b(?:before you (?:cut|hurt|act|do)|instead of (?:cutting|hurting)|if you (?:ever |do |start|feel|have those|get))\b/i.test(text)

/** What the client says of their own accord: a denial is only one if it is plain. */
const readVolunteered = (
  spoken: Spoken,
  consumed: ReadonlySet<number>,
  names: NameHider,
): RiskFinding | null => {
  if (consumed.has(spoken.order) || spoken.asks || isAboutAnother(spoken.clean)) return null
  const isSelf = ofSelf.test(spoken.said)
  if ((!isSelf && !ofOthers.test(spoken.said)) || (figure.test(spoken.said) && !active.test(spoken.said)))
    return null
  const client = spoken.role === 'client' ? 'client' : 'a participant'
  const isNssi = /\b(?:cut|cutting|self.?harm)\b/i.test(spoken.said)
  const element: Element = isSelf ? (isNssi ? 'nssi' : 'suicidal_ideation') : 'homicidal_ideation'
  const quote = findQuote([spoken], names)
  const finish = (text: string, isEndorsed: boolean): RiskFinding => ({
    statement: toStatement(text, spoken.order, [spoken.item], spoken.role),
    orders: [spoken.order],
    element,
    isEndorsed,
  })
  if (/\b(?:I'm|I am) not suicidal\b/i.test(spoken.said) && !doubled.test(spoken.said))
    return finish(`${client} denied being suicidal`, false)
  if (/^(?:no,? )*I(?: do not|'ve never|'d never| never| don't) want(?:ed)? to die\W*$/i.test(spoken.clean))
    return finish(`${client} denied wanting to die`, false)
  if (quote === null) return null
  if (past.test(spoken.said))
    return finish(`${client} reported past ${matterOfPast(element)} ("${quote.text}")`, false)
  const isPlain =
    isSelf &&
    !hasNegation(spoken.said.replace(/(?:n't|not) (?:wake up|be here|want to live)/gi, '')) &&
    !/\b(?:if|would|joke|kidding|never|movie|song|book)\b/i.test(
      spoken.said.replace(/would be easier|would be better/gi, ''),
    )
  if (!isPlain) return finish(`${client} stated, "${quote.text}"; clinician review required`, false)
  return finish(
    `${client} endorsed ${passive.test(spoken.said) && !active.test(spoken.said) ? 'passive suicidal ideation' : isNssi ? 'self-harm' : 'suicidal thoughts'} ("${quote.text}")`,
    true,
  )
}
