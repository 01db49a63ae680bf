// What this process and its children take. Linux only.
import { readdirSync, readFileSync } from 'node:fs'

/** `/proc/…/stat` counts in hundredths of a second on every Linux. */
const ticksPerSecond = 100

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It has just ended.
    return ''
  }
}

const fieldsOf = (pid) =>
  read(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
const listOwn = () => [
  String(process.pid),
  ...readdirSync('/proc').filter((name) => /^\d+$/.test(name) && fieldsOf(name)[1] === String(process.pid)),
]

/** Of this process, its children, and those of them that have ended and been waited for. */
export function readProcessorSeconds() {
  const ticks = listOwn().flatMap((pid) => {
    const fields = fieldsOf(pid)
    return pid === String(process.pid) ? fields.slice(11, 15) : fields.slice(11, 13)
  })
  return ticks.reduce((sum, value) => sum + Number(value), 0) / ticksPerSecond
}

const kilobytes = (text, field) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) * 1024

/** How much more they must have than at the last look for another one. */
const growth = 1.01

/**
 * The most memory that all of them had at once: resident, and with each shared page split among those that share it. The
 * latter takes some 30 ms to read, as much as 3 % of a short run, so it is only read when they have more than ever before;
 * the processor time of looking is told, because it is not theirs.
 */
export function watchMemory() {
  const most = { proportional: 0, resident: 0, processorSeconds: 0 }
  const look = () => {
    const before = process.cpuUsage()
    const own = listOwn()
    const sum = (file, field) =>
      own.reduce((total, pid) => total + kilobytes(read(`/proc/${pid}/${file}`), field), 0)
    const resident = sum('status', 'VmRSS')
    if (resident > most.resident * growth) {
      most.resident = resident
      most.proportional = Math.max(most.proportional, sum('smaps_rollup', 'Pss'))
    }
    const { user, system } = process.cpuUsage(before)
    most.processorSeconds += (user + system) / 1e6
  }
  const timer = setInterval(look, 500)
  return {
    stop: () => {
      clearInterval(timer)
      return most
    },
  }
}
