import {
  skippedBefore,
  type AskedPage,
  type NoteSigner,
  type NoteStatus,
  type NoteTemplate,
  type NoteType,
} from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type {
  ClientId,
  ClinicId,
  ClinicianId,
  GenerationId,
  NoteId,
  OrganizationId,
  ProgressNoteId,
  SessionId,
  SignerId,
  TemplateId,
} from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { addendaCountColumn, addendaColumn, type SealedAddendum } from './addenda.sql.js'
import { coSignatureColumns, coSignatureTables, type CoSignatureRow } from './co-signatures.sql.js'

/** A note with its session, and without what it says. */
export interface NoteHead extends CoSignatureRow {
  noteId: NoteId
  progressNoteId: ProgressNoteId
  sessionId: SessionId
  sessionExternalId: string | null
  clientId: ClientId
  clinicianId: ClinicianId
  clinicId: ClinicId
  organizationId: OrganizationId
  noteType: NoteType
  /** Null: the note is older than templates. */
  templateId: TemplateId | null
  templateVersion: number | null
  sessionType: string | null
  /** Which language was spoken in the session, if somebody said it. */
  language: string | null
  status: NoteStatus
  activeGenerationId: GenerationId | null
  version: number
  /** The highest number of the versions that were deleted with a struck stretch of talk; 0: none was. */
  versionsGone: number
  /** All versions were deleted with struck talk, and no text was written since; one still may be. */
  isEmptied: boolean
  sealedPreferences: Buffer | null
  /** A digest of the sealed draft: it is another one whenever a section was stored. */
  draftDigest: string | null
  /** Which engine wrote the text; the clinician may have changed it since. */
  madeBy: string | null
  createdAt: Date
  updatedAt: Date
  finalizedAt: Date | null
  /** Null also for a note that was finalized before this was kept, where the audit log did not tell. */
  signerKind: NoteSigner['kind'] | null
  signerId: SignerId | null
  signerName: string | null
  addendaCount: number
  /** When what the text rests on was judged again; null for a text that never was. */
  judgedAt: Date | null
}

/** A note with what it says now: the draft while a generation is active, else its version. */
export interface NoteRow extends NoteHead {
  sealedDraft: Buffer | null
  sealedSections: Buffer | null
  sealedReview: Buffer | null
  sealedGoals: Buffer | null
  /** The sections as they were judged again after words of the transcript were put right; they stand in the place of the version's own. */
  sealedJudgedSections: Buffer | null
  sealedJudgedReview: Buffer | null
  /** A template that a partner or an operator added; null: one of ours. */
  template: NoteTemplate | null
  addenda: SealedAddendum[]
}

/** The template that a generation asks for where it changes the note's type, else the session's. */
const templateId = 'case when g.note_type is null then s.template_id else g.template_id end'
const templateVersion = 'case when g.note_type is null then s.template_version else g.template_version end'

/** All that it said was struck, and nothing has been written since. */
const isEmptied = (note: string, session: string): string =>
  `${note}.version = 0 and ${note}.versions_gone > 0 and ${session}.status <> 'failed'`

const headColumns = `n.note_id as "noteId", n.progress_note_id as "progressNoteId", n.session_id as "sessionId",
    s.session_external_id as "sessionExternalId", s.client_id as "clientId", s.clinician_id as "clinicianId",
    s.clinic_id as "clinicId", s.organization_id as "organizationId", coalesce(g.note_type, s.note_type) as "noteType",
    ${templateId} as "templateId", ${templateVersion} as "templateVersion",
    s.session_type as "sessionType", s.language, n.status, n.active_generation_id as "activeGenerationId", n.version,
    n.versions_gone as "versionsGone", ${isEmptied('n', 's')} as "isEmptied",
    n.sealed_preferences as "sealedPreferences", encode(sha256(g.sealed_sections), 'base64') as "draftDigest",
    (select w.made_by from casenote.note_versions w
      where w.tenant_id = n.tenant_id and w.note_id = n.note_id and w.made_by is not null
      order by w.version desc limit 1) as "madeBy", n.created_at as "createdAt", n.updated_at as "updatedAt",
    n.finalized_at as "finalizedAt", n.signed_by_kind as "signerKind", n.signed_by_id as "signerId",
    case when n.signed_by_kind = 'clinician' then
      (select c.first_name || ' ' || c.last_name from casenote.clinicians c
        where c.tenant_id = n.tenant_id and c.clinician_id = n.signed_by_id) end as "signerName",
    ${addendaCountColumn} as "addendaCount",
    case when n.judged_version = n.version then n.judged_at end as "judgedAt", ${coSignatureColumns}`

