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

/** Goals of two versions: each once, worded as in the first, with the links of both. */
export function uniteGoals(first: readonly NoteGoal[], second: readonly NoteGoal[]): NoteGoal[] {
  const united = new Map<string, NoteGoal>()
  for (const goal of [...first, ...second]) {
    const known = united.get(goal.goalId)
    const sentences = new Map(
      [...(known?.sentences ?? []), ...goal.sentences].map((link) => [linkKey(link), link]),
    )
    united.set(goal.goalId, { ...(known ?? goal), sentences: [...sentences.values()] })
  }
  return [...united.values()]
}

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
