import type { Statement } from '../../kernel/db/database.js'
import type {
  BlobId,
  ClientId,
  ErasableId,
  ErasedId,
  ErasureId,
  EventId,
  NoteId,
  SessionId,
  TenantId,
} from '../../kernel/ids.js'
import type { ErasureKind, ListedErasure } from '../../kernel/secrets/client-key-source.js'
import type { TenantScope } from '../../kernel/tenant.js'

export type AskedBy = 'operator' | 'restore' | 'partner'

export interface ErasureRow {
  erasureId: ErasureId
  kind: ErasureKind
  subjectId: ErasedId
  /** As a partner named it; null where the operator asked. */
  askedId: string | null
  clientId: ClientId
  askedBy: AskedBy
  status: 'deleting' | 'done' | 'refused'
  withSignedNotes: boolean
  /** The list says that it had been, before this database was put back: a legal hold here was lifted by then. */
  wasCarriedOut: boolean
  /** Some of its rows are gone. */
  hasBegun: boolean
  blobIds: BlobId[]
  askedAt: Date
  doneAt: Date | null
  receipt: string | null
}

const columns = `erasure_id as "erasureId", kind, subject_id as "subjectId", asked_id as "askedId", client_id as "clientId", asked_by as "askedBy", status, with_signed_notes as "withSignedNotes",
  was_carried_out as "wasCarriedOut", has_begun as "hasBegun", blob_ids as "blobIds", asked_at as "askedAt", done_at as "doneAt", receipt`

export interface SubjectRow {
  /** What is erased: of a note the id that never changes. */
  subjectId: ErasedId
  clientId: ClientId
  /** It is signed, or holds something that is. */
  isSigned: boolean
  /** A step of the pipeline may still write to it. */
  isUnderway: boolean
}

const signed = `(n.signed_by_id is not null or n.status = 'finalized')`

const subjects: Record<ErasureKind, string> = {
  client: `select c.client_id as "subjectId", c.client_id as "clientId", false as "isUnderway", exists (
      select from casenote.sessions s join casenote.progress_notes n on n.tenant_id = s.tenant_id and n.session_id = s.session_id
      where s.tenant_id = c.tenant_id and s.client_id = c.client_id and ${signed}) as "isSigned"
    from casenote.clients c where c.tenant_id = $1 and c.client_id = $2`,
  session: `select s.session_id as "subjectId", s.client_id as "clientId", false as "isUnderway", exists (
      select from casenote.progress_notes n where n.tenant_id = s.tenant_id and n.session_id = s.session_id and ${signed}) as "isSigned"
    from casenote.sessions s where s.tenant_id = $1 and s.session_id = $2`,
  transcript: `select s.session_id as "subjectId", s.client_id as "clientId", false as "isSigned",
      s.status not in ('completed', 'failed') as "isUnderway"
    from casenote.sessions s where s.tenant_id = $1 and s.session_id = $2`,
  draft: `select n.note_id as "subjectId", s.client_id as "clientId", ${signed} as "isSigned",
      s.status not in ('completed', 'failed') or n.active_generation_id is not null as "isUnderway"
    from casenote.progress_notes n join casenote.sessions s on s.tenant_id = n.tenant_id and s.session_id = n.session_id
    where n.tenant_id = $1 and n.note_id = coalesce(
      (select i.note_id from casenote.progress_note_ids i where i.tenant_id = $1 and i.progress_note_id = $2), $2)`,
}

export const selectSubject = (
  tenant: TenantScope,
  kind: ErasureKind,
  id: ErasableId,
): Statement<SubjectRow> => ({
  text: subjects[kind],
  values: [tenant.tenantId, id],
})

/** Whoever puts a legal hold on a client, erases or adds to them waits for the others. */
export const lockClient = (tenant: TenantScope, clientId: ClientId): Statement => ({
  text: 'select 1 from casenote.clients where tenant_id = $1 and client_id = $2 for update',
  values: [tenant.tenantId, clientId],
})

