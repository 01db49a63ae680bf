import type { RecordingKeys } from '@casenote/contract'
import type { ClinicianId } from '../../../kernel/ids.js'
import { deriveKey, type TenantKeyRing } from '../../../kernel/secrets/tenant-keys.js'

/**
 * What a clinician's browser seals unsent recordings with. They follow from the tenant's data keys, so nothing is
 * stored, and a browser gets its own back at the clinician's next sign-in; between the two it has none.
 */
export function listRecordingKeys(ring: TenantKeyRing, clinicianId: ClinicianId): RecordingKeys {
  const newest = ring.newest('data').version
  const versions = Array.from({ length: newest }, (_, index) => newest - index)
  return {
    keys: versions.flatMap((version) => {
      const key = ring.find('data', version)
      if (key === null) return []
      return [{ version, key: deriveKey(key, `widget recordings/${clinicianId}`).toString('base64') }]
    }),
  }
}