const headTables = `casenote.progress_notes n
  join casenote.sessions s on s.tenant_id = n.tenant_id and s.session_id = n.session_id
  left join casenote.note_generations g
    on g.tenant_id = n.tenant_id and g.generation_id = n.active_generation_id
  ${coSignatureTables}`

const noteView = `select ${headColumns}, g.sealed_sections as "sealedDraft", v.sealed_sections as "sealedSections",
    v.sealed_review as "sealedReview", v.sealed_goals as "sealedGoals",
    case when n.judged_version = v.version then n.sealed_judged_sections end as "sealedJudgedSections",
    case when n.judged_version = v.version then n.sealed_judged_review end as "sealedJudgedReview",
    ${addendaColumn} as addenda,
    (select t.template from casenote.note_template_versions t where t.tenant_id = n.tenant_id
      and t.template_id = ${templateId} and t.version = ${templateVersion}) as template
  from ${headTables}
  left join casenote.note_versions v
    on v.tenant_id = n.tenant_id and v.note_id = n.note_id and v.version = n.version
      and n.active_generation_id is null`

export const selectNote = (tenant: TenantScope, noteId: NoteId): Statement<NoteRow> => ({
  name: 'select_note',
  text: `${noteView} where n.tenant_id = $1 and n.note_id = $2`,
  values: [tenant.tenantId, noteId],
})

/** A note by any id that it ever had. */
export const selectNoteByAnyId = (
  tenant: TenantScope,
  progressNoteId: ProgressNoteId,
): Statement<NoteRow> => ({
  name: 'select_note_by_any_id',
  text: `${noteView} where n.tenant_id = $1 and n.note_id = (select i.note_id from casenote.progress_note_ids i
    where i.tenant_id = $1 and i.progress_note_id = $2)`,
  values: [tenant.tenantId, progressNoteId],
})

export const selectNoteOfSession = (tenant: TenantScope, sessionId: SessionId): Statement<NoteRow> => ({
  name: 'select_note_of_session',
  text: `${noteView} where n.tenant_id = $1 and n.session_id = $2`,
  values: [tenant.tenantId, sessionId],
})

/** The client's last signed note but this one; no row: there is none. */
export const selectLastSigned = (
  tenant: TenantScope,
  { clientId, exceptNoteId }: { clientId: ClientId; exceptNoteId: NoteId },
): Statement<NoteRow> => ({
  name: 'select_last_signed_note',
  text: `${noteView} where n.tenant_id = $1 and n.note_id = (
      select p.note_id from casenote.sessions q
      join casenote.progress_notes p on p.tenant_id = q.tenant_id and p.session_id = q.session_id
      where q.tenant_id = $1 and q.client_id = $2 and p.status = 'finalized' and p.note_id <> $3
      order by p.finalized_at desc, p.note_id limit 1)`,
  values: [tenant.tenantId, clientId, exceptNoteId],
})

export interface LastWrittenRow extends NoteRow {
  happenedAt: Date
}

/** The last written note of a client: of their newest session whose note is written and not being written anew. */
export const selectLastWritten = (tenant: TenantScope, clientId: ClientId): Statement<LastWrittenRow> => ({
  name: 'select_last_written_note',
  text: `select w.*, q.happened_at as "happenedAt" from (
      select p.note_id, coalesce(s.started_at, s.created_at) as happened_at from casenote.sessions s
      join casenote.progress_notes p on p.tenant_id = s.tenant_id and p.session_id = s.session_id
      where s.tenant_id = $1 and s.client_id = $2 and p.version > 0 and p.active_generation_id is null
      order by 2 desc, s.seq desc limit 1) q
    join lateral (${noteView} where n.tenant_id = $1 and n.note_id = q.note_id) w on true`,
  values: [tenant.tenantId, clientId],
})

