import type { RiskReading } from '../risk/assess-risk.js'
import type { NameHider } from '../talk/hide-names.js'
import type { Session, Spoken } from '../talk/read-session.js'
import type { Wording } from './wording.js'
import { isHeap } from './share-subject.js'
import { scoreStatement } from './score-statement.js'
import type { Statement, StatementKind } from './statement.js'
import { hasNegation } from '../../text/find-negation.js'
import { findNumbers } from '../../text/find-numbers.js'
import { countWords, isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'
import type { Topic } from '../talk/topics.js'

/** What has been gathered so far, and what the next sentence may refer to. */
export interface Gathering {
  readonly session: Session
  readonly risk: RiskReading
  readonly names: NameHider
  readonly statements: Statement[]
  /** Orders of sentences that a statement of an earlier one has taken in. */
  readonly answered: Set<number>
  /** The last sentence that the last statement took in, by its order. */
  tail: number
  /** The clinician's last intervention, to which the client may respond. */
  intervention: Statement | null
  /** The medicine that was being talked about, and how many others were. */
  medicine: { name: string; item: number; count: number } | null
}

export const startGathering = (session: Session, risk: RiskReading, names: NameHider): Gathering => ({
  session,
  risk,
  names,
  statements: [],
  answered: new Set(),
  tail: -1,
  intervention: null,
  medicine: null,
})

export const addStatement = (
  gathering: Gathering,
  kind: StatementKind,
  spoken: Spoken,
  wording: Wording,
  topics: readonly Topic[],
  said: string,
): Statement => {
  const draft: Statement = {
    kind,
    order: spoken.order,
    items: [...new Set(wording.items)].toSorted((a, b) => a - b),
    role: spoken.role,
    topics,
    asked: (spoken.question ?? spoken.open)?.topics ?? [],
    text: wording.text,
    frame: wording.frame,
    bare: wording.bare ?? null,
    score: 0,
    isMandatory: false,
  }
  const statement = scoreStatement(draft, said, gathering.session)
  gathering.statements.push(statement)
  gathering.tail = spoken.order
  while (gathering.answered.has(gathering.tail + 1)) gathering.tail += 1
  return statement
}

/** Longer than this, a sentence that took others in is read twice. */
const extendedWordsMax = 34

/** The last statement with more words of the same speaker, if it bears them. */
export const extendLast = (
  gathering: Gathering,
  spoken: Spoken,
  {
    link,
    text,
    items = [spoken.item],
  }: { link: ' (' | '; ' | ', '; text: string; items?: readonly number[] },
): boolean => {
  const before = gathering.statements.at(-1)
  if (before === undefined || !canExtend(gathering, spoken, before)) return false
  if (saysAgain(before.text, text)) return true
  if (countWords(before.text) + countWords(text) > extendedWordsMax) return false
  if (link === ' (' && (/[)"”]$/.test(before.text) || before.text.includes(' ('))) return false
  const end = link === ' (' ? ')' : ''
  const extend = (words: string): string => `${words}${link}${text}${end}`
  if (link === '; ' && isHeap(extend(before.text))) return false
  gathering.statements[gathering.statements.length - 1] = scoreStatement(
    {
      ...before,
      items: [...new Set([...before.items, ...items])].toSorted((a, b) => a - b),
      text: extend(before.text),
      bare: before.bare === null ? null : extend(before.bare),
      topics: [...new Set([...before.topics, ...spoken.topics])],
    },
    `${before.text} ${spoken.clean}`,
    gathering.session,
  )
  gathering.tail = spoken.order
  return true
}

/** "Ten minutes. Maybe ten.", "Doable. It feels doable.": nothing in it that was not said just before. */
const saysAgain = (before: string, text: string): boolean => {
  const told = new Set(tokenizeWords(before).map(({ lower }) => stemWord(lower)))
  const tokens = tokenizeWords(text)
  const telling = tokens.filter(({ lower }) => isContentWord(lower))
  return (
    telling.length + findNumbers(tokens).length > 0 &&
    hasNegation(before) === hasNegation(text) &&
    telling.every(({ lower }) => told.has(stemWord(lower))) &&
    findNumbers(tokens).every((number) => before.includes(number.text))
  )
}

const canExtend = ({ session, tail }: Gathering, spoken: Spoken, before: Statement): boolean => {
  if (before.role !== spoken.role || before.kind === 'risk' || /"/.test(before.text)) return false
  return session.sentences
    .slice(tail + 1, spoken.order)
    .every((between) =>
      between.item === spoken.item ? isEmpty(between) : between.role === 'clinician' && spoken.continues,
    )
}

/** "Sorry. You asked.": the talk about the talk is no part of it. */
const isEmpty = ({ clean }: Spoken): boolean =>
  /^(?:sorry|you asked|anyway|where was I)\W*$/i.test(clean) ||
  tokenizeWords(clean).every(({ lower }) => !isContentWord(lower))
