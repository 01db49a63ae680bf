import { Counter } from 'prom-client'
import type { Log } from '../kernel/log.js'
import { metrics } from './metrics.js'

const refusals = new Counter({
  name: 'casenote_unattributed_refusals_total',
  help: 'Refused with a credential that is nobody’s, by surface: in no partner’s audit log',
  labelNames: ['surface'] as const,
  registers: [metrics],
})

/** Who comes to these comes from servers and offices, not from clients' homes: the log tells from where. */
const toldOf = {
  partner: 'refused: no such API key',
  console: 'refused: nobody that the console knows',
} as const

type Told = keyof typeof toldOf

export type Surface = Told | 'widget' | 'pages'

const minuteMs = 60_000

/** How many addresses are counted in one minute, some 100 KB. Who comes after them is counted without their address. */
const addressesMax = 1_000

interface Tally {
  byAddress: Map<string, number>
  total: number
}

/**
 * Who was refused and belongs to no tenant: an unknown key, a forged token or an unknown name stands in nobody's audit log, for it is
 * nobody's. All are counted. Of unknown API keys and of whoever the console does not know (a name, a link, a cookie that has ended, a page
 * elsewhere), the process's log has one line a minute with the address that most came from: what an operator needs to close it out.
 */
export class UnknownCallers {
  readonly #log: Log
  readonly #tallies = new Map<Told, Tally>()
  #timer: NodeJS.Timeout | null = null

  constructor(log: Log) {
    this.#log = log
  }

  count(surface: Surface, address: string): void {
    refusals.inc({ surface })
    if (surface !== 'partner' && surface !== 'console') return
    this.#timer ??= setTimeout(() => this.report(), minuteMs).unref()
    const tally = this.#tallies.get(surface) ?? { byAddress: new Map<string, number>(), total: 0 }
    this.#tallies.set(surface, tally)
    tally.total += 1
    const count = tally.byAddress.get(address)
    if (count !== undefined || tally.byAddress.size < addressesMax)
      tally.byAddress.set(address, (count ?? 0) + 1)
  }

  report(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    for (const [surface, { byAddress, total }] of this.#tallies) {
      const [address, count] = [...byAddress].reduce((most, one) => (one[1] > most[1] ? one : most))
      const counts = { refusals: total, addresses: byAddress.size, mostFrom: address, ofThem: count }
      this.#log.warn(counts, toldOf[surface])
    }
    this.#tallies.clear()
  }
}
