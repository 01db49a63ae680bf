import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type AssignmentId, type ClientId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { sealItem, unsealItem, type ItemContent } from './danger-item.js'
import { insertAnsweredItem, selectItemsOfAssignments, updateOpenItem } from './danger.sql.js'

/** An answer that its instrument calls one about self-harm, in the words that the client read. */
export interface DangerAnswer {
  assignmentId: AssignmentId
  questionKey: string
  value: number
  instrumentName: string
  question: string
  answer: string
  /** Asked whether they think of it, and nothing more. */
  isAboutThoughts: boolean
  givenAt: Date
}

/**
 * Opens answers about self-harm in the transaction that keeps them: also of a form that is never finished, and also where
 * the answer is taken back later. One item for each question of a form, with the gravest answer; what is sent again opens
 * nothing. The caller has locked the client's sitting, so no two open the same.
 */
export async function openAnsweredDanger(
  tx: Tx,
  ring: TenantKeyRing,
  { clientId, answers }: { clientId: ClientId; answers: readonly DangerAnswer[] },
  source: ChangeSource,
): Promise<void> {
  if (answers.length === 0) return
  const assignmentIds = [...new Set(answers.map(({ assignmentId }) => assignmentId))]
  const rows = await tx.run(selectItemsOfAssignments(tx.tenant, assignmentIds))
  const known = rows.map((row) => ({ ...row, content: unsealItem(ring, row) }))
  const opened: string[] = []
  for (const answer of keepGravest(answers)) {
    const same = known.filter(
      ({ assignmentId, content }) =>
        assignmentId === answer.assignmentId && content.questionKey === answer.questionKey,
    )
    if (same.some(({ content }) => (content.value ?? 0) >= answer.value)) continue
    // Nobody has looked at the lesser answer yet: the graver one stands in its place. Else it is news.
    const open = same.find(({ isOpen, isTouched }) => isOpen && !isTouched)
    const itemId = open?.itemId ?? newId()
    const sealedItem = sealItem(ring.forClient(clientId), itemId, toContent(answer))
    const { assignmentId, givenAt: occurredAt } = answer
    await tx.run(
      open === undefined
        ? insertAnsweredItem(tx.tenant, { itemId, clientId, assignmentId, sealedItem, occurredAt })
        : updateOpenItem(tx.tenant, { itemId, sealedItem }),
    )
    opened.push(itemId)
  }
  if (opened.length === 0) return
  const { actor, requestId } = source
  const subjects = [clientId, ...assignmentIds, ...opened]
  await recordChange(tx, { operation: 'danger.open', actor, requestId, subjects })
}

const keepGravest = (answers: readonly DangerAnswer[]): DangerAnswer[] => {
  const gravest = new Map<string, DangerAnswer>()
  for (const answer of answers) {
    const key = `${answer.assignmentId} ${answer.questionKey}`
    const before = gravest.get(key)
    if (before === undefined || before.value < answer.value) gravest.set(key, answer)
  }
  return [...gravest.values()]
}

const toContent = ({
  instrumentName,
  question,
  answer,
  questionKey,
  value,
  isAboutThoughts,
}: DangerAnswer): ItemContent => ({
  label: instrumentName,
  question,
  words: answer,
  transcriptItems: [],
  findingIds: [],
  questionKey,
  value,
  isAboutThoughts,
})
