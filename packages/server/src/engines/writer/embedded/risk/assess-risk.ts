import type { NameHider } from '../talk/hide-names.js'
import { nameMatter } from './name-risk-matter.js'
import { asksAgain, type Session, type Spoken } from '../talk/read-session.js'
import { readVolunteered } from './read-volunteered-risk.js'
import { toRiskStatement, type RiskFinding } from './risk-finding.js'
import {
  asksToAgree,
  elements,
  intentAsked,
  isAboutAnother,
  isRiskQuestion,
  planAsked,
  type RiskElement,
} from '../talk/risk-words.js'
import type { Statement } from '../statement/statement.js'
import { isMachineTalk } from '../talk/topics.js'
import { wordFinding, wordTold } from './word-risk.js'

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
  let isOpen = false
  for (const spoken of session.sentences) {
    if (isMachineTalk(spoken.said)) continue
    const next = session.sentences[spoken.order + 1]
    const added = next?.item === spoken.item ? next.said : ''
    // A question that was left open is come back to, however late.
    const isNear: boolean = isOpen || (riskItem >= 0 && spoken.item - riskItem <= followUpItems)
    const read: RiskFinding | null =
      spoken.role === 'clinician'
        ? readRiskQuestion(spoken, session, { riskItem, suicideItem }, names)
        : consumed.has(spoken.order)
          ? null
          : readVolunteered(spoken, { isNear, added }, names)
    if (read === null) continue
    dropClarified(findings, read)
    findings.push(read)
    for (const order of read.orders) consumed.add(order)
    discussed.add(read.element)
    riskItem = spoken.item
    if (read.element === 'suicidal_ideation') {
      suicideItem = spoken.item
      isOpen = read.state === 'unclear'
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
    statement: toRiskStatement(text, question.order, items, first.role),
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
    statement: toRiskStatement(text, question.order, [question.item], 'clinician'),
    orders: [question.order],
    element,
    state: 'unclear',
    isPassive: false,
    said: question.said,
  }
}
