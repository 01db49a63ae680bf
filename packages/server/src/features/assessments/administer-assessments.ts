import type { AssessmentAssignments } from '@casenote/contract'
import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { newId, type AssessmentId, type AssignmentId, type ClientId } from '../../kernel/ids.js'
import { hashLinkToken, newLinkToken } from '../../kernel/link-tokens.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { queueClientMail } from '../client-mail/index.js'
import { lockClient, type LockedClientRow } from '../clients/index.js'
import { assignmentUrl } from './assignment-url.js'
import {
  expireAssignments,
  insertAssignments,
  selectOutstanding,
  type AssignmentRow,
} from './assignments.sql.js'
import type { Catalogue, Instrument } from './instruments/index.js'

/** Between two appointments a month apart the link must still work; much longer, and it lies forgotten in a mailbox. */
export const usualValidDays = 30

export interface LinkOptions {
  publicUrl: string
  validDays?: number | undefined
  /** Null: no mail is sent. */
  mailRing?: TenantKeyRing | null
}

export interface Administration extends LinkOptions {
  catalogue: Catalogue
  clientId: ClientId
  assessmentIds: readonly AssessmentId[]
}

interface NewAssignment {
  assignmentId: AssignmentId
  assessmentId: AssessmentId
  instrumentVersion: string
  token: string
}

/**
 * Before any transaction, so that a crowd of repeated calls costs a read each and does not queue for the client's lock.
 * What it does not see is seen under the lock.
 */
export async function refuseOutstanding(
  db: Database,
  tenant: TenantScope,
  { catalogue, clientId, assessmentIds }: Administration,
): Promise<void> {
  const ids = [...new Set(assessmentIds)]
  requireOffered(catalogue, ids)
  const rows = await db.read(tenant, selectOutstanding(tenant, clientId))
  requireNone(ids.filter((id) => rows.some(({ assessmentId }) => assessmentId === id)))
}

/** All of them or none. One that is named twice is assigned once: the client would be asked the same twice. */
export async function administerAssessments(
  tx: Tx,
  administration: Administration,
  source: ChangeSource,
): Promise<AssessmentAssignments> {
  const { catalogue, clientId, assessmentIds, publicUrl } = administration
  const instruments = requireOffered(catalogue, [...new Set(assessmentIds)])
  const client = await lockForLink(tx, clientId)
  const made = instruments.map(({ id, version }) => ({
    assignmentId: newId(),
    assessmentId: id,
    instrumentVersion: version,
    token: newLinkToken(tx.tenant),
  }))
  const rows = await assign(tx, administration, made)
  const subjects = [clientId, ...made.map(({ assignmentId }) => assignmentId)]
  await recordChange(tx, { ...source, operation: 'assessment.administer', subjects })
  const assignments = made.flatMap(({ assignmentId, token }) => {
    const row = rows.get(assignmentId)
    return row === undefined ? [] : [{ row, url: assignmentUrl(publicUrl, token) }]
  })
  // One mail: any of a client's links leads to all that is outstanding.
  const isEmailed = await mailLink(tx, administration, client, assignments[0])
  return { assignments: assignments.map(({ row, url }) => toAssignment(row, url)), isEmailed }
}

export const toAssignment = (
  { assignmentId, assessmentId, status, expiresAt }: AssignmentRow,
  url: string,
): AssessmentAssignments['assignments'][number] => ({
  id: assignmentId,
  assessmentId,
  status,
  url,
  expiresAt: expiresAt.toISOString(),
})

export async function mailLink(
  tx: Tx,
  { mailRing = null }: LinkOptions,
  client: LockedClientRow,
  link: { row: AssignmentRow; url: string } | undefined,
): Promise<boolean> {
  if (mailRing === null || link === undefined || !client.email) return false
  const { row: assignment, url } = link
  const { clientId, expiresAt } = assignment
  await queueClientMail(tx, mailRing, { clientId, kind: 'assessments', assignment, url, expiresAt })
  return true
}

function requireOffered(catalogue: Catalogue, assessmentIds: readonly AssessmentId[]): Instrument[] {
  const offered = new Map(catalogue.listOffered().map((instrument) => [instrument.id, instrument]))
  const unknown = assessmentIds.filter((id) => !offered.has(id))
  if (unknown.length > 0) {
    throw refuse.invalid([`assessmentIds must name assessments of the clinic, not: ${unknown.join(', ')}`])
  }
  return assessmentIds.flatMap((id) => offered.get(id) ?? [])
}

/** Locked until the transaction ends: of two calls for one client the second finds what the first has assigned. */
export async function lockForLink(tx: Tx, clientId: ClientId): Promise<LockedClientRow> {
  const [client] = await tx.run(lockClient(tx.tenant, clientId))
  if (client === undefined) throw refuse.notFound()
  if (client.status === 'archived') throw refuse.conflict('client_archived', 'Client is archived')
  return client
}

async function assign(
  tx: Tx,
  { clientId, validDays = usualValidDays }: Administration,
  made: readonly NewAssignment[],
): Promise<Map<AssignmentId, AssignmentRow>> {
  const assessmentIds = made.map(({ assessmentId }) => assessmentId)
  await tx.run(expireAssignments(tx.tenant, clientId, assessmentIds))
  const rows = made.map(({ token, ...row }) => ({ ...row, tokenHash: hashLinkToken(token) }))
  const to = { clientId, administrationId: newId(), validDays }
  const inserted = await tx.run(insertAssignments(tx.tenant, to, rows))
  const assigned = new Set(inserted.map(({ assessmentId }) => assessmentId))
  // Thrown inside the transaction: nothing of it stays.
  requireNone(assessmentIds.filter((id) => !assigned.has(id)))
  return new Map(inserted.map((row) => [row.assignmentId, row]))
}

function requireNone(outstanding: readonly string[]): void {
  if (outstanding.length > 0) {
    throw refuse.conflict(
      'assessments_outstanding',
      `Assessments are already outstanding: ${outstanding.join(', ')}`,
    )
  }
}
