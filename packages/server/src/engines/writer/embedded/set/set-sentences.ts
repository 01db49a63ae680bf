import { findMedications } from '../../../lexicon/medications.js'
import { hasNegation } from '../../text/find-negation.js'
import { findNumbers } from '../../text/find-numbers.js'
import { countWords, tokenizeWords } from '../../text/tokenize-words.js'
import type { DraftSentence } from '../../writer-engine.js'
import { isLabelled } from '../talk/label-answer.js'
import { isHeap, shareSubject } from '../statement/share-subject.js'
import { toSentence, type Frame, type Statement } from '../statement/statement.js'

/**
 * `isFirst` is the section that names the client.
 * The sentences of a section, in the order of the session: contradictions kept as both, short reports joined where the
 * joined sentence is still borne out.
 */
export const setSentences = (
  statements: readonly Statement[],
  check: (sentence: DraftSentence) => boolean = () => true,
  isFirst = true,
): DraftSentence[] => {
  const joined = joinReports(markContradictions(statements), (statement) =>
    check({ text: toSentence(statement, 0), transcriptItems: [...statement.items] }),
  )
  const texts = leaveUnnamed(joined, isFirst || joined[0]?.kind === 'risk')
  return joined.map((statement, index) => ({
    text: texts[index] ?? '',
    transcriptItems: [...statement.items],
  }))
}

/** What the statements will take; looking for contradictions too would cost more time than its few words are worth. */
export const countWritten = (statements: readonly Statement[], isFirst: boolean): number =>
  leaveUnnamed(joinReports(statements), isFirst || statements[0]?.kind === 'risk').reduce(
    (sum, text) => sum + countWords(text),
    0,
  )

const told =
  /^Client (?=(?:reports|reported|describes|described|states|stated|denied|endorsed|confirmed|shared)\b)/

/**
 * Once a note has named the client it need not name them again in each section and sentence, as clinicians write. Whose
 * risk it is stands by itself.
 */
