import { hasNegation } from '../text/find-negation.js'
import type { NameHider } from './hide-names.js'
import { asksAgain, type Role, type Session, type Spoken } from './read-session.js'
import {
  active,
  asksToAgree,
  doubled,
  elements,
  figure,
  findUnwanted,
  intentAsked,
  isAboutAnother,
  isRiskQuestion,
  ofOthers,
  ofSelf,
  ownAttempt,
  ownIntent,
  ownPlan,
  passive,
  past,
  planAsked,
  type RiskElement,
} from './risk-words.js'
import type { Statement } from './statement.js'
import { isMachineTalk } from './topics.js'
import {
  clipTo,
  findQuote,
  labels,
  matterOfPast,
  nameMatter,
  wordFinding,
  wordTold,
  type RiskState,
} from './word-risk.js'

export interface RiskReading {
  statements: readonly Statement[]
  /** What was found, one by one: the note words it, medical decision making weighs it. */
  findings: readonly RiskFinding[]
  /** Orders of the sentences that are spoken for. */
  consumed: ReadonlySet<number>
  isSuicideDiscussed: boolean
  isHarmToOthersDiscussed: boolean
  /** Items in which an endorsed risk is being talked over. */
  isWithinRisk: (spoken: Spoken) => boolean
}

/** Questions and what they cover: the talk goes on about plan and intent for some turns after ideation came up. */
const followUpItems = 8

const findElement = (question: Spoken, riskItem: number): RiskElement | null => {
  const isFollowUp = riskItem >= 0 && question.item - riskItem <= followUpItems
  if (isFollowUp && intentAsked.test(question.clean)) return 'intent'
  if (isFollowUp && planAsked.test(question.clean)) return 'plan'
  const found = Object.entries(elements).find(([, pattern]) => pattern.test(question.clean))
  return (found?.[0] as RiskElement | undefined) ?? null
}

/** Rule table 1.5 of the clinical sheet: state by element, each from a question and its answer, or from what was volunteered. */
export const assessRisk = (session: Session, names: NameHider): RiskReading => {
  const findings: RiskFinding[] = []
  const consumed = new Set<number>()
  const discussed = new Set<RiskElement>()
  let riskItem = -1
  let endorsedItem = -1
  let suicideItem = -1
  let openItem = -1
  for (const spoken of session.sentences) {
    if (isMachineTalk(spoken.said)) continue
    const next = session.sentences[spoken.order + 1]
    const read =
      spoken.role === 'clinician'
        ? readRiskQuestion(spoken, session, { riskItem, suicideItem }, names)
        : readVolunteered(
            spoken,
            { consumed, riskItem, isOpen: openItem >= 0, added: next?.item === spoken.item ? next.said : '' },
            names,
          )
    if (read === null) continue
    dropClarified(findings, read)
    findings.push(read)
    for (const order of read.orders) consumed.add(order)
    discussed.add(read.element)
    riskItem = spoken.item
    if (read.element === 'suicidal_ideation') {
      suicideItem = spoken.item
      openItem = read.state === 'unclear' ? spoken.item : -1
    }
    if (read.state === 'endorsed' && read.element === 'suicidal_ideation') endorsedItem = spoken.item
  }
  return {
    statements: findings.map(({ statement }) => statement),
    findings,
    consumed,
    isSuicideDiscussed: ['suicidal_ideation', 'plan', 'intent', 'past_attempts'].some((element) =>
      discussed.has(element as RiskElement),
    ),
    isHarmToOthersDiscussed: discussed.has('homicidal_ideation'),
    isWithinRisk: ({ item, question }) =>
      endorsedItem >= 0 &&
      item >= endorsedItem &&
      item <= endorsedItem + 2 * followUpItems &&
      (item <= endorsedItem + 1 || (question !== null && riskFollowUp.test(question.clean))),
  }
}

/** How soon a clinician asks back, in turns. */
const clarifiedWithinItems = 4

