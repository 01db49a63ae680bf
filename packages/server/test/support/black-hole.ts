import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'

/**
 * A way to the test run's PostgreSQL that can fall silent: connections stay open, and nothing comes through any more, as
 * after a fail-over or behind a firewall that forgot them.
 */
export class BlackHole {
  readonly #server = createServer((near) => this.#pass(near))
  readonly #target: string
  readonly #open = new Set<Socket>()
  readonly #silent = new Set<Socket>()
  #swallowsNew = false
  #acceptedCount = 0
  #swallowedCount = 0

  /** `url`: with a socket folder in it, as the embedded server has. */
  constructor(url: string) {
    const { searchParams } = new URL(url.replace('@/', '@host/'))
    this.#target = `${searchParams.get('host')}/.s.PGSQL.${searchParams.get('port') ?? '5432'}`
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  /** The same login and database, by this way. */
  wayOf(url: string): string {
    const { username, password, pathname } = new URL(url.replace('@/', '@host/'))
    const { port } = this.#server.address() as AddressInfo
    return `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`
  }

  /** What is open now says nothing any more; what is opened from now on does, or with `all` does not either. */
  fallSilent({ all }: { all: boolean }): void {
    this.#swallowsNew = all
    for (const near of this.#open) this.#silent.add(near)
  }

  /** For new connections: what is silent stays so, for ever. */
  reopen(): void {
    this.#swallowsNew = false
  }

  /** Connections so far. */
  get acceptedCount(): number {
    return this.#acceptedCount
  }

  /** Pieces so far of what was said to somebody silent. */
  get swallowedCount(): number {
    return this.#swallowedCount
  }

  /** Connections that are silent, and that nobody has given up yet. */
  get silentCount(): number {
    return this.#silent.size
  }

  async close(): Promise<void> {
    for (const near of this.#open) near.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #pass(near: Socket): void {
    const far = connect(this.#target)
    this.#acceptedCount += 1
    this.#open.add(near)
    if (this.#swallowsNew) this.#silent.add(near)
    near.on('data', (bytes) => {
      if (this.#silent.has(near)) this.#swallowedCount += 1
      else far.write(bytes)
    })
    far.on('data', (bytes) => this.#silent.has(near) || near.write(bytes))
    near.on('error', () => {})
    far.on('error', () => {})
    far.on('close', () => this.#silent.has(near) || near.destroy())
    near.on('close', () => {
      this.#open.delete(near)
      this.#silent.delete(near)
      far.destroy()
    })
  }
}