const leaveUnnamed = (statements: readonly Statement[], isFirst: boolean): string[] => {
  const sentences = statements.map(toSentence)
  let last = -1
  return sentences.map((sentence, index) => {
    const at = last
    // "Sleep: six hours." names nobody, and leaves known who is.
    if (!isLabelled(sentence)) last = index
    const before = sentences[at] ?? ''
    const isKnown =
      told.test(before) ||
      /^Asked [^:]+: |, client reported\b/.test(before) ||
      (!isFirst && (at < 0 || statements[at]?.role === 'client'))
    if (!told.test(sentence) || !isKnown) return sentence
    const rest = sentence
      .replace(told, '')
      .replace(before.includes(' when asked') ? / when asked(?=\.| \()/ : /$^/, '')
    return rest.charAt(0).toUpperCase() + rest.slice(1)
  })
}

/** Beyond this a joined sentence is read twice. */
const joinedWordsMax = 34

/** Reports that follow each other share one "Client reports"; denials share one "denied". */
const joinReports = (
  statements: readonly Statement[],
  isBorneOut: (statement: Statement) => boolean = () => true,
): Statement[] => {
  const joined: Statement[] = []
  for (const statement of statements) {
    const last = joined.at(-1)
    const together =
      last === undefined
        ? null
        : (joinDenials(last, statement) ?? joinLeads(last, statement) ?? joinTwo(last, statement))
    if (together === null || !isBorneOut(together)) joined.push(statement)
    else joined[joined.length - 1] = together
  }
  return joined
}

const itemsOf = (first: Statement, second: Statement): number[] =>
  [...new Set([...first.items, ...second.items])].toSorted((a, b) => a - b)

/** More items than this, and nobody looks them all up. */
const joinedItemsMax = 5

const joinTwo = (first: Statement, second: Statement): Statement | null => {
  if (first.frame === null || !isOneVoice(first, second)) return null
  if (countWords(first.text) + countWords(second.text) > joinedWordsMax) return null
  if (new Set([...first.items, ...second.items]).size > joinedItemsMax) return null
  const added =
    second.frame === null ? denialAfter(second) : wordsAfter(first, first.frame, second, second.frame)
  if (added === null) return null
  const text = shareSubject(shareDenial(`${first.text}${added}`))
  if (isHeap(text)) return null
  return {
    ...first,
    frame: { ...first.frame, isPast: first.frame.isPast || second.frame?.isPast !== false },
    text,
    items: itemsOf(first, second),
  }
}

/** Of voices that nobody has named only one turn is surely one person's. */
const isOneVoice = (first: Statement, second: Statement): boolean =>
  first.role === second.role &&
  (first.role === 'client' ||
    (first.role === 'unknown' && new Set([...first.items, ...second.items]).size === 1))

/** Leads that one sentence of the clinician's shares with the next. */
const sharedLeads = [
  'next appointment ',
  'client to ',
  'clinician proposed ',
  'clinician asked client to ',
  'clinician explained that ',
  'clinician noted ',
]

/** "Client to call the clinic; keep the log." */
const joinLeads = (first: Statement, second: Statement): Statement | null => {
  if (first.kind === 'risk' || second.kind === 'risk') return null
  const lead = sharedLeads.find((words) => first.text.startsWith(words) && second.text.startsWith(words))
  if (lead === undefined || countWords(first.text) + countWords(second.text) > joinedWordsMax) return null
  if (new Set([...first.items, ...second.items]).size > joinedItemsMax) return null
  return { ...first, text: `${first.text}; ${second.text.slice(lead.length)}`, items: itemsOf(first, second) }
}

/** "denied rash; denied headaches" is one denial of both. */
const shareDenial = (text: string): string =>
  text.replace(
    /; denied (?<one>[^;,()"]+?)(?<asked> when asked)?; denied (?<two>[^;,()"]+?)\k<asked>$/,
    (whole, one: string, asked: string | undefined, two: string) =>
      / and | when asked/.test(one + two) ? whole : `; denied ${one} and ${two}${asked ?? ''}`,
  )

/** "Client reports nausea; denied rash." */
const denialAfter = ({ text }: Statement): string | null =>
  /^client (?:denied|endorsed) [^"]+$/.test(text) ? `; ${text.replace(/^client /, '')}` : null

const wordsAfter = (first: Statement, before: Frame, second: Statement, frame: Frame): string | null => {
  const isPlain = !hasNegation(first.text) && !/ and |;|\(/.test(first.text)
  if (frame.form === 'gerund' && before.form === 'gerund' && isPlain)
    return `${first.text.includes(',') ? ',' : ''} and ${second.text}`
  const clause = frame.form === 'clause' ? second.text : frame.clause
  if (clause === undefined) return before.form === 'clause' ? null : `; ${second.text}`
  return `; ${clause}`
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
  const isTold = statement.frame === null && /\b(?:client|a participant) [a-z]+/.test(statement.text)
  // Two accounts are told: neither is how it is.
  const teller = statement.role === 'client' ? 'client' : 'a participant'
  return {
    ...statement,
    frame: null,
    text: isTold
      ? `${when}, ${statement.text}`
      : `${when}, ${teller} reported ${statement.whole ?? statement.text}`,
  }
}

/** Who quit weed and smokes a pack a day contradicts nothing. */
const substances = [
  /\b(?:drink\w*|drank|alcohol|beers?|wine|whiskeys?|vodka|liquor|(?:six|twelve|eighteen|thirty)[- ]?packs?)\b/i,
  /\b(?:weed|cannabis|marijuana|using|drugs?)\b/i,
  /\b(?:cocaine|using|drugs?)\b/i,
  /\b(?:smok\w*|cigarettes?|tobacco|nicotine)\b(?! (?:weed|pot|cannabis|marijuana))/i,
]

export const contradict = (first: Statement, second: Statement): boolean => {
  if (first.role !== second.role || first.role === 'clinician') return false
  // How much somebody wants it tells nothing of whether they did.
  if ([first, second].some(({ text }) => /^(?:client |a participant )?rated\b/.test(text))) return false
  // "They had six whiskeys and still could not sleep" denies no whiskey.
  const clauseWith = ({ text }: Statement, substance: RegExp): string | undefined =>
    text.split(/[,;()]| (?:and|but) /).find((clause) => substance.test(clause))
  const isToldBothWays = substances.some((substance) => {
    const [one, two] = [clauseWith(first, substance), clauseWith(second, substance)]
    return one !== undefined && two !== undefined && hasNegation(one) !== hasNegation(two)
  })
  if (isToldBothWays) return true
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