/** "I wanted to die." – "Of embarrassment?" – "No, I don't want to die.": what was asked back and denied is not left open. */
const dropClarified = (findings: RiskFinding[], { state, statement, element }: RiskFinding): void => {
  const last = findings.at(-1)
  const since = (statement.items[0] ?? 0) - (last?.statement.items.at(-1) ?? 0)
  const isVolunteered = / stated, "/.test(last?.statement.text ?? '')
  if (
    isVolunteered &&
    state === 'denied' &&
    last?.state === 'unclear' &&
    last.element === element &&
    since <= clarifiedWithinItems
  )
    findings.pop()
}

/** "There was an attempt. Can you tell me about it?" */
const findElementBefore = ({ previous, clean }: Spoken): RiskElement | null =>
  previous !== null && /\b(?:it|that|this)\b/i.test(clean) && !isAboutAnother(previous.clean)
    ? findElement(previous, -1)
    : null

/** What is asked once somebody has said yes: how often, what holds them, who is there, the parts of a safety plan. */
const riskFollowUp =
  /\b(?:how (?:often|long|strong|intense)|come up|keeps? you|stops? you|guns?|locked|anyone (?:at home|with you)|who (?:could|can|would|do) you|call\b|sign\b|by yourself|safe|happens? when|those thoughts|when (?:do|does|did))\b/i

export interface RiskFinding {
  statement: Statement
  orders: readonly number[]
  element: RiskElement
  state: RiskState
  isPassive: boolean
  /** What the client said, for whoever has to judge it. */
  said: string
}

/** How many sentences behind a question its answer may stand; looking further made long sessions slow. */
const answerReach = 30

const readRiskQuestion = (
  question: Spoken,
  session: Session,
  { riskItem, suicideItem }: { riskItem: number; suicideItem: number },
  names: NameHider,
): RiskFinding | null => {
  if (!question.asks) return null
  const element = findElement(question, riskItem) ?? findElementBefore(question)
  if (element === null || isAboutAnother(question.clean) || asksToAgree(question.clean)) return null
  const answers = session.sentences
    .slice(question.order + 1, question.order + answerReach)
    .filter((spoken) => spoken.question === question)
    .slice(0, 5)
  const [first] = answers
  const matter = nameMatter(element, question, answers, names)
  if (first === undefined)
    return isAskedAgain(question, session) ? null : wordUnanswered(element, matter, question, session)
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
  const {
    text,
    state,
    orders,
    isPassive = false,
  } = isBefore ? wordTold(element, answers, names) : wordFinding(element, matter, answers, names)
  if (text === null) return null
  return {
    statement: toStatement(text, question.order, items, first.role),
    orders: [question.order, ...orders],
    element,
    state,
    isPassive,
    said: answers.map((spoken) => spoken.said).join(' '),
  }
}

/** "Pardon?": the question is put again, and answered then. */
const isAskedAgain = (question: Spoken, { sentences }: Session): boolean => {
  const after = sentences.slice(question.order + 1, question.order + answerReach)
  return (
    after.some(({ item, said }) => item === question.item + 1 && asksAgain.test(said)) &&
    after.some(({ item, asks, clean }) => item === question.item + 2 && asks && isRiskQuestion(clean))
  )
}