/** The newest session of a client whose note was emptied by a strike and is not written again, if none has been written since. */
export const selectLastEmptied = (
  tenant: TenantScope,
  clientId: ClientId,
): Statement<{ sessionId: SessionId; happenedAt: Date }> => ({
  name: 'select_last_emptied_note',
  text: `select e.session_id as "sessionId", e.happened_at as "happenedAt" from (
      select p.version, p.active_generation_id, p.versions_gone, s.status, s.session_id, coalesce(s.started_at, s.created_at) as happened_at
      from casenote.sessions s
      join casenote.progress_notes p on p.tenant_id = s.tenant_id and p.session_id = s.session_id
      where s.tenant_id = $1 and s.client_id = $2 and (p.version > 0 and p.active_generation_id is null or ${isEmptied('p', 's')})
      order by happened_at desc, s.seq desc limit 1) e
    where ${isEmptied('e', 'e')}`,
  values: [tenant.tenantId, clientId],
})

/** A page of the longest notes has twenty megabytes: who only says how they stand reads none of it. */
export const selectNoteHeads = (
  tenant: TenantScope,
  sessionIds: readonly SessionId[],
): Statement<NoteHead> => ({
  name: 'select_note_heads',
  text: `select ${headColumns} from ${headTables} where n.tenant_id = $1 and n.session_id = any($2)`,
  values: [tenant.tenantId, sessionIds],
})

/** Apart from reading it: a row that was waited for would be joined with what the others were before. */
export const lockNote = (tenant: TenantScope, noteId: NoteId): Statement => ({
  name: 'lock_note',
  text: 'select from casenote.progress_notes where tenant_id = $1 and note_id = $2 for update',
  values: [tenant.tenantId, noteId],
})

/** Nobody signs it, or takes a signature back, until the end of the transaction. */
export const lockSignature = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ isSigned: boolean }> => ({
  name: 'lock_signature',
  text: `select signed_by_id is not null or status = 'finalized' as "isSigned"
    from casenote.progress_notes where tenant_id = $1 and session_id = $2 for share`,
  values: [tenant.tenantId, sessionId],
})

export const insertNote = (
  tenant: TenantScope,
  row: {
    noteId: NoteId
    sessionId: SessionId
    progressNoteId: ProgressNoteId
    sealedPreferences: Buffer | null
  },
): Statement => ({
  name: 'insert_note',
  text: `insert into casenote.progress_notes (tenant_id, note_id, session_id, progress_note_id, sealed_preferences)
    values ($1, $2, $3, $4, $5)`,
  values: [tenant.tenantId, row.noteId, row.sessionId, row.progressNoteId, row.sealedPreferences],
})

export const insertNoteId = (
  tenant: TenantScope,
  noteId: NoteId,
  progressNoteId: ProgressNoteId,
): Statement => ({
  name: 'insert_note_id',
  text: 'insert into casenote.progress_note_ids (tenant_id, progress_note_id, note_id) values ($1, $2, $3)',
  values: [tenant.tenantId, progressNoteId, noteId],
})

/** Newest first; more than a hundred writings of one note are nobody's. */
export const selectNoteIds = (
  tenant: TenantScope,
  noteId: NoteId,
): Statement<{ progressNoteId: ProgressNoteId }> => ({
  text: `select progress_note_id as "progressNoteId" from casenote.progress_note_ids
    where tenant_id = $1 and note_id = $2 order by created_at desc limit 100`,
  values: [tenant.tenantId, noteId],
})

/**
 * Compare and set, fenced: a generation is completed only by itself, and whatever else happens needs that there is
 * none. `$6` is how many versions the change adds. A note that failed says nothing, also if it did before, nor does one
 * that begins anew: the numbers of its versions are not given again.
 */
