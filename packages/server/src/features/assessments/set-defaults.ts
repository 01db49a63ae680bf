import { recordChange } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import type { AssessmentId, ClinicId } from '../../kernel/ids.js'
import { operator } from '../../kernel/operator.js'
import { deleteDefaults, insertDefaults } from './assessments.sql.js'
import type { Catalogue } from './instruments/index.js'

/** Replaces a clinic's default assessments, and gives back what they are now. For the operator. */
export async function setDefaults(
  tx: Tx,
  catalogue: Catalogue,
  clinicId: ClinicId,
  assessmentIds: readonly AssessmentId[],
): Promise<string[]> {
  const unknown = assessmentIds.filter((id) => !catalogue.isOffered(id))
  if (unknown.length > 0) {
    const offered = catalogue
      .listOffered()
      .map(({ id }) => id)
      .join(', ')
    throw new Error(`not offered: ${unknown.join(', ')} (offered are ${offered})`)
  }
  const defaults = [...new Set(assessmentIds)]
  await tx.run(deleteDefaults(tx.tenant, clinicId))
  await tx.run(insertDefaults(tx.tenant, clinicId, defaults))
  await recordChange(tx, { ...operator, operation: 'clinic.setDefaults', subjects: [clinicId] })
  return defaults
}