/** Only the last question before the client speaks is answered; one that nobody answered is said to be open. */
const wordUnanswered = (
  element: RiskElement,
  matter: string,
  question: Spoken,
  session: Session,
): RiskFinding | null => {
  const isAnsweredTogether = session.sentences
    .slice(question.order, question.order + answerReach)
    .some(
      ({ item, asks, order, clean }) =>
        item === question.item && asks && order > question.order && isRiskQuestion(clean),
    )
  if (isAnsweredTogether || !/[a-z]/.test(matter)) return null
  const text = `clinician asked about ${matter}, unanswered; clinician review required`
  return {
    statement: toStatement(text, question.order, [question.item], 'clinician'),
    orders: [question.order],
    element,
    state: 'unclear',
    isPassive: false,
    said: question.said,
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

/** What the client says of their own accord: a denial is only one if it is plain. */
const readVolunteered = (
  spoken: Spoken,
  {
    consumed,
    riskItem,
    isOpen,
    added,
  }: { consumed: ReadonlySet<number>; riskItem: number; isOpen: boolean; added: string },
  names: NameHider,
): RiskFinding | null => {
  if (consumed.has(spoken.order) || spoken.asks || isAboutAnother(spoken.clean)) return null
  // A question that was left open is come back to, however late.
  const isNear = isOpen || (riskItem >= 0 && spoken.item - riskItem <= followUpItems)
  const found = findVolunteered(spoken, isNear)
  if (found === null) return null
  const { text, state, isPassive = false } = wordVolunteered(spoken, { ...found, added }, names)
  return {
    statement: toStatement(text, spoken.order, [spoken.item], spoken.role),
    orders: [spoken.order],
    element: found.element,
    state,
    isPassive,
    said: spoken.said,
  }
}

interface Volunteered {
  element: RiskElement
  pattern: RegExp
}

/** A plan or an intent is only one where danger is being talked about: letters are written for many reasons. */
const findVolunteered = ({ said }: Spoken, isNear: boolean): Volunteered | null => {
  if (figure.test(said) && !active.test(said)) return null
  if ((isNear || ofSelf.test(said)) && ownIntent.test(said)) return { element: 'intent', pattern: ownIntent }
  if (isNear && ownPlan.test(said)) return { element: 'plan', pattern: ownPlan }
  if (ownAttempt.test(said)) return { element: 'past_attempts', pattern: ownAttempt }
  if (ofSelf.test(said)) {
    const isNssi = /\b(?:cut|cutting|self.?harm)\b/i.test(said)
    return { element: isNssi ? 'nssi' : 'suicidal_ideation', pattern: ofSelf }
  }
  return ofOthers.test(said) ? { element: 'homicidal_ideation', pattern: ofOthers } : null
}

const wordVolunteered = (
  spoken: Spoken,
  { element, pattern, added }: Volunteered & { added: string },
  names: NameHider,
): { text: string; state: RiskState; isPassive?: boolean } => {
  const { said, clean } = spoken
  const client = spoken.role === 'client' ? 'client' : 'a participant'
  if (/\b(?:I'm|I am) not suicidal\b/i.test(said) && !doubled.test(said))
    return { text: `${client} denied being suicidal`, state: 'denied' }
  const unwanted = findUnwanted(clean)
  if (unwanted !== null) return { text: `${client} denied ${unwanted}`, state: 'denied' }
  const words = findQuote([spoken], names)?.text ?? clipTo(said, pattern)
  const quote = names.hide(words) === words ? words : null
  if (
    /\bI(?:'d| would|'ll| will) never (?:hurt|harm|kill)\b/i.test(said) &&
    !/\bbut\b/i.test(said) &&
    quote !== null
  )
    return { text: `${client} stated, "${quote}"`, state: 'denied' }
  const isPassive = passive.test(said) && !active.test(said)
  // "I took a bottle of Advil" says what was done, and not why.
  if (past.test(`${said} ${added}`) && element === 'past_attempts' && quote !== null)
    return { text: `${client} stated, "${quote}"`, state: 'past' }
  if (past.test(said))
    return { text: withQuote(`${client} reported past ${matterOfPast(element)}`, quote), state: 'past' }
  const isPlain =
    !hasNegation(said.replace(/(?:n't|not) (?:wake up|be here|want to live)/gi, '')) &&
    !/\b(?:if|would|joke|kidding|never|movie|song|book)\b|be better off(?! dead| without me)/i.test(
      said.replace(/would be easier|would be better/gi, ''),
    )
  const isIdeation = element === 'suicidal_ideation' || element === 'nssi'
  if (isPlain && isIdeation && !/\bwanted to die\b/i.test(said)) {
    const what = isPassive
      ? 'passive suicidal ideation'
      : element === 'nssi'
        ? 'self-harm'
        : 'suicidal thoughts'
    return { text: withQuote(`${client} endorsed ${what}`, quote), state: 'endorsed', isPassive }
  }
  const told = quote === null ? `${client} spoke of ${labels[element]}` : `${client} stated, "${quote}"`
  return {
    text: `${told}; clinician review required`,
    state: isPlain && !isIdeation ? 'endorsed' : 'unclear',
  }
}

const withQuote = (text: string, quote: string | null): string =>
  quote === null ? text : `${text} ("${quote}")`
