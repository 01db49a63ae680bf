import type { Statement } from '../db/database.js'
import type { ClientId, ClinicianId } from '../ids.js'
import type { TenantScope } from '../tenant.js'

/** Whose entries are asked for; null: all. Times as entries have them, in ISO 8601 with milliseconds. */
export interface ReportFilter {
  clientId: ClientId | null
  clinicianId: ClinicianId | null
  since: string | null
  until: string | null
}

export interface ReportRow {
  at: string
  writerId: string
  seq: number
  /** As JSON: a page has a hundred of them in each row, and who asks shows few of its rows. */
  subjects: string
  body: string
}

/** The body begins with `{"at":"`, and times of this spelling are in order as texts. */
const at = `substring(body from 8 for 24) collate "C"`

const columns = `${at} as at, writer_id as "writerId", seq, to_json(subject_ids)::text as subjects, body`

/** A clinician's entries are those about them and those of what they did; who did it stands in the text alone. */
const filters = `($2::uuid is null or subject_ids @> array[$2::uuid])
  and ($3::uuid is null or subject_ids @> array[$3::uuid] or body like $4)
  and ($5::text is null or ${at} >= $5) and ($6::text is null or ${at} < $6)`

const filterValues = (tenant: TenantScope, { clientId, clinicianId, since, until }: ReportFilter) => [
  tenant.tenantId,
  clientId,
  clinicianId,
  `%"actor":{"kind":"clinician","id":"${clinicianId}"%`,
  since,
  until,
]

/** How many there are about a client, counted no further than this. */
export const countOfClient = (
  tenant: TenantScope,
  clientId: ClientId,
  most: number,
): Statement<{ count: number }> => ({
  text: `select count(*)::int as count from (select from casenote.audit_entries
    where tenant_id = $1 and subject_ids @> array[$2::uuid] limit $3) found`,
  values: [tenant.tenantId, clientId, most],
})

/** By the index of subjects, in the order of time. Each page looks at all entries about the client. */
export const selectOfClient = (
  tenant: TenantScope,
  filter: ReportFilter & { clientId: ClientId },
  after: Pick<ReportRow, 'at' | 'writerId' | 'seq'>,
  most: number,
): Statement<ReportRow> => ({
  text: `select ${columns} from casenote.audit_entries
    where tenant_id = $1 and subject_ids @> array[$2::uuid] and ${filters}
      and (${at}, writer_id, seq) > ($7::text collate "C", $8::uuid, $9::int8)
    order by 1, 2, 3 limit $10`,
  values: [...filterValues(tenant, filter), after.at, after.writerId, after.seq, most],
})

/** A stretch of one chain, so that no statement grows with the log. */
export const selectStretch = (
  tenant: TenantScope,
  filter: ReportFilter,
  { writerId, after, upTo }: { writerId: string; after: number; upTo: number },
): Statement<ReportRow> => ({
  text: `select ${columns} from casenote.audit_entries
    where tenant_id = $1 and ${filters} and writer_id = $7 and seq > $8 and seq <= $9 order by seq`,
  values: [...filterValues(tenant, filter), writerId, after, upTo],
})

export interface ChainRow {
  writerId: string
  length: number
  firstAt: string | null
  lastAt: string | null
}

export const selectChains = (tenant: TenantScope): Statement<ChainRow> => ({
  text: `select h.writer_id as "writerId", h.seq as length, f.at as "firstAt", l.at as "lastAt"
    from casenote.audit_heads h
    left join lateral (select ${at} as at from casenote.audit_entries e
      where e.tenant_id = h.tenant_id and e.writer_id = h.writer_id and e.seq = 1) f on true
    left join lateral (select ${at} as at from casenote.audit_entries e
      where e.tenant_id = h.tenant_id and e.writer_id = h.writer_id and e.seq = h.seq) l on true
    where h.tenant_id = $1 order by f.at, h.writer_id`,
  values: [tenant.tenantId],
})

/** Changes that no worker has chained yet, spelt as the entries that they become. */
export const selectPendingForReport = (
  tenant: TenantScope,
  filter: ReportFilter,
  most: number,
): Statement<Pick<ReportRow, 'subjects' | 'body'>> => ({
  text: `select ${at} as at, to_json(subject_ids)::text as subjects, body from (
      select pending_id, subject_ids, '{"at":"' ||
        to_char(date_trunc('milliseconds', recorded_at) at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ||
        '","operation":' || to_json(operation)::text || ',"actor":{"kind":' || to_json(actor_kind)::text ||
        ',"id":' || coalesce(to_json(actor_id)::text, 'null') ||
        coalesce(',"as":' || to_json(actor_as)::text, '') ||
        coalesce(',"from":' || to_json(actor_from)::text, '') || '},"requestId":' ||
        coalesce(to_json(request_id)::text, 'null') || coalesce(',"count":' || entry_count, '') || '}' as body
      from casenote.audit_pending where tenant_id = $1
    ) pending
    where ${filters} order by pending_id limit $7`,
  values: [...filterValues(tenant, filter), most],
})
