import { findMedications } from '../../lexicon/medications.js'
import { hasNegation } from '../text/find-negation.js'
import { findNumbers } from '../text/find-numbers.js'
import { countWords, tokenizeWords } from '../text/tokenize-words.js'
import type { DraftSentence } from '../writer-engine.js'
import { toSentence, type Statement } from './statement.js'

/** The sentences of a section, in the order of the session: contradictions kept as both, short reports joined. */
export const setSentences = (statements: readonly Statement[]): DraftSentence[] =>
  joinReports(markContradictions(statements)).map((statement, index) => ({
    text: toSentence(statement, index),
    transcriptItems: [...statement.items],
  }))

/** What the statements will take; looking for contradictions too would cost more time than its few words are worth. */
export const countWritten = (statements: readonly Statement[]): number =>
  joinReports(statements).reduce((sum, statement, index) => sum + countWords(toSentence(statement, index)), 0)

/** Beyond this a joined sentence is read twice. */
const joinedWordsMax = 36

/** Reports that follow each other share one "Client reports"; denials share one "denied". */
const joinReports = (statements: readonly Statement[]): Statement[] => {
  const joined: Statement[] = []
  for (const statement of statements) {
    const last = joined.at(-1)
    const together = last === undefined ? null : (joinDenials(last, statement) ?? joinTwo(last, statement))
    if (together === null) joined.push(statement)
    else joined[joined.length - 1] = together
  }
  return joined
}

const itemsOf = (first: Statement, second: Statement): number[] =>
  [...new Set([...first.items, ...second.items])].toSorted((a, b) => a - b)

const joinTwo = (first: Statement, second: Statement): Statement | null => {
  if (first.frame === null || second.frame === null || first.role !== second.role || first.role !== 'client')
    return null
  if (countWords(first.text) + countWords(second.text) > joinedWordsMax || first.items.length > 2) return null
  const isPast = first.frame.isPast || second.frame.isPast
  const bothGerunds = first.frame.form === 'gerund' && second.frame.form === 'gerund'
  if (second.frame.form !== 'clause' && first.frame.form === 'clause') return null
  // "not sleeping and eating" would deny both.
  const link = bothGerunds && !hasNegation(first.text) && !/ and |;/.test(first.text) ? ' and' : ';'
  if (bothGerunds && link === ';') return null
  // "shared that nightmares" is no sentence.
  if (first.frame.form === 'noun' && second.frame.form === 'gerund') return null
  return {
    ...first,
    frame: { ...first.frame, isPast },
    text: `${first.text}${link} ${second.text}`,
    items: itemsOf(first, second),
  }
}

const denial = /^client denied (?<matter>[^()"]+?)(?<asked> when asked)?$/

const joinDenials = (first: Statement, second: Statement): Statement | null => {
  const [one, two] = [denial.exec(first.text)?.groups, denial.exec(second.text)?.groups]
  if (
    one === undefined ||
    two === undefined ||
    one['asked'] !== two['asked'] ||
    / and |,/.test(`${one['matter'] ?? ''}${two['matter'] ?? ''}`)
  )
    return null
  const text = `client denied ${one['matter'] ?? ''} and ${two['matter'] ?? ''}${one['asked'] ?? ''}`
  return countWords(text) > joinedWordsMax ? null : { ...first, text, items: itemsOf(first, second) }
}

/** Two accounts of one thing: a denial and the opposite, or two doses of one medicine. Both stand, in their order. */
const markContradictions = (statements: readonly Statement[]): Statement[] => {
  const marked = [...statements]
  for (const [later, statement] of statements.entries()) {
    const earlier = statements.slice(0, later).findIndex((other) => contradict(other, statement))
    if (earlier < 0) continue
    marked[earlier] = withTime(marked[earlier], 'initially')
    marked[later] = withTime(marked[later], 'later')
  }
  return marked.filter((statement) => statement !== undefined)
}

const withTime = (statement: Statement | undefined, when: string): Statement => {
  if (statement === undefined) throw new Error('no such statement')
  if (/^(?:initially|later), /i.test(statement.text)) return statement
  if (statement.frame === null) return { ...statement, text: `${when}, ${statement.text}` }
  const verb = statement.frame.form === 'clause' ? 'reported that' : 'reported'
  return {
    ...statement,
    frame: null,
    text: `${when}, ${statement.role === 'client' ? 'client' : 'a participant'} ${verb} ${statement.text}`,
  }
}

const alcohol = /\b(?:drink\w*|drank|alcohol|beers?|wine|whiskeys?|vodka|liquor)\b/i
const drug = /\b(?:weed|cannabis|marijuana|smok\w*|using|drugs?|cocaine)\b/i

const contradict = (first: Statement, second: Statement): boolean => {
  if (first.role !== second.role || first.role === 'clinician') return false
  const denies = (statement: Statement): boolean => hasNegation(statement.text)
  const isSameSubstance = [alcohol, drug].some(
    (pattern) => pattern.test(first.text) && pattern.test(second.text),
  )
  if (isSameSubstance && denies(first) !== denies(second)) return true
  const names = (statement: Statement): string[] =>
    findMedications(statement.text).map(({ medication }) => medication.generic)
  const dose = (statement: Statement): string | undefined => doseOf(statement.text)
  return (
    names(first).some((name) => names(second).includes(name)) &&
    dose(first) !== undefined &&
    dose(second) !== undefined &&
    dose(first) !== dose(second) &&
    !/\b(?:used to|before|last|from|was on|increas|raise)/i.test(first.text + second.text)
  )
}

const doseOf = (text: string): string | undefined => {
  const tokens = tokenizeWords(text)
  const medicine = findMedications(text).at(-1)
  return findNumbers(tokens).find(({ firstToken, lastToken }) => {
    const follows = medicine !== undefined && tokens[firstToken]?.start === medicine.end + 1
    return follows || /^(?:mg|milligrams?|mcg|micrograms?)$/.test(tokens[lastToken + 1]?.lower ?? '')
  })?.readings[0]
}