export const updateNoteStatus = (
  tenant: TenantScope,
  noteId: NoteId,
  change: {
    from: readonly NoteStatus[]
    to: NoteStatus
    generationId: GenerationId | null
    progressNoteId: ProgressNoteId
    addedVersions: 0 | 1
    /** Null for whatever does not finalize. Of a note that is signed already it is the co-signer. */
    signer: Pick<NoteSigner, 'kind' | 'id'> | null
  },
): Statement<{ fromStatus: NoteStatus }> => ({
  name: 'update_note_status',
  text: `update casenote.progress_notes n
    set status = $4, active_generation_id = null, progress_note_id = $7,
      version = case when $4 in ('generating', 'failed') then 0 else greatest(n.version, n.versions_gone) + $6 end,
      versions_gone = case when $4 = 'generating' then greatest(n.version, n.versions_gone) else n.versions_gone end,
      updated_at = now(), finalized_at = case when $4 = 'finalized' then now() end,
      signed_by_kind = case when $4 = 'finalized' then coalesce(n.signed_by_kind, $8::text) end,
      signed_by_id = case when $4 = 'finalized' then coalesce(n.signed_by_id, $9::uuid) end,
      signed_at = case when $4 = 'finalized' then coalesce(n.signed_at, now()) end,
      co_signed_by_kind = case when n.signed_by_id <> $9::uuid then $8::text end,
      co_signed_by_id = case when n.signed_by_id <> $9::uuid then $9::uuid end
    from (select status from casenote.progress_notes where tenant_id = $1 and note_id = $2 for update) old
    where n.tenant_id = $1 and n.note_id = $2 and old.status = any($3)
      and n.active_generation_id is not distinct from $5
    returning old.status as "fromStatus"`,
  values: [
    tenant.tenantId,
    noteId,
    change.from,
    change.to,
    change.generationId,
    change.addedVersions,
    change.progressNoteId,
    change.signer?.kind ?? null,
    change.signer?.id ?? null,
  ],
})

export const insertNoteHistory = (
  tenant: TenantScope,
  noteId: NoteId,
  change: {
    action: string
    fromStatus: NoteStatus | null
    toStatus: NoteStatus
    progressNoteId: ProgressNoteId
  },
): Statement => ({
  name: 'insert_note_history',
  text: `insert into casenote.note_status_history
      (tenant_id, note_id, action, from_status, to_status, progress_note_id)
    values ($1, $2, $3, $4, $5, $6)`,
  values: [tenant.tenantId, noteId, change.action, change.fromStatus, change.toStatus, change.progressNoteId],
})

/** An edit by hand: same id, same status. */
export const updateNoteVersion = (tenant: TenantScope, noteId: NoteId, version: number): Statement => ({
  name: 'update_note_version',
  text: `update casenote.progress_notes set version = $3, updated_at = now()
    where tenant_id = $1 and note_id = $2 and version = $3 - 1 and active_generation_id is null
      and signed_by_id is null
      and status in ('generated', 'regenerated') returning 1`,
  values: [tenant.tenantId, noteId, version],
})

/** Keeps how a text was judged again, if it is free; no row: it is not, or is another one by now. */
export const updateJudgement = (
  tenant: TenantScope,
  noteId: NoteId,
  judged: { version: number; sealedSections: Buffer; sealedReview: Buffer },
): Statement => ({
  name: 'update_note_judgement',
  text: `update casenote.progress_notes
    set judged_version = $3, judged_at = now(), sealed_judged_sections = $4, sealed_judged_review = $5
    where tenant_id = $1 and note_id = $2 and version = $3 and active_generation_id is null
      and signed_by_id is null and status in ('generated', 'regenerated') returning 1`,
  values: [tenant.tenantId, noteId, judged.version, judged.sealedSections, judged.sealedReview],
})

