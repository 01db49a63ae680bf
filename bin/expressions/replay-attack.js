import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/**
 * The program's fuzzer counts steps and cannot tell `.{0,60}`, which costs sixty steps a character, from `.*`, which costs
 * them all. What it suspects is tried at the largest size that anything here reads: a hundred thousand characters.
 */
const length = 100_000
/** Sixty steps a character take some 20 ms, the square of the length ten seconds. */
const withinMs = 1_000

/** Whether the expression takes that text in time. */
export const isReadInTime = ({ source, flags }, { pumps, suffix }) =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { source, flags, pumps, suffix } })
    const timer = setTimeout(() => {
      resolve(false)
      void worker.terminate()
    }, withinMs * 20)
    worker.once('error', reject)
    worker.once('message', (elapsedMs) => {
      clearTimeout(timer)
      resolve(elapsedMs < withinMs)
      void worker.terminate()
    })
  })

if (!isMainThread) {
  const { source, flags, pumps, suffix } = workerData
  const each = Math.floor(length / pumps.length)
  const text = pumps
    .map(({ prefix, pump }) => prefix + pump.repeat(Math.ceil(each / Math.max(pump.length, 1))))
    .join('')
  const expression = new RegExp(source, flags.replace(/[gy]/g, ''))
  const before = process.cpuUsage()
  expression.test(text + suffix)
  const { user } = process.cpuUsage(before)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
  parentPort.postMessage(user / 1_000)
}
