import { isPrescriberNoteType, type NoteTemplate, type NoteType } from '@casenote/contract'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId, TemplateId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { findDefaultTemplate, findUsableTemplate } from './find-template.js'
import { selectClinicianOfSession, type TemplateUser } from './templates.sql.js'

/** What a session or a new writing asks for: a type, a template, both or neither. */
interface AskedTemplate {
  noteType?: NoteType | null | undefined
  templateId?: TemplateId | null | undefined
}

const mayUse = ({ prescriber }: { prescriber: boolean }, noteType: NoteType): boolean =>
  prescriber || !isPrescriberNoteType(noteType)

const prescriberTypeProblem = 'noteType must not be a prescriber note type: the clinician is no prescriber'

const prescriberTemplateProblem =
  'templateId must not be of a prescriber note type: the clinician is no prescriber'

/** A default from the time when the clinician still prescribed is no reason to refuse a session. */
const defaultNoteType = (clinician: TemplateUser): NoteType =>
  clinician.defaultNoteType !== null && mayUse(clinician, clinician.defaultNoteType)
    ? clinician.defaultNoteType
    : 'soap'

type Chosen = { template: NoteTemplate; problems: null } | { template: null; problems: string[] }

/** The widget's select has an empty value for the usual one. */
const nameOf = ({ templateId = null }: AskedTemplate): string | null =>
  templateId === '' ? null : templateId

/** The template that is named, else the nearest default of the type that is named or usual. */
export async function chooseTemplate(tx: Tx, clinician: TemplateUser, asked: AskedTemplate): Promise<Chosen> {
  const noteType = asked.noteType ?? null
  const templateId = nameOf(asked)
  const problems = noteType !== null && !mayUse(clinician, noteType) ? [prescriberTypeProblem] : []
  if (templateId === null) {
    if (problems.length > 0) return { template: null, problems }
    const type = noteType ?? defaultNoteType(clinician)
    return { template: await findDefaultTemplate(tx, clinician.clinicianId, type), problems: null }
  }
  const template = await findUsableTemplate(tx, clinician.clinicianId, templateId)
  if (template === null) problems.push('templateId must be a template that the clinician can use')
  else if (noteType !== null && template.noteType !== noteType)
    problems.push('templateId must be a template of the noteType')
  else if (noteType === null && !mayUse(clinician, template.noteType))
    problems.push(prescriberTemplateProblem)
  return template === null || problems.length > 0
    ? { template: null, problems }
    : { template, problems: null }
}

/** For another writing of a note; null: nothing else is asked for than what it has. */
export async function chooseForNote(
  tx: Tx,
  sessionId: SessionId,
  asked: AskedTemplate,
): Promise<NoteTemplate | null> {
  if ((asked.noteType ?? null) === null && nameOf(asked) === null) return null
  const [clinician] = await tx.run(selectClinicianOfSession(tx.tenant, sessionId))
  if (clinician === undefined) throw refuse.notFound()
  const { template, problems } = await chooseTemplate(tx, clinician, asked)
  if (problems !== null) throw refuse.invalid(problems)
  return template
}
