import { findAllMedications } from '../lexicon/medications.js'
import type { MedicineFinding, MedicineStatus } from '../reader/reading.js'
import { type NoteIndex, type NoteSentence, wordsOf } from './index-note.js'
import type { LedgerEntry } from './ledger.js'
import type { SaidDoses } from './list-said-doses.js'
import { valuesOf } from './read-doses.js'

type Outcome = Pick<LedgerEntry, 'state' | 'sentence'>

const ended: ReadonlySet<MedicineStatus> = new Set<MedicineStatus>(['stopped', 'past', 'declined'])

const readsAsTaken =
  /\b(?:takes?|taking|continues?|continued|remains on|is on|maintained|keeps?|kept|adherent|currently)\b/i
const readsAsEnded =
  /\b(?:stop\w*|discontinu\w*|off|quit\w*|held|hold|taper\w*|former\w*|past|previous\w*|no longer|ran out|until|declin\w*|not|never|denie[sd]|was (?:taking|on)|wean\w*|ceas\w*|refus\w*|history|tried|trial|without|used to|(?:cannot|unable to) (?:take|tolerate|afford)|one (?:night|time) only|(?:only|just) (?:on |for )?one (?:night|time)|(?:took|taken|used) [a-z ]{0,40}(?:once|twice) since|(?:gave|giving|given) [a-z ]{0,20}back)\b|n't\b/i

/** Its name, and the dose if one was said, in any sentences of the note; what was stopped must not read as taken. */
export const compareMedicine = (
  finding: MedicineFinding,
  note: NoteIndex,
  all: readonly MedicineFinding[],
  saidDoses: SaidDoses,
): Outcome => {
  const naming = listNaming(finding, note)
  const kin = all.filter(({ name }) => name.toLowerCase() === finding.name.toLowerCase())
  const falsely = naming.find(
    (sentence) =>
      isDoseOfNobody(finding, sentence, saidDoses) || isTakenFalsely(finding, sentence, naming, kin),
  )
  if (falsely !== undefined) return { state: 'contradicted', sentence: falsely.text }
  const stating = naming.filter(({ isRefused }) => !isRefused)
  const [first] = stating
  if (first === undefined) return { state: 'not_written', sentence: null }
  if (finding.dose === null) return { state: 'stated', sentence: first.text }
  const values = valuesOf(finding.dose)
  const withDose = stating.find(({ amounts }) =>
    amounts.some((amount) => amount.values.some((value) => values.includes(value))),
  )
  return withDose === undefined
    ? { state: 'not_written', sentence: null }
    : { state: 'stated', sentence: withDose.text }
}

const listNaming = ({ name, said }: MedicineFinding, note: NoteIndex): NoteSentence[] => {
  const generics = [name, said].flatMap((one) =>
    findAllMedications(one).map(({ medication }) => medication.generic),
  )
  const listed = generics.flatMap((generic) => note.naming(generic))
  const wanted = [name, said].map((one) => wordsOf(one)).filter((one) => one.trim() !== '')
  const asSaid = [...note.sharing(name), ...note.sharing(said)].filter(({ words }) =>
    wanted.some((one) => words.includes(one)),
  )
  return [...new Set([...listed, ...asSaid])]
}

/** "sertraline 100 mg" right beside each other, where only other numbers were said with it. */
const isDoseOfNobody = (
  finding: MedicineFinding,
  { doses, items }: NoteSentence,
  saidDoses: SaidDoses,
): boolean => {
  const said = saidDoses.byName.get(finding.name.toLowerCase())
  if (finding.dose === null || said === undefined) return false
  const name = finding.name.toLowerCase()
  const written = doses.filter(({ generic }) => generic === name).map(({ values }) => values)
  return (
    written.length > 0 &&
    !written.some((values) => values.some((value) => said.has(value)) || saidDoses.isSaidNear(values, items))
  )
}

const isTakenFalsely = (
  finding: MedicineFinding,
  { plain }: NoteSentence,
  naming: readonly NoteSentence[],
  kin: readonly MedicineFinding[],
): boolean =>
  ended.has(finding.status) &&
  kin.every(({ status }) => ended.has(status) || status === 'mentioned') &&
  readsAsTaken.test(plain) &&
  !readsAsEnded.test(plain) &&
  !naming.some((other) => readsAsEnded.test(other.plain))
