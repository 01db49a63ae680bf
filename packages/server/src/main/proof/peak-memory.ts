import { readdirSync, readFileSync } from 'node:fs'

/** At its highest, as far as anybody looked. */
export interface PeakMemory {
  mb: number
  /** With the processes of reader and model; else of this one alone: only Linux tells of others without asking a program. */
  isWithChildren: boolean
}

/** Looks whenever it is asked to. The system keeps each process's own highest figure, so that seldom is often enough. */
export class MemoryWatch {
  #peak: PeakMemory = { mb: 0, isWithChildren: false }

  look(): PeakMemory {
    const mb = sumFamily(process.pid)
    const seen = { mb: mb ?? process.memoryUsage().rss / 1e6, isWithChildren: mb !== null }
    if (seen.mb > this.#peak.mb) this.#peak = seen
    return this.#peak
  }
}

/** This process and all that it started, and they. Null: the system does not tell. */
function sumFamily(root: number): number | null {
  const processes = listProcesses()
  if (!processes.has(root)) return null
  const family = new Set([root])
  // What is added to a set while it is gone through is gone through, too.
  for (const id of family) for (const [child, { parent }] of processes) if (parent === id) family.add(child)
  return ([...family].reduce((sum, id) => sum + (processes.get(id)?.peakKb ?? 0), 0) * 1_024) / 1e6
}

function listProcesses(): Map<number, { parent: number; peakKb: number }> {
  const processes = new Map<number, { parent: number; peakKb: number }>()
  for (const name of readFolder('/proc')) {
    const status = /^\d+$/.test(name) ? readStatus(name) : ''
    const parent = /^PPid:\s+(\d+)$/m.exec(status)?.[1]
    const peakKb = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0
    if (parent !== undefined) processes.set(Number(name), { parent: Number(parent), peakKb: Number(peakKb) })
  }
  return processes
}

const readFolder = (path: string): string[] => {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

/** A process may end while it is looked at. */
const readStatus = (id: string): string => {
  try {
    return readFileSync(`/proc/${id}/status`, 'utf8')
  } catch {
    return ''
  }
}
