import type { PageAnswers, SavedAnswers } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type AssignmentId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { Catalogue } from '../assessments/index.js'
import { openAnsweredDanger, type DangerAnswer } from '../danger/index.js'
import { countAnswers, insertAnswers } from './answers.sql.js'
import { selectOutstanding, type OutstandingRow } from './assignments.sql.js'
import type { Opening } from './opening.js'
import { sealAnswer } from './sealed-answer.js'
import { continueSitting } from './sittings.sql.js'
import { wordDanger } from './word-danger.js'

/** Every question of the longest form changed some ten times. Nobody does; a script that fills the table might. */
const answersOfAssessmentsMax = 3_000

type GivenAnswers = PageAnswers['answers']

/**
 * Any number of times with the same answers: each is kept once, under the id that the page gave it. Of two answers to one
 * question the one given last counts, in whatever order they arrive.
 */
export async function saveAnswers(
  tx: Tx,
  { ring, catalogue }: { ring: TenantKeyRing; catalogue: Catalogue },
  { clientId, openingId }: Opening,
  { answers, actor, requestId }: PageAnswers & ChangeSource,
): Promise<SavedAnswers> {
  // First: whoever ends the sitting waits, or has ended it, and then these begin the next one.
  await tx.run(continueSitting(tx.tenant, newId(), clientId))
  const outstanding = await tx.run(selectOutstanding(tx.tenant, clientId))
  const open = new Map(outstanding.map((row) => [row.assignmentId, row]))
  const kept = answers.filter(({ assignmentId }) => open.has(assignmentId))
  requireOptions(catalogue, open, kept)
  if (kept.length > 0) {
    await requireRoom(tx, [...open.keys()])
    const own = ring.forClient(clientId)
    const rows = kept.map(({ assignmentId, answerId, questionKey, value, language, givenAtMs }) => {
      const place = { assignmentId, answerId, questionKey }
      const sealedAnswer = sealAnswer(own, place, { value, language })
      return { ...place, givenAt: new Date(givenAtMs), sealedAnswer }
    })
    await tx.run(insertAnswers(tx.tenant, openingId, rows))
    const subjects = [clientId, ...new Set(kept.map(({ assignmentId }) => assignmentId))]
    await recordChange(tx, { operation: 'assessment.answer', actor, requestId, subjects })
    const danger = { clientId, answers: listDanger(catalogue, open, kept) }
    await openAnsweredDanger(tx, ring, danger, { actor, requestId })
  }
  const closed = answers.map(({ assignmentId }) => assignmentId).filter((id) => !open.has(id))
  return { closedIds: [...new Set(closed)] }
}

/** Whether a question is asked after the other answers is not judged here: they may still be on their way. */
function requireOptions(
  catalogue: Catalogue,
  open: ReadonlyMap<AssignmentId, OutstandingRow>,
  answers: GivenAnswers,
): void {
  for (const { assignmentId, questionKey, value } of answers) {
    const row = open.get(assignmentId)
    const instrument =
      row === undefined ? null : catalogue.find(row.assessmentId, { version: row.instrumentVersion })
    const question = instrument?.questions.find(({ key }) => key === questionKey)
    if (question?.options.some((option) => option.value === value) !== true) {
      throw refuse.invalid(['answers must be options of the questions'])
    }
  }
}

function listDanger(
  catalogue: Catalogue,
  open: ReadonlyMap<AssignmentId, OutstandingRow>,
  answers: GivenAnswers,
): DangerAnswer[] {
  return answers.flatMap(({ assignmentId, questionKey, value, language, givenAtMs }) => {
    const row = open.get(assignmentId)
    const worded = row === undefined ? null : wordDanger(catalogue, row, { questionKey, value, language })
    return worded === null
      ? []
      : [{ assignmentId, questionKey, value, ...worded, givenAt: new Date(givenAtMs) }]
  })
}

async function requireRoom(tx: Tx, assignmentIds: readonly AssignmentId[]): Promise<void> {
  const [count] = await tx.run(countAnswers(tx.tenant, assignmentIds))
  if ((count?.total ?? 0) > answersOfAssessmentsMax)
    throw refuse.conflict('answers_full', 'Too many changes of answers')
}
