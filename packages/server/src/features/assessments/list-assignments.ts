import { pageOf, type ListedAssignment, type MailStatus, type Page, type AskedPage } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { AssessmentId, AssignmentId, ClientId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findMailStatuses } from '../client-mail/index.js'
import {
  countAssignments,
  selectAssignments,
  selectOutstanding,
  type AssignmentRow,
} from './assignments.sql.js'
import type { Catalogue } from './instruments/index.js'

export async function listAssignments(
  db: Database,
  tenant: TenantScope,
  { clientId, page }: { clientId: ClientId; page: AskedPage },
): Promise<Page<ListedAssignment>> {
  const [rows, [count]] = await db.read(
    tenant,
    selectAssignments(tenant, clientId, page),
    countAssignments(tenant, clientId),
  )
  const administrationIds = rows.map(({ administrationId }) => administrationId)
  const mails = await findMailStatuses(db, tenant, clientId, administrationIds)
  const items = rows.map((row): ListedAssignment => ({
    id: row.assignmentId,
    assessmentId: row.assessmentId,
    clientId: row.clientId,
    status: row.status,
    expiresAt: row.expiresAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? null,
    emailStatus: mails.get(row.administrationId) ?? null,
    createdAt: row.createdAt.toISOString(),
  }))
  return pageOf(items, count?.total ?? 0, page)
}

export interface OutstandingAssessment {
  id: AssignmentId
  assessmentId: AssessmentId
  instrumentVersion: string
  name: string
  assignedAt: string
  openedAt: string | null
  expiresAt: string
  emailStatus: MailStatus | null
  /** Names of what else waits and was sent with it, by one link. */
  sentWith: string[]
}

/** What a client still has to answer, oldest first. */
export async function listOutstanding(
  { db, catalogue }: { db: Database; catalogue: Catalogue },
  tenant: TenantScope,
  clientId: ClientId,
): Promise<OutstandingAssessment[]> {
  const rows = await db.read(tenant, selectOutstanding(tenant, clientId))
  const administrationIds = rows.map(({ administrationId }) => administrationId)
  const mails = await findMailStatuses(db, tenant, clientId, administrationIds)
  const nameOf = ({ assessmentId, instrumentVersion: version }: AssignmentRow): string =>
    catalogue.find(assessmentId, { version })?.name ?? assessmentId
  return rows.map((row) => ({
    id: row.assignmentId,
    assessmentId: row.assessmentId,
    instrumentVersion: row.instrumentVersion,
    name: nameOf(row),
    assignedAt: row.createdAt.toISOString(),
    openedAt: row.openedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt.toISOString(),
    emailStatus: mails.get(row.administrationId) ?? null,
    sentWith: rows.filter((one) => one !== row && one.administrationId === row.administrationId).map(nameOf),
  }))
}
