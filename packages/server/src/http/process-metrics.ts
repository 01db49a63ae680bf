import { statfs } from 'node:fs/promises'
import { Counter, Gauge } from 'prom-client'
import { boundActs, FolderFault } from '../kernel/bounded-acts.js'
import type { PoolState } from '../kernel/db/database.js'
import { isErrno } from '../kernel/errno.js'
import type { Log } from '../kernel/log.js'
import type { Vital } from '../kernel/vital.js'
import { countSeldom, metrics } from './metrics.js'

/** What a process tells of itself, whatever its role: each process shows its own. */

const build = new Gauge({
  name: 'casenote_build_info',
  help: 'Always 1: which version runs, on which Node, built from which commit where that is known',
  labelNames: ['version', 'node', 'commit', 'role'] as const,
  registers: [metrics],
})

export function observeBuild(of: { version: string; commit: string | null; role: string }): void {
  const { version, commit, role } = of
  build.set({ version, node: process.versions.node, commit: commit ?? '', role }, 1)
}

const pools = new Map<string, () => PoolState>()

const poolSize = new Gauge({
  name: 'casenote_database_pool_size',
  help: 'Database connections that a pool may open at the most',
  labelNames: ['pool'] as const,
  registers: [metrics],
  // For all three: a registry reads them in the order in which they were made.
  collect: showPools,
})

const poolConnections = new Gauge({
  name: 'casenote_database_pool_connections',
  help: 'Open database connections of a pool, by what they are at',
  labelNames: ['pool', 'state'] as const,
  registers: [metrics],
})

const poolWaiting = new Gauge({
  name: 'casenote_database_pool_waiting',
  help: 'Who waits for a connection of a pool',
  labelNames: ['pool'] as const,
  registers: [metrics],
})

function showPools(): void {
  for (const [pool, describe] of pools) {
    const { most, busy, idle, waiting } = describe()
    poolSize.set({ pool }, most)
    poolConnections.set({ pool, state: 'busy' }, busy)
    poolConnections.set({ pool, state: 'idle' }, idle)
    poolWaiting.set({ pool }, waiting)
  }
}

/** Until what it answers with is called. */
export function observePool(pool: string, describe: () => PoolState): () => void {
  pools.set(pool, describe)
  return () => {
    pools.delete(pool)
    poolSize.remove({ pool })
    poolConnections.remove({ pool, state: 'busy' })
    poolConnections.remove({ pool, state: 'idle' })
    poolWaiting.remove({ pool })
  }
}

/** How the disks are looked at, once a process knows its folders. */
let lookAtDisks = async (): Promise<void> => {}

const diskFree = new Gauge({
  name: 'casenote_disk_free_bytes',
  help: 'Bytes that the service may still write to the file system of a folder',
  labelNames: ['folder'] as const,
  registers: [metrics],
  collect: () => lookAtDisks(),
})

const diskSize = new Gauge({
  name: 'casenote_disk_size_bytes',
  help: 'Size of the file system of a folder',
  labelNames: ['folder'] as const,
  registers: [metrics],
  collect: () => lookAtDisks(),
})

/** Whoever asks for metrics gives up after ten seconds. */
const diskLimits = { atOnceMost: 1, withinMs: 3_000 }

/** Observes disks by the word that the label has. One that is not there yet, or not of this machine, is not shown. */
export function observeDisks(log: Log, folders: Readonly<Record<string, string>>): void {
  const run = boundActs(diskLimits, {
    noAnswer: () => new FolderFault('the file system of a folder does not answer'),
  })
  lookAtDisks = countSeldom(log, async () => {
    for (const [folder, path] of Object.entries(folders)) await run(() => lookAtDisk(folder, path))
  })
}

async function lookAtDisk(folder: string, path: string): Promise<void> {
  try {
    const { bavail, blocks, bsize } = await statfs(path)
    diskFree.set({ folder }, bavail * bsize)
    diskSize.set({ folder }, blocks * bsize)
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error
    diskFree.remove({ folder })
    diskSize.remove({ folder })
  }
}

let listVitals = (): readonly Vital[] => []

const vitalAge = new Gauge({
  name: 'casenote_vital_age_seconds',
  help: 'Since when something that must go well again and again has not: the words of /health/ready',
  labelNames: ['vital'] as const,
  registers: [metrics],
  collect: () => {
    const ages = new Map<string, number>()
    for (const vital of listVitals()) {
      const ageMs = vital.ageMs()
      // Before the first time there is no age, and readiness tells of that.
      if (Number.isFinite(ageMs)) ages.set(vital.name, Math.max(ageMs, ages.get(vital.name) ?? 0))
    }
    for (const [vital, ageMs] of ages) vitalAge.set({ vital }, ageMs / 1_000)
  },
})

export function observeVitals(list: () => readonly Vital[]): void {
  listVitals = list
}

/** When each duty last went well, or was begun with. */
const dutiesWellAtMs = new Map<string, number>()

const dutyAge = new Gauge({
  name: 'casenote_duty_age_seconds',
  help: 'How long ago a duty of this worker last went well; until its first time, since the start',
  labelNames: ['duty'] as const,
  registers: [metrics],
  collect: () => {
    for (const [duty, atMs] of dutiesWellAtMs) dutyAge.set({ duty }, (performance.now() - atMs) / 1_000)
  },
})

const dutyRuns = new Counter({
  name: 'casenote_duty_runs_total',
  help: 'Runs of duties of this worker, by how they ended',
  labelNames: ['duty', 'end'] as const,
  registers: [metrics],
})

export function observeDuty(duty: string, end: 'begun' | 'well' | 'failed'): void {
  if (end === 'begun') dutiesWellAtMs.set(duty, performance.now())
  else dutyRuns.inc({ duty, end })
  if (end === 'well') dutiesWellAtMs.set(duty, performance.now())
}

const unchained = new Gauge({
  name: 'casenote_audit_unsealed_tenants',
  help: 'Tenants whose audit log the last pass of this worker could not chain, or found changed',
  registers: [metrics],
})

export const observeChaining = (troubledTenants: number): void => unchained.set(troubledTenants)

const unopened = new Gauge({
  name: 'casenote_unopened_values',
  help: 'Sealed values that did not open when they were to be sealed for their clients last, which every backup begins with',
  registers: [metrics],
})

const keyStoreFullness = new Gauge({
  name: 'casenote_key_store_fullness',
  help: 'How much of what the key store may hold there is, 0 to 1',
  registers: [metrics],
})

export const observeKeyStore = (fullness: number): void => keyStoreFullness.set(fullness)

export const observeUnopened = (count: number): void => unopened.set(count)

const dropped = new Counter({
  name: 'casenote_otlp_dropped_total',
  help: 'Spans and metric exports that the collector did not get',
  labelNames: ['signal'] as const,
  registers: [metrics],
})

export const observeDroppedTelemetry = (signal: 'traces' | 'metrics', count: number): void =>
  dropped.inc({ signal }, count)
