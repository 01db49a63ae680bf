import type { SignInRequest, SignInStarted } from '@casenote/contract'
import { networkOf } from '../../../http/address-limits.js'
import { enqueueJob } from '../../../jobs/enqueue-job.js'
import { recordChange, sealAddress } from '../../../kernel/audit/index.js'
import type { Database, Tx } from '../../../kernel/db/database.js'
import { onlyRow } from '../../../kernel/db/only-row.js'
import { newId } from '../../../kernel/ids.js'
import { refuse } from '../../../kernel/refuse.js'
import type { TenantKeyRing, TenantKeys } from '../../../kernel/secrets/tenant-keys.js'
import { foldEmail } from '../../clinicians/index.js'
import { hashAddress, hashSource } from './sign-in-code.js'
import {
  countAsked,
  insertSignIn,
  lockAsking,
  selectActiveByEmail,
  selectSignInOrigins,
  type AskedCodes,
} from './sign-in.sql.js'

/** The number; a mail takes seconds, greylisting some minutes. */
const lifetimeSeconds = 600

/**
 * Codes an hour that are asked for and never typed. Each network has its own, so whoever asks for somebody else's address uses up
 * theirs; what is typed counts no more.
 */
const limits = {
  /** Mails that are late, lost, or taken for spam. */
  ofAddressFromSource: 5,
  /** How many codes one mailbox gets, wherever they were asked for; five tries each are 50 guesses of 10^8. */
  ofAddress: 10,
  /** A clinic of a hundred behind one address that asks at eight. */
  ofSource: 100,
  /** Beyond it somebody collects addresses from many networks. */
  ofTenant: 300,
}

/** Who asks from where somebody signed in before is bound by the limits of that network alone. */
const isTooMany = (asked: AskedCodes): boolean =>
  asked.ofAddressFromSource >= limits.ofAddressFromSource ||
  asked.ofSource >= limits.ofSource ||
  (asked.ofAddress >= limits.ofAddress && !asked.isSourceOfAddress) ||
  (asked.ofTenant >= limits.ofTenant && !asked.isSourceOfTenant)

/**
 * Asks for a code. The same statements run and the same is answered, in the same time, whether the address is a clinician's
 * or nobody's: a job is made for both, and only a worker finds out that it has nothing to send.
 */
export async function requestCode(
  { db, keys }: { db: Database; keys: TenantKeys },
  asked: SignInRequest,
  { requestId, address }: { requestId: string; address: string },
): Promise<SignInStarted> {
  const tenant = { tenantId: asked.partnerId }
  const [row] = await db.read(tenant, selectSignInOrigins(tenant))
  if (row?.origins?.includes(asked.origin) !== true) {
    throw refuse.forbidden('own_sign_in_off', 'Signing in by e-mail is not switched on for this page')
  }
  const ring = await keys.get(tenant)
  const from = sealAddress(ring, address)
  const network = networkOf(address)
  return db.write(tenant, (tx) => openSignIn(tx, ring, asked, { requestId, from, network }))
}

async function openSignIn(
  tx: Tx,
  ring: TenantKeyRing,
  { email, challenge, language = 'en' }: SignInRequest,
  { requestId, from, network }: { requestId: string; from: string; network: string },
): Promise<SignInStarted> {
  const folded = foldEmail(email)
  const emailHash = hashAddress(ring.newest('token'), folded)
  const sourceHash = hashSource(ring.newest('token'), network)
  // In this order for everybody: who has locked a network waits for no address.
  await tx.run(lockAsking(emailHash))
  await tx.run(lockAsking(sourceHash))
  const [asked] = await tx.run(countAsked(tx.tenant, emailHash, sourceHash))
  if (asked === undefined || isTooMany(asked)) {
    throw refuse.tooMany('too_many_tries', 'Too many codes were asked for. Try again later.', lifetimeSeconds)
  }
  const [found] = await tx.run(selectActiveByEmail(tx.tenant, folded))
  const clinicianId = found?.clinicianId ?? null
  const signInId = newId()
  const inserted = await tx.run(
    insertSignIn(tx.tenant, {
      signInId,
      clinicianId,
      emailHash,
      sourceHash,
      verifierHash: Buffer.from(challenge, 'base64url'),
      keyVersion: ring.newest('token').version,
      lifetimeSeconds,
      language,
    }),
  )
  await enqueueJob(tx, 'send_code', signInId)
  await recordChange(tx, {
    operation: 'widget.requestCode',
    // Nobody has proved who they are.
    actor: { kind: 'clinician', id: null, from },
    requestId,
    subjects: [clinicianId ?? tx.tenant.tenantId],
  })
  return { signInId, expiresAt: onlyRow(inserted).expiresAt.toISOString() }
}
