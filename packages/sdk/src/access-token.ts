/** A token lives an hour; a call that begins this shortly before its end still gets through. */
const renewBeforeMs = 60_000

interface Token {
  value: string
  renewAtMs: number
}

/** The partner token: fetched when it is first needed, and anew shortly before it ends; by one call at a time. */
export class AccessToken {
  #token: Token | null = null
  #renewal: Promise<Token> | null = null

  constructor(
    private readonly authenticate: (timeoutMs: number) => Promise<{ accessToken: string; expiresIn: number }>,
  ) {}

  /** `timeoutMs` is for one attempt of the renewal, if this call is the one that begins it. */
  async get(timeoutMs: number): Promise<string> {
    if (this.#token !== null && performance.now() < this.#token.renewAtMs) return this.#token.value
    this.#renewal ??= this.#renew(timeoutMs).finally(() => (this.#renewal = null))
    return (await this.#renewal).value
  }

  /** The service refused it. Whoever comes late, with a token that was replaced already, changes nothing. */
  forget(value: string): void {
    if (this.#token?.value === value) this.#token = null
  }

  async #renew(timeoutMs: number): Promise<Token> {
    const { accessToken, expiresIn } = await this.authenticate(timeoutMs)
    const renewAtMs = performance.now() + Math.max(expiresIn * 1000 - renewBeforeMs, 0)
    this.#token = { value: accessToken, renewAtMs }
    return this.#token
  }
}
