import { fork, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { startingModule } from '../../../kernel/own-files.js'
import { EngineFault, ServerOutage } from '../../engine-fault.js'
import { Slots } from '../../openai-protocol/slots.js'
import type { Figures, ModelReply, ModelRequest, ModelSettings, ProcessFacts } from './model-messages.js'

export interface HostLimits {
  /** Tasks that wait for the one at work. A note has a handful of them, one after the other. */
  queueMax: number
  /** A model of 8 GB is loaded in half a minute; the memory of an idle one is worth more. */
  idleMs: number
  /** For one task, loading included: an hour for what `model use` refuses when all tasks together take longer. */
  timeoutMs: number
  /** How long a process may take to leave a task. A batch of a large model takes minutes; loading is quicker. */
  stopMs: number
}

const usualLimits: HostLimits = { queueMax: 8, idleMs: 300_000, timeoutMs: 3_600_000, stopMs: 10_000 }

/** Half of the cores: its threads spin, and what else runs would crawl beside them. */
export const usualThreads = (): number => Math.max(1, Math.floor(availableParallelism() / 2))

export interface LocalTask {
  system: string
  user: string
  grammar: string
  outputTokensMax: number
}

export type LocalEvent =
  { kind: 'text'; text: string } | { kind: 'end'; isCutShort: boolean; figures: Figures; facts: ProcessFacts }

/** Keeps one process with one model, starts it when there is work, and gives it one task at a time. */
export class ModelHost {
  readonly #settings: ModelSettings
  readonly #limits: HostLimits
  readonly #slots = new Slots(1)
  /** Who has tasks at work or waiting, and how many. */
  readonly #tasks = new Map<string, number>()
  #taskCount = 0
  #process: ModelProcess | null = null
  #idleTimer: NodeJS.Timeout | undefined
  #fingerprint: string | null = null
  #isClosed = false

  constructor(settings: ModelSettings, limits: Partial<HostLimits> = {}) {
    this.#settings = settings
    this.#limits = { ...usualLimits, ...limits }
  }

  /** For tests and for the operator, who may kill it. Null: none is running. */
  get processId(): number | null {
    return this.#process?.pid ?? null
  }

  async *generate(task: LocalTask, signal: AbortSignal, owner = ''): AsyncGenerator<LocalEvent> {
    if (this.#isClosed) throw closed()
    // Whoever has none there is always let in: they are as few as there are places for writing.
    if (this.#taskCount > this.#limits.queueMax && this.#tasks.has(owner)) {
      // Nobody's fault, this job's least of all: it waits, and keeps its attempts.
      throw new ServerOutage(
        'rate_limited',
        `${this.#limits.queueMax} tasks wait for the local model already`,
      )
    }
    this.#count(owner, 1)
    try {
      const release = await this.#slots.take(signal, owner)
      try {
        yield* this.#run(task, signal)
      } finally {
        release()
      }
    } finally {
      this.#count(owner, -1)
    }
  }

  #count(owner: string, change: 1 | -1): void {
    this.#taskCount += change
    const own = (this.#tasks.get(owner) ?? 0) + change
    if (own === 0) this.#tasks.delete(owner)
    else this.#tasks.set(owner, own)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#leave()
  }

  async *#run(task: LocalTask, signal: AbortSignal): AsyncGenerator<LocalEvent> {
    if (this.#isClosed) throw closed()
    clearTimeout(this.#idleTimer)
    const child = this.#process?.isAlive ? this.#process : new ModelProcess(this.#settings, this.#fingerprint)
    this.#process = child
    const deadline = AbortSignal.timeout(this.#limits.timeoutMs)
    try {
      for await (const event of child.run(task, AbortSignal.any([signal, deadline]))) {
        this.#fingerprint = child.facts?.fingerprint ?? this.#fingerprint
        yield event
      }
    } catch (error) {
      signal.throwIfAborted()
      if (!deadline.aborted) throw error
      throw new EngineFault('timeout', `the local model took more than ${this.#limits.timeoutMs} ms`)
    } finally {
      if (!(await child.isFree(this.#limits.stopMs))) await this.#leave()
      this.#idleTimer = setTimeout(() => void this.#leave(), this.#limits.idleMs)
      this.#idleTimer.unref()
    }
  }

  async #leave(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const last = this.#process
    this.#process = null
    await last?.kill()
  }
}

const closed = (): EngineFault => new EngineFault('unavailable', 'the local model is closed')

/** What the runtime needs to find a GPU. The rest of the environment holds keys. */
const passedVariables =
  /^(PATH|HOME|TMPDIR|TEMP|SystemRoot|LD_LIBRARY_PATH|DYLD_LIBRARY_PATH|CUDA_\w+|NVIDIA_\w+|VK_\w+)$/i

const passedEnvironment = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => passedVariables.test(name)))

class ModelProcess {
  readonly #child: ChildProcess
  readonly #name: string
  #facts: ProcessFacts | null = null
  #variants: readonly string[] = []
  #isLoading = false
  #taskId = 0
  /** Replies to the task at work; its end is a reply, too. */
  #replies: ModelReply[] = []
  #isAtWork = false
  #end: EngineFault | null = null
  #wake: () => void = () => {}

  constructor(settings: ModelSettings, knownFingerprint: string | null) {
    this.#name = settings.name
    this.#child = fork(startingModule('engines/models/local/model-process.js'), [], {
      env: passedEnvironment(),
      execArgv: [],
      // Whatever the runtime prints may hold what was said.
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('message', (reply: ModelReply) => this.#take(reply))
    this.#child.on('error', () =>
      this.#finish(new EngineFault('unavailable', 'the local model cannot be started')),
    )
    this.#child.on('exit', (_, signal) => this.#finish(this.#nameEnd(signal)))
    this.#send({ kind: 'open', settings, knownFingerprint })
    this.#rest()
  }

  get pid(): number | null {
    return this.#child.pid ?? null
  }

  get isAlive(): boolean {
    return this.#end === null
  }

  get facts(): ProcessFacts | null {
    return this.#facts
  }

  async *run(task: LocalTask, signal: AbortSignal): AsyncGenerator<LocalEvent> {
    signal.throwIfAborted()
    this.#taskId += 1
    this.#replies = []
    this.#isAtWork = true
    // Who waits for an answer has to be kept from ending before it.
    this.#child.ref()
    this.#child.channel?.ref()
    const onAbort = (): void => this.#wake()
    signal.addEventListener('abort', onAbort)
    try {
      this.#send({ kind: 'generate', id: this.#taskId, ...task })
      for (;;) {
        const reply = await this.#next(signal)
        if (reply.kind === 'text') yield { kind: 'text', text: reply.text }
        if (reply.kind === 'fault') throw new EngineFault(reply.fault, reply.message)
        if (reply.kind === 'end' && this.#facts !== null) {
          const { isCutShort, figures } = reply
          return yield { kind: 'end', isCutShort, figures, facts: this.#facts }
        }
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      if (this.#isAtWork) this.#send({ kind: 'stop', id: this.#taskId })
      this.#rest()
    }
  }

  /** Whether it can take another task: at once, or after it has left the last one in time. */
  async isFree(waitMs: number): Promise<boolean> {
    if (this.#isAtWork && this.isAlive) {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, waitMs)
        this.#wake = () => {
          if (!this.#isAtWork || !this.isAlive) resolve()
        }
      })
      clearTimeout(timer)
    }
    return this.isAlive && !this.#isAtWork
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined)
      return
    this.#child.ref()
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGKILL')
    await ended
  }

  async #next(signal: AbortSignal): Promise<ModelReply> {
    for (;;) {
      signal.throwIfAborted()
      const reply = this.#replies.shift()
      if (reply !== undefined) return reply
      if (this.#end !== null) throw this.#end
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  #take(reply: ModelReply): void {
    if (reply.kind === 'loading') {
      this.#isLoading = true
      this.#variants = reply.variants
    } else if (reply.kind === 'ready') {
      this.#isLoading = false
      this.#facts = reply.facts
    } else if (reply.kind === 'fault' && reply.id === null) {
      this.#finish(new EngineFault(reply.fault, reply.message))
    } else if (reply.id === this.#taskId) {
      if (reply.kind !== 'text') this.#isAtWork = false
      this.#replies.push(reply)
      this.#wake()
    }
  }

  #finish(end: EngineFault): void {
    this.#end ??= end
    this.#wake()
  }

  #nameEnd(signal: NodeJS.Signals | null): ProcessEnded {
    return new ProcessEnded(this.#name, signal, this.#variants, this.#isLoading)
  }

  #send(request: ModelRequest): void {
    // To a process that has just ended: its exit is told by itself.
    if (this.#child.connected) this.#child.send(request, () => undefined)
  }

  /** An idle process does not keep a program from ending. */
  #rest(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }
}

const endsForMemory = new Set<NodeJS.Signals>(['SIGKILL', 'SIGABRT', 'SIGBUS'])

/** A process that did not end by itself. */
export class ProcessEnded extends EngineFault {
  constructor(
    name: string,
    readonly signal: NodeJS.Signals | null,
    /** Those of the runtime's libraries that were loaded. */
    readonly variants: readonly string[],
    isLoading: boolean,
  ) {
    super(...describeEnd(name, signal, isLoading))
  }
}

/** A kill in an answer may have been anybody's; while loading it is the system's, for memory. */
function describeEnd(
  name: string,
  signal: NodeJS.Signals | null,
  isLoading: boolean,
): ['refused' | 'unavailable', string] {
  const how = signal === null ? '' : ` (${signal})`
  if (signal === 'SIGILL') {
    return [
      'refused',
      'the runtime for local models uses instructions that this machine refuses: run "casenote model verify", which tries its other variants',
    ]
  }
  if (isLoading && signal !== null && endsForMemory.has(signal)) {
    return [
      'refused',
      `the system ended the model ${name} while it was loaded${how}: most likely there is not enough memory`,
    ]
  }
  return ['unavailable', `the process of the local model ended${how}`]
}