export const insertNoteVersion = (
  tenant: TenantScope,
  row: {
    noteId: NoteId
    version: number
    versionId: string
    progressNoteId: ProgressNoteId
    origin: string
    generationId: GenerationId | null
    sealedSections: Buffer
    sealedReview: Buffer
    /** Null where there are no goals. */
    sealedGoals?: Buffer | null
    /** Null for what a person wrote. */
    madeBy: string | null
    template: Pick<NoteTemplate, 'noteType' | 'id' | 'version'>
  },
): Statement => ({
  name: 'insert_note_version',
  text: `insert into casenote.note_versions
      (tenant_id, note_id, version, version_id, progress_note_id, origin, generation_id, sealed_sections, made_by,
        note_type, sealed_review, sealed_goals, template_id, template_version)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
  values: [
    tenant.tenantId,
    row.noteId,
    row.version,
    row.versionId,
    row.progressNoteId,
    row.origin,
    row.generationId,
    row.sealedSections,
    row.madeBy,
    row.template.noteType,
    row.sealedReview,
    row.sealedGoals ?? null,
    row.template.id,
    row.template.version,
  ],
})

export interface NoteVersionRow {
  version: number
  versionId: string
  progressNoteId: ProgressNoteId
  origin: 'generation' | 'regeneration' | 'magic_edit' | 'edit'
  sealedSections: Buffer
  createdAt: Date
}

export const selectNoteVersions = (
  tenant: TenantScope,
  noteId: NoteId,
  page: AskedPage,
): Statement<NoteVersionRow> => ({
  ...namedForPage('select_note_versions', page),
  text: `select version, version_id as "versionId", progress_note_id as "progressNoteId", origin,
      sealed_sections as "sealedSections", created_at as "createdAt"
    from casenote.note_versions where tenant_id = $1 and note_id = $2
    order by version limit ${page.size} offset $3`,
  values: [tenant.tenantId, noteId, skippedBefore(page)],
})

export interface OldVersionRow {
  sealedSections: Buffer
  noteType: NoteType | null
  templateId: TemplateId | null
  templateVersion: number | null
  sealedReview: Buffer | null
  sealedGoals: Buffer | null
}

export const selectNoteVersion = (
  tenant: TenantScope,
  noteId: NoteId,
  version: number,
): Statement<OldVersionRow> => ({
  name: 'select_note_version',
  text: `select sealed_sections as "sealedSections", note_type as "noteType",
      template_id as "templateId", template_version as "templateVersion", sealed_review as "sealedReview",
      sealed_goals as "sealedGoals"
    from casenote.note_versions where tenant_id = $1 and note_id = $2 and version = $3`,
  values: [tenant.tenantId, noteId, version],
})

/** A note may go back to the template that an earlier version had. */
export const updateTemplateOfNote = (
  tenant: TenantScope,
  sessionId: SessionId,
  { noteType, id, version }: Pick<NoteTemplate, 'noteType' | 'id' | 'version'>,
): Statement => ({
  name: 'update_template_of_note',
  text: `update casenote.sessions set note_type = $3, template_id = $4, template_version = $5
    where tenant_id = $1 and session_id = $2`,
  values: [tenant.tenantId, sessionId, noteType, id, version],
})

export const countNoteVersions = (tenant: TenantScope, noteId: NoteId): Statement<{ total: number }> => ({
  name: 'count_note_versions',
  text: 'select count(*) as total from casenote.note_versions where tenant_id = $1 and note_id = $2',
  values: [tenant.tenantId, noteId],
})

export const selectHasTranscript = (
  tenant: TenantScope,
  sessionId: SessionId,
): Statement<{ has: boolean }> => ({
  name: 'select_note_has_transcript',
  text: `select exists (select from casenote.transcripts t join casenote.sessions s
      on s.tenant_id = t.tenant_id and s.session_id = t.session_id
    where t.tenant_id = $1 and t.session_id = $2 and s.status <> 'failed') as has`,
  values: [tenant.tenantId, sessionId],
})

/** The sections of the current version, also while a generation is active, when the view shows the draft. */
export const selectCurrentSections = (
  tenant: TenantScope,
  noteId: NoteId,
): Statement<{ sealedSections: Buffer }> => ({
  name: 'select_current_note_sections',
  text: `select v.sealed_sections as "sealedSections" from casenote.note_versions v
    join casenote.progress_notes n
      on n.tenant_id = v.tenant_id and n.note_id = v.note_id and n.version = v.version
    where n.tenant_id = $1 and n.note_id = $2`,
  values: [tenant.tenantId, noteId],
})
