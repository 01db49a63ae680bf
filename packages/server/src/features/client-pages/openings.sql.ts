import type { LinkKind } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { tenantNow } from '../../kernel/db/tenant-clock.sql.js'
import type { ClientId, OpeningId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { linkStands } from './links.sql.js'

/** How long an opening lasts without an answer, which is as long as a sitting: who comes back within it need not give their birth date again. */
export const openingIdleMinutes = 30

/** However busy: a browser that somebody has left open on purpose is let in no longer than this. */
const openingHoursMax = 4

export interface OpeningRow {
  openingId: OpeningId
  clientId: ClientId
  linkHash: Buffer
}

export const insertOpening = (
  tenant: TenantScope,
  row: OpeningRow & { bearerHash: Buffer; kind: LinkKind },
): Statement => ({
  name: 'insert_client_opening',
  text: `insert into casenote.client_openings
      (tenant_id, bearer_hash, opening_id, client_id, kind, link_hash, expires_at)
    values ($1, $2, $3, $4, $5, $6, ${tenantNow} + interval '${openingIdleMinutes} minutes')`,
  values: [tenant.tenantId, row.bearerHash, row.openingId, row.clientId, row.kind, row.linkHash],
})

/** What takes a link back takes back what it opened. */
const standingLinks: Record<LinkKind, string> = {
  assessments: `select from casenote.assessment_assignments l
    where l.tenant_id = o.tenant_id and l.token_hash = o.link_hash and ${linkStands}`,
  invitation: `select from casenote.client_invitations l
    where l.tenant_id = o.tenant_id and l.token_hash = o.link_hash and l.revoked_at is null`,
  // With the link ends what it opened, also in the middle of a sitting: nothing is lost, and another one is made at once.
  consent: `select from casenote.consent_links l
    where l.tenant_id = o.tenant_id and l.token_hash = o.link_hash and l.revoked_at is null
      and l.expires_at > ${tenantNow}`,
}

/** Who is let in, and lets them in for longer. An archived client, or a suspended partner's, is not. */
export const extendOpening = (
  tenant: TenantScope,
  kind: LinkKind,
  bearerHash: Buffer,
): Statement<OpeningRow> => ({
  name: `extend_client_opening_${kind}`,
  text: `update casenote.client_openings o
    set expires_at = least(${tenantNow} + interval '${openingIdleMinutes} minutes',
      casenote.tenant_time(o.tenant_id, o.opened_at) + interval '${openingHoursMax} hours')
    from casenote.clients c, casenote.tenants n
    where o.tenant_id = $1 and o.bearer_hash = $2 and o.kind = $3 and o.expires_at > ${tenantNow}
      and c.tenant_id = o.tenant_id and c.client_id = o.client_id and c.status <> 'archived'
      and n.tenant_id = o.tenant_id and n.suspended_at is null and exists (${standingLinks[kind]})
    returning o.opening_id as "openingId", o.client_id as "clientId", o.link_hash as "linkHash"`,
  values: [tenant.tenantId, bearerHash, kind],
})

/** The client of an opening, also of one that is over, until it is purged. */
export const selectClientOfOpening = (
  tenant: TenantScope,
  bearerHash: Buffer,
): Statement<Pick<OpeningRow, 'clientId'>> => ({
  name: 'select_client_of_opening',
  text: `select client_id as "clientId" from casenote.client_openings where tenant_id = $1 and bearer_hash = $2`,
  values: [tenant.tenantId, bearerHash],
})

/** Two minutes: for a last answer that was lost on its way. */
export const closeOpenings = (tenant: TenantScope, clientId: ClientId): Statement => ({
  name: 'close_client_openings',
  text: `update casenote.client_openings set expires_at = least(expires_at, ${tenantNow} + interval '2 minutes')
    where tenant_id = $1 and client_id = $2 and kind = 'assessments' and expires_at > ${tenantNow}`,
  values: [tenant.tenantId, clientId],
})

export const purgeOpenings = (most: number): Statement => ({
  name: 'purge_client_openings',
  text: 'select casenote.purge_client_openings($1) as purged',
  values: [most],
})
