import type { NoteSection, ProgressNote } from '@casenote/contract'
import type { NoteId } from '../../kernel/ids.js'
import { sealJson, unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { NoteRow } from './progress-notes.sql.js'

/** A goal as it was worded when the note was written, and the sentences that speak to it. */
export type NoteGoal = ProgressNote['goals'][number] & {
  text: string
  /** How its objectives were worded; not there in notes of before they were kept. */
  objectives?: readonly string[]
}

const goalsPlace = (noteId: NoteId, version: number): JsonPlace<NoteGoal[]> => ({
  table: 'note_versions',
  row: `${noteId}/${version}`,
  column: 'sealed_goals',
})

/** The goals of one version. */
export const readGoalsOf = (
  ring: TenantKeyRing,
  { noteId, version, sealedGoals }: Pick<NoteRow, 'noteId' | 'version' | 'sealedGoals'>,
): NoteGoal[] => (sealedGoals === null ? [] : unsealJson(ring, goalsPlace(noteId, version), sealedGoals))

/** The goals of the current version; none while something is written. */
export const readGoals = (ring: TenantKeyRing, row: NoteRow): NoteGoal[] =>
  row.activeGenerationId === null ? readGoalsOf(ring, row) : []

/** Null where there is no goal: most notes have none. */
export const sealGoals = (
  ring: TenantKeyRing,
  { noteId, version, goals }: { noteId: NoteId; version: number; goals: readonly NoteGoal[] },
): Buffer | null => (goals.length === 0 ? null : sealJson(ring, goalsPlace(noteId, version), goals))

/** Tells one link of a goal from another. */
export const linkKey = ({ section, sentence }: NoteGoal['sentences'][number]): string =>
  `${section} ${sentence}`

/** An id alone names no goal for good: what a partner gave no id is named by its place, and another goal may stand there by now. */
const identify = ({ treatmentPlanId, goalId, text }: NoteGoal): string =>
  JSON.stringify([treatmentPlanId, goalId, text])

/** The goal with more links, each once. */
export const addLinks = (goal: NoteGoal, more: NoteGoal['sentences']): NoteGoal => ({
  ...goal,
  sentences: [...new Map([...goal.sentences, ...more].map((link) => [linkKey(link), link])).values()],
})

/** Goals of two versions: each once, with the links of both. One that was worded anew in between is there in both wordings. */
export function uniteGoals(first: readonly NoteGoal[], second: readonly NoteGoal[]): NoteGoal[] {
  const united = new Map<string, NoteGoal>()
  for (const goal of [...first, ...second]) {
    const known = united.get(identify(goal))
    united.set(identify(goal), addLinks(known ?? goal, goal.sentences))
  }
  return [...united.values()]
}

/** Without the wordings that nothing speaks to, where another one of the same id remains: a reader by id would take them for its end. */
export const dropEmptyWordings = (goals: readonly NoteGoal[]): NoteGoal[] =>
  goals.filter(
    (goal, index) =>
      goal.sentences.length > 0 ||
      !goals.some(
        (other, at) =>
          at !== index &&
          other.goalId === goal.goalId &&
          other.treatmentPlanId === goal.treatmentPlanId &&
          (other.sentences.length > 0 || at < index),
      ),
  )

/** The links that remain after somebody changed the text: a sentence that stayed keeps its link, whatever is around it. */
export const keepLinks = (goals: readonly NoteGoal[], sections: readonly NoteSection[]): NoteGoal[] => {
  if (goals.length === 0) return []
  const standing = new Set(
    sections.flatMap(({ key, evidence }) =>
      evidence.flatMap(({ sentence, supported }) => (supported ? [linkKey({ section: key, sentence })] : [])),
    ),
  )
  return goals.map((goal) => ({
    ...goal,
    sentences: goal.sentences.filter((link) => standing.has(linkKey(link))),
  }))
}

/** For the Partner API: which goals, and nothing of their words. */
export const describeGoals = (ring: TenantKeyRing, row: NoteRow): ProgressNote['goals'] =>
  readGoals(ring, row).map(({ goalId, treatmentPlanId, sentences }) => ({
    goalId,
    treatmentPlanId,
    sentences,
  }))
