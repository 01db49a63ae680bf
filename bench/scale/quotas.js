// Processor quotas by cgroup, of version 2 or 1, whichever the machine has. Needs root.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = '/sys/fs/cgroup'
const periodUs = 100_000

const hasV2 = () =>
  existsSync(join(root, 'cgroup.controllers')) &&
  readFileSync(join(root, 'cgroup.controllers'), 'utf8').split(/\s/).includes('cpu')

const hasV1 = () =>
  existsSync(join(root, 'cpu/cpu.cfs_quota_us')) && existsSync(join(root, 'cpuacct/cpuacct.usage'))

/** Null: there are none here. */
export function findQuotas() {
  if (process.getuid?.() !== 0) return null
  if (hasV2()) {
    // It may be on already, and a folder with processes in it may not pass it on: then making one fails, and says so.
    try {
      writeFileSync(join(root, 'cgroup.subtree_control'), '+cpu')
    } catch {
      return null
    }
    return { version: 2, folders: [root] }
  }
  return hasV1() ? { version: 1, folders: [join(root, 'cpu'), join(root, 'cpuacct')] } : null
}

/** A group of processes, whose processor time is counted and can be bounded. */
export class Group {
  #version
  #folders

  constructor({ version, folders }, name) {
    this.#version = version
    this.#folders = folders.map((folder) => join(folder, name))
    for (const folder of this.#folders) mkdirSync(folder, { recursive: true })
  }

  /** Where a process writes its id to be in it. */
  get doors() {
    return this.#folders.map((folder) => join(folder, 'cgroup.procs'))
  }

  /** One that has just ended is none of it. */
  add(pid) {
    for (const door of this.doors) {
      try {
        writeFileSync(door, String(pid))
      } catch (error) {
        if (error.code !== 'ESRCH') throw error
      }
    }
  }

  /** In cores; null: as much as there is. */
  limit(cores) {
    const us = cores === null ? null : Math.round(cores * periodUs)
    if (this.#version === 2) writeFileSync(join(this.#folders[0], 'cpu.max'), `${us ?? 'max'} ${periodUs}`)
    else writeFileSync(join(this.#folders[0], 'cpu.cfs_quota_us'), String(us ?? -1))
  }

  /** Of all that were ever in it. */
  usedSeconds() {
    if (this.#version === 2) return this.#stat(0, 'usage_usec') / 1e6
    return Number(readFileSync(join(this.#folders[1], 'cpuacct.usage'), 'utf8')) / 1e9
  }

  /** Periods in which it would have gone on, and periods. */
  throttled() {
    return { of: this.#stat(0, 'nr_periods'), periods: this.#stat(0, 'nr_throttled') }
  }

  remove() {
    for (const folder of this.#folders) {
      try {
        rmdirSync(folder)
      } catch {
        // A process is still in it; the folder is of no use and no harm.
      }
    }
  }

  #stat(index, field) {
    const text = readFileSync(join(this.#folders[index], 'cpu.stat'), 'utf8')
    return Number(new RegExp(`^${field} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  }
}

/** Without cgroups: processor time is still read, of what runs now; nothing is bounded. */
export class UnboundedGroup {
  #pids = []
  doors = []

  add(pid) {
    this.#pids.push(pid)
  }

  limit() {}

  usedSeconds() {
    return this.#pids.reduce((sum, pid) => sum + secondsOf(pid), 0)
  }

  throttled() {
    return { of: 0, periods: 0 }
  }

  remove() {}
}

/** `/proc/…/stat` counts in hundredths of a second on every Linux. */
function secondsOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return 0 // It has ended.
  }
}
