import type { TenantKeyRing } from '../secrets/tenant-keys.js'
import { hashEntry, startChain, type AuditChain } from './audit-chain.js'
import type { Findings } from './audit-findings.js'
import { findAuditKey } from './audit-keys.js'
import type { HeadRow } from './audit.sql.js'
import type { CoveredHead } from './verify-checkpoints.js'
import type { EntryRow } from './verify.sql.js'

/** What else is known of a chain. */
interface ChainClaims {
  head: HeadRow | null
  covered: CoveredHead | null
}

/** Goes through the entries of one chain in their order. */
export class ChainCheck {
  readonly #ring: TenantKeyRing
  readonly #claims: ChainClaims
  readonly #findings: Findings
  readonly #end: AuditChain
  /** The hash that a changed entry should have: which of the two the next entry follows shows what was changed. */
  #hashDue: string | null = null

  constructor(ring: TenantKeyRing, writerId: string, claims: ChainClaims, findings: Findings) {
    this.#ring = ring
    this.#claims = claims
    this.#findings = findings
    this.#end = startChain(ring.tenantId, writerId)
  }

  get writerId(): string {
    return this.#end.writerId
  }

  next(row: EntryRow): void {
    const { writerId } = this
    const { seq } = row
    if (seq <= this.#end.seq) {
      const message = `There is more than one entry ${seq} in chain ${writerId}.`
      this.#findings.add({ kind: 'entry_extra', writerId, seq, message })
      return
    }
    if (seq > this.#end.seq + 1) this.#reportMissing(seq - 1)
    else this.#checkHash(row)
    this.#end.seq = seq
    this.#end.hash = row.hash
    this.#checkCovered(row)
  }

  /** Returns how many entries no checkpoint vouches for. */
  finish(): number {
    const { writerId } = this
    const { covered } = this.#claims
    if (covered !== null && covered.seq > this.#end.seq) {
      const message =
        `Chain ${writerId} ends at entry ${this.#end.seq}, but checkpoint ${covered.checkpoint} names its entry ` +
        `${covered.seq}: the end was cut off.`
      this.#findings.add({
        kind: 'chain_cut',
        writerId,
        seq: covered.seq,
        checkpoint: covered.checkpoint,
        message,
      })
    }
    this.#checkHead()
    return Math.max(0, this.#end.seq - (covered?.seq ?? 0))
  }

  #reportMissing(last: number): void {
    const { writerId } = this
    const first = this.#end.seq + 1
    const what = first === last ? `Entry ${first} is missing` : `Entries ${first} to ${last} are missing`
    const where = first === 1 ? `at the start of chain ${writerId}` : `in chain ${writerId}`
    this.#findings.add({ kind: 'entry_missing', writerId, seq: first, message: `${what} ${where}.` })
    this.#hashDue = null
  }

  #checkHash({ seq, keyVersion, subjects, body, hash }: EntryRow): void {
    const { writerId } = this
    const key = findAuditKey(this.#ring, keyVersion)
    if (key === null) {
      const message = `Entry ${seq} of chain ${writerId} names key version ${keyVersion}, which the tenant does not have.`
      this.#findings.add({ kind: 'key_unknown', writerId, seq, message })
      this.#hashDue = null
      return
    }
    const due = hashEntry(key, this.#end, subjects, body)
    const isSound =
      due === hash ||
      (this.#hashDue !== null &&
        hashEntry(key, { ...this.#end, hash: this.#hashDue }, subjects, body) === hash)
    this.#hashDue = isSound ? null : due
    if (isSound) return
    const message = `Entry ${seq} of chain ${writerId} does not match its hash: it was changed, moved or forged.`
    this.#findings.add({ kind: 'entry_changed', writerId, seq, message })
  }

  #checkCovered({ seq, hash }: EntryRow): void {
    const { writerId } = this
    const { covered } = this.#claims
    if (covered?.seq !== seq || covered.hash === hash) return
    const message = `Entry ${seq} of chain ${writerId} is not the one that checkpoint ${covered.checkpoint} names.`
    this.#findings.add({
      kind: 'checkpoint_disagrees',
      writerId,
      seq,
      checkpoint: covered.checkpoint,
      message,
    })
  }

  #checkHead(): void {
    const { writerId } = this
    const { head, covered } = this.#claims
    const { seq, hash } = this.#end
    if (head === null) {
      const message = `The head of chain ${writerId} is missing.`
      this.#findings.add({ kind: 'head_missing', writerId, message })
    } else if (head.seq !== seq || head.hash !== hash) {
      const message = `The head of chain ${writerId} names entry ${head.seq}, but the chain ends otherwise at ${seq}.`
      this.#findings.add({ kind: 'head_wrong', writerId, seq, message })
    } else if (head.isCovered !== (covered?.seq === seq)) {
      const state = head.isCovered
        ? 'covered by a checkpoint, but none names it'
        : 'not covered, but a checkpoint names it'
      const message = `The head of chain ${writerId} is marked as ${state}.`
      this.#findings.add({ kind: 'head_wrong', writerId, seq, message })
    }
  }
}
