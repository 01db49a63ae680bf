import {
  skippedBefore,
  type AskedPage,
  type MagicEditStatus,
  type NoteTemplate,
  type NoteType,
} from '@casenote/contract'
import type { Statement } from '../../kernel/db/database.js'
import { namedForPage } from '../../kernel/db/page-statement.js'
import type {
  ClientId,
  ClinicianId,
  GenerationId,
  NoteId,
  ProgressNoteId,
  SessionId,
} from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'

/** The check constraint names the same. */
export type GenerationKind = 'generation' | 'regeneration' | 'magic_edit'

export interface GenerationRow {
  generationId: GenerationId
  noteId: NoteId
  kind: GenerationKind
  status: 'pending' | 'completed' | 'failed'
  sealedInstructions: Buffer | null
  /** Null: the session's. */
  noteType: NoteType | null
}

export const selectGeneration = (
  tenant: TenantScope,
  generationId: GenerationId,
): Statement<GenerationRow> => ({
  name: 'select_note_generation',
  text: `select generation_id as "generationId", note_id as "noteId", kind, status,
      sealed_instructions as "sealedInstructions", note_type as "noteType"
    from casenote.note_generations where tenant_id = $1 and generation_id = $2`,
  values: [tenant.tenantId, generationId],
})

export const insertGeneration = (
  tenant: TenantScope,
  row: {
    generationId: GenerationId
    noteId: NoteId
    clinicianId: ClinicianId
    kind: GenerationKind
    progressNoteId: ProgressNoteId
    sealedInstructions: Buffer | null
    /** Null: the session's. */
    template: Pick<NoteTemplate, 'noteType' | 'id' | 'version'> | null
  },
): Statement => ({
  name: 'insert_note_generation',
  text: `insert into casenote.note_generations
      (tenant_id, generation_id, note_id, clinician_id, kind, progress_note_id, sealed_instructions, note_type,
        template_id, template_version)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
  values: [
    tenant.tenantId,
    row.generationId,
    row.noteId,
    row.clinicianId,
    row.kind,
    row.progressNoteId,
    row.sealedInstructions,
    row.template?.noteType ?? null,
    row.template?.id ?? null,
    row.template?.version ?? null,
  ],
})

/** The note's text and status stay what they are, for the case that it fails. */
export const activateGeneration = (
  tenant: TenantScope,
  noteId: NoteId,
  generationId: GenerationId,
): Statement => ({
  name: 'activate_note_generation',
  text: `update casenote.progress_notes set active_generation_id = $3
    where tenant_id = $1 and note_id = $2 and active_generation_id is null and status <> 'finalized'
      and signed_by_id is null
    returning 1`,
  values: [tenant.tenantId, noteId, generationId],
})

export const releaseGeneration = (
  tenant: TenantScope,
  noteId: NoteId,
  generationId: GenerationId,
): Statement => ({
  name: 'release_note_generation',
  text: `update casenote.progress_notes set active_generation_id = null
    where tenant_id = $1 and note_id = $2 and active_generation_id = $3 returning 1`,
  values: [tenant.tenantId, noteId, generationId],
})

export const updateDraft = (
  tenant: TenantScope,
  generationId: GenerationId,
  sealedSections: Buffer,
): Statement => ({
  name: 'update_note_draft',
  text: `update casenote.note_generations set sealed_sections = $3
    where tenant_id = $1 and generation_id = $2 and status = 'pending'`,
  values: [tenant.tenantId, generationId, sealedSections],
})

/** The draft goes: what was completed is a version, what failed is nothing. */
export const endGeneration = (
  tenant: TenantScope,
  generationId: GenerationId,
  end: { status: 'completed' | 'failed'; sealedFailure: Buffer | null },
): Statement => ({
  name: 'end_note_generation',
  text: `update casenote.note_generations
    set status = $3, sealed_failure = $4, sealed_sections = null, ended_at = now()
    where tenant_id = $1 and generation_id = $2 and status = 'pending'`,
  values: [tenant.tenantId, generationId, end.status, end.sealedFailure],
})

export interface MagicEditRow {
  generationId: GenerationId
  progressNoteId: ProgressNoteId
  sessionId: SessionId
  clientId: ClientId
  clinicianId: ClinicianId
  sealedInstructions: Buffer
  status: MagicEditStatus
  sealedFailure: Buffer | null
  createdAt: Date
  endedAt: Date | null
}

const magicEditView = `select g.generation_id as "generationId", g.progress_note_id as "progressNoteId",
      n.session_id as "sessionId", s.client_id as "clientId", g.clinician_id as "clinicianId",
      g.sealed_instructions as "sealedInstructions", g.status, g.sealed_failure as "sealedFailure",
      g.created_at as "createdAt", g.ended_at as "endedAt"
    from casenote.note_generations g
    join casenote.progress_notes n on n.tenant_id = g.tenant_id and n.note_id = g.note_id
    join casenote.sessions s on s.tenant_id = n.tenant_id and s.session_id = n.session_id`

/** What was asked of a note that was withdrawn is of another client than its session. */
const isNotWithdrawn = `s.failure_code is distinct from 'withdrawn'`

export const selectMagicEdits = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
  page: AskedPage,
): Statement<MagicEditRow> => ({
  ...namedForPage('select_magic_edits', page),
  text: `${magicEditView}
    where g.tenant_id = $1 and g.clinician_id = $2 and g.kind = 'magic_edit' and ${isNotWithdrawn}
    order by g.seq limit ${page.size} offset $3`,
  values: [tenant.tenantId, clinicianId, skippedBefore(page)],
})

export const countMagicEdits = (
  tenant: TenantScope,
  clinicianId: ClinicianId,
): Statement<{ total: number }> => ({
  name: 'count_magic_edits',
  text: `select count(*) as total from casenote.note_generations g
    join casenote.progress_notes n on n.tenant_id = g.tenant_id and n.note_id = g.note_id
    join casenote.sessions s on s.tenant_id = n.tenant_id and s.session_id = n.session_id
    where g.tenant_id = $1 and g.clinician_id = $2 and g.kind = 'magic_edit' and ${isNotWithdrawn}`,
  values: [tenant.tenantId, clinicianId],
})

/** Newest first: a clinician asks about the one just tried. */
export const selectMagicEditsOfNote = (
  tenant: TenantScope,
  noteId: NoteId,
  page: AskedPage,
): Statement<MagicEditRow> => ({
  ...namedForPage('select_magic_edits_of_note', page),
  text: `${magicEditView}
    where g.tenant_id = $1 and g.note_id = $2 and g.kind = 'magic_edit'
    order by g.seq desc limit ${page.size} offset $3`,
  values: [tenant.tenantId, noteId, skippedBefore(page)],
})

export const countMagicEditsOfNote = (tenant: TenantScope, noteId: NoteId): Statement<{ total: number }> => ({
  name: 'count_magic_edits_of_note',
  text: `select count(*) as total from casenote.note_generations
    where tenant_id = $1 and note_id = $2 and kind = 'magic_edit'`,
  values: [tenant.tenantId, noteId],
})

export interface OpenRewritingRow {
  generationId: GenerationId
  kind: Exclude<GenerationKind, 'generation'>
  /** The version of the text that the clinician had kept last. */
  versionBefore: number
  /** What the newest rewriting wrote: what differs later is by hand. */
  versionWritten: number
}

/** The newest rewriting, if the clinician has not said of it that it stays, and the version before the first of such. */
export const selectOpenRewriting = (tenant: TenantScope, noteId: NoteId): Statement<OpenRewritingRow> => ({
  name: 'select_open_rewriting',
  text: `select g.generation_id as "generationId", g.kind, min(v.version) over () - 1 as "versionBefore",
      v.version as "versionWritten"
    from casenote.note_versions v
    join casenote.note_generations g on g.tenant_id = v.tenant_id and g.generation_id = v.generation_id
    join casenote.progress_notes n on n.tenant_id = v.tenant_id and n.note_id = v.note_id
    where v.tenant_id = $1 and v.note_id = $2 and v.version > n.versions_gone + 1 and g.kind <> 'generation' and g.kept_at is null
    order by v.version desc limit 1`,
  values: [tenant.tenantId, noteId],
})

/** Keeps a rewriting with those before it: what is shown is the change since the text that was kept last. */
export const keepRewritings = (
  tenant: TenantScope,
  noteId: NoteId,
  generationId: GenerationId,
): Statement => ({
  name: 'keep_note_rewritings',
  text: `update casenote.note_generations g set kept_at = now()
    from casenote.note_generations last
    where g.tenant_id = $1 and g.note_id = $2 and g.status = 'completed' and g.kept_at is null
      and last.tenant_id = g.tenant_id and last.note_id = g.note_id and last.generation_id = $3 and g.seq <= last.seq
    returning 1`,
  values: [tenant.tenantId, noteId, generationId],
})
