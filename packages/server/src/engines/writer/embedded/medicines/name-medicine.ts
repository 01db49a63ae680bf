import { findMedications } from '../../../lexicon/medications.js'
import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import { findMedicines } from './find-medicines.js'
import type { Gathering } from '../statement/gathering.js'
import { isLabelled } from '../talk/label-answer.js'
import { readAnswer } from '../talk/read-answer.js'
import type { Spoken } from '../talk/read-session.js'
import type { Wording } from '../statement/wording.js'
import type { Topic } from '../talk/topics.js'

/** Remembers the medicines of a sentence; whether one has been named by now. */
export const noteMedicines = (gathering: Gathering, { medicines, item }: Spoken): boolean => {
  for (const { medication, name } of medicines) {
    const last = gathering.medicine
    const isSame = last !== null && last.name.toLowerCase() === name.toLowerCase()
    gathering.medicine = {
      name,
      item,
      count: isSame || last === null ? 1 : last.count + (medication.generic === last.name ? 0 : 1),
    }
  }
  return gathering.medicine !== null
}

/** A medicine that was named longer ago than this may no longer be meant. */
const reachItems = 40

/** The one medicine that was being talked about, for a dose that was said without it. */
export const nameMedicine = (
  { medicine }: Gathering,
  text: string,
  item: number,
): { text: string; item: number; name: string } | null => {
  if (medicine === null || medicine.count > 1 || findMedicines(text).length > 0) return null
  if (item - medicine.item > reachItems || findNumbers(tokenizeWords(text)).length === 0) return null
  return { text: `${medicine.name}: ${text}`, item: medicine.item, name: medicine.name }
}

/** "Should I use melatonin?" – "You could try three milligrams.": what was asked about a turn before. */
export const nameAskedMedicine = (
  { session }: Gathering,
  text: string,
  { item, order }: Spoken,
): { text: string; item: number } | null => {
  if (!/\b(?:milligrams?|mg|micrograms?|mcg)\b/i.test(text) || findMedicines(text).length > 0) return null
  const asked = session.sentences
    .slice(Math.max(order - askedReach, 0), order)
    .filter((spoken) => spoken.item === item - 1 && spoken.role !== 'clinician' && spoken.asks)
    .flatMap(({ medicines }) => medicines)
  const [only] = asked
  return only === undefined || asked.length > 1 ? null : { text: `${only.name}: ${text}`, item: item - 1 }
}

/** Sentences of a turn that are looked at. */
const askedReach = 12

/** Whether it has a number that counts nothing else. */
const mayBeDose = (text: string): boolean => {
  const tokens = tokenizeWords(text)
  return findNumbers(tokens).some(
    ({ firstToken, lastToken }) =>
      // "It's a six" rates something.
      !/^an?$/.test(tokens[firstToken - 1]?.lower ?? '') &&
      !/^(?:things?|times?|days?|weeks?|months?|years?|hours?|nights?|minutes?|people|kids)$/.test(
        tokens[lastToken + 1]?.lower ?? '',
      ),
  )
}

/** "Does the melatonin do anything?" – "It gets me to sleep.": the medicine, where the question is about nothing else. */
export const nameSubject = ({ question, clean, opensTurn }: Spoken, wording: Wording): Wording => {
  const [medicine, ...others] = question?.medicines ?? []
  if (question === null || medicine === undefined || others.length > 0 || !opensTurn || !/^it\b/i.test(clean))
    return wording
  const before = question.clean.slice(0, medicine.start)
  if (!/\b(?:does|is|are|has|how's|how about)(?: the| your)? $/i.test(before)) return wording
  const name = (text: string): string => text.replace(/(?<=^|\breported )it (?=[a-z])/, `${medicine.name} `)
  const { text, bare } = wording
  return {
    ...wording,
    text: name(text),
    ...(bare === undefined ? {} : { bare: name(bare) }),
    items: [question.item, ...wording.items],
  }
}

/** An answer that is a dose, with the medicine that it is a dose of. */
export const nameDose = (
  gathering: Gathering,
  spoken: Spoken,
  wording: Wording,
  topics: readonly Topic[],
): Wording => {
  if (isLabelled(wording.text)) return wording
  const isAboutDose =
    topics.includes('medication') &&
    /\b(?:dose|milligrams?|taking|how much)\b/i.test(`${spoken.question?.clean ?? ''} ${wording.text}`)
  const inQuestion = spoken.question?.medicines ?? []
  const isNamed = inQuestion.length === 1 && mayBeDose(wording.text) && !/ rated /.test(wording.text)
  if ((!isAboutDose && !isNamed) || wording.frame !== null || readAnswer(spoken.said) === 'no') return wording
  if (inQuestion.length === 1 && findMedications(wording.bare ?? wording.text).length === 0) {
    const name = inQuestion[0]?.name ?? ''
    return {
      ...wording,
      text: wording.bare === undefined ? wording.text : `${name}: ${wording.bare}`,
      bare: `${name}: ${wording.bare ?? wording.text}`,
    }
  }
  const named = nameMedicine(gathering, wording.text, spoken.item)
  if (named === null) return wording
  const bare = wording.bare === undefined ? {} : { bare: `${named.name}: ${wording.bare}` }
  const text = bare.bare ?? named.text
  return { ...wording, ...bare, text, items: [named.item, ...wording.items] }
}
