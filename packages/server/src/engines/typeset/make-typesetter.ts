import { startingModule } from '../../kernel/own-files.js'
import { makeThreadPool } from '../thread-pool.js'
import { EngineFault } from '../engine-fault.js'
import type { NotePaper } from './note-paper.js'

const threadFile = startingModule('engines/typeset/typeset-thread.js')

/** The longest note that can be kept takes 10 s on a slow core. */
const typesetWithinMs = 60_000

/** One waits for each export under way; there are two places for those. */
const waitingMax = 10

export interface Typesetter {
  /** `owner`: whose note it is, so that tenants take turns. */
  typeset(paper: NotePaper, owner: string): Promise<Buffer>
  close(): Promise<void>
}

/** Notes as PDF, made in a thread that is started when the first is asked for. */
export function makeTypesetter(): Typesetter {
  const pool = makeThreadPool({
    file: threadFile,
    threads: 1,
    answerWithinMs: typesetWithinMs,
    waitingMax,
    memoryMb: 512,
  })
  return {
    typeset: async (paper, owner) => {
      const pdf = (await pool.ask(paper, owner)) as Uint8Array | null
      if (pdf === null) throw new EngineFault('malformed', 'a note could not be set')
      return Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
    },
    close: () => pool.close(),
  }
}
