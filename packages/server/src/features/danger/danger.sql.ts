import { dangerItemsMax } from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import type {
  AssignmentId,
  ClientId,
  ClinicianId,
  DangerItemId,
  NoteId,
  ProgressNoteId,
  SessionId,
} from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

export interface KnownItemRow {
  itemId: DangerItemId
  isOpen: boolean
  /** Somebody has seen it, or signed a note beside it. */
  isTouched: boolean
  assignmentId: AssignmentId | null
  sealedItem: Buffer
}

const knownItems = `select d.item_id as "itemId", d.status = 'open' as "isOpen", d.assignment_id as "assignmentId",
    d.sealed_item as "sealedItem",
    exists (select from casenote.danger_sightings g where g.tenant_id = d.tenant_id and g.item_id = d.item_id)
      or exists (select from casenote.danger_left_open o where o.tenant_id = d.tenant_id
        and o.item_id = d.item_id) as "isTouched"
  from casenote.danger_items d`

/** Whatever became of them: what was closed does not open again because the talk is read again. */
export const selectItemsOfSession = (tenant: TenantScope, sessionId: SessionId): Statement<KnownItemRow> => ({
  name: 'select_danger_items_of_session',
  text: `${knownItems} where d.tenant_id = $1 and d.session_id = $2 order by d.seq`,
  values: [tenant.tenantId, sessionId],
})

/** Closed with a word why; as many as a session can open. */
export const selectClosedOfSession = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ itemId: DangerItemId; sealedItem: Buffer }> => ({
  name: 'select_closed_danger_of_session',
  text: `select d.item_id as "itemId", d.sealed_item as "sealedItem" from casenote.danger_items d
    where d.tenant_id = $1 and d.session_id = $2 and d.status = 'closed' order by d.seq limit ${dangerItemsMax}`,
  values: [tenant.tenantId, sessionId],
})

export const selectItemsOfAssignments = (
  tenant: TenantScope,
  assignmentIds: readonly AssignmentId[],
): Statement<KnownItemRow> => ({
  name: 'select_danger_items_of_assignments',
  text: `${knownItems} where d.tenant_id = $1 and d.assignment_id = any($2) order by d.seq`,
  values: [tenant.tenantId, assignmentIds],
})

export const insertSaidItems = (
  tenant: TenantScope,
  sessionId: SessionId,
  rows: readonly { itemId: DangerItemId; sealedItem: Buffer }[],
): Statement<{ clientId: ClientId }> => ({
  name: 'insert_said_danger_items',
  text: `insert into casenote.danger_items (tenant_id, item_id, client_id, session_id, sealed_item, occurred_at)
    select $1, new.item_id, s.client_id, s.session_id, new.sealed_item, coalesce(s.started_at, s.created_at)
    from casenote.sessions s
    cross join unnest($3::uuid[], $4::bytea[]) with ordinality as new (item_id, sealed_item, position)
    where s.tenant_id = $1 and s.session_id = $2 order by new.position
    returning client_id as "clientId"`,
  values: [tenant.tenantId, sessionId, rows.map(({ itemId }) => itemId), rows.map((row) => row.sealedItem)],
})

/** Opens an item for an answer. As with the answer itself, a clock ahead of ours does not win. */
export const insertAnsweredItem = (
  tenant: TenantScope,
  row: {
    itemId: DangerItemId
    clientId: ClientId
    assignmentId: AssignmentId
    sealedItem: Buffer
    occurredAt: Date
  },
): Statement => ({
  name: 'insert_answered_danger_item',
  text: `insert into casenote.danger_items (tenant_id, item_id, client_id, assignment_id, sealed_item, occurred_at)
    values ($1, $2, $3, $4, $5, least($6, now()))`,
  values: [tenant.tenantId, row.itemId, row.clientId, row.assignmentId, row.sealedItem, row.occurredAt],
})

export const updateOpenItem = (
  tenant: TenantScope,
  { itemId, sealedItem }: { itemId: DangerItemId; sealedItem: Buffer },
): Statement => ({
  name: 'update_open_danger_item',
  text: `update casenote.danger_items set sealed_item = $3
    where tenant_id = $1 and item_id = $2 and status = 'open'`,
  values: [tenant.tenantId, itemId, sealedItem],
})

