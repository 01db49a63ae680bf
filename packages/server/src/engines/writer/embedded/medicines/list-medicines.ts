import { findMedications } from '../../../lexicon/medications.js'
import { findNumbers } from '../../text/find-numbers.js'
import { isContentWord, tokenizeWords } from '../../text/tokenize-words.js'
import { findMedicines } from './find-medicines.js'
import type { Medicines, TakenMedicine } from './read-medicines.js'
import type { Role } from '../talk/read-session.js'
import type { Placed, Statement } from '../statement/statement.js'

/** A medicine as it stands in the list. */
export interface ListedMedicine {
  medicine: TakenMedicine
  statement: Statement
}

/** The medicines that the client takes as a list, each with its dose and how it is taken, as far as it is borne out. */
export const listMedicines = (
  { taken }: Medicines,
  section: string,
  isBorneOut: (statement: Statement) => boolean,
): ListedMedicine[] =>
  taken.flatMap((medicine, index) => {
    const statement = wordMedicine(medicine)
      // Those of one sentence stand in its order.
      .map((text) =>
        toStatement(
          { ...medicine, order: medicine.order + index / listedMax },
          text,
          // Where medicines share a section, what one has stands before a vitamin.
          section === 'current_medications' || medicine.sigs.length > 0 || isPrescribed(medicine),
        ),
      )
      .find(isBorneOut)
    return statement === undefined ? [] : [{ medicine, statement }]
  })

/** The statements without those that say no more than the list. */
export const withoutListed = (
  placed: readonly Placed[],
  listed: readonly ListedMedicine[],
  section: string,
): Placed[] => {
  const statements = listed.map(({ statement }) => statement)
  return placed.filter((entry) => !mayBeListed(entry, section) || !isListed(entry.statement, statements))
}

/** What a sentence of the section tells of a medicine beyond its name stays, and the medicine is not named twice. */
export const addListed = (
  kept: readonly Placed[],
  listed: readonly ListedMedicine[],
  section: string,
): Placed[] => {
  const told = kept
    .filter((entry) => entry.section === section)
    .map(({ statement: { text } }) => readTold(text.replace(/^asked .+?, client (?=reported|answered)/, '')))
  return [
    ...kept,
    ...listed
      .filter(({ medicine }) => !told.some((statement) => tellsDose(statement, medicine)))
      .map(({ statement }) => ({ section, statement })),
  ]
}

/** What a list says need not be told again; that it is taken every day is adherence as well. */
const mayBeListed = ({ section, statement }: Placed, listSection: string): boolean =>
  section === listSection ||
  section === 'interval_history' ||
  (section === 'adherence' && !/\b(?:every|daily|nightly|miss\w*)\b/i.test(statement.text))

const isPrescribed = ({ name }: TakenMedicine): boolean => findMedications(name).length > 0

/** More medicines than anybody takes. */
const listedMax = 1_000

interface Told {
  keys: ReadonlySet<string>
  hasNumber: boolean
}

const readTold = (words: string): Told => ({
  keys: new Set(findMedicines(words).map(({ key }) => key)),
  hasNumber: findNumbers(tokenizeWords(words)).length > 0,
})

/** Whether a statement names the medicine, with its dose if that is known. */
const tellsDose = ({ keys, hasNumber }: Told, { key, sigs }: TakenMedicine): boolean =>
  keys.has(key) && (sigs.length === 0 || hasNumber)

/** Words with which somebody tells what they take. */
const telling =
  /^(?:client|reported|reports|asked|take|takes|taking|took|dose|they|their|bottle|says|think|good|fine|okay|still|currently|one|milligrams?|mg|pill|pills|tablet|day|days|much|what|these|right|now|remember|confirmed|others|gave|put|started|had|got|doctor|like|just|basically)$/

/** Whether a statement says no more than the list does. */
const isListed = ({ kind, role, text, bare, items }: Statement, listed: readonly Statement[]): boolean => {
  if (kind !== 'report' || role === 'clinician') return false
  const from = listed.filter((statement) => statement.items.some((item) => items.includes(item)))
  const known = new Set(from.flatMap((statement) => tokenizeWords(statement.text)).map(({ lower }) => lower))
  const tokens = tokenizeWords(bare ?? text)
  const numbers = findNumbers(tokens)
  const isNumber = (index: number): boolean =>
    numbers.some(({ firstToken, lastToken }) => firstToken <= index && index <= lastToken)
  return (
    from.length > 0 &&
    tokens.every(
      ({ lower }, index) =>
        known.has(lower) || telling.test(lower) || (!isContentWord(lower) && !isNumber(index)),
    )
  )
}

const toStatement = (medicine: TakenMedicine, text: string, isMandatory: boolean): Statement => ({
  kind: 'report',
  order: medicine.order,
  items: [...new Set(medicine.items)].toSorted((a, b) => a - b),
  role: medicine.role,
  topics: ['medication'],
  asked: [],
  text,
  frame: null,
  bare: null,
  score: isMandatory ? 6 : 3,
  isMandatory,
})

/** From the fullest wording to the barest. A list is the client's own but for what only others told. */
const wordMedicine = ({ name, sigs, how, role }: TakenMedicine): string[] => {
  const [first, second] = sigs
  const bare = `${name}${per(role)}`
  if (first === undefined) return [`${withWords(name, how)}${per(role)}`, bare]
  const one = `${name} ${first.dose}`
  const full = withWords(one, first.how === '' ? how : first.how)
  if (second === undefined) return [`${full}${per(first.role)}`, `${one}${per(first.role)}`, bare]
  const two = `${name} ${withWords(second.dose, second.how)}`
  return first.role === second.role
    ? [full, one].map((words) => `${words} initially; later ${two}${per(first.role)}`)
    : [full, one].map((words) => `${words} (per ${first.role}); ${two} (per ${second.role})`)
}

const per = (role: Role): string =>
  role === 'client' ? '' : ` (per ${role === 'unknown' ? 'a participant' : role})`

const withWords = (first: string, second: string): string => (second === '' ? first : `${first} ${second}`)
