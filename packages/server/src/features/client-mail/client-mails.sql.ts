import type { MailStatus } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type { AdministrationId, AssignmentId, ClientId, MailId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import type { MailKind } from './compose-mail.js'

export interface NewMailRow {
  mailId: MailId
  clientId: ClientId
  kind: MailKind
  assignmentId: AssignmentId | null
  administrationId: AdministrationId | null
  sealedLink: Buffer
  linkExpiresAt: Date
}

export const insertMail = (tenant: TenantScope, row: NewMailRow): Statement => ({
  name: 'insert_client_mail',
  text: `insert into casenote.client_mails
      (tenant_id, mail_id, client_id, kind, assignment_id, administration_id, sealed_link, link_expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8)`,
  values: [
    tenant.tenantId,
    row.mailId,
    row.clientId,
    row.kind,
    row.assignmentId,
    row.administrationId,
    row.sealedLink,
    row.linkExpiresAt,
  ],
})

export interface WaitingMailRow {
  clientId: ClientId
  kind: MailKind
  sealedLink: Buffer
  linkExpiresAt: Date
  attempts: number
  isExpired: boolean
}

export const selectWaitingMail = (tenant: TenantScope, mailId: MailId): Statement<WaitingMailRow> => ({
  name: 'select_waiting_client_mail',
  text: `select client_id as "clientId", kind, sealed_link as "sealedLink", link_expires_at as "linkExpiresAt",
      attempts, link_expires_at <= ${tenantNow} as "isExpired"
    from casenote.client_mails where tenant_id = $1 and mail_id = $2 and status = 'waiting'`,
  values: [tenant.tenantId, mailId],
})

/** With its end the link is forgotten. Nothing happens to one that was cancelled meanwhile. */
export const endMail = (
  tenant: TenantScope,
  mailId: MailId,
  { status, failure }: { status: Exclude<MailStatus, 'waiting'>; failure: string | null },
): Statement => ({
  name: 'end_client_mail',
  text: `update casenote.client_mails
    set status = $3, failure = $4, sealed_link = null, ended_at = now(), attempts = attempts + 1
    where tenant_id = $1 and mail_id = $2 and status = 'waiting'`,
  values: [tenant.tenantId, mailId, status, failure],
})

export const recordMailFailure = (tenant: TenantScope, mailId: MailId, failure: string): Statement => ({
  name: 'record_client_mail_failure',
  text: `update casenote.client_mails set attempts = attempts + 1, failure = $3
    where tenant_id = $1 and mail_id = $2 and status = 'waiting'`,
  values: [tenant.tenantId, mailId, failure],
})

/** Cancels the mails of a link that no longer works. `assignmentId` null: the client's invitations. */
export const cancelMails = (
  tenant: TenantScope,
  clientId: ClientId,
  assignmentId: AssignmentId | null,
): Statement => ({
  name: 'cancel_client_mails',
  text: `update casenote.client_mails set status = 'cancelled', sealed_link = null, ended_at = now()
    where tenant_id = $1 and client_id = $2 and assignment_id is not distinct from $3 and status = 'waiting'`,
  values: [tenant.tenantId, clientId, assignmentId],
})

/** Cancels the mails of what was sent together, whichever of their links they hold. */
export const cancelMailsOfAdministration = (
  tenant: TenantScope,
  clientId: ClientId,
  administrationId: AdministrationId,
): Statement => ({
  name: 'cancel_client_mails_of_administration',
  text: `update casenote.client_mails set status = 'cancelled', sealed_link = null, ended_at = now()
    where tenant_id = $1 and client_id = $2 and administration_id = $3 and status = 'waiting'`,
  values: [tenant.tenantId, clientId, administrationId],
})

export interface MailStatusRow {
  administrationId: AdministrationId
  status: MailStatus
}

/** The status of the newest mail about each administration. */
export const selectMailStatuses = (
  tenant: TenantScope,
  clientId: ClientId,
  administrationIds: readonly AdministrationId[],
): Statement<MailStatusRow> => ({
  name: 'select_client_mail_statuses',
  text: `select distinct on (administration_id) administration_id as "administrationId", status
    from casenote.client_mails
    where tenant_id = $1 and client_id = $2 and administration_id = any($3)
    order by administration_id, created_at desc, mail_id`,
  values: [tenant.tenantId, clientId, administrationIds],
})

export const purgeMails = (keptDays: number, most: number): Statement => ({
  name: 'purge_client_mails',
  text: "select casenote.purge_client_mails(now() - $1 * interval '1 day', $2) as count",
  values: [keptDays, most],
})
