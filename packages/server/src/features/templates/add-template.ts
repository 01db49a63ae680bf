import { isDeepStrictEqual } from 'node:util'
import { templateLimits, type NoteTemplate } from '@casenote/contract'
import { isBuiltIn } from '../../engines/writer/templates/built-in-templates.js'
import { readTemplate, TemplateProblem } from '../../engines/writer/templates/read-template-file.js'
import { recordChange, type AuditEntry } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { hashToId, type TemplateId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import {
  clearDefault,
  countTemplates,
  insertTemplateVersion,
  lockTemplates,
  removeTemplateRow,
  selectOwners,
  selectTemplate,
  upsertTemplate,
  type TemplatePlace,
} from './templates.sql.js'

type Source = Pick<AuditEntry, 'actor' | 'requestId'>

/** Not named: as it is for a template that is known, else for all, and no default. */
export type NamedPlace = { [Part in keyof TemplatePlace]?: TemplatePlace[Part] | undefined }

/**
 * A new template, or a new version of one. The same version with the same words is no other: then only whose it is changes, so
 * that a repeated call does no harm. Takes effect with the next note. Gives whose it is now.
 */
export async function addTemplate(
  tx: Tx,
  source: Source,
  given: NoteTemplate,
  named: NamedPlace,
): Promise<TemplatePlace> {
  const template = requireTemplate(given)
  await tx.run(lockTemplates(tx.tenant))
  const [known] = await tx.run(selectTemplate(tx.tenant, template.id))
  const place = placeOf(named, known ?? null)
  await requireOwners(tx, place)
  const isSame =
    known !== undefined && known.version === template.version && isDeepStrictEqual(known.template, template)
  if (!isSame) {
    requireLength(given)
    if (known !== undefined && template.version <= known.version)
      throw refuse.invalid([`template.version must be greater than ${known.version}, which is there already`])
    // Who may use a template depends on its note type.
    if (known !== undefined && known.template.noteType !== template.noteType)
      throw refuse.invalid([`template.noteType must stay ${known.template.noteType}: make another template`])
  }
  if (!isSame || known.isRemoved) await requireRoom(tx, template.id, !isSame)
  if (place.isDefault) await tx.run(clearDefault(tx.tenant, template.noteType, place))
  await tx.run(upsertTemplate(tx.tenant, template, place))
  if (!isSame) await tx.run(insertTemplateVersion(tx.tenant, template))
  await recordChange(tx, { operation: 'template.add', ...source, subjects: subjectsOf(template.id, place) })
  return place
}

/** A new version takes nothing from those who use it. One that goes to others is their default only where that is said. */
function placeOf(
  { clinicId, clinicianId, isDefault }: NamedPlace,
  known: TemplatePlace | null,
): TemplatePlace {
  const isNamed = clinicId !== undefined || clinicianId !== undefined
  const place =
    isNamed || known === null
      ? { clinicId: clinicId ?? null, clinicianId: clinicianId ?? null }
      : { clinicId: known.clinicId, clinicianId: known.clinicianId }
  const isMoved = place.clinicId !== known?.clinicId || place.clinicianId !== known.clinicianId
  return { ...place, isDefault: isDefault ?? (known !== null && !isMoved && known.isDefault) }
}

/** No longer offered. Notes that were written with it keep it. False: there is no such template. */
export async function removeTemplate(tx: Tx, source: Source, templateId: TemplateId): Promise<boolean> {
  if ((await tx.run(removeTemplateRow(tx.tenant, templateId))).length === 0) return false
  await recordChange(tx, { operation: 'template.remove', ...source, subjects: [auditIdOf(templateId)] })
  return true
}

/** For the audit log, which holds ids: whoever has the template's name finds the same. */
export const auditIdOf = (templateId: TemplateId): string => hashToId(`template\n${templateId}`)

const subjectsOf = (templateId: TemplateId, { clinicId, clinicianId }: TemplatePlace): string[] => [
  auditIdOf(templateId),
  ...(clinicId === null ? [] : [clinicId]),
  ...(clinicianId === null ? [] : [clinicianId]),
]

/** The bound of files, which a file that was parsed did not meet yet. One that is there already may be longer. */
function requireLength(given: NoteTemplate): void {
  if (Buffer.byteLength(JSON.stringify(given)) > templateLimits.fileBytes)
    throw refuse.invalid([`template must have at most ${templateLimits.fileBytes} bytes, as JSON in UTF-8`])
}

function requireTemplate(given: NoteTemplate): NoteTemplate {
  if (isBuiltIn(given.id)) throw refuse.invalid(['template.id must not be the id of a built-in template'])
  try {
    return readTemplate(given)
  } catch (error) {
    if (error instanceof TemplateProblem) throw refuse.invalid(error.problems.map((one) => `template.${one}`))
    throw error
  }
}

async function requireOwners(tx: Tx, place: TemplatePlace): Promise<void> {
  if (place.clinicId !== null && place.clinicianId !== null)
    throw refuse.invalid(['clinicianId must not be given together with clinicId'])
  const [owners] = await tx.run(selectOwners(tx.tenant, place))
  const problems = [
    ...(owners?.hasClinic === true ? [] : ['clinicId must be a clinic of the partner']),
    ...(owners?.hasClinician === true ? [] : ['clinicianId must be a clinician of the partner']),
  ]
  if (problems.length > 0) throw refuse.invalid(problems)
}

async function requireRoom(tx: Tx, templateId: TemplateId, isNewVersion: boolean): Promise<void> {
  const [count] = await tx.run(countTemplates(tx.tenant, templateId))
  const { templates, ids, versions } = templateLimits
  if ((count?.others ?? 0) >= templates)
    throw refuse.conflict('templates_full', `There are ${templates} templates already: remove one first`)
  // A new version of a known id adds no id.
  if ((count?.versions ?? 0) === 0 && (count?.kept ?? 0) >= ids)
    throw refuse.conflict(
      'templates_full',
      `There were ${ids} templates already, those removed included: add a new version of one of them`,
    )
  if (isNewVersion && (count?.versions ?? 0) >= versions)
    throw refuse.conflict(
      'templates_full',
      `There are ${versions} versions of it already: add it under another id`,
    )
}
