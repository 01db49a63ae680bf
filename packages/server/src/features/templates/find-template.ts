import {
  NOTE_TYPES,
  pageOf,
  skippedBefore,
  type AskedPage,
  type NoteTemplate,
  type NoteType,
  type Page,
  type TemplateHead,
} from '@casenote/contract'
import {
  builtInTemplate,
  isBuiltIn,
  type DefaultTemplates,
} from '../../engines/writer/templates/built-in-templates.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import type { ClinicianId, TemplateId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  countOfferedTemplates,
  selectDefaultTemplate,
  selectTemplate,
  selectTemplates,
  selectTemplatesOfClinician,
  selectTemplateVersion,
  selectUsableTemplate,
  type SectionHead,
  type TemplateHeadRow,
} from './templates.sql.js'

export interface FoundTemplate {
  head: TemplateHead
  template: NoteTemplate
}

const describeBuiltIn = (noteType: NoteType): FoundTemplate => {
  const template = builtInTemplate(noteType)
  const { id, version, title } = template
  return {
    head: {
      id,
      version,
      noteType,
      title,
      scope: 'built_in',
      clinicId: null,
      clinicianId: null,
      isDefault: false,
      createdAt: null,
    },
    template,
  }
}

const describeHead = (row: TemplateHeadRow): TemplateHead => ({
  id: row.templateId,
  version: row.version,
  noteType: row.noteType,
  title: row.title,
  scope: row.clinicianId !== null ? 'clinician' : row.clinicId === null ? 'tenant' : 'clinic',
  clinicId: row.clinicId,
  clinicianId: row.clinicianId,
  isDefault: row.isDefault,
  createdAt: row.createdAt.toISOString(),
})

const findOwnType = (templateId: TemplateId): NoteType | null =>
  NOTE_TYPES.find((type) => type === templateId) ?? null

/** The eight of ours, then what was added, oldest first. */
export async function listTemplates(
  db: Database,
  tenant: TenantScope,
  page: AskedPage,
): Promise<Page<TemplateHead>> {
  const skipped = skippedBefore(page)
  const own = NOTE_TYPES.slice(skipped, skipped + page.size).map((type) => describeBuiltIn(type).head)
  const added = { skipped: Math.max(0, skipped - NOTE_TYPES.length), most: page.size - own.length }
  const [rows, [count]] = await db.read(tenant, selectTemplates(tenant, added), countOfferedTemplates(tenant))
  return pageOf([...own, ...rows.map(describeHead)], NOTE_TYPES.length + (count?.total ?? 0), page)
}

/** What one clinician can choose from. */
export async function listTemplatesOf(
  db: Database,
  tenant: TenantScope,
  clinicianId: ClinicianId,
): Promise<{ head: TemplateHead; sections: readonly SectionHead[] }[]> {
  const rows = await db.read(tenant, selectTemplatesOfClinician(tenant, clinicianId))
  const own = NOTE_TYPES.map(describeBuiltIn).map(({ head, template: { sections } }) => ({ head, sections }))
  return [...own, ...rows.map((row) => ({ head: describeHead(row), sections: row.sections }))]
}

/** Null: there is none, or it was removed. */
export async function findTemplate(
  db: Database,
  tenant: TenantScope,
  templateId: TemplateId,
): Promise<FoundTemplate | null> {
  const own = findOwnType(templateId)
  if (own !== null) return describeBuiltIn(own)
  // No other text can be one, and PostgreSQL takes no NUL.
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(templateId)) return null
  const [row] = await db.read(tenant, selectTemplate(tenant, templateId))
  return row === undefined || row.isRemoved ? null : { head: describeHead(row), template: row.template }
}

/** The newest version, if this clinician can use it. */
export async function findUsableTemplate(
  tx: Tx,
  clinicianId: ClinicianId,
  templateId: TemplateId,
): Promise<NoteTemplate | null> {
  const own = findOwnType(templateId)
  if (own !== null) return builtInTemplate(own)
  const [row] = await tx.run(selectUsableTemplate(tx.tenant, clinicianId, templateId))
  return row?.template ?? null
}

/** The nearest default of a type: the clinician's, the clinic's, the tenant's, ours. */
export async function findDefaultTemplate(
  tx: Tx,
  clinicianId: ClinicianId,
  noteType: NoteType,
): Promise<NoteTemplate> {
  const [row] = await tx.run(selectDefaultTemplate(tx.tenant, clinicianId, noteType))
  return row?.template ?? builtInTemplate(noteType)
}

/** The same of every type that has another one than ours. */
export async function listDefaults(tx: Tx, clinicianId: ClinicianId): Promise<DefaultTemplates> {
  const found: Partial<Record<NoteType, NoteTemplate>> = {}
  for (const noteType of NOTE_TYPES) {
    const [row] = await tx.run(selectDefaultTemplate(tx.tenant, clinicianId, noteType))
    if (row !== undefined) found[noteType] = row.template
  }
  return found
}

/** As a session or a version of a note keeps it. */
export async function findKeptTemplate(
  tx: Tx,
  kept: { noteType: NoteType; templateId: TemplateId | null; templateVersion: number | null },
): Promise<NoteTemplate> {
  const { noteType, templateId, templateVersion } = kept
  if (templateId === null || templateVersion === null || isBuiltIn(templateId))
    return builtInTemplate(noteType, templateVersion ?? 1)
  const [row] = await tx.run(selectTemplateVersion(tx.tenant, templateId, templateVersion))
  if (row === undefined) throw new Error('a note names a template that was never there')
  return row.template
}
