import { fork, type ChildProcess } from 'node:child_process'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { noTelemetry } from './onnx-telemetry.js'
import { EngineFault } from './engine-fault.js'
import { FairQueue } from './fair-queue.js'

/** Processes that hold an engine's models; each answers one request at a time. */
export interface ProcessPool<Request, Answer> {
  /**
   * Throws an EngineFault; an aborted request ends its process, for nothing else stops a model. What is urgent comes first; of the
   * others owners take turns.
   */
  ask(
    request: Request,
    signal: AbortSignal,
    options?: { isUrgent?: boolean; owner?: string },
  ): Promise<Answer>
  close(): Promise<void>
}

export interface ProcessPoolOptions<Request, Answer> {
  /** The engine in what is told of it, at the start of a sentence. */
  name: string
  /** What each process begins with. */
  file: URL
  args: readonly string[]
  processCount: number
  /** Longer is a process in trouble: it is ended. */
  jobTimeoutMs: number
  /** Then the memory is worth more than the time to load again. */
  idleMs: number
  /** A program that has more waiting is better told than kept waiting. */
  waitingMax?: number
  /** What takes too long to be written down in one turn, in several messages. Left out: a request is one. */
  toMessages?: (request: Request) => readonly object[]
  /** Null: a message that answers nothing. Throws the fault that a message tells of. */
  readReply: (message: unknown) => Answer | null
}

interface Job<Request, Answer> {
  request: Request
  owner: string
  signal: AbortSignal
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** What waits for a process. */
class Line<Request, Answer> {
  readonly #urgent: Job<Request, Answer>[] = []
  readonly #others = new FairQueue<Job<Request, Answer>>()

  get size(): number {
    return this.#urgent.length + this.#others.size
  }

  add(job: Job<Request, Answer>, { isUrgent }: { isUrgent: boolean }): void {
    if (isUrgent) this.#urgent.unshift(job)
    else this.#others.add(job)
  }

  take(): Job<Request, Answer> | null {
    return this.#urgent.shift() ?? this.#others.take()
  }

  /** For whoever waits for it no more. */
  drop(job: Job<Request, Answer>): void {
    const at = this.#urgent.indexOf(job)
    if (at >= 0) this.#urgent.splice(at, 1)
    else if (!this.#others.remove(job)) return
    job.reject(job.signal.reason)
  }
}

/** Processes are started when there is work. */
export function openProcessPool<Request extends object, Answer>(
  options: ProcessPoolOptions<Request, Answer>,
): ProcessPool<Request, Answer> {
  const { name, processCount, waitingMax = Infinity } = options
  const closed = () => new EngineFault('unavailable', `${name} is closed`)
  const line = new Line<Request, Answer>()
  const seats = Array.from({ length: processCount }, () => makeSeat(options, line))
  let isClosed = false
  return {
    ask: (request, signal, { isUrgent = false, owner = '' } = {}) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        if (isClosed) throw closed()
        if (line.size >= waitingMax) throw new EngineFault('unavailable', `${name} has too many waiting`)
        const onAbort = () => line.drop(job)
        // A listener that stayed would hold the request for as long as its signal lives.
        const settling =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            signal.removeEventListener('abort', onAbort)
            settle(value)
          }
        const job: Job<Request, Answer> = {
          request,
          owner,
          signal,
          resolve: settling(resolve),
          reject: settling(reject),
        }
        line.add(job, { isUrgent })
        signal.addEventListener('abort', onAbort, { once: true })
        seats.forEach((seat) => seat.work())
      }),
    async close() {
      isClosed = true
      for (let job = line.take(); job !== null; job = line.take()) job.reject(closed())
      await Promise.all(seats.map((seat) => seat.close()))
    },
  }
}

/** A place for one process. */
function makeSeat<Request extends object, Answer>(
  options: ProcessPoolOptions<Request, Answer>,
  line: Line<Request, Answer>,
) {
  let child: ChildProcess | null = null
  let isBusy = false
  let idleTimer: NodeJS.Timeout | undefined

  const leave = () => {
    child?.kill('SIGKILL')
    child = null
  }
  const work = (): void => {
    if (isBusy) return
    const job = line.take()
    if (job === null) return
    isBusy = true
    clearTimeout(idleTimer)
    child = child?.connected ? child : startProcess(options)
    void finish(runJob(child, job, options))
  }
  const finish = async (run: Promise<boolean>): Promise<void> => {
    if (!(await run)) leave()
    isBusy = false
    idleTimer = setTimeout(leave, options.idleMs)
    idleTimer.unref()
    work()
  }
  return {
    work,
    async close() {
      clearTimeout(idleTimer)
      const last = child
      leave()
      if (!last || last.exitCode !== null || last.signalCode !== null) return
      // What waits for its end has to be kept from ending before it.
      last.ref()
      await new Promise((done) => last.once('exit', done))
    },
  }
}

function startProcess({ file, args }: Pick<ProcessPoolOptions<never, never>, 'file' | 'args'>): ChildProcess {
  const child = fork(file, args, {
    serialization: 'advanced',
    // Nothing of the service's environment: it holds keys.
    env: { ...noTelemetry },
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // An idle process does not keep a program from ending.
  child.unref()
  child.channel?.unref()
  return child
}

/** Settles the job; true when the process can do another one. */
function runJob<Request extends object, Answer>(
  child: ChildProcess,
  job: Job<Request, Answer>,
  { name, jobTimeoutMs, toMessages, readReply }: ProcessPoolOptions<Request, Answer>,
): Promise<boolean> {
  return new Promise((done) => {
    let isOver = false
    const end = (isHealthy: boolean, settle: () => void) => {
      isOver = true
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onExit)
      job.signal.removeEventListener('abort', onAbort)
      settle()
      done(isHealthy)
    }
    const fail = (error: unknown) => end(false, () => job.reject(error))
    const onMessage = (message: unknown) => {
      try {
        const answer = readReply(message)
        if (answer !== null) end(true, () => job.resolve(answer))
      } catch (error) {
        fail(error)
      }
    }
    const onExit = () => fail(new EngineFault('unavailable', `${name} broke off: its process ended`))
    const onAbort = () => fail(job.signal.reason)
    const timer = setTimeout(() => fail(new EngineFault('timeout', `${name} took too long`)), jobTimeoutMs)
    child.on('message', onMessage).on('exit', onExit).on('error', onExit)
    job.signal.addEventListener('abort', onAbort, { once: true })
    const send = async (messages: readonly object[]): Promise<void> => {
      for (const [at, message] of messages.entries()) {
        if (at > 0) await nextTurn()
        if (isOver) return
        child.send(message)
      }
    }
    if (job.signal.aborted) onAbort()
    else send(toMessages?.(job.request) ?? [job.request]).catch(fail)
  })
}
