import { actorOf, type ConsoleUser } from '../../features/console/index.js'
import { sealAddress } from '../../kernel/audit/index.js'
import type { AnyContext, ConsoleParts } from './console-parts.js'

/** A screen that is looked at asks every five seconds: one entry stands for ten minutes of it. */
const coversMs = 10 * 60_000

/** Some hundred people, each with some screens. Beyond it more is recorded, not less. */
const rememberedMax = 10_000

/** Who looked at what in the console, in the tenant's log before it is answered. */
export class ConsoleReads {
  readonly #parts: Pick<ConsoleParts, 'reads' | 'keys'>
  /** In the order of their recording. */
  readonly #recordedAtMs = new Map<string, number>()

  constructor(parts: Pick<ConsoleParts, 'reads' | 'keys'>) {
    this.#parts = parts
  }

  async record(context: AnyContext, operation: string, subjects?: readonly string[]): Promise<void> {
    const { session, tenant, address, requestId } = context
    const about = subjects ?? [tenant.tenantId]
    const key = keyOf(session, tenant.tenantId, operation, about)
    const nowMs = performance.now()
    if (nowMs - (this.#recordedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) < coversMs) return
    const { reads, keys } = this.#parts
    const actor = actorOf(session, sealAddress(await keys.get(tenant), address))
    await reads.record(tenant, { operation, actor, requestId, subjects: about })
    this.#recordedAtMs.delete(key)
    this.#recordedAtMs.set(key, nowMs)
    if (this.#recordedAtMs.size > rememberedMax)
      this.#recordedAtMs.delete(this.#recordedAtMs.keys().next().value as string)
  }
}

const keyOf = (
  { kind, userId }: ConsoleUser,
  tenantId: string,
  operation: string,
  about: readonly string[],
): string => [kind, userId, tenantId, operation, ...about].join('/')
