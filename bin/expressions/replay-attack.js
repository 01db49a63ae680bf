import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/**
 * The program's fuzzer counts steps and cannot tell `.{0,60}`, which costs sixty steps a character, from `.*`, which costs
 * them all. What it suspects is tried at the largest size that anything here reads, a hundred thousand characters, and at a
 * quarter of it: what is linear takes four times as long, the square of the length sixteen times.
 */
const length = 100_000
const quarter = length / 4
const growthMax = 8
/** Below this the clock is measured. The square of the length, of the longest pieces that the fuzzer repeats, takes a hundred. */
const noticedMs = 20
/** Sixty steps a character take some 20 ms. */
const withinMs = 1_000
/** The first time an expression is interpreted, then it is compiled: of several the shortest counts. */
const tries = 4
/** No compiler makes up for that. */
const hopelessMs = 4 * withinMs

/** How a process of this file knows that it is one. */
const asked = '--replay'

/** Whether the expression takes that text in time, and in a time that grows with it alone. */
export const isReadInTime = ({ source, flags }, { pumps, suffix }) =>
  new Promise((resolve, reject) => {
    // A process of its own, whose processor time is that of the expression alone.
    const child = fork(fileURLToPath(import.meta.url), [asked])
    const timer = setTimeout(() => {
      resolve(false)
      child.kill('SIGKILL')
    }, withinMs * 60)
    child.once('error', reject)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve(false)
    })
    child.once('message', (verdict) => {
      resolve(verdict)
      child.kill('SIGKILL')
    })
    child.send({ source, flags, pumps, suffix })
  })

const write = ({ pumps, suffix }, size) => {
  const each = Math.floor(size / pumps.length)
  const text = pumps
    .map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(each / Math.max(pump.length, 1))))
    .join('')
  return text + suffix
}

function measureMs(expression, text) {
  let shortestMs = Infinity
  for (let count = 0; count < tries; count++) {
    const before = process.cpuUsage()
    expression.test(text)
    const takenMs = process.cpuUsage(before).user / 1_000
    shortestMs = Math.min(shortestMs, takenMs)
    if (shortestMs < noticedMs || takenMs > hopelessMs) break
  }
  return shortestMs
}

function isInTime({ source, flags, ...attack }) {
  const expression = new RegExp(source, flags.replace(/[gy]/g, ''))
  const quarterMs = measureMs(expression, write(attack, quarter))
  if (quarterMs >= withinMs) return false
  const wholeMs = measureMs(expression, write(attack, length))
  return wholeMs < noticedMs || (wholeMs < withinMs && wholeMs < quarterMs * growthMax)
}

if (process.argv[2] === asked) process.once('message', (attack) => process.send(isInTime(attack)))
