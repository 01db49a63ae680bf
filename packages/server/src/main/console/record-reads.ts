import { actorOf, type ConsoleUser } from '../../features/console/index.js'
import { sealAddress } from '../../kernel/audit/index.js'
import { dropOldest } from '../../kernel/drop-oldest.js'
import type { TenantId } from '../../kernel/ids.js'
import type { AnyContext, ConsoleParts } from './console-parts.js'

/** A screen that is looked at asks every five seconds: one entry stands for ten minutes of it, for each record that it shows. */
const coversMs = 10 * 60_000

/** Some hundred people, each with some pages of a hundred ids: some 20 MB. Beyond it more is recorded, not less. */
const rememberedMax = 50_000

/** Who looked at what in the console, in the tenant's log before it is answered. */
export class ConsoleReads {
  readonly #parts: Pick<ConsoleParts, 'reads' | 'keys'>
  /** In the order of their recording. */
  readonly #recordedAtMs = new Map<string, number>()

  constructor(parts: Pick<ConsoleParts, 'reads' | 'keys'>) {
    this.#parts = parts
  }

  /** `subjects`: the ids that are shown. A page without any is recorded as one of the tenant. */
  async record(context: AnyContext, operation: string, subjects: readonly string[]): Promise<void> {
    const { session, tenant, address, requestId } = context
    const shown = subjects.length === 0 ? [tenant.tenantId] : [...new Set(subjects)]
    const nowMs = performance.now()
    const keyOf = (subject: string): string => toKey(session, tenant.tenantId, operation, subject)
    const about = shown.filter(
      (subject) => nowMs - (this.#recordedAtMs.get(keyOf(subject)) ?? Number.NEGATIVE_INFINITY) >= coversMs,
    )
    if (about.length === 0) return
    const { reads, keys } = this.#parts
    const actor = actorOf(session, sealAddress(await keys.get(tenant), address))
    await reads.record(tenant, { operation, actor, requestId, subjects: about })
    for (const key of about.map(keyOf)) this.#remember(key, nowMs)
  }

  #remember(key: string, nowMs: number): void {
    this.#recordedAtMs.delete(key)
    this.#recordedAtMs.set(key, nowMs)
    if (this.#recordedAtMs.size > rememberedMax) dropOldest(this.#recordedAtMs)
  }
}

const toKey = (
  { kind, userId }: ConsoleUser,
  tenantId: TenantId,
  operation: string,
  subject: string,
): string => [kind, userId, tenantId, operation, subject].join('/')
