import { fork, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { EngineFault } from '../engine-fault.js'
import { readyMessage, type SpeechAnswers, type SpeechReply, type SpeechRequest } from './speech-messages.js'

/** Processes that hold the speech models. One pool serves a whole program. */
export interface SpeechPool {
  ask<R extends SpeechRequest>(request: R, signal: AbortSignal): Promise<SpeechAnswers[R['kind']]>
  close(): Promise<void>
}

interface Job {
  request: SpeechRequest
  signal: AbortSignal
  resolve(answer: SpeechAnswers[SpeechRequest['kind']]): void
  reject(error: unknown): void
}

/**
 * Two processes of half the cores each, because a second thread took only a quarter off the time of one (0.11 to 0.085 of
 * real time on an idle machine). Side by side on a busy one the two ways could not be told apart. A process takes 360 to
 * 410 MB, so that a third would break the bound of 1 GB.
 */
const processCountMax = 2
/** A minute of speech takes 9 s of one core, at a sixth of the speed under load; longer is a process in trouble. */
const jobTimeoutMs = 180_000
/** Loading takes a second; after five idle minutes the memory is worth more. */
const idleMs = 300_000

export function openSpeechPool(options: { coreCount?: number; idleMs?: number } = {}): SpeechPool {
  const cores = options.coreCount ?? availableParallelism()
  const processCount = Math.min(processCountMax, cores)
  const threads = Math.max(1, Math.floor(cores / processCount))
  const queue: Job[] = []
  const seats = Array.from({ length: processCount }, () => makeSeat(threads, options.idleMs ?? idleMs, queue))
  let isClosed = false
  return {
    ask: (request, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        if (isClosed) throw new EngineFault('unavailable', 'The speech engine is closed')
        const onAbort = () => dropJob(queue, job)
        // A listener that stayed would hold the samples of its request for as long as the recording takes.
        const settling =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            signal.removeEventListener('abort', onAbort)
            settle(value)
          }
        const job: Job = {
          request,
          signal,
          resolve: settling(resolve as Job['resolve']),
          reject: settling(reject),
        }
        // Looking for speech is short, and a whole chunk of words waits for it.
        if (request.kind === 'detect') queue.unshift(job)
        else queue.push(job)
        signal.addEventListener('abort', onAbort, { once: true })
        seats.forEach((seat) => seat.work())
      }),
    async close() {
      isClosed = true
      for (const job of queue.splice(0))
        job.reject(new EngineFault('unavailable', 'The speech engine is closed'))
      await Promise.all(seats.map((seat) => seat.close()))
    },
  }
}

function dropJob(queue: Job[], job: Job): void {
  const index = queue.indexOf(job)
  if (index < 0) return
  queue.splice(index, 1)
  job.reject(job.signal.reason)
}

/** A place for one process, which is started when there is work and does one job at a time. */
function makeSeat(threads: number, idleAfterMs: number, queue: Job[]) {
  let child: ChildProcess | null = null
  let isBusy = false
  let idleTimer: NodeJS.Timeout | undefined

  const leave = () => {
    child?.kill('SIGKILL')
    child = null
  }
  const work = (): void => {
    if (isBusy) return
    const job = queue.shift()
    if (!job) return
    isBusy = true
    clearTimeout(idleTimer)
    child = child?.connected ? child : startProcess(threads)
    void finish(runJob(child, job))
  }
  const finish = async (run: Promise<boolean>): Promise<void> => {
    if (!(await run)) leave()
    isBusy = false
    idleTimer = setTimeout(leave, idleAfterMs)
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

function startProcess(threads: number): ChildProcess {
  // The tests run the sources, a process needs the compiled file.
  const place = import.meta.url.endsWith('.ts')
    ? '../../../dist/engines/speech/speech-process.js'
    : './speech-process.js'
  const child = fork(fileURLToPath(new URL(place, import.meta.url)), [String(threads)], {
    serialization: 'advanced',
    // Nothing of the service's environment: it holds keys.
    env: {},
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // An idle process does not keep a program from ending.
  child.unref()
  child.channel?.unref()
  return child
}

/** Settles the job; true when the process can do another one. */
function runJob(child: ChildProcess, job: Job): Promise<boolean> {
  return new Promise((done) => {
    const end = (isHealthy: boolean, settle: () => void) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit).off('error', onExit)
      job.signal.removeEventListener('abort', onAbort)
      settle()
      done(isHealthy)
    }
    const fail = (error: unknown) => end(false, () => job.reject(error))
    const onMessage = (message: SpeechReply | typeof readyMessage) => {
      if (message === readyMessage) return
      if ('error' in message)
        fail(new EngineFault('unavailable', `The speech engine failed: ${message.error}`))
      else end(true, () => job.resolve(message.answer))
    }
    const onExit = () => fail(new EngineFault('unavailable', 'The speech process ended'))
    const onAbort = () => fail(job.signal.reason)
    const timer = setTimeout(
      () => fail(new EngineFault('timeout', 'The speech engine took too long')),
      jobTimeoutMs,
    )
    child.on('message', onMessage).on('exit', onExit).on('error', onExit)
    job.signal.addEventListener('abort', onAbort, { once: true })
    if (job.signal.aborted) onAbort()
    else child.send(job.request)
  })
}
