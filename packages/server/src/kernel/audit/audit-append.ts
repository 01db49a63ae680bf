import type { Statement } from '../db/database.js'
import type { TenantId } from '../ids.js'
import { hashEntry, type AuditChain } from './audit-chain.js'
import type { AuditKey } from './audit-keys.js'
import { appendAuditEntries } from './audit.sql.js'

/** Entries of one writer, chained one by one and written by one statement. */
export class AuditAppend {
  readonly #writerId: string
  readonly #chains = new Set<AuditChain>()
  readonly #tenantIds: TenantId[] = []
  readonly #seqs: number[] = []
  readonly #keyVersions: number[] = []
  readonly #subjects: string[] = []
  readonly #bodies: string[] = []
  readonly #hashes: string[] = []

  constructor(writerId: string) {
    this.#writerId = writerId
  }

  get size(): number {
    return this.#seqs.length
  }

  /** Moves the chain's end. If the statement then fails, the chain must not be used again. */
  add(chain: AuditChain, key: AuditKey, subjects: string, body: string): void {
    chain.hash = hashEntry(key, chain, subjects, body)
    chain.seq += 1
    this.#chains.add(chain)
    this.#tenantIds.push(chain.tenantId)
    this.#seqs.push(chain.seq)
    this.#keyVersions.push(key.version)
    this.#subjects.push(subjects)
    this.#bodies.push(body)
    this.#hashes.push(chain.hash)
  }

  statement(): Statement {
    return appendAuditEntries({
      writerId: this.#writerId,
      tenantIds: this.#tenantIds,
      seqs: this.#seqs,
      keyVersions: this.#keyVersions,
      subjects: this.#subjects,
      bodies: this.#bodies,
      hashes: this.#hashes,
      heads: [...this.#chains],
    })
  }
}
