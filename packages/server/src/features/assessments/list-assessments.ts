import { itemsPerPage, pageOf, type Assessment, type Page } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectDefaults } from './assessments.sql.js'
import { builtInDefaults, type Catalogue, type Instrument } from './instruments/index.js'

export async function listAssessments(
  { db, catalogue }: { db: Database; catalogue: Catalogue },
  tenant: TenantScope,
  { clinicId, defaultOnly, page }: { clinicId: string; defaultOnly: boolean; page: number },
): Promise<Page<Assessment>> {
  const rows = (await db.read(tenant, selectDefaults(tenant, clinicId))) as { assessmentId: string }[]
  const defaults = rows.length === 0 ? builtInDefaults : rows.map(({ assessmentId }) => assessmentId)
  const items = catalogue
    .listOffered()
    .map((instrument) => toAssessment(instrument, defaults.includes(instrument.id)))
    .filter(({ isDefault }) => isDefault || !defaultOnly)
  const start = (page - 1) * itemsPerPage
  return pageOf(items.slice(start, start + itemsPerPage), items.length, page)
}

const toAssessment = (instrument: Instrument, isDefault: boolean): Assessment => ({
  id: instrument.id,
  name: instrument.name,
  description: instrument.description,
  isDefault,
  questionCount: instrument.questions.filter(({ isScored }) => isScored).length,
  createdAt: new Date(instrument.version).toISOString(),
})
