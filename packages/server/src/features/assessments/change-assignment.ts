import type { ReissuedAssignment } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { isId, type AssignmentId } from '../../kernel/ids.js'
import { hashLinkToken, newLinkToken } from '../../kernel/link-tokens.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { cancelAdministrationMails, cancelClientMail } from '../client-mail/index.js'
import { lockClient } from '../clients/index.js'
import {
  lockForLink,
  mailLink,
  toAssignment,
  usualValidDays,
  type LinkOptions,
} from './administer-assessments.js'
import { assignmentUrl } from './assignment-url.js'
import {
  expireAssignments,
  reissueAssignment,
  revokeAssignment,
  selectAssignment,
  shutKeptLinks,
  type AssignmentRow,
} from './assignments.sql.js'

export async function findAssignment(
  db: Database,
  tenant: TenantScope,
  assignmentId: AssignmentId,
): Promise<AssignmentRow | null> {
  if (!isId(assignmentId)) return null
  const [row] = await db.read(tenant, selectAssignment(tenant, assignmentId))
  return row ?? null
}

/**
 * A new link for the same assignment, so that answers given so far are kept. The link before stops working, and a lock
 * that wrong birth dates put on it goes with it. The link before may be that of one that was taken back and left it to this.
 */
export async function reissueLink(
  tx: Tx,
  assignment: AssignmentRow,
  options: LinkOptions,
  source: ChangeSource,
): Promise<ReissuedAssignment> {
  const { assignmentId, clientId, assessmentId } = assignment
  const client = await lockForLink(tx, clientId)
  await tx.run(expireAssignments(tx.tenant, clientId, [assessmentId]))
  const token = newLinkToken(tx.tenant)
  const { validDays = usualValidDays } = options
  const [row] = await tx.run(
    reissueAssignment(tx.tenant, assignmentId, { tokenHash: hashLinkToken(token), validDays }),
  )
  if (row === undefined) throw await refuseChange(tx, assignmentId)
  await cancelClientMail(tx, clientId, assignmentId)
  await shutKept(tx, assignment, null)
  await recordChange(tx, {
    ...source,
    operation: 'assessmentAssignment.reissue',
    subjects: [clientId, assignmentId],
  })
  const url = assignmentUrl(options.publicUrl, token)
  return { ...toAssignment(row, url), isEmailed: await mailLink(tx, options, client, { row, url }) }
}

/**
 * The link stops working; with `keepsShared`, where one link was given for several, it leads to what is left of them. Revoking
 * again without it closes such a link, and else changes nothing; what is completed stays completed.
 */
export async function revokeLink(
  tx: Tx,
  assignment: AssignmentRow,
  source: ChangeSource,
  { keepsShared }: { keepsShared: boolean } = { keepsShared: false },
): Promise<void> {
  const { assignmentId, clientId, administrationId } = assignment
  // Of two that are taken back at once the second sees that the first is.
  await tx.run(lockClient(tx.tenant, clientId))
  const [revoked] = await tx.run(revokeAssignment(tx.tenant, assignmentId, keepsShared))
  if (revoked === undefined) {
    const [row] = await tx.run(selectAssignment(tx.tenant, assignmentId))
    if (row?.status !== 'revoked') throw await refuseChange(tx, assignmentId)
    if (keepsShared || !(await shutKept(tx, assignment, assignmentId))) return
  } else if (revoked.isLast) {
    // Their one mail may hold the link of another of them, which was taken back before.
    await cancelAdministrationMails(tx, clientId, administrationId)
  } else if (!revoked.isLinkKept) {
    await cancelClientMail(tx, clientId, assignmentId)
  }
  await recordChange(tx, {
    ...source,
    operation: 'assessmentAssignment.revoke',
    subjects: [clientId, assignmentId],
  })
}

/** False: there was none. */
async function shutKept(
  tx: Tx,
  administration: Pick<AssignmentRow, 'clientId' | 'administrationId'>,
  assignmentId: AssignmentId | null,
): Promise<boolean> {
  const shut = await tx.run(shutKeptLinks(tx.tenant, administration, assignmentId))
  for (const kept of shut) await cancelClientMail(tx, administration.clientId, kept.assignmentId)
  return shut.length > 0
}

async function refuseChange(tx: Tx, assignmentId: AssignmentId): Promise<Error> {
  const [row] = await tx.run(selectAssignment(tx.tenant, assignmentId))
  if (row === undefined) return refuse.notFound()
  if (row.status === 'completed' || row.status === 'revoked')
    return refuse.conflict('assessment_not_outstanding', `Assessment is ${row.status}`)
  return refuse.conflict(
    'assessments_outstanding',
    `Assessments are already outstanding: ${row.assessmentId}`,
  )
}
