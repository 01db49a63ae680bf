import { pageOf, skippedBefore, type AskedPage, type Assessment, type Page } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { ClinicId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectDefaults } from './assessments.sql.js'
import { builtInDefaults, type Catalogue, type Instrument } from './instruments/index.js'

export async function listAssessments(
  { db, catalogue }: { db: Database; catalogue: Catalogue },
  tenant: TenantScope,
  { clinicId, defaultOnly, page }: { clinicId: ClinicId; defaultOnly: boolean; page: AskedPage },
): Promise<Page<Assessment>> {
  const defaults = await readDefaults(db, tenant, clinicId)
  const items = catalogue
    .listOffered()
    .map((instrument) => toAssessment(instrument, defaults.includes(instrument.id)))
    .filter(({ isDefault }) => isDefault || !defaultOnly)
  const start = skippedBefore(page)
  return pageOf(items.slice(start, start + page.size), items.length, page)
}

/** What a clinician can send in the clinic, its defaults first. */
export async function listOffered(
  { db, catalogue }: { db: Database; catalogue: Catalogue },
  tenant: TenantScope,
  clinicId: ClinicId,
): Promise<{ id: string; name: string; description: string }[]> {
  const defaults = await readDefaults(db, tenant, clinicId)
  const rank = ({ id }: { id: string }): number => (defaults.includes(id) ? 0 : 1)
  return catalogue
    .listOffered()
    .map(({ id, name, description }) => ({ id, name, description }))
    .toSorted((a, b) => rank(a) - rank(b))
}

async function readDefaults(
  db: Database,
  tenant: TenantScope,
  clinicId: ClinicId,
): Promise<readonly string[]> {
  const rows = await db.read(tenant, selectDefaults(tenant, clinicId))
  return rows.length === 0 ? builtInDefaults : rows.map(({ assessmentId }) => assessmentId)
}

const toAssessment = (instrument: Instrument, isDefault: boolean): Assessment => ({
  id: instrument.id,
  name: instrument.name,
  description: instrument.description,
  isDefault,
  questionCount: instrument.questions.filter(({ isScored }) => isScored).length,
  createdAt: new Date(instrument.version).toISOString(),
})