export const insertErasure = (
  tenant: TenantScope,
  row: Pick<ErasureRow, 'erasureId' | 'kind' | 'subjectId' | 'clientId' | 'askedBy' | 'withSignedNotes'> & {
    askedId?: string | null
    wasCarriedOut?: boolean
  },
): Statement => ({
  text: `insert into casenote.erasures (tenant_id, erasure_id, kind, subject_id, client_id, asked_by, with_signed_notes, asked_id, was_carried_out)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
  values: [
    tenant.tenantId,
    row.erasureId,
    row.kind,
    row.subjectId,
    row.clientId,
    row.askedBy,
    row.withSignedNotes,
    row.askedId ?? null,
    row.wasCarriedOut ?? false,
  ],
})

/** A door, for partners: why it was not asked for; null: it was. */
export const askErasure = (
  tenant: TenantScope,
  row: Pick<ErasureRow, 'erasureId' | 'kind' | 'subjectId' | 'withSignedNotes'> & { askedId: string },
): Statement<{ denial: 'not_allowed' | 'too_many' | 'full' | null }> => ({
  text: 'select casenote.ask_erasure($2, $3, $4, $5, $6) as denial from casenote.tenants where tenant_id = $1',
  values: [tenant.tenantId, row.erasureId, row.kind, row.subjectId, row.askedId, row.withSignedNotes],
})

export const selectMayErase = (tenant: TenantScope): Statement<{ mayErase: boolean }> => ({
  text: 'select partner_erasure as "mayErase" from casenote.tenants where tenant_id = $1',
  values: [tenant.tenantId],
})

interface Lease {
  erasureId: ErasureId
  leaseId: string
}

/** No row: somebody else is at it, or it has ended. */
export const leaseErasure = (
  tenant: TenantScope,
  { erasureId, leaseId }: Lease,
  seconds: number,
): Statement => ({
  text: `update casenote.erasures set leased_until = now() + make_interval(secs => $4), lease_id = $3
    where tenant_id = $1 and erasure_id = $2 and status = 'deleting' and (leased_until is null or leased_until <= now()) returning 1`,
  values: [tenant.tenantId, erasureId, leaseId, seconds],
})

/** By whoever took it last. */
export const renewLease = (
  tenant: TenantScope,
  { erasureId, leaseId }: Lease,
  seconds: number,
): Statement => ({
  text: `update casenote.erasures set leased_until = now() + make_interval(secs => $4)
    where tenant_id = $1 and erasure_id = $2 and lease_id = $3 and status = 'deleting'`,
  values: [tenant.tenantId, erasureId, leaseId, seconds],
})

/** The next one may. */
export const releaseLease = (tenant: TenantScope, { erasureId, leaseId }: Lease): Statement => ({
  text: `update casenote.erasures set leased_until = null, lease_id = null
    where tenant_id = $1 and erasure_id = $2 and lease_id = $3 and status = 'deleting'`,
  values: [tenant.tenantId, erasureId, leaseId],
})

/** For the operator: what other processes are at. */
export const countLeasedErasures = (): Statement<{ total: number }> => ({
  text: `select count(*)::int as total from casenote.tenants t
    join casenote.erasures e on e.tenant_id = t.tenant_id and e.status = 'deleting' and e.leased_until > now()`,
  values: [],
})

/**
 * The newest erasure of a thing that a partner asked for, under way or done; whoever asks again is given it. Also one that a restore
 * carried out once more, known by what it was about: earlier versions kept no id that was asked for.
 * A transcript may be there again under the same id, and then its erasure does not count; nothing else comes back under its id.
 */
export const selectAsked = (
  tenant: TenantScope,
  kind: ErasureKind,
  id: ErasableId,
): Statement<ErasureRow> => ({
  text: `select ${columns} from casenote.erasures e
    where e.tenant_id = $1 and (e.asked_id = $3 or e.asked_by = 'restore' and e.subject_id = $3) and e.kind = $2 and e.status <> 'refused' and (e.status = 'deleting' or not exists (
      select from casenote.transcripts t where e.kind = 'transcript' and t.tenant_id = $1 and t.session_id = $3))
    order by e.seq desc limit 1`,
  values: [tenant.tenantId, kind, id],
})

export const selectErasure = (tenant: TenantScope, erasureId: ErasureId): Statement<ErasureRow> => ({
  text: `select ${columns} from casenote.erasures where tenant_id = $1 and erasure_id = $2`,
  values: [tenant.tenantId, erasureId],
})

/** Of these the ones whose bytes are still to go. */
export const selectLeftBlobs = (
  tenant: TenantScope,
  blobIds: readonly BlobId[],
): Statement<{ blobId: BlobId }> => ({
  text: `select blob_id as "blobId" from casenote.blobs where tenant_id = $1 and blob_id = any($2) and status <> 'deleted'
    order by blob_id`,
  values: [tenant.tenantId, blobIds],
})

export const selectUnderway = (
  tenant: TenantScope,
  kind: ErasureKind,
  subjectId: ErasedId,
): Statement<ErasureRow> => ({
  text: `select ${columns} from casenote.erasures
    where tenant_id = $1 and kind = $2 and subject_id = $3 and status = 'deleting'`,
  values: [tenant.tenantId, kind, subjectId],
})

export const listErasures = (tenant: TenantScope, most: number): Statement<ErasureRow> => ({
  text: `select ${columns} from casenote.erasures where tenant_id = $1 order by seq desc limit $2`,
  values: [tenant.tenantId, most],
})

export const listUnfinishedErasures = (
  afterSeconds: number,
  most: number,
): Statement<{ tenantId: TenantId; erasureId: ErasureId }> => ({
  text: 'select tenant_id as "tenantId", erasure_id as "erasureId" from casenote.list_unfinished_erasures($1, $2)',
  values: [afterSeconds, most],
})

export interface EndedErasureRow extends Omit<ListedErasure, 'askedAt' | 'askedId' | 'isDone' | 'isRefused'> {
  seq: number
  askedId: string | null
  isRefused: boolean
  askedAt: Date
}

/** Erasures of all tenants, done or refused, in the order in which they were asked for. */
export const listEndedErasures = (afterSeq: number, most: number): Statement<EndedErasureRow> => ({
  text: `select seq, tenant_id as "tenantId", erasure_id as "erasureId", kind, subject_id as "subjectId", client_id as "clientId",
      asked_id as "askedId", asked_at as "askedAt", with_signed_notes as "withSignedNotes", is_refused as "isRefused" from casenote.list_ended_erasures($1, $2)`,
  values: [afterSeq, most],
})

/** For the operator, who names an erasure without its partner. */
export const findErasureAnywhere = (erasureId: ErasureId): Statement<TenantScope> => ({
  text: `select e.tenant_id as "tenantId" from casenote.tenants t
    join casenote.erasures e on e.tenant_id = t.tenant_id and e.erasure_id = $1`,
  values: [erasureId],
})

export const findNoteAnywhere = (progressNoteId: NoteId): Statement<TenantScope> => ({
  text: `select i.tenant_id as "tenantId" from casenote.tenants t
    join casenote.progress_note_ids i on i.tenant_id = t.tenant_id and i.progress_note_id = $1`,
  values: [progressNoteId],
})

export const selectSessionsOfClient = (
  tenant: TenantScope,
  clientId: ClientId,
  most: number,
): Statement<{ sessionId: SessionId }> => ({
  text: `select session_id as "sessionId" from casenote.sessions where tenant_id = $1 and client_id = $2 limit $3`,
  values: [tenant.tenantId, clientId, most],
})

/** What of a partner's events is about one of its sessions or clients, as of `at`. All of them are read, and nothing is locked. */
export interface EventsFound {
  eventIds: readonly EventId[]
  at: Date
}

export const selectEventsAbout = (tenant: TenantScope, subjectId: ErasedId): Statement<EventsFound> => ({
  name: 'select_events_about',
  text: `select now() as at, array(select e.event_id from casenote.events e
    where e.tenant_id = $1 and position(convert_to($2, 'UTF8') in e.body) > 0) as "eventIds"`,
  values: [tenant.tenantId, subjectId],
})

/** `found`: its events, which are looked for once more from then on; of what has none, nothing. */
export const eraseRows = (
  tenant: TenantScope,
  { erasureId, root, subjectId }: { erasureId: ErasureId; root: ErasureKind; subjectId: ErasedId },
  found: EventsFound | null,
): Statement<{ denial: 'signed' | 'legal_hold' | 'over' | null }> => ({
  text: `select casenote.erase_rows($1, $2, $3, $4, coalesce($5::timestamptz, '-infinity')) as denial
    from casenote.tenants where tenant_id = $6`,
  values: [erasureId, root, subjectId, found?.eventIds ?? [], found?.at ?? null, tenant.tenantId],
})

export const finishErasure = (
  tenant: TenantScope,
  { erasureId, doneAt, receipt }: { erasureId: ErasureId; doneAt: Date; receipt: string },
): Statement => ({
  text: `update casenote.erasures set status = 'done', done_at = $3, receipt = $4
    where tenant_id = $1 and erasure_id = $2 and status = 'deleting' returning 1`,
  values: [tenant.tenantId, erasureId, doneAt, receipt],
})

export const refuseErasure = (tenant: TenantScope, erasureId: ErasureId): Statement => ({
  text: `update casenote.erasures set status = 'refused', done_at = now()
    where tenant_id = $1 and erasure_id = $2 and status = 'deleting' returning 1`,
  values: [tenant.tenantId, erasureId],
})

/** As the owner. By a restore, which says nothing of what became of it after the backup: the list is never told of it. */
export const refuseErasureAsRestore = (tenant: TenantScope, erasureId: ErasureId): Statement => ({
  text: `update casenote.erasures set status = 'refused', done_at = now(), asked_by = 'restore'
    where tenant_id = $1 and erasure_id = $2 and status = 'deleting' returning 1`,
  values: [tenant.tenantId, erasureId],
})

/** As the owner. Under way in the backup, and carried out since: whatever is signed or held in the backup was no more by then. */
export const takeOverErasure = (tenant: TenantScope, erasureId: ErasureId): Statement => ({
  text: `update casenote.erasures set asked_by = 'restore', with_signed_notes = true, was_carried_out = true
    where tenant_id = $1 and erasure_id = $2 and status = 'deleting'`,
  values: [tenant.tenantId, erasureId],
})

export const selectNow = (): Statement<{ now: Date }> => ({ text: 'select now() as now', values: [] })

export interface HoldRow {
  holdId: string
  clientId: ClientId
  placedAt: Date
  liftedAt: Date | null
}

export const selectHold = (tenant: TenantScope, clientId: ClientId): Statement<{ holdId: string }> => ({
  text: `select hold_id as "holdId" from casenote.legal_holds
    where tenant_id = $1 and client_id = $2 and lifted_at is null`,
  values: [tenant.tenantId, clientId],
})

export const insertHold = (tenant: TenantScope, holdId: string, clientId: ClientId): Statement => ({
  text: 'insert into casenote.legal_holds (tenant_id, hold_id, client_id) values ($1, $2, $3)',
  values: [tenant.tenantId, holdId, clientId],
})

export const liftHold = (tenant: TenantScope, clientId: ClientId): Statement<{ holdId: string }> => ({
  text: `update casenote.legal_holds set lifted_at = now()
    where tenant_id = $1 and client_id = $2 and lifted_at is null returning hold_id as "holdId"`,
  values: [tenant.tenantId, clientId],
})

export const listHolds = (tenant: TenantScope, most: number): Statement<HoldRow> => ({
  text: `select hold_id as "holdId", client_id as "clientId", placed_at as "placedAt", lifted_at as "liftedAt"
    from casenote.legal_holds where tenant_id = $1 order by placed_at desc limit $2`,
  values: [tenant.tenantId, most],
})

/** An erasure of the client or of anything that is theirs. Not what a partner has asked for and of which nothing is gone yet: a hold refuses it. */
export const selectErasureOfClient = (tenant: TenantScope, clientId: ClientId): Statement => ({
  text: `select erasure_id as "erasureId" from casenote.erasures
    where tenant_id = $1 and client_id = $2 and status = 'deleting' and (asked_by <> 'partner' or has_begun)`,
  values: [tenant.tenantId, clientId],
})
