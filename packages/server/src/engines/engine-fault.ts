export type EngineFaultKind = 'unavailable' | 'rate_limited' | 'timeout' | 'refused' | 'malformed'

/** An engine that did not do its work. The message carries no text of the session and no secret. */
export class EngineFault extends Error {
  readonly kind: EngineFaultKind
  /** For the log: which setting is wrong, or what a server answered, is nowhere else to be seen. */
  readonly told: string
  /** Whether the same call may succeed later. */
  readonly isTransient: boolean

  constructor(kind: EngineFaultKind, message: string) {
    super(message)
    this.name = 'EngineFault'
    this.kind = kind
    this.told = `${kind}: ${message}`
    this.isTransient = kind === 'unavailable' || kind === 'rate_limited' || kind === 'timeout'
  }
}

/**
 * A server that is restarted, overloaded or out of reach. A process of ours that ends is none: the recording may have
 * killed it, and must not do so for an hour.
 */
export class ServerOutage extends EngineFault {
  constructor(
    kind: 'unavailable' | 'rate_limited' | 'timeout',
    message: string,
    /** As the server asked for, if it did. */
    readonly retryAfterMs: number | null = null,
  ) {
    super(kind, message)
  }
}