/** An item whose lines in the transcript have other numbers now; what it says is the same, so a closed one is changed, too. */
export const updateItemLines = (
  tenant: TenantScope,
  { itemId, sealedItem }: { itemId: DangerItemId; sealedItem: Buffer },
): Statement => ({
  text: 'update casenote.danger_items set sealed_item = $3 where tenant_id = $1 and item_id = $2',
  values: [tenant.tenantId, itemId, sealedItem],
})

/** Moves what is open to the client whose recording a session was: what was said is theirs, and somebody still has to answer for it. */
export const moveItems = (
  tenant: TenantScope,
  { from, to }: { from: string; to: { sessionId: SessionId; clientId: ClientId } },
): Statement => ({
  text: `update casenote.danger_items set session_id = $3, client_id = $4
    where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, from, to.sessionId, to.clientId],
})

export interface OpenItemRow {
  itemId: DangerItemId
  clientId: ClientId
  firstName: string | null
  lastName: string
  sessionId: SessionId | null
  sealedItem: Buffer
  occurredAt: Date
  seenAt: Date | null
  leftNoteId: NoteId | null
  leftAt: Date | null
  sealedLeftReason: Buffer | null
  total: number
}

/**
 * `$2` is the clinician whose sight of it is told. What was said in a session that was thrown away was not said. Of the notes
 * that were signed beside it only the client's own: an item may have been put right from another's chart.
 */
const itemView = `select d.item_id as "itemId", d.client_id as "clientId", c.first_name as "firstName",
    c.last_name as "lastName", d.session_id as "sessionId", d.sealed_item as "sealedItem",
    d.occurred_at as "occurredAt", g.seen_at as "seenAt", l.note_id as "leftNoteId", l.left_at as "leftAt",
    l.sealed_reason as "sealedLeftReason"`

const itemTables = `casenote.danger_items d
  join casenote.clients c on c.tenant_id = d.tenant_id and c.client_id = d.client_id
  left join casenote.sessions s on s.tenant_id = d.tenant_id and s.session_id = d.session_id
  left join casenote.danger_sightings g on g.tenant_id = d.tenant_id and g.item_id = d.item_id
    and g.clinician_id = $2
  left join lateral (select o.note_id, o.left_at, o.sealed_reason from casenote.danger_left_open o
    join casenote.progress_notes p on p.tenant_id = o.tenant_id and p.note_id = o.note_id
    join casenote.sessions q on q.tenant_id = p.tenant_id and q.session_id = p.session_id and q.client_id = d.client_id
    where o.tenant_id = d.tenant_id and o.item_id = d.item_id order by o.left_at desc limit 1) l on true`

/** Not `isKept` of sessions: where a session was put right as another client's, its items were moved to that client (`moveItems`). */
const isOfKeptTalk = `(s.failure_code is distinct from 'discarded')`

/** What is open of all clients whom a clinician treats, newest first. */
export const selectOpenOfClinician = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
  most: number,
): Statement<OpenItemRow> => ({
  name: 'select_open_danger_of_clinician',
  text: `${itemView}, count(*) over () as total from ${itemTables}
    where d.tenant_id = $1 and d.status = 'open' and ${isOfKeptTalk} and d.client_id in (
      select t.client_id from casenote.clients t where t.tenant_id = $1 and t.clinician_id = $2
      union select x.client_id from casenote.secondary_clinicians x where x.tenant_id = $1 and x.clinician_id = $2)
    order by d.occurred_at desc, d.seq desc limit $3`,
  values: [tenant.tenantId, clinicianId, most],
})

export const selectOpenOfClient = (
  tenant: TenantScope,
  { clientId, clinicianId }: { clientId: ClientId; clinicianId: ClinicianId | null },
): Statement<OpenItemRow> => ({
  name: 'select_open_danger_of_client',
  text: `${itemView}, count(*) over () as total from ${itemTables}
    where d.tenant_id = $1 and d.client_id = $3 and d.status = 'open' and ${isOfKeptTalk}
    order by d.occurred_at desc, d.seq desc limit ${dangerItemsMax}`,
  values: [tenant.tenantId, clinicianId, clientId],
})

export interface NoteItemRow extends OpenItemRow {
  isOfSession: boolean
  isSinceLastNote: boolean
  /** When this very note was signed beside it last, whatever was signed since, and whether somebody said why. */
  ownLeftAt: Date | null
  hasOwnReason: boolean
}

/**
 * What is open of the note's client, first what the note has to answer for. An answer is asked for until a signed note was kept with
 * it, held or left open: times would not tell, where one was saved while a note was being signed. `$2` null: a partner.
 */
export const selectOpenForNote = (
  tenant: TenantScope,
  {
    clientId,
    sessionId,
    clinicianId,
  }: { clientId: ClientId; sessionId: SessionId; clinicianId: ClinicianId | null },
): Statement<NoteItemRow> => ({
  name: 'select_open_danger_for_note',
  text: `select * from (
      ${itemView}, count(*) over () as total, d.seq, coalesce(d.session_id = $4, false) as "isOfSession",
        d.assignment_id is not null and not exists (
          select from casenote.danger_left_open b
          join casenote.progress_notes n on n.tenant_id = b.tenant_id and n.note_id = b.note_id
            and n.session_id <> $4 and n.status = 'finalized'
          where b.tenant_id = d.tenant_id and b.item_id = d.item_id) as "isSinceLastNote",
        w.left_at as "ownLeftAt", w.sealed_reason is not null as "hasOwnReason"
      from ${itemTables}
      left join (casenote.danger_left_open w join casenote.progress_notes h on h.tenant_id = w.tenant_id
        and h.note_id = w.note_id and h.session_id = $4) on w.tenant_id = d.tenant_id and w.item_id = d.item_id
      where d.tenant_id = $1 and d.client_id = $3 and d.status = 'open' and ${isOfKeptTalk}) i
    order by i."isOfSession" or i."isSinceLastNote" desc, i."occurredAt" desc, i.seq desc limit ${dangerItemsMax}`,
  values: [tenant.tenantId, clinicianId, clientId, sessionId],
})

export interface EndedItemRow extends Omit<OpenItemRow, 'total'> {
  endedAt: Date
  closedBy: string | null
  sealedReason: Buffer | null
}

/** Newest first. */
export const selectEndedOfClient = (
  tenant: TenantScope,
  { clientId, clinicianId, most }: { clientId: ClientId; clinicianId: ClinicianId; most: number },
): Statement<EndedItemRow> => ({
  name: 'select_ended_danger_of_client',
  text: `${itemView}, d.ended_at as "endedAt", d.sealed_reason as "sealedReason",
      k.first_name || ' ' || k.last_name as "closedBy"
    from ${itemTables}
    left join casenote.clinicians k on k.tenant_id = d.tenant_id and k.clinician_id = d.closed_by_id
    where d.tenant_id = $1 and d.client_id = $3 and d.status <> 'open' and ${isOfKeptTalk}
    order by d.ended_at desc, d.seq desc limit $4`,
  values: [tenant.tenantId, clinicianId, clientId, most],
})

/** Locked in one order, so that two who act on the same items wait for each other. */
export const lockItemsOfClient = (
  tenant: TenantScope,
  clientId: ClientId,
  itemIds: readonly DangerItemId[],
): Statement<{ itemId: DangerItemId; isOpen: boolean }> => ({
  name: 'lock_danger_items_of_client',
  text: `select item_id as "itemId", status = 'open' as "isOpen" from casenote.danger_items
    where tenant_id = $1 and client_id = $2 and item_id = any($3) order by item_id for update`,
  values: [tenant.tenantId, clientId, itemIds],
})

export const insertSightings = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
  itemIds: readonly DangerItemId[],
): Statement<{ itemId: DangerItemId }> => ({
  name: 'insert_danger_sightings',
  text: `insert into casenote.danger_sightings (tenant_id, item_id, clinician_id)
    select $1, unnest($3::uuid[]), $2 on conflict do nothing returning item_id as "itemId"`,
  values: [tenant.tenantId, clinicianId, itemIds],
})

export const closeItem = (
  tenant: TenantScope,
  row: { itemId: DangerItemId; clinicianId: ClinicianId; sealedReason: Buffer },
): Statement => ({
  name: 'close_danger_item',
  text: `update casenote.danger_items
    set status = 'closed', ended_at = now(), closed_by_id = $3, sealed_reason = $4
    where tenant_id = $1 and item_id = $2 and status = 'open'`,
  values: [tenant.tenantId, row.itemId, row.clinicianId, row.sealedReason],
})

export const markItemsHeld = (
  tenant: TenantScope,
  noteId: NoteId,
  itemIds: readonly DangerItemId[],
): Statement => ({
  name: 'mark_danger_items_held',
  text: `update casenote.danger_items set status = 'held', ended_at = now(), note_id = $2
    where tenant_id = $1 and item_id = any($3) and status = 'open' returning item_id as "itemId"`,
  values: [tenant.tenantId, noteId, itemIds],
})

/**
 * Records what is open beside a signature. Once more where the note was returned since, or is co-signed: what was open beside the newest
 * signature stands.
 */
export const insertLeftOpen = (
  tenant: TenantScope,
  noteId: NoteId,
  rows: readonly { itemId: DangerItemId; sealedReason: Buffer | null }[],
): Statement => ({
  name: 'insert_danger_left_open',
  text: `insert into casenote.danger_left_open (tenant_id, note_id, item_id, sealed_reason)
    select $1, $2, new.item_id, new.sealed_reason
    from unnest($3::uuid[], $4::bytea[]) as new (item_id, sealed_reason)
    on conflict (tenant_id, note_id, item_id)
      do update set sealed_reason = excluded.sealed_reason, left_at = now()`,
  values: [tenant.tenantId, noteId, rows.map(({ itemId }) => itemId), rows.map((row) => row.sealedReason)],
})

export interface LeftOpenRow {
  itemId: DangerItemId
  noteId: NoteId
  progressNoteId: ProgressNoteId
  leftAt: Date
  sealedReason: Buffer | null
}

/** The signatures of the client's own notes beside which each of these items was left open, oldest first. */
export const selectLeftOpen = (
  tenant: TenantScope,
  clientId: ClientId,
  itemIds: readonly DangerItemId[],
): Statement<LeftOpenRow> => ({
  text: `select o.item_id as "itemId", o.note_id as "noteId", p.progress_note_id as "progressNoteId", o.left_at as "leftAt",
      o.sealed_reason as "sealedReason"
    from casenote.danger_left_open o
    join casenote.progress_notes p on p.tenant_id = o.tenant_id and p.note_id = o.note_id
    join casenote.sessions q on q.tenant_id = p.tenant_id and q.session_id = p.session_id and q.client_id = $2
    where o.tenant_id = $1 and o.item_id = any($3::uuid[]) order by o.left_at`,
  values: [tenant.tenantId, clientId, itemIds],
})

export interface ExportedItemRow {
  itemId: DangerItemId
  seq: number
  sessionId: SessionId | null
  assignmentId: AssignmentId | null
  sealedItem: Buffer
  occurredAt: Date
  status: 'open' | 'closed' | 'held'
  endedAt: Date | null
  closedById: string | null
  sealedReason: Buffer | null
}

/** All of a client's, whatever became of them, oldest first. What was said in a session that was thrown away was not said. */
export const selectItemsOfClient = (
  tenant: TenantScope,
  { clientId, after, most }: { clientId: ClientId; after: number; most: number },
): Statement<ExportedItemRow> => ({
  text: `select d.item_id as "itemId", d.seq, d.session_id as "sessionId", d.assignment_id as "assignmentId",
      d.sealed_item as "sealedItem", d.occurred_at as "occurredAt", d.status, d.ended_at as "endedAt",
      d.closed_by_id as "closedById", d.sealed_reason as "sealedReason"
    from casenote.danger_items d
    left join casenote.sessions s on s.tenant_id = d.tenant_id and s.session_id = d.session_id
    where d.tenant_id = $1 and d.client_id = $2 and d.seq > $3 and ${isOfKeptTalk} order by d.seq limit $4`,
  values: [tenant.tenantId, clientId, after, most],
})
