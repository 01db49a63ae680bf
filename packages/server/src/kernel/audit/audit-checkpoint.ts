import { createHmac } from 'node:crypto'
import type { TenantId } from '../ids.js'
import type { AuditKey } from './audit-keys.js'
import type { CheckpointRow } from './audit.sql.js'

/** What a checkpoint states. The key of its signature is the tenant's own; the tenant is named for who reads it. */
export interface Checkpoint {
  number: number
  tenantId: TenantId
  at: string
  /** The signature of the checkpoint before: none can be taken out of the middle. Null for the first. */
  previous: string | null
  /** writer, seq, hash: the chains that have moved since the checkpoint before. */
  heads: readonly (readonly [string, number, string])[]
}

const sign = (key: AuditKey, body: string): string =>
  createHmac('sha256', key.checkpoints).update(body).digest('hex')

export function signCheckpoint(key: AuditKey, checkpoint: Checkpoint): CheckpointRow {
  const body = JSON.stringify(checkpoint)
  return {
    number: checkpoint.number,
    keyVersion: key.version,
    body,
    signature: sign(key, body),
  }
}

/** Null: what is stored is not what was signed. */
export function readCheckpoint(key: AuditKey, row: CheckpointRow): Checkpoint | null {
  if (sign(key, row.body) !== row.signature) return null
  return JSON.parse(row.body) as Checkpoint
}
