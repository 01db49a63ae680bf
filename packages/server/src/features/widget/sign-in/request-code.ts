import type { SignInRequest, SignInStarted } from '@casenote/contract'
import { enqueueJob } from '../../../jobs/enqueue-job.js'
import { recordChange, sealAddress } from '../../../kernel/audit/index.js'
import type { Database, Tx } from '../../../kernel/db/database.js'
import { newId } from '../../../kernel/ids.js'
import { refuse } from '../../../kernel/refuse.js'
import type { TenantKeyRing, TenantKeys } from '../../../kernel/secrets/tenant-keys.js'
import { foldEmail } from '../../clinicians/index.js'
import { hashAddress } from './sign-in-code.js'
import {
  countAsked,
  insertSignIn,
  lockAddress,
  selectActiveByEmail,
  selectSignInOrigins,
} from './sign-in.sql.js'

/** The number; a mail takes seconds, greylisting some minutes. */
const lifetimeSeconds = 600

/** A clinician who reloads a page all morning; five tries each are 25 guesses of 10^8. */
const perAddressAndHour = 5

/** A clinic of a hundred that signs in at eight, everybody thrice. Beyond it somebody collects addresses. */
const perTenantAndHour = 300

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
  const [row] = (await db.read(tenant, selectSignInOrigins(tenant))) as { origins: string[] | null }[]
  if (row?.origins?.includes(asked.origin) !== true) {
    throw refuse.forbidden('Signing in by e-mail is not switched on for this page')
  }
  const ring = await keys.get(tenant)
  const from = sealAddress(ring, address)
  return db.write(tenant, (tx) => openSignIn(tx, ring, asked, { requestId, from }))
}

async function openSignIn(
  tx: Tx,
  ring: TenantKeyRing,
  { email, challenge, language = 'en' }: SignInRequest,
  { requestId, from }: { requestId: string; from: string },
): Promise<SignInStarted> {
  const folded = foldEmail(email)
  const emailHash = hashAddress(ring.newest('token'), folded)
  await tx.run(lockAddress(emailHash))
  const [asked] = await tx.run<{ ofAddress: number; ofTenant: number }>(countAsked(tx.tenant, emailHash))
  if (asked === undefined || asked.ofAddress >= perAddressAndHour || asked.ofTenant >= perTenantAndHour) {
    throw refuse.tooMany('Too many codes were asked for. Try again later.', lifetimeSeconds)
  }
  const [found] = await tx.run<{ clinicianId: string }>(selectActiveByEmail(tx.tenant, folded))
  const clinicianId = found?.clinicianId ?? null
  const signInId = newId()
  const [inserted] = await tx.run<{ expiresAt: Date }>(
    insertSignIn(tx.tenant, {
      signInId,
      clinicianId,
      emailHash,
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
  return { signInId, expiresAt: (inserted as { expiresAt: Date }).expiresAt.toISOString() }
}
