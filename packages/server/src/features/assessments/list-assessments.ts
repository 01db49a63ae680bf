import { itemsPerPage, pageOf, type Assessment, type Page } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectDefaults } from './assessments.sql.js'
import { builtInDefaults, OFFERED } from './instruments/index.js'
import type { Instrument } from './instruments/instrument.js'

export async function listAssessments(
  db: Database,
  tenant: TenantScope,
  { clinicId, defaultOnly, page }: { clinicId: string; defaultOnly: boolean; page: number },
): Promise<Page<Assessment>> {
  const rows = (await db.read(tenant, selectDefaults(tenant, clinicId))) as { assessmentId: string }[]
  const defaults = rows.length === 0 ? builtInDefaults : rows.map(({ assessmentId }) => assessmentId)
  const items = OFFERED.map((instrument) =>
    toAssessment(instrument, defaults.includes(instrument.id)),
  ).filter(({ isDefault }) => isDefault || !defaultOnly)
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
