import type { ClinicianTokens, TokenRenewal } from '@casenote/contract'
import type { Suspect } from '../../../http/suspect.js'
import { recordChange, sealAddress } from '../../../kernel/audit/index.js'
import type { Tx } from '../../../kernel/db/database.js'
import { newId, type ClinicianId } from '../../../kernel/ids.js'
import type { TenantKeyRing } from '../../../kernel/secrets/tenant-keys.js'
import { composeTokens, deriveSuccessor, hashRefreshToken, readRefreshTenant } from './clinician-tokens.js'
import type { TokenParts } from './token-parts.js'
import {
  consumeRefreshToken,
  endSessionsOfClinician,
  insertRefreshToken,
  selectSpentToken,
  type LifetimeHours,
  type WidgetSession,
} from './widget-sessions.sql.js'

interface Asked {
  token: string
  renewalId: string | null
  lifetimeHours: LifetimeHours
  requestId: string
  /** The sealed address. */
  from: string
  /** Told whose token was used a second time. */
  spentBy: (clinicianId: ClinicianId) => void
}

interface Renewed {
  session: WidgetSession
  refreshToken: string
}

/**
 * Single-use and rotating (contract part 5, rule 6; ruling 9). The revocation after a replay is committed before
 * the refusal is answered, so a crash right after it changes nothing. Null: not accepted.
 */
export async function renewTokens(
  parts: Pick<TokenParts, 'db' | 'keys' | 'widget'>,
  { RefreshToken: token, renewalId }: TokenRenewal,
  { requestId, address, nowMs, suspect }: Renewing,
): Promise<ClinicianTokens | null> {
  const tenant = readRefreshTenant(token)
  if (tenant === null) return null
  const ring = await parts.keys.get(tenant)
  if (!ring.has('token')) return null
  // Whoever knows the tenant's id can name it in a token of their own making: bounded as every refusal is.
  suspect({ tenant, actor: { kind: 'clinician', id: null } })
  const asked = {
    token,
    renewalId: renewalId ?? null,
    lifetimeHours: parts.widget.lifetimeHours,
    requestId,
    from: sealAddress(ring, address),
    spentBy: (id: ClinicianId) => suspect({ tenant, actor: { kind: 'clinician', id }, subjects: [id] }),
  }
  const renewed = await parts.db.write(
    tenant,
    async (tx) => (await rotate(tx, ring, asked)) ?? (await settleSpent(tx, ring, asked)),
  )
  if (renewed === null) return null
  return composeTokens(ring, renewed.session, renewed.refreshToken, nowMs)
}

interface Renewing {
  requestId: string
  address: string
  nowMs: number
  suspect: (suspect: Suspect) => void
}

async function rotate(
  tx: Tx,
  ring: TenantKeyRing,
  { token, renewalId, lifetimeHours, requestId, from }: Asked,
): Promise<Renewed | null> {
  const successorKeyVersion = ring.newest('token').version
  const [session] = await tx.run(
    consumeRefreshToken(tx.tenant, hashRefreshToken(token), {
      renewalId,
      successorKeyVersion,
      lifetimeHours,
    }),
  )
  if (session === undefined) return null
  // Without a renewal id nobody can ask for this successor again, so any random id serves to derive it.
  const refreshToken = deriveSuccessor(ring, successorKeyVersion, { token, renewalId: renewalId ?? newId() })
  if (refreshToken === null) throw new Error('the newest token key is not in its own ring')
  await tx.run(insertRefreshToken(tx.tenant, session.widgetSessionId, hashRefreshToken(refreshToken)))
  const { clinicianId: id } = session
  const actor = { kind: 'clinician', id, from } as const
  await recordChange(tx, { operation: 'widget.renewTokens', actor, requestId, subjects: [id] })
  return { session, refreshToken }
}

/** The token was not good for a renewal: the same renewal asked again, a replay, or simply dead. */
async function settleSpent(
  tx: Tx,
  ring: TenantKeyRing,
  { token, renewalId, lifetimeHours, requestId, from, spentBy }: Asked,
): Promise<Renewed | null> {
  const [spent] = await tx.run(selectSpentToken(tx.tenant, hashRefreshToken(token), lifetimeHours))
  if (spent === undefined) return null
  spentBy(spent.clinicianId)
  if (spent.isDead || !spent.isConsumed) return null
  if (renewalId !== null && spent.renewalId === renewalId && spent.isRepeatable) {
    const refreshToken = deriveSuccessor(ring, spent.successorKeyVersion ?? 0, { token, renewalId })
    return refreshToken === null ? null : { session: spent, refreshToken }
  }
  const ended = await tx.run(endSessionsOfClinician(tx.tenant, spent.clinicianId, 'replay'))
  if (ended.length > 0) {
    await recordChange(tx, {
      operation: 'widget.revokeAfterReplay',
      // From where it was replayed: by a thief, or by the clinician after one.
      actor: { kind: 'system', id: null, from },
      requestId,
      subjects: [spent.clinicianId],
    })
  }
  return null
}
