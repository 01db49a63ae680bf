import type { TenantKeyRing } from '../secrets/tenant-keys.js'
import type { Anchor } from './audit-anchors.js'
import { readCheckpoint, type Checkpoint } from './audit-checkpoint.js'
import type { Findings } from './audit-findings.js'
import { findAuditKey } from './audit-keys.js'
import type { CheckpointRow } from './audit.sql.js'

/** Where a chain stood at the newest checkpoint that names it. */
export interface CoveredHead {
  seq: number
  hash: string
  checkpoint: number
}

/** Goes through a tenant's checkpoints in their order. */
export class CheckpointCheck {
  readonly covered = new Map<string, CoveredHead>()
  checked = 0
  newestAt: string | null = null
  readonly #ring: TenantKeyRing
  readonly #anchor: Anchor | null
  readonly #findings: Findings
  #number = 0
  /** Undefined after a gap: then the next one cannot be compared. */
  #signatureBefore: string | null | undefined = null

  constructor(ring: TenantKeyRing, anchor: Anchor | null, findings: Findings) {
    this.#ring = ring
    this.#anchor = anchor
    this.#findings = findings
  }

  next(row: CheckpointRow): void {
    this.checked += 1
    if (row.number <= this.#number) {
      const message = `There is more than one checkpoint ${row.number}.`
      this.#findings.add({ kind: 'checkpoint_extra', checkpoint: row.number, message })
      return
    }
    if (row.number > this.#number + 1) this.#reportMissing(row.number - 1)
    this.#checkAnchor(row)
    const checkpoint = this.#readSigned(row)
    if (checkpoint !== null) {
      this.newestAt = checkpoint.at
      for (const [writerId, seq, hash] of checkpoint.heads) {
        this.covered.set(writerId, { seq, hash, checkpoint: row.number })
      }
    }
    this.#number = row.number
    this.#signatureBefore = row.signature
  }

  finish(): void {
    if (this.#anchor !== null && this.#anchor.number > this.#number) {
      const { number, at } = this.#anchor
      this.#findings.add({
        kind: 'log_set_back',
        checkpoint: number,
        message:
          `The checkpoints end at ${this.#number}, but the anchor outside the database names checkpoint ` +
          `${number} of ${at}: the log was cut, or the database was restored from an older backup.`,
      })
    }
  }

  #reportMissing(last: number): void {
    const first = this.#number + 1
    const message =
      first === last ? `Checkpoint ${first} is missing.` : `Checkpoints ${first} to ${last} are missing.`
    this.#findings.add({ kind: 'checkpoint_missing', checkpoint: first, message })
    this.#signatureBefore = undefined
  }

  #checkAnchor({ number, signature }: CheckpointRow): void {
    if (this.#anchor?.number !== number || this.#anchor.signature === signature) return
    const message =
      `Checkpoint ${number} is not the one that the anchor outside the database names: the log was restored from an ` +
      'older backup, or cut, and has gone on since.'
    this.#findings.add({ kind: 'anchor_disagrees', checkpoint: number, message })
  }

  /** Null: what it says is not to be relied on. */
  #readSigned(row: CheckpointRow): Checkpoint | null {
    const { number } = row
    const key = findAuditKey(this.#ring, row.keyVersion)
    if (key === null) {
      const message = `Checkpoint ${number} names key version ${row.keyVersion}, which the tenant does not have.`
      this.#findings.add({ kind: 'key_unknown', checkpoint: number, message })
      return null
    }
    const checkpoint = readCheckpoint(key, row)
    const changed = this.#describeChange(row, checkpoint)
    if (changed === null) return checkpoint
    this.#findings.add({ kind: 'checkpoint_changed', checkpoint: number, message: changed })
    return null
  }

  #describeChange({ number }: CheckpointRow, checkpoint: Checkpoint | null): string | null {
    if (checkpoint === null) return `Checkpoint ${number} does not match its signature: it was changed.`
    if (checkpoint.number !== number) return `Checkpoint ${number} was signed as number ${checkpoint.number}.`
    if (checkpoint.tenantId !== this.#ring.tenantId)
      return `Checkpoint ${number} was signed for another tenant.`
    const isLinked = this.#signatureBefore === undefined || checkpoint.previous === this.#signatureBefore
    return isLinked
      ? null
      : `Checkpoint ${number} does not follow the one before it: one of them was replaced.`
  }
}
