import type { NoteType } from '@casenote/contract'
import { findMedications } from '../../../lexicon/medications.js'
import type { Placed, Statement } from '../statement/statement.js'

/** Where medicines stand that are taken, and those that were. */
const medicineSections: Readonly<Partial<Record<NoteType, { now: string; past: string }>>> = {
  psychotherapy_intake: { now: 'medical_history', past: 'psychiatric_history' },
  psychiatric_evaluation: { now: 'current_medications', past: 'past_psychiatric_history' },
}

/** Illnesses and medicines that were told in one breath, each in its own section. */
export const partHistories = (noteType: NoteType, placed: readonly Placed[]): Placed[] => {
  const sections = medicineSections[noteType]
  if (sections === undefined) return [...placed]
  const parted =
    noteType === 'psychiatric_evaluation'
      ? partDiagnosis(placed.flatMap((entry) => partIllness(entry)))
      : placed
  return parted.map((entry) =>
    entry.section === sections.now && tellsDoseOfPast(entry.statement, parted, sections.past)
      ? { ...entry, section: sections.past }
      : entry,
  )
}

/** "High blood pressure; they take lisinopril, ten milligrams": what one has, and what one takes for it. */
const partIllness = (entry: Placed): Placed[] => {
  const { statement, section } = entry
  const illness =
    /^(?:client reported )?(?<illness>[^;("]+); (?<taken>they (?:take|are on|am on|use)\b[^"]+)$/.exec(
      statement.text,
    )?.groups
  if (section !== 'current_medications' || !statement.asked.includes('medical') || illness === undefined)
    return [entry]
  const { illness: has = '', taken = '' } = illness
  if (findMedications(has).length > 0 || findMedications(taken).length === 0) return [entry]
  const frame = { form: 'clause', isPast: true } as const
  const isClause = /^(?:they|it|their \w+) /.test(has)
  return [
    {
      section: 'medical_history',
      statement: {
        ...statement,
        text: has,
        frame: isClause ? frame : { form: 'noun', isPast: true },
        bare: null,
        topics: ['medical'],
        isMandatory: false,
      },
    },
    { section, statement: { ...statement, text: taken, frame, bare: null } },
  ]
}

/** "Schizophrenia, and it is getting better on the clozapine": how it goes is the assessment, where nothing else is. */
const partDiagnosis = (placed: readonly Placed[]): Placed[] => {
  if (placed.some(({ section }) => section === 'assessment')) return [...placed]
  return placed.flatMap((entry) => {
    const parts =
      entry.section === 'diagnoses'
        ? /^(?<name>[^"]+?), and (?<course>(?:it is|it has|this is|clinician (?:does not think|thinks)|(?:only )?an? (?:partial|full|good|poor)) [^"]+)$/.exec(
            entry.statement.text,
          )?.groups
        : undefined
    if (parts === undefined) return [entry]
    const { name = '', course = '' } = parts
    return [
      { ...entry, statement: { ...entry.statement, text: name } },
      { section: 'assessment', statement: { ...entry.statement, text: course } },
    ]
  })
}

/** Turns within which a dose is asked of the medicine that was just spoken of. */
const reach = 3

/** "I took Zoloft back then." – "What dose?" – "Fifty.": a dose of what is no longer taken. */
const tellsDoseOfPast = (statement: Statement, placed: readonly Placed[], past: string): boolean => {
  const name = /^(?<name>[A-Z][a-z]+): /.exec(statement.text)?.groups?.['name']
  return (
    name !== undefined &&
    !/\b(?:now|still|currently)\b/i.test(statement.text) &&
    placed.some(
      (other) =>
        other.section === past &&
        other.statement.text.includes(name) &&
        other.statement.order < statement.order &&
        (statement.items.at(-1) ?? 0) - (other.statement.items.at(-1) ?? 0) <= reach,
    )
  )
}
