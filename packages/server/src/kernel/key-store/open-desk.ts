import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { startingModule } from '../own-files.js'
import type { ListedErasure } from '../secrets/client-key-source.js'
import type { PackedTree } from '../secrets/client-key-tree.js'
import { DocumentDesk, type DocumentChange, type OpenedDocument, type WrittenSeal } from './document-desk.js'

export type DeskQuestion =
  | { ask: 'open'; bytes: Uint8Array }
  | { ask: 'change'; change: DocumentChange }
  | { ask: 'digest' }
  | { ask: 'write'; seal: WrittenSeal }
  | { ask: 'page'; from: number; most: number }
  | { ask: 'pack' }

export interface DeskAnswers {
  open: OpenedDocument | null
  /** The new digest; null: nothing was to be changed. */
  change: Uint8Array | null
  digest: Uint8Array
  write: Buffer<ArrayBuffer> | Uint8Array<ArrayBuffer>
  page: readonly ListedErasure[]
  /** The last question: what is handed over is not there any more. */
  pack: PackedTree
}

/** A desk here or in a thread. One question at a time. */
export interface OpenDesk {
  change(change: DocumentChange): Promise<Uint8Array | null>
  digest(): Promise<Uint8Array>
  write(seal: WrittenSeal): Promise<Buffer>
  page(from: number, most: number): Promise<readonly ListedErasure[]>
  pack(): Promise<PackedTree>
}

/** Up to this a thread costs more than it saves: some 10 ms. */
const hereBytesMost = 256 * 1024

/** The largest document as text, as objects, and as text once more. */
const memoryMostMb = 4_096

const threadFile = startingModule('kernel/key-store/document-thread.js')

/** The bytes may be gone afterwards. The desk is not kept: nobody needs its memory until the store is another one. */
export async function withDesk<Result>(
  bytes: Buffer,
  work: (desk: OpenDesk, opened: OpenedDocument | null) => Promise<Result>,
): Promise<Result> {
  if (bytes.length <= hereBytesMost) {
    const desk = new DocumentDesk()
    const opened = desk.open(bytes)
    const here: OpenDesk = {
      change: async (change) => (desk.change(change) ? desk.digest() : null),
      digest: async () => desk.digest(),
      write: async (seal) => desk.write(seal),
      page: async (from, most) => desk.page(from, most),
      pack: async () => desk.pack(),
    }
    return work(here, opened)
  }
  const worker = new Worker(threadFile, { resourceLimits: { maxOldGenerationSizeMb: memoryMostMb } })
  const ask = async <Ask extends DeskQuestion['ask']>(
    question: DeskQuestion & { ask: Ask },
    transfer: ArrayBuffer[] = [],
  ): Promise<DeskAnswers[Ask]> => {
    const answer = once(worker, 'message')
    worker.postMessage(question, transfer)
    const [given] = (await answer) as [DeskAnswers[Ask]]
    return given
  }
  try {
    const own = ownBytes(bytes)
    const opened = await ask({ ask: 'open', bytes: own }, [own.buffer])
    const there: OpenDesk = {
      change: (change) => ask({ ask: 'change', change }),
      digest: () => ask({ ask: 'digest' }),
      write: async (seal) => Buffer.from((await ask({ ask: 'write', seal })).buffer),
      page: (from, most) => ask({ ask: 'page', from, most }),
      pack: () => ask({ ask: 'pack' }),
    }
    return await work(there, opened)
  } finally {
    await worker.terminate()
  }
}

/** What others share the memory of stays theirs. */
const ownBytes = (bytes: Buffer): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer && bytes.length === bytes.buffer.byteLength
    ? new Uint8Array(bytes.buffer)
    : new Uint8Array(bytes)
