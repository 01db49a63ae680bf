import type { AssessmentId, AssignmentId, OpeningId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { Catalogue, GivenAnswer, Instrument } from '../assessments/index.js'
import type { AnswerRow } from './answers.sql.js'
import type { OutstandingRow } from './assignments.sql.js'
import { unsealAnswer } from './sealed-answer.js'

/** One outstanding assessment with what was answered so far. */
export interface AnsweredForm {
  assignmentId: AssignmentId
  instrument: Instrument
  answers: (GivenAnswer & { openingId: OpeningId; language: string })[]
}

/**
 * Puts the newest answers into their forms, in the version that the client was given. `languages`: what the client
 * reads, best first; none: what they read when they answered.
 */
export function fillForms(
  parts: { ring: TenantKeyRing; catalogue: Catalogue },
  outstanding: readonly OutstandingRow[],
  { rows, languages }: { rows: readonly AnswerRow[]; languages: readonly string[] },
): AnsweredForm[] {
  return outstanding.map(({ assignmentId, assessmentId, instrumentVersion: version }) => {
    const own = rows
      .filter((row) => row.assignmentId === assignmentId)
      .map((row) => ({ ...row, ...unsealAnswer(parts.ring, row) }))
    const newest = own.toSorted((a, b) => b.givenAt.getTime() - a.givenAt.getTime())[0]
    const wanted = languages.length > 0 ? languages : [newest?.language ?? 'en']
    const instrument = findIn(parts.catalogue, { assessmentId, version, languages: wanted })
    return {
      assignmentId,
      instrument,
      answers: own.map(({ questionKey, value: answerValue, openingId, language }) => ({
        questionKey,
        answerValue,
        openingId,
        language,
      })),
    }
  })
}

function findIn(
  catalogue: Catalogue,
  {
    assessmentId,
    version,
    languages,
  }: { assessmentId: AssessmentId; version: string; languages: readonly string[] },
): Instrument {
  const plain = catalogue.find(assessmentId, { version })
  if (plain === null) throw new Error(`there is no instrument ${assessmentId} of ${version}`)
  const language = languages.find((one) => hasLanguage(plain, one))
  return (language === undefined ? null : catalogue.find(assessmentId, { version, language })) ?? plain
}

const hasLanguage = ({ languages }: Instrument, wanted: string): boolean =>
  languages.includes(wanted) || languages.includes(wanted.split('-')[0] ?? '')
