import type { NoteType } from '@casenote/contract'
import { findMedicines } from './find-medicines.js'
import { addListed, listMedicines, withoutListed } from './list-medicines.js'
import { isOfOthers, readMedicines, type Medicines } from './read-medicines.js'
import type { Session } from '../talk/read-session.js'
import type { Placed, Statement } from '../statement/statement.js'

/** Where the medicines stand that the client takes. */
const medicineSections: Readonly<Partial<Record<NoteType, string>>> = {
  psychotherapy_intake: 'medical_history',
  psychiatric_evaluation: 'current_medications',
  medication_management: 'current_medications',
}

/** Where it is told that a medicine is taken no more. */
const stoppedSections: Readonly<Partial<Record<NoteType, string>>> = {
  psychiatric_evaluation: 'past_psychiatric_history',
  medication_management: 'adherence',
}

/** Where it is told what others take. */
const othersSections: Readonly<Partial<Record<NoteType, string>>> = {
  psychiatric_evaluation: 'family_psychiatric_history',
  medication_management: 'interval_history',
}

const tellsEffect =
  /^(?:client reported )?(?:the )?[A-Za-z]+ (?:gets|helps|helped|makes|made|works|worked|does|keeps|lets|knocks)\b/

/** The medicines as a list, and what was told of others where it belongs. */
export const placeMedicines = (
  noteType: NoteType,
  placed: readonly Placed[],
  session: Session,
  isBorneOut: (statement: Statement) => boolean,
): Placed[] => {
  const section = medicineSections[noteType]
  if (section === undefined) return [...placed]
  const medicines = readMedicines(session)
  const listed = listMedicines(medicines, section, isBorneOut)
  const kept = withoutListed(placed, listed, section).map((entry) =>
    entry.section === 'current_medications' && entry.statement.kind === 'report'
      ? {
          section: findOther(noteType, entry.statement, medicines) ?? section,
          statement: withoutQuestion(entry.statement),
        }
      : entry,
  )
  return addListed(kept, listed, section)
}

/** "Asked what they take, client reported …": the heading says it. */
const withoutQuestion = (statement: Statement): Statement => {
  const text = statement.text.replace(
    /^asked (?:what|which|about|whether)\b[^,:]*\b(?:take|taking|medic\w+|meds|vitamins)\b[^,:]*, client reported /,
    'client reported ',
  )
  return text === statement.text ? statement : { ...statement, text }
}

/** Where a statement stands that is about no medicine which is taken now. */
const findOther = (
  noteType: NoteType,
  { text, topics }: Statement,
  { taken, stopped }: Medicines,
): string | undefined => {
  const named = findMedicines(text)
  if (named[0] !== undefined && isOfOthers(text.slice(0, named[0].start))) return othersSections[noteType]
  if (named.length > 0 && named.every(({ key }) => stopped.has(key))) return stoppedSections[noteType]
  // "Endorsed taking Zoloft (in college)"
  if (
    noteType === 'medication_management' &&
    named.length > 0 &&
    /\b(?:used to|in (?:college|high school|grad school|the past)|years ago)\b/i.test(text) &&
    named.every(({ key }) => !taken.some((medicine) => medicine.key === key))
  )
    return 'interval_history'
  // "Melatonin gets them to sleep."
  if (noteType === 'medication_management' && named.length === 1 && tellsEffect.test(text))
    return 'response_to_medication'
  const isOther =
    named.length === 0 &&
    !topics.includes('side_effect') &&
    !topics.includes('adherence') &&
    !/\b(?:tak(?:e|es|ing)|dos(?:e|es|age)|pills?|tablets?|capsules?|medic\w+|meds|prescri\w+|milligrams?|mg|refill\w*)\b/i.test(
      text,
    )
  return isOther && noteType === 'medication_management' ? 'interval_history' : undefined
}
