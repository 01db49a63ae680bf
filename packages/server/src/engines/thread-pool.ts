import { Worker } from 'node:worker_threads'
import { FairQueue } from './fair-queue.js'

export interface ThreadPoolOptions {
  file: URL
  threads: number
  /** From when a thread takes it up; a thread that has not answered by then is ended, with this call alone. */
  answerWithinMs: number
  /** How many may wait for a thread; then those of whoever has most of them waiting are answered with null. */
  waitingMax: number
  memoryMb: number
}

export interface ThreadPool {
  /**
   * Null where there was no answer: too late, out of memory, ended, or too many waiting. Owners take turns, and nobody has
   * more threads than they leave free for the others.
   */
  ask(task: unknown, owner: string): Promise<unknown>
  close(): Promise<void>
}

interface Job {
  task: unknown
  owner: string
  settle: (answer: unknown) => void
}

/** Threads that do one thing at a time, started when needed. */
export const makeThreadPool = ({
  file,
  threads,
  answerWithinMs,
  waitingMax,
  memoryMb,
}: ThreadPoolOptions): ThreadPool => {
  const waiting = new FairQueue<Job>()
  const idle: Worker[] = []
  const busy = new Map<Worker, { owner: string; settle: (answer: unknown) => void }>()
  let isClosed = false

  const start = (): Worker => {
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
    worker.unref()
    worker.on('message', (answer: unknown) => busy.get(worker)?.settle(answer))
    // Out of memory comes as an error before the exit, which settles the call.
    worker.on('error', () => {})
    worker.on('exit', () => {
      const at = idle.indexOf(worker)
      if (at >= 0) idle.splice(at, 1)
      const broken = busy.get(worker)
      busy.delete(worker)
      broken?.settle(null)
      takeNext()
    })
    return worker
  }

  const run = (worker: Worker, { task, owner, settle }: Job): void => {
    const timer = setTimeout(() => void worker.terminate(), answerWithinMs)
    const end = (answer: unknown): void => {
      clearTimeout(timer)
      if (busy.delete(worker)) {
        idle.push(worker)
        settle(answer)
        takeNext()
      } else settle(answer)
    }
    busy.set(worker, { owner, settle: end })
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
      worker.postMessage(task)
    } catch {
      // What cannot be sent has no answer; the thread is as it was.
      busy.get(worker)?.settle(null)
    }
  }

  const mayHaveOneMore = (owner: string): boolean =>
    [...busy.values()].filter((one) => one.owner === owner).length < threads - busy.size

  const takeNext = (): void => {
    if (isClosed || busy.size >= threads) return
    const job = waiting.take(mayHaveOneMore)
    if (job !== null) run(idle.pop() ?? start(), job)
  }

  return {
    ask: async (task, owner) =>
      new Promise((resolve) => {
        if (isClosed) {
          resolve(null)
          return
        }
        waiting.add({ task, owner, settle: resolve })
        takeNext()
        if (waiting.size > waitingMax) waiting.dropOfLongest()?.settle(null)
      }),
    close: async () => {
      isClosed = true
      for (let job = waiting.take(); job !== null; job = waiting.take()) job.settle(null)
      await Promise.all([...idle, ...busy.keys()].map(async (worker) => worker.terminate()))
    },
  }
}
