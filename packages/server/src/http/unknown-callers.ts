import { Counter } from 'prom-client'
import type { Log } from '../kernel/log.js'
import { metrics } from './metrics.js'

const refusals = new Counter({
  name: 'casenote_unattributed_refusals_total',
  help: 'Refused with a credential that is nobody’s, by surface: in no partner’s audit log',
  labelNames: ['surface'] as const,
  registers: [metrics],
})

export type Surface = 'partner' | 'widget' | 'pages'

const minuteMs = 60_000

/** How many addresses are counted in one minute, some 100 KB. Who comes after them is counted without their address. */
const addressesMax = 1_000

/**
 * Who was refused and belongs to no tenant: an unknown key or a forged token stands in nobody's audit log, for it is nobody's.
 * All are counted. Of unknown API keys, which come from servers and not from clients' homes, the process's log has one line
 * a minute with the address that most came from: what an operator needs to close it out.
 */
export class UnknownCallers {
  readonly #log: Log
  #byAddress = new Map<string, number>()
  #total = 0
  #timer: NodeJS.Timeout | null = null

  constructor(log: Log) {
    this.#log = log
  }

  count(surface: Surface, address: string): void {
    refusals.inc({ surface })
    if (surface !== 'partner') return
    this.#timer ??= setTimeout(() => this.report(), minuteMs).unref()
    this.#total += 1
    const count = this.#byAddress.get(address)
    if (count !== undefined || this.#byAddress.size < addressesMax)
      this.#byAddress.set(address, (count ?? 0) + 1)
  }

  report(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#total === 0) return
    const [address, count] = [...this.#byAddress].reduce((most, one) => (one[1] > most[1] ? one : most))
    const counts = {
      refusals: this.#total,
      addresses: this.#byAddress.size,
      mostFrom: address,
      ofThem: count,
    }
    this.#log.warn(counts, 'refused: no such API key')
    this.#byAddress = new Map()
    this.#total = 0
  }
}
