import type { ClinicianTokens, SignInCode } from '@casenote/contract'
import { recordChange, sealAddress } from '../../../kernel/audit/index.js'
import type { Database, Tx } from '../../../kernel/db/database.js'
import { isId } from '../../../kernel/ids.js'
import { Refusal } from '../../../kernel/refuse.js'
import type { TenantKeyRing, TenantKeys } from '../../../kernel/secrets/tenant-keys.js'
import { mintTokensWith } from '../tokens/mint-tokens.js'
import { deriveCode, hashAddress, hashVerifier, isSame, readCode } from './sign-in-code.js'
import { chargeSignIn, markUsed, type ChargedSignIn } from './sign-in.sql.js'

/** Enough for a slip or two; each code asked for is another five. */
const triesMax = 5

/**
 * What uses the code up makes the tokens: a fault in between leaves the code as it was, to be typed again.
 * Null for a wrong, used, expired or unknown one, as for one that another browser asked for: who asks is told the same.
 */
export async function redeemCode(
  { db, keys }: { db: Database; keys: TenantKeys },
  given: SignInCode,
  { requestId, address, nowMs }: { requestId: string; address: string; nowMs: number },
): Promise<ClinicianTokens | null> {
  if (!isId(given.partnerId) || !isId(given.signInId)) return null
  const tenant = { tenantId: given.partnerId }
  const ring = await keys.get(tenant)
  if (!ring.has('token')) return null
  const from = sealAddress(ring, address)
  return db.write(tenant, async (tx) => {
    const clinicianId = await compare(tx, ring, given, { requestId, from })
    if (clinicianId === null) return null
    const actor = { kind: 'clinician', id: clinicianId, from } as const
    try {
      return await mintTokensWith(tx, ring, clinicianId, {
        actor,
        requestId,
        nowMs,
        operation: 'widget.signIn',
      })
    } catch (error) {
      // Deactivated since the code was mailed, which is used up with that.
      if (error instanceof Refusal) return null
      throw error
    }
  })
}

async function compare(
  tx: Tx,
  ring: TenantKeyRing,
  { signInId, code, verifier }: SignInCode,
  { requestId, from }: { requestId: string; from: string },
): Promise<string | null> {
  const [row] = await tx.run(chargeSignIn(tx.tenant, signInId, triesMax))
  if (row === undefined) return null
  const { clinicianId } = row
  const known = deriveCode(ring, row.keyVersion, signInId)
  const isOfBrowser = isSame(hashVerifier(verifier), row.verifierHash)
  const isRight = known !== null && isSame(readCode(code), known) && isOfBrowser
  if (isRight && isStillTheirs(ring, row) && clinicianId !== null) {
    await tx.run(markUsed(tx.tenant, clinicianId, signInId))
    return clinicianId
  }
  await recordChange(tx, {
    operation: 'widget.refuseCode',
    actor: { kind: 'clinician', id: null, from },
    requestId,
    subjects: [clinicianId ?? tx.tenant.tenantId],
  })
  return null
}

/** A code that went to an address which is the clinician's no more is good for nothing: it may have been changed for that. */
function isStillTheirs(ring: TenantKeyRing, { keyVersion, emailHash, emailFolded }: ChargedSignIn): boolean {
  const key = ring.find('token', keyVersion)
  return key !== null && emailFolded !== null && isSame(hashAddress(key, emailFolded), emailHash)
}
