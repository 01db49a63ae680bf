import type { Consent } from '@casenote/contract'
import type { ClientId, ConsentId } from '../../kernel/ids.js'
import { unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { isOurVersion } from './consent-texts.js'
import type { ConsentRow, Sayer } from './consents.sql.js'

export const personPlace = (consentId: ConsentId): JsonPlace<{ name: string }> => ({
  table: 'recording_consents',
  row: consentId,
  column: 'sealed_person',
})

/** Null: nobody typed a name, so it is the client's own word. */
export const readPerson = (
  ring: TenantKeyRing,
  { consentId, sealedPerson }: Pick<ConsentRow, 'consentId' | 'sealedPerson'>,
): string | null =>
  sealedPerson === null ? null : unsealJson(ring, personPlace(consentId), sealedPerson).name

export const describeConsent = (ring: TenantKeyRing, row: ConsentRow): Consent => ({
  id: row.consentId,
  clientId: row.clientId,
  personName: readPerson(ring, row),
  relation: row.relation,
  method: row.method,
  textVersion: row.textVersion,
  textOwner: row.ownText ?? (isOurVersion(row.textVersion) ? 'casenote' : null),
  textId: row.textId,
  language: row.language,
  status: row.withdrawnAt === null ? 'given' : 'withdrawn',
  givenAt: row.recordedAt.toISOString(),
  attestedBy: toSaidBy(ring, row.clientId, row),
  withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
  withdrawnBy:
    row.withdrawnTo === null
      ? null
      : toSaidBy(ring, row.clientId, { saidTo: row.withdrawnTo, clinicianId: row.withdrawnClinicianId }),
  createdAt: row.recordedAt.toISOString(),
})

function toSaidBy(
  { tenantId }: TenantKeyRing,
  clientId: ClientId,
  { saidTo, clinicianId }: Sayer,
): Consent['attestedBy'] {
  return { kind: saidTo, id: saidTo === 'partner' ? tenantId : (clinicianId ?? clientId) }
}
