import type { TenantId } from '../kernel/ids.js'
import { tolerateFailure, type Log } from '../kernel/log.js'
import { refuse } from '../kernel/refuse.js'
import type { WidgetCaller } from './widget-caller.js'

/** Whoever is cut off is so within 5 s: a look every 2 s at all that is older than half a second, and time to answer. */
const lookEveryMs = 2_000
const youngMs = 500

/** How many calls one clinician may have open: as many as the rate limit lets them ask for at once; it does not see how slowly they send or read. */
const ofClinicianMost = 500

/** Most calls end within a second. */
const fullSeconds = 5

export interface OpenCallsParts {
  /** Whether each of one tenant's callers may go on, in their order. */
  mayGoOn(tenantId: TenantId, callers: readonly WidgetCaller[]): Promise<readonly boolean[]>
  log: Log
}

export interface OpenCall {
  caller: WidgetCaller
  /** Aborted with the refusal once the caller is cut off: logged out, deactivated, suspended, or their key retired. */
  signal: AbortSignal
  close: () => void
}

interface Entry {
  caller: WidgetCaller
  openedAtMs: number
  cutting: AbortController
}

/**
 * Requests whose caller was let in and that are not answered yet. Most end before the first look; streams, uploads and
 * bodies that come slowly do not, and for them the check at the door is made again and again. When the database cannot be
 * asked nothing is cut: without it nothing is shown or kept either.
 */
export class OpenCalls {
  readonly #parts: OpenCallsParts
  readonly #open = new Set<Entry>()
  /** Clinicians who have any, and how many. */
  readonly #counts = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null

  constructor(parts: OpenCallsParts) {
    this.#parts = parts
  }

  /** At once with a look at whether the caller is still there: what has hung up before has no end that could close this. */
  open(caller: WidgetCaller): OpenCall {
    const count = this.#counts.get(caller.clinicianId) ?? 0
    if (count >= ofClinicianMost)
      throw refuse.tooMany('too_many_open', 'Too many requests are open', fullSeconds)
    this.#counts.set(caller.clinicianId, count + 1)
    this.#timer ??= setInterval(() => this.#look(), lookEveryMs)
    const entry = { caller, openedAtMs: performance.now(), cutting: new AbortController() }
    this.#open.add(entry)
    return { caller, signal: entry.cutting.signal, close: () => this.#remove(entry) }
  }

  get size(): number {
    return this.#open.size
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer)
    await this.#looking
  }

  #remove(entry: Entry): void {
    if (!this.#open.delete(entry)) return
    const { clinicianId } = entry.caller
    const left = (this.#counts.get(clinicianId) ?? 1) - 1
    if (left === 0) this.#counts.delete(clinicianId)
    else this.#counts.set(clinicianId, left)
  }

  #look(): void {
    if (this.#looking !== null) return
    const looking = tolerateFailure(this.#parts.log, 'open calls are looked at again', () =>
      this.#lookAtAll(),
    )
    this.#looking = looking.finally(() => (this.#looking = null))
  }

  async #lookAtAll(): Promise<void> {
    const before = performance.now() - youngMs
    const byTenant = new Map<TenantId, Entry[]>()
    for (const entry of this.#open) {
      if (entry.openedAtMs > before) continue
      const { tenantId } = entry.caller.tenant
      const entries = byTenant.get(tenantId)
      if (entries === undefined) byTenant.set(tenantId, [entry])
      else entries.push(entry)
    }
    await Promise.all([...byTenant].map(([tenantId, entries]) => this.#lookAt(tenantId, entries)))
  }

  async #lookAt(tenantId: TenantId, entries: readonly Entry[]): Promise<void> {
    const callers = entries.map(({ caller }) => caller)
    const allowed = await this.#parts.mayGoOn(tenantId, callers)
    for (const [index, entry] of entries.entries()) {
      if (allowed[index] === true) continue
      this.#remove(entry)
      entry.cutting.abort(notLetIn())
    }
  }
}

/** The refusal of a call whose token is not let in, in the same words at the door and later. */
export const notLetIn = () =>
  refuse.unauthorized('widget_token_invalid', 'The access token is missing, expired or revoked')
