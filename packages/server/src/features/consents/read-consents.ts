import { pageOf, type AskedPage, type Consent, type ConsentState, type Page } from '@casenote/contract'
import type { Database, Tx } from '../../kernel/db/database.js'
import { isId, type ClientId, type ConsentId, type SessionId } from '../../kernel/ids.js'
import { refuse, type Refusal } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  countConsents,
  selectConsent,
  selectConsentDuring,
  selectConsented,
  selectConsents,
  selectConsentState,
  selectNewestConsents,
  selectRequiresConsent,
  type ConsentRow,
} from './consents.sql.js'
import { describeConsent } from './describe-consent.js'

export async function findConsent(
  db: Database,
  tenant: TenantScope,
  clientId: ClientId,
  consentId: ConsentId,
): Promise<ConsentRow | null> {
  if (!isId(clientId) || !isId(consentId)) return null
  const [row] = await db.read(tenant, selectConsent(tenant, clientId, consentId))
  return row ?? null
}

export async function listConsents(
  db: Database,
  ring: TenantKeyRing,
  { clientId, page }: { clientId: ClientId; page: AskedPage },
): Promise<Page<Consent>> {
  const tenant = { tenantId: ring.tenantId }
  const [rows, [count]] = await db.read(
    tenant,
    selectConsents(tenant, clientId, page),
    countConsents(tenant, clientId),
  )
  return pageOf(
    rows.map((row) => describeConsent(ring, row)),
    count?.total ?? 0,
    page,
  )
}

/** As many as a screen shows; a partner pages through all. */
const newestMost = 20

export async function readNewestConsents(
  db: Database,
  ring: TenantKeyRing,
  { clientId, isOwn }: { clientId: ClientId; isOwn: boolean },
): Promise<{ state: ConsentState; consents: Consent[]; rows: ConsentRow[] }> {
  const tenant = { tenantId: ring.tenantId }
  const [[found], rows] = await db.read(
    tenant,
    selectConsentState(tenant, clientId),
    selectNewestConsents(tenant, clientId, { most: newestMost, isOwn }),
  )
  return { state: found?.state ?? 'none', consents: rows.map((row) => describeConsent(ring, row)), rows }
}

/** In the transaction that begins or ends a recording: a withdrawal comes before or after it. */
export async function hasConsent(tx: Tx, clientId: ClientId): Promise<boolean> {
  return (await tx.run(selectConsented(tx.tenant, [clientId]))).length > 0
}

/** For what was recorded until somebody withdrew: agreeing again is about what comes after it. */
export async function isConsentBroken(tx: Tx, sessionId: SessionId): Promise<boolean> {
  const [row] = await tx.run(selectConsentDuring(tx.tenant, sessionId))
  return row?.state !== 'given'
}

/** The same, for whoever only watches. */
export async function isConsentedDuring(
  db: Database,
  tenant: TenantScope,
  sessionId: SessionId,
): Promise<boolean> {
  const [row] = await db.read(tenant, selectConsentDuring(tenant, sessionId))
  return row?.state === 'given'
}

/** What becomes of what was recorded until then, the clinician has to say: the frame asks them when it reads this. */
export const refuseWithdrawn = (): Refusal =>
  refuse.conflict('consent_withdrawn', 'The client withdrew the consent to be recorded')

export async function requireConsent(tx: Tx, clientId: ClientId): Promise<void> {
  if (!(await hasConsent(tx, clientId))) throw refuseWithout()
}

const refuseWithout = (): Refusal =>
  refuse.conflict('consent_missing', 'The client’s consent to be recorded is missing')

/** For recordings that come from elsewhere: only where the partner asked for it. */
export async function requireConsentIfAsked(tx: Tx, clientId: ClientId): Promise<void> {
  if (await lacksAskedConsent(tx, clientId)) throw refuseWithout()
}

/** The same, where nobody waits for the answer. */
export async function lacksAskedConsent(tx: Tx, clientId: ClientId): Promise<boolean> {
  const [tenant] = await tx.run(selectRequiresConsent(tx.tenant))
  return tenant?.requiresConsent === true && !(await hasConsent(tx, clientId))
}
