import type { LinkKind } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type { AssignmentId, ClientId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface LinkRow {
  clientId: ClientId
  dateOfBirth: string
  /** What the link was made for. */
  subjectId: AssignmentId | ClientId
}

const clientOfLink = `join casenote.clients c on c.tenant_id = l.tenant_id and c.client_id = l.client_id
  join casenote.tenants n on n.tenant_id = l.tenant_id`

/** Only for people who are still in care, at partners who still take part. */
const isUsable = `c.status <> 'archived' and n.suspended_at is null`

/** That of one that was taken back, for as long as something is left of what was sent with it. */
export const linkStands = `(l.status in ('outstanding', 'completed') or l.link_kept and exists (
  select from casenote.assessment_assignments w where w.tenant_id = l.tenant_id and w.client_id = l.client_id
    and w.administration_id = l.administration_id and w.status in ('outstanding', 'completed')))`

/**
 * A link that is good for something. That of a completed assessment still is: a client who was sent two links and
 * answered everything with the first is told so by the second.
 */
export const selectLink = (tenant: TenantScope, kind: LinkKind, tokenHash: Buffer): Statement<LinkRow> => {
  if (kind !== 'assessments') return selectOwnLink(tenant, kind, tokenHash)
  return {
    name: 'select_assessment_link',
    text: `select l.client_id as "clientId", c.date_of_birth as "dateOfBirth", l.assignment_id as "subjectId"
      from casenote.assessment_assignments l ${clientOfLink}
      where l.tenant_id = $1 and l.token_hash = $2 and ${linkStands}
        and l.expires_at > ${tenantNow} and ${isUsable}`,
    values: [tenant.tenantId, tokenHash],
  }
}

const ownLinks = { invitation: 'client_invitations', consent: 'consent_links' } as const

/** A link that is the client's own, and stands for nothing else. */
const selectOwnLink = (
  tenant: TenantScope,
  kind: keyof typeof ownLinks,
  tokenHash: Buffer,
): Statement<LinkRow> => ({
  name: `select_${kind}_link`,
  text: `select l.client_id as "clientId", c.date_of_birth as "dateOfBirth", l.client_id as "subjectId"
    from casenote.${ownLinks[kind]} l ${clientOfLink}
    where l.tenant_id = $1 and l.token_hash = $2 and l.revoked_at is null
      and l.expires_at > ${tenantNow} and ${isUsable}`,
  values: [tenant.tenantId, tokenHash],
})

/**
 * Counts a try as wrong before it is judged, so that of many at once no more are judged than are allowed; the row is
 * locked until it is. Gives nothing for a link that is closed.
 */
export const chargeTry = (
  tenant: TenantScope,
  link: { tokenHash: Buffer; clientId: ClientId },
  triesMax: number,
): Statement<{ wrongTries: number }> => ({
  name: 'charge_client_link_try',
  text: `insert into casenote.client_link_tries as t (tenant_id, token_hash, client_id, wrong_tries)
    values ($1, $2, $3, 1)
    on conflict (tenant_id, token_hash)
      do update set wrong_tries = t.wrong_tries + 1, last_tried_at = now() where t.wrong_tries < $4
    returning wrong_tries as "wrongTries"`,
  values: [tenant.tenantId, link.tokenHash, link.clientId, triesMax],
})

export const forgetTries = (tenant: TenantScope, tokenHash: Buffer): Statement => ({
  name: 'forget_client_link_tries',
  text: 'delete from casenote.client_link_tries where tenant_id = $1 and token_hash = $2',
  values: [tenant.tenantId, tokenHash],
})
