import { closeSync, openSync, readSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** How often the loop is looked at; a stretch is known to within this. */
const lookEveryMs = 1

/** The most that a process may do without a turn for anybody else. */
export const loopDelayMaxMs = 50

/**
 * The longest stretch for which nothing else came to its turn while the work was done, in processor time of this thread: on
 * a busy machine a stretch lasts longer and costs the same. The work of other threads is not in it.
 */
async function measureStretchMs(work: () => Promise<unknown>): Promise<number> {
  const clock = openThreadClock()
  let longestMs = 0
  let lastMs = clock.readMs()
  const look = (): void => {
    const nowMs = clock.readMs()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
  }
  const timer = setInterval(look, lookEveryMs)
  try {
    await work()
    // What was begun and is not waited for comes to its turn, and is looked at.
    await pause(lookEveryMs * 5)
  } finally {
    look()
    clearInterval(timer)
    clock.close()
  }
  return longestMs
}

/** What the same piece of work costs on the machine that the limit is told for. */
const usualPieceMs = 24
const piece = Array.from({ length: 20_000 }, (_one, at) => ({
  id: at,
  text: `line ${at}`,
  list: [at, at + 1, at + 2],
}))
const piecesMost = 7

/** How many times as long as there anything takes here and now: the processor is slower, or shares its caches with others. Never less than once. */
function measureSlowness(): number {
  const clock = openThreadClock()
  let shortestMs = Infinity
  for (let pieces = 0; pieces < piecesMost; pieces += 1) {
    const beganMs = clock.readMs()
    JSON.parse(JSON.stringify(piece))
    shortestMs = Math.min(shortestMs, clock.readMs() - beganMs)
  }
  clock.close()
  return Math.max(1, shortestMs / usualPieceMs)
}

/** A stretch in processor time of the usual machine. */
async function measureUsualStretchMs(work: () => Promise<unknown>): Promise<number> {
  const stretchMs = await measureStretchMs(work)
  return stretchMs < loopDelayMaxMs ? stretchMs : stretchMs / measureSlowness()
}

/** The first run compiles, and any may collect garbage of others: of several times the shortest counts. */
export async function findDelayMs(
  limitMs: number,
  work: () => Promise<unknown>,
  /** So that each time is as the first. */
  prepareNext: () => Promise<unknown> = async () => {},
): Promise<number> {
  let shortestMs = Infinity
  for (let tries = 0; tries < 8 && shortestMs >= limitMs; tries++) {
    if (tries > 0) await prepareNext()
    shortestMs = Math.min(shortestMs, await measureUsualStretchMs(work))
  }
  return shortestMs
}

interface ThreadClock {
  readMs(): number
  close(): void
}

/** Of the thread that calls it, which must be the main one. Where the system does not tell, never less than that. */
function openThreadClock(): ThreadClock {
  const file = openSchedule()
  if (file === null) return { readMs: () => readLeastMs(), close: () => {} }
  const bytes = Buffer.alloc(100)
  return {
    readMs: () => {
      const length = readSync(file, bytes, 0, bytes.length, 0)
      return Number(bytes.toString('latin1', 0, length).split(' ', 1)[0]) / 1e6
    },
    close: () => closeSync(file),
  }
}

/** Linux tells nanoseconds on the processor for each thread; the main one has the number of its process. */
function openSchedule(): number | null {
  try {
    return openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  } catch {
    return null
  }
}

let least = { wallMs: 0, usedMs: 0, sumMs: 0 }

/** A thread used no more than what passed, nor than what its whole process used. */
function readLeastMs(): number {
  const wallMs = performance.now()
  const { user, system } = process.cpuUsage()
  const usedMs = (user + system) / 1_000
  const sumMs = least.sumMs + Math.min(wallMs - least.wallMs, usedMs - least.usedMs)
  least = { wallMs, usedMs, sumMs }
  return sumMs
}
