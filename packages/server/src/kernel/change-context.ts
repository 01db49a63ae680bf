import type { AuditEntry } from './audit/index.js'
import type { Clock } from './clock.js'
import type { Database } from './db/database.js'
import type { TenantKeyRing, TenantKeys } from './secrets/tenant-keys.js'
import type { TenantScope } from './tenant.js'

/** What a change of sealed data needs beside its transaction: keys, who makes it, and how its event is worded. */
export interface ChangeContext extends Pick<AuditEntry, 'actor' | 'requestId'> {
  ring: TenantKeyRing
  /** Without a trailing slash; the URLs in events begin with it. */
  publicUrl: string
  nowMs: number
}

/** What features with sealed data are built from. */
export interface SealedParts {
  db: Database
  keys: TenantKeys
  clock: Clock
  publicUrl: string
}

export async function openChange(
  { keys, clock, publicUrl }: Omit<SealedParts, 'db'>,
  tenant: TenantScope,
  { actor, requestId }: Pick<AuditEntry, 'actor' | 'requestId'>,
): Promise<ChangeContext> {
  return { ring: await keys.get(tenant), publicUrl, nowMs: clock.nowMs(), actor, requestId }
}
