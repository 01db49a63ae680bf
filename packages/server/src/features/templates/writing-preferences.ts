import type { WritingPreferences, WritingPreferencesPatch } from '@casenote/contract'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import type { ClinicianId } from '../../kernel/ids.js'
import { sealJson, unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import {
  lockTemplates,
  selectWritingPreferences,
  upsertWritingPreferences,
  type PreferencesRow,
} from './templates.sql.js'

const none: WritingPreferences = { length: 'usual', leftOut: [], avoidedPhrases: [] }

const preferencesPlace = (clinicianId: ClinicianId): JsonPlace<WritingPreferences> => ({
  table: 'writing_preferences',
  row: clinicianId,
  column: 'sealed_preferences',
})

const unseal = (
  ring: TenantKeyRing,
  clinicianId: ClinicianId,
  row: PreferencesRow | undefined,
): WritingPreferences =>
  row === undefined
    ? none
    : {
        ...none,
        ...unsealJson(ring, preferencesPlace(clinicianId), row.sealedPreferences),
      }

export async function readWritingPreferences(
  db: Database,
  ring: TenantKeyRing,
  clinicianId: ClinicianId,
): Promise<WritingPreferences> {
  const tenant = { tenantId: ring.tenantId }
  const [row] = await db.read(tenant, selectWritingPreferences(tenant, clinicianId))
  return unseal(ring, clinicianId, row)
}

export async function changeWritingPreferences(
  tx: Tx,
  { ring, actor, requestId }: ChangeContext,
  clinicianId: ClinicianId,
  patch: WritingPreferencesPatch,
): Promise<WritingPreferences> {
  // Two who change something of it at once: neither is lost.
  await tx.run(lockTemplates(tx.tenant))
  const [row] = await tx.run(selectWritingPreferences(tx.tenant, clinicianId))
  const { length, leftOut, avoidedPhrases } = { ...unseal(ring, clinicianId, row), ...patch }
  const changed: WritingPreferences = {
    length,
    leftOut: [...new Set(leftOut)],
    avoidedPhrases: [...new Set(avoidedPhrases.map((phrase) => phrase.trim()).filter((one) => one !== ''))],
  }
  const sealed = sealJson(ring, preferencesPlace(clinicianId), changed)
  await tx.run(upsertWritingPreferences(tx.tenant, clinicianId, sealed))
  await recordChange(tx, {
    operation: 'clinician.changeWritingPreferences',
    actor,
    requestId,
    subjects: [clinicianId],
  })
  return changed
}
