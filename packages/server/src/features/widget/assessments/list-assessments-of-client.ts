import type { WidgetAssessments } from '@casenote/contract'
import type { TenantScope } from '../../../kernel/tenant.js'
import { listOffered, listOutstanding, readTrends, type AssessmentsParts } from '../../assessments/index.js'
import { listAlerts } from '../../client-pages/index.js'
import type { ClientRow } from '../../clients/index.js'

/** What can be sent, what was sent and is not answered, what must be seen, and the scores. */
export async function listAssessmentsOfClient(
  { db, keys, instruments, sendsMail }: AssessmentsParts,
  tenant: TenantScope,
  { clientId, clinicId, email, status }: ClientRow,
): Promise<WidgetAssessments> {
  const catalogue = await instruments.get()
  const isArchived = status === 'archived'
  const [offered, outstanding, alerts, trends] = await Promise.all([
    isArchived ? [] : listOffered({ db, catalogue }, tenant, clinicId),
    listOutstanding({ db, catalogue }, tenant, clientId),
    listAlerts({ db, keys, catalogue }, tenant, clientId),
    readTrends({ db, keys, instruments }, tenant, clientId),
  ])
  return { offered, canMail: sendsMail && Boolean(email), outstanding, alerts, trends }
}
