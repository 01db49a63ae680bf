import { availableParallelism } from 'node:os'
import { startingModule } from '../../kernel/own-files.js'
import { EngineFault } from '../engine-fault.js'
import { openProcessPool } from '../process-pool.js'
import {
  readyMessage,
  toSpeechMessages,
  type SpeechAnswers,
  type SpeechReply,
  type SpeechRequest,
} from './speech-messages.js'

type SpeechAnswer = SpeechAnswers[SpeechRequest['kind']]

/** Processes that hold the speech models. One pool serves a whole program. */
export interface SpeechPool {
  /** Owners take turns. */
  ask<R extends SpeechRequest>(
    request: R,
    signal: AbortSignal,
    owner?: string,
  ): Promise<SpeechAnswers[R['kind']]>
  close(): Promise<void>
}

/**
 * Two processes of half the cores each, because a second thread took only a quarter off the time of one (0.11 to 0.085 of
 * real time on an idle machine). Side by side on a busy one the two ways could not be told apart. A process takes 360 to
 * 410 MB, so that a third would break the bound of 1 GB.
 */
const processCountMax = 2
/** A minute of speech takes 9 s of one core, at a sixth of the speed under load. */
const jobTimeoutMs = 180_000
/** Loading takes a second. */
const usualIdleMs = 300_000

export function openSpeechPool(options: { coreCount?: number; idleMs?: number } = {}): SpeechPool {
  const cores = options.coreCount ?? availableParallelism()
  const processCount = Math.min(processCountMax, cores)
  const threads = Math.max(1, Math.floor(cores / processCount))
  const pool = openProcessPool<SpeechRequest, SpeechAnswer>({
    name: 'The speech engine',
    file: startingModule('engines/speech/speech-process.js'),
    args: [String(threads)],
    processCount,
    jobTimeoutMs,
    idleMs: options.idleMs ?? usualIdleMs,
    toMessages: toSpeechMessages,
    readReply: (message) => readReply(message as SpeechReply | typeof readyMessage),
  })
  return {
    // Looking for speech is short, and a whole chunk of words waits for it.
    ask: <R extends SpeechRequest>(request: R, signal: AbortSignal, owner = '') =>
      pool.ask(request, signal, { isUrgent: request.kind === 'detect', owner }) as Promise<
        SpeechAnswers[R['kind']]
      >,
    close: () => pool.close(),
  }
}

function readReply(message: SpeechReply | typeof readyMessage): SpeechAnswer | null {
  if (message === readyMessage) return null
  if ('error' in message) {
    throw new EngineFault('unavailable', `The speech engine failed: ${message.error}`)
  }
  return message.answer
}
