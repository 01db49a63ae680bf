import type { MailStatus } from '@casenote/contract'
import { enqueueJob } from '../../jobs/enqueue-job.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { newId, type AdministrationId, type AssignmentId, type ClientId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  cancelMails,
  cancelMailsOfAdministration,
  insertMail,
  selectMailStatuses,
} from './client-mails.sql.js'
import type { MailKind } from './compose-mail.js'
import { sealLink } from './seal-link.js'

export interface ClientMailRequest {
  clientId: ClientId
  kind: MailKind
  /** Whose link it is; null for an invitation. */
  assignment: { assignmentId: AssignmentId; administrationId: AdministrationId } | null
  url: string
  expiresAt: Date
}

/**
 * In the transaction that makes the link: both are there, or neither. A job names ids only and the link's token is kept
 * nowhere else, so the mail's row holds it, sealed, until the mail is out.
 */
export async function queueClientMail(
  tx: Tx,
  ring: TenantKeyRing,
  request: ClientMailRequest,
): Promise<void> {
  const { clientId, kind, assignment, url, expiresAt } = request
  await cancelClientMail(tx, clientId, assignment?.assignmentId ?? null)
  const mailId = newId()
  await tx.run(
    insertMail(tx.tenant, {
      mailId,
      clientId,
      kind,
      assignmentId: assignment?.assignmentId ?? null,
      administrationId: assignment?.administrationId ?? null,
      sealedLink: sealLink(ring.forClient(clientId), mailId, url),
      linkExpiresAt: expiresAt,
    }),
  )
  await enqueueJob(tx, 'send_mail', mailId)
}

/** Whoever was to get a link that no longer works gets none. */
export async function cancelClientMail(
  tx: Tx,
  clientId: ClientId,
  assignmentId: AssignmentId | null,
): Promise<void> {
  await tx.run(cancelMails(tx.tenant, clientId, assignmentId))
}

/** Nothing of what was sent together waits for answers any more. */
export async function cancelAdministrationMails(
  tx: Tx,
  clientId: ClientId,
  administrationId: AdministrationId,
): Promise<void> {
  await tx.run(cancelMailsOfAdministration(tx.tenant, clientId, administrationId))
}

/** By administration; what has none is not there. */
export async function findMailStatuses(
  db: Database,
  tenant: TenantScope,
  clientId: ClientId,
  administrationIds: readonly AdministrationId[],
): Promise<Map<AdministrationId, MailStatus>> {
  const rows = await db.read(tenant, selectMailStatuses(tenant, clientId, administrationIds))
  return new Map(rows.map(({ administrationId, status }) => [administrationId, status]))
}
