import type { NoteSigner, PlanContent, TreatmentPlan, TreatmentPlanVersion } from '@casenote/contract'
import { Tagged } from '../../http/tagged.js'
import type { PlanId } from '../../kernel/ids.js'
import { unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { PlanRow, PlanVersionRow, SignedVersion } from './treatment-plans.sql.js'

export const planPlace = (planId: PlanId, version: number): JsonPlace<PlanContent> => ({
  table: 'treatment_plan_versions',
  row: `${planId}/${version}`,
  column: 'sealed_plan',
})

export const readContent = (
  ring: TenantKeyRing,
  planId: PlanId,
  { version, sealedPlan }: Pick<SignedVersion, 'version' | 'sealedPlan'>,
): PlanContent => unsealJson(ring, planPlace(planId, version), sealedPlan)

export const describePlan = (ring: TenantKeyRing, row: PlanRow): TreatmentPlan => ({
  id: row.planId,
  treatmentPlanId: row.planId,
  clientId: row.clientId,
  status: row.status,
  version: row.version,
  ...readContent(ring, row.planId, row),
  signedBy: readSigner(row),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  endedAt: row.endedAt?.toISOString() ?? null,
})

export const describeVersion = (
  ring: TenantKeyRing,
  planId: PlanId,
  row: PlanVersionRow,
): TreatmentPlanVersion => ({
  id: row.versionId,
  version: row.version,
  ...readContent(ring, planId, row),
  signedBy: readSigner(row),
  createdAt: row.createdAt.toISOString(),
})

/** A version never changes: with state and signature its number stands for all that the answer says. */
export const tagOfPlan = ({ version, status, signedAt }: PlanRow): string =>
  `"${version}-${status}-${signedAt === null ? 'unsigned' : 'signed'}"`

/** A proxy that compresses may have marked the tag as weak; what it stands for is the same. */
export const matchesPlanTag = (ifMatch: string, row: PlanRow): boolean =>
  ifMatch.split(',').some((one) => ['*', tagOfPlan(row)].includes(one.trim().replace(/^W\//, '')))

export const showPlan = (ring: TenantKeyRing, row: PlanRow): Tagged<TreatmentPlan> =>
  new Tagged(describePlan(ring, row), tagOfPlan(row))

function readSigner({ signerKind, signerId, signerName, signedAt }: SignedVersion): NoteSigner | null {
  if (signerKind === null || signerId === null || signedAt === null) return null
  return { kind: signerKind, id: signerId, name: signerName, at: signedAt.toISOString() }
}
