import { Worker } from 'node:worker_threads'

export interface ThreadPoolOptions {
  file: URL
  threads: number
  /** From when a thread takes it up; a thread that has not answered by then is ended, with this call alone. */
  answerWithinMs: number
  /** How many may wait for a thread; further ones are answered with null at once. */
  waitingMax: number
  memoryMb: number
}

export interface ThreadPool {
  /** Null where there was no answer: too late, out of memory, ended, or too many waiting. */
  ask(task: unknown): Promise<unknown>
  close(): Promise<void>
}

interface Job {
  task: unknown
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
  const waiting: Job[] = []
  const idle: Worker[] = []
  const busy = new Map<Worker, (answer: unknown) => void>()
  let isClosed = false

  const start = (): Worker => {
    const worker = new Worker(file, { resourceLimits: { maxOldGenerationSizeMb: memoryMb } })
    worker.unref()
    worker.on('message', (answer: unknown) => busy.get(worker)?.(answer))
    // Out of memory comes as an error before the exit, which settles the call.
    worker.on('error', () => {})
    worker.on('exit', () => {
      const at = idle.indexOf(worker)
      if (at >= 0) idle.splice(at, 1)
      const settle = busy.get(worker)
      busy.delete(worker)
      settle?.(null)
      takeNext()
    })
    return worker
  }

  const run = (worker: Worker, { task, settle }: Job): void => {
    const timer = setTimeout(() => void worker.terminate(), answerWithinMs)
    busy.set(worker, (answer) => {
      clearTimeout(timer)
      if (busy.delete(worker)) {
        idle.push(worker)
        settle(answer)
        takeNext()
      } else settle(answer)
    })
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread has no origin.
      worker.postMessage(task)
    } catch {
      // What cannot be sent has no answer; the thread is as it was.
      busy.get(worker)?.(null)
    }
  }

  const takeNext = (): void => {
    if (isClosed || waiting.length === 0) return
    const worker = idle.pop() ?? (busy.size < threads ? start() : null)
    const job = worker === null ? undefined : waiting.shift()
    if (worker !== null && job !== undefined) run(worker, job)
  }

  return {
    ask: async (task) =>
      new Promise((resolve) => {
        if (isClosed || waiting.length >= waitingMax) {
          resolve(null)
          return
        }
        waiting.push({ task, settle: resolve })
        takeNext()
      }),
    close: async () => {
      isClosed = true
      for (const { settle } of waiting.splice(0)) settle(null)
      await Promise.all([...idle, ...busy.keys()].map(async (worker) => worker.terminate()))
    },
  }
}
