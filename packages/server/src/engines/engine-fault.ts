export type EngineFaultKind = 'unavailable' | 'rate_limited' | 'timeout' | 'refused' | 'malformed'

/** An engine that did not do its work. The message carries no text of the session and no secret. */
export class EngineFault extends Error {
  readonly kind: EngineFaultKind
  /** For the log: which setting is wrong, or what a server answered, is nowhere else to be seen. */
  readonly told: string
  /** Whether the same call may succeed later. */
  readonly isTransient: boolean
  /** As the engine asked for, if it did. */
  readonly retryAfterMs: number | null

  constructor(
    kind: EngineFaultKind,
    message: string,
    options: { retryAfterMs?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause })
    this.name = 'EngineFault'
    this.kind = kind
    this.told = `${kind}: ${message}`
    this.isTransient = kind === 'unavailable' || kind === 'rate_limited' || kind === 'timeout'
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}
