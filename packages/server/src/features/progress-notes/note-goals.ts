import type { NoteSection, ProgressNote } from '@casenote/contract'
import type { NoteId } from '../../kernel/ids.js'
import { sealJson, unsealJson } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { goalsPlace } from './note-content.js'
import type { NoteRow } from './progress-notes.sql.js'

/** A goal as it was worded when the note was written, and the sentences that speak to it. */
export type NoteGoal = ProgressNote['goals'][number] & {
  text: string
  /** How its objectives were worded; not there in notes of before they were kept. */
  objectives?: readonly string[]
}

/** The goals of the current version; none while something is written. */
export const readGoals = (ring: TenantKeyRing, row: NoteRow): NoteGoal[] =>
  row.activeGenerationId !== null || row.sealedGoals === null
    ? []
    : unsealJson(ring, goalsPlace(row.noteId, row.version), row.sealedGoals)

/** Null where there is no goal: most notes have none. */
export const sealGoals = (
  ring: TenantKeyRing,
  { noteId, version, goals }: { noteId: NoteId; version: number; goals: readonly NoteGoal[] },
): Buffer | null => (goals.length === 0 ? null : sealJson(ring, goalsPlace(noteId, version), goals))

/** The links that remain after somebody changed the text: a sentence that stayed keeps its link, whatever is around it. */
export const keepLinks = (goals: readonly NoteGoal[], sections: readonly NoteSection[]): NoteGoal[] => {
  if (goals.length === 0) return []
  const standing = new Set(
    sections.flatMap(({ key, evidence }) =>
      evidence.flatMap(({ sentence, supported }) => (supported ? [`${key} ${sentence}`] : [])),
    ),
  )
  return goals.map((goal) => ({
    ...goal,
    sentences: goal.sentences.filter(({ section, sentence }) => standing.has(`${section} ${sentence}`)),
  }))
}

/** For the Partner API: which goals, and nothing of their words. */
export const describeGoals = (ring: TenantKeyRing, row: NoteRow): ProgressNote['goals'] =>
  readGoals(ring, row).map(({ goalId, treatmentPlanId, sentences }) => ({
    goalId,
    treatmentPlanId,
    sentences,
  }))
