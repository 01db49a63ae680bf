import type { Tx } from '../db/database.js'
import type { ClinicianId } from '../ids.js'
import { Refusal } from '../refuse.js'
import { selectFullQuota, type QuotaName } from './quotas.sql.js'

/** For who is refused; the operator finds the quota's name in the metric and in the log. */
const QUOTA_TEXTS: Record<QuotaName, string> = {
  clinician_stored_bytes:
    'The quota of stored recordings of this clinician is used up (clinician_stored_bytes)',
  stored_bytes: 'The quota of stored recordings of this partner is used up (stored_bytes)',
  clinician_open_uploads: 'The quota of open uploads of this clinician is used up (clinician_open_uploads)',
  open_uploads: 'The quota of open uploads of this partner is used up (open_uploads)',
}

/** Room comes back with retention, or when the operator gives more: there is no hurry to ask again. */
const retryAfterSeconds = 60

/** 507: nothing is wrong with what was sent, and the same may be taken later. */
export class QuotaExceeded extends Refusal {
  readonly told: string

  constructor(readonly quota: QuotaName) {
    super(507, 'quota_reached', 'InsufficientStorageException', QUOTA_TEXTS[quota], null, retryAfterSeconds)
    this.name = 'QuotaExceeded'
    this.told = quota
  }
}

/** Last in a transaction that added something from outside. What it throws takes that back. */
export async function requireRoom(
  tx: Tx,
  asked: { clinicianId: ClinicianId | null; moreBytes?: number; opensUpload?: boolean },
): Promise<void> {
  const { clinicianId, moreBytes = 0, opensUpload = false } = asked
  const [row] = await tx.run(selectFullQuota(tx.tenant, { clinicianId, moreBytes, opensUpload }))
  if (row?.quota != null) throw new QuotaExceeded(row.quota)
}
