import { fork, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { TranscriptItem } from '@casenote/contract'
import { EngineFault } from '../engine-fault.js'
import { ownWeightsFolder, readWeightsVersion } from './encoder/load-weights.js'
import { RULES_VERSION } from './rules-version.js'
import type { ReadReply, ReadRequest } from './reader-messages.js'
import type { Reader, Reading } from './reading.js'

interface Job {
  request: ReadRequest
  signal: AbortSignal
  resolve(reading: Omit<Reading, 'version'>): void
  reject(error: unknown): void
}

/** Three hours of talk take 72 s of one core. At an eighth of the speed; longer is a process in trouble. */
const jobTimeoutMs = 600_000
/** Loading takes half a second; after five idle minutes the memory is worth more. */
const idleAfterMs = 300_000
/** More cores than this hardly shorten a run of 16 windows, and others need them. */
const threadsMax = 4
/** A program that has so many sessions waiting for one process is better told than kept waiting. */
const waitingMax = 500

export interface ReaderOptions {
  weightsFolder?: string
  threads?: number
  idleMs?: number
}

/** One process, started when there is something to read; it reads one transcript after the other. */
export function openReader(options: ReaderOptions = {}): Reader {
  const folder = options.weightsFolder ?? ownWeightsFolder()
  const threads = options.threads ?? Math.min(threadsMax, availableParallelism())
  const version = `${readWeightsVersion(folder)}.${RULES_VERSION}`
  const queue: Job[] = []
  const seat = makeSeat(() => startProcess(folder, threads), options.idleMs ?? idleAfterMs, queue)
  let isClosed = false
  return {
    version,
    async read(transcript, signal) {
      signal.throwIfAborted()
      if (isClosed) throw new EngineFault('unavailable', 'The reader is closed')
      if (queue.length >= waitingMax)
        throw new EngineFault('unavailable', 'Too many transcripts wait for the reader')
      if (transcript.length === 0) return { topics: [], findings: [], questionOf: {}, version }
      const items = nameClient(transcript)
      const reading = await new Promise<Omit<Reading, 'version'>>((resolve, reject) => {
        const onAbort = () => dropJob(queue, job)
        const settling =
          <T>(settle: (value: T) => void) =>
          (value: T) => {
            signal.removeEventListener('abort', onAbort)
            settle(value)
          }
        const job: Job = { request: { items }, signal, resolve: settling(resolve), reject: settling(reject) }
        queue.push(job)
        signal.addEventListener('abort', onAbort, { once: true })
        seat.work()
      })
      return { ...reading, version }
    },
    async close() {
      isClosed = true
      for (const job of queue.splice(0)) job.reject(new EngineFault('unavailable', 'The reader is closed'))
      await seat.close()
    },
  }
}

function dropJob(queue: Job[], job: Job): void {
  const index = queue.indexOf(job)
  if (index < 0) return
  queue.splice(index, 1)
  job.reject(job.signal.reason)
}

/** A place for one process, which does one job at a time. */
function makeSeat(start: () => ChildProcess, idleMs: number, queue: Job[]) {
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
    child = child?.connected ? child : start()
    void finish(runJob(child, job))
  }
  const finish = async (run: Promise<boolean>): Promise<void> => {
    if (!(await run)) leave()
    isBusy = false
    idleTimer = setTimeout(leave, idleMs)
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

function startProcess(folder: string, threads: number): ChildProcess {
  // The tests run the sources, a process needs the compiled file.
  const place = import.meta.url.endsWith('.ts')
    ? '../../../dist/engines/reader/reader-process.js'
    : './reader-process.js'
  const child = fork(fileURLToPath(new URL(place, import.meta.url)), [folder, String(threads)], {
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
    const onMessage = (reply: ReadReply) => {
      if ('fault' in reply) fail(new EngineFault(reply.fault.kind, reply.fault.message))
      else end(true, () => job.resolve(reply.reading))
    }
    const onExit = () => fail(new EngineFault('unavailable', 'The reading process ended'))
    const onAbort = () => fail(job.signal.reason)
    const timer = setTimeout(() => fail(new EngineFault('timeout', 'The reader took too long')), jobTimeoutMs)
    child.on('message', onMessage).on('exit', onExit).on('error', onExit)
    job.signal.addEventListener('abort', onAbort, { once: true })
    if (job.signal.aborted) onAbort()
    else child.send(job.request)
  })
}

/** Where the clinician is known and no voice is the client's, those who speak with them are: "I" is not another person. */
function nameClient(transcript: readonly TranscriptItem[]): ReadRequest['items'] {
  const has = (name: string): boolean => transcript.some(({ speaker }) => speaker === name)
  const isUnnamed = has('clinician') && !has('client')
  return transcript.map(({ speaker, transcript: words }) => ({
    speaker: isUnnamed && speaker !== 'clinician' ? 'client' : speaker,
    transcript: words,
  }))
}
