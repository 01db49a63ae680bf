import type { TenantId } from '../ids.js'
import type { TenantScope } from '../tenant.js'
import type { AuditEntry } from './audit-entry.js'

/** Entries of one caller at one address, in a minute: enough to see what somebody tries, too few to fill a log with. */
export const entriesOfCallerMax = 20

/** Entries of one tenant, in a minute, from however many addresses. With the counts the log grows by 401 entries at most. */
export const entriesOfTenantMax = 200

const minuteMs = 60_000

export type RefusedEntry = AuditEntry & { status: number }

interface RefusalAuditParts {
  /** Into the batches in which reads are written: a refusal is no statement of its own. */
  record(tenant: TenantScope, entry: AuditEntry): Promise<void>
  windowMs?: number
}

interface CallerTally {
  entries: number
  /** Refused beyond what is written down. */
  more: number
  last: RefusedEntry
}

interface TenantTally {
  tenant: TenantScope
  entries: number
  callers: Map<string, CallerTally>
  /** Refusals of callers for whom there was no entry left. */
  others: number
}

/**
 * Who was refused. Nobody waits for it: the answer must take as long as it always did. The first refusals of a caller are
 * entries at once, what follows in the same minute is counted and becomes one; a kill loses that minute's counts and
 * whatever of the last batch was not written, never the first entries of an attack that goes on.
 */
export class RefusalAudit {
  readonly #parts: RefusalAuditParts
  readonly #writing = new Set<Promise<void>>()
  #tallies = new Map<TenantId, TenantTally>()
  #timer: NodeJS.Timeout | null = null

  constructor(parts: RefusalAuditParts) {
    this.#parts = parts
  }

  record(tenant: TenantScope, entry: RefusedEntry): void {
    this.#timer ??= setTimeout(() => this.#endMinute(), this.#parts.windowMs ?? minuteMs).unref()
    const tally = this.#tallyOf(tenant)
    const { kind, id, from } = entry.actor
    const caller = `${kind}/${id}/${from}`
    let known = tally.callers.get(caller)
    if (known === undefined) {
      // Every caller here has an entry, so there are no more of them than entries.
      if (tally.entries >= entriesOfTenantMax) {
        tally.others += 1
        return
      }
      known = { entries: 0, more: 0, last: entry }
      tally.callers.set(caller, known)
    }
    known.last = entry
    if (known.entries >= entriesOfCallerMax || tally.entries >= entriesOfTenantMax) {
      known.more += 1
      return
    }
    known.entries += 1
    tally.entries += 1
    this.#write(tenant, entry, () => (known.more += 1))
  }

  /** What is counted is written; to be called when nothing is answered any more, and before reads stop. */
  async stop(): Promise<void> {
    this.#endMinute()
    await Promise.all(this.#writing)
  }

  #tallyOf(tenant: TenantScope): TenantTally {
    let tally = this.#tallies.get(tenant.tenantId)
    if (tally === undefined) {
      tally = { tenant, entries: 0, callers: new Map(), others: 0 }
      this.#tallies.set(tenant.tenantId, tally)
    }
    return tally
  }

  #endMinute(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const ended = this.#tallies
    this.#tallies = new Map()
    for (const { tenant, callers, others } of ended.values()) {
      for (const { more, last } of callers.values()) {
        if (more > 0) this.#writeCount(tenant, last.actor, more)
      }
      if (others > 0) this.#writeCount(tenant, { kind: 'system', id: null }, others)
    }
  }

  #writeCount(tenant: TenantScope, actor: AuditEntry['actor'], count: number): void {
    const subjects = [tenant.tenantId]
    this.#write(tenant, { operation: 'audit.moreRefusals', actor, requestId: null, subjects, count })
  }

  /** That a batch failed stands in the process's log; an entry that failed is counted with the others. */
  #write(tenant: TenantScope, entry: AuditEntry, whenLost: () => void = () => {}): void {
    const writing = this.#parts.record(tenant, entry).catch(whenLost)
    this.#writing.add(writing)
    void writing.finally(() => this.#writing.delete(writing))
  }
}
