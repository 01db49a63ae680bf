import { availableParallelism } from 'node:os'
import { startingModule } from '../../kernel/own-files.js'
import { EngineFault } from '../engine-fault.js'
import { openProcessPool } from '../process-pool.js'
import { ownWeightsFolder, readWeightsVersion } from './encoder/load-weights.js'
import { nameClient } from './name-client.js'
import { RULES_VERSION } from './rules-version.js'
import type { ReadReply, ReadRequest } from './reader-messages.js'
import { packFigures, type Reader, type Reading } from './reading.js'

/** Three hours of talk take 40 s on two busy cores: a machine fifteen times slower is still waited for. */
const jobTimeoutMs = 600_000
/** Loading takes half a second. */
const idleAfterMs = 300_000
/** More cores than this hardly shorten a run of 8 windows, and others need them. */
const threadsMax = 4
/** Sessions. */
const sessionsWaitingMax = 500

export interface ReaderOptions {
  weightsFolder?: string
  threads?: number
  idleMs?: number
  waitingMax?: number
}

/** One process, started when there is something to read; it reads one transcript after the other. */
export function openReader(options: ReaderOptions = {}): Reader {
  const folder = options.weightsFolder ?? ownWeightsFolder()
  const threads = options.threads ?? Math.min(threadsMax, availableParallelism())
  const version = `${readWeightsVersion(folder)}.${RULES_VERSION}`
  const pool = openProcessPool<ReadRequest, Omit<Reading, 'version'>>({
    name: 'The reader',
    file: startingModule('engines/reader/reader-process.js'),
    args: [folder, String(threads)],
    processCount: 1,
    jobTimeoutMs,
    idleMs: options.idleMs ?? idleAfterMs,
    waitingMax: options.waitingMax ?? sessionsWaitingMax,
    readReply: (message) => readReply(message as ReadReply),
  })
  return {
    version,
    async read(transcript, signal, owner = '') {
      signal.throwIfAborted()
      // Nothing to read needs no process.
      if (transcript.length === 0) return emptyReading(version)
      return { ...(await pool.ask({ items: nameClient(transcript) }, signal, { owner })), version }
    },
    close: () => pool.close(),
  }
}

const emptyReading = (version: string): Reading => ({
  figures: packFigures({ topics: [], sentences: [] }),
  findings: [],
  questionOf: {},
  version,
})

function readReply(reply: ReadReply): Omit<Reading, 'version'> {
  if ('fault' in reply) throw new EngineFault(reply.fault.kind, reply.fault.message)
  return reply.reading
}
