import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ZipFile } from 'yazl'
import type { ExportFile } from './export-parts.js'
import { writeJson } from './write-json.js'

interface ListedFile {
  path: string
  bytes: number
  sha256: string
}

/** Read and written by their owner alone, where somebody unpacks it. */
const fileMode = 0o100600

/** How much is packed at once; what is packed waits for whoever takes it. */
const pieceBytes = 1_024 * 1_024

/** Hashed, summed up and packed in one turn: some 3 ms. A part of a recording or a long note whole is some 50 ms. */
const turnBytes = 256 * 1_024

/**
 * The files of an export as one ZIP, with a manifest as its last. One file is read at a time, as fast as the ZIP is taken: recordings
 * of any length pass through.
 */
export async function* zipExport(
  files: AsyncIterable<ExportFile>,
  about: Record<string, unknown>,
  madeAt: Date,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const open: { stream: Readable | null } = { stream: null }
  // What a file throws comes out where the ZIP is read.
  zip.on('error', (error: Error) => output.destroy(error))
  const fed = feed(zip, files, { about, madeAt, open })
  fed.catch((error: unknown) => output.destroy(error as Error))
  try {
    for await (const piece of output as AsyncIterable<Buffer>) yield piece
    await fed
  } finally {
    open.stream?.destroy()
    output.destroy()
  }
}

async function feed(
  zip: ZipFile,
  files: AsyncIterable<ExportFile>,
  {
    about,
    madeAt,
    open,
  }: { about: Record<string, unknown>; madeAt: Date; open: { stream: Readable | null } },
): Promise<void> {
  const listed: ListedFile[] = []
  const options = { mtime: madeAt, mode: fileMode }
  for await (const file of files) {
    const stream = Readable.from(listing(file, listed), { objectMode: false, highWaterMark: pieceBytes })
    open.stream = stream
    const ended = finished(stream)
    zip.addReadStream(stream, file.path, { ...options, compress: file.isText })
    await ended
  }
  const manifest = writeJson({ ...about, files: oneByOne(listed) })
  const stream = Readable.from(manifest, { objectMode: false })
  open.stream = stream
  zip.addReadStream(stream, 'manifest.json', options)
  zip.end()
}

/** A client of decades has thousands. */
async function* oneByOne<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items
}

async function* listing(file: ExportFile, listed: ListedFile[]): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const piece of file.open()) {
    for (let from = 0; from < piece.length; from += turnBytes) {
      if (from > 0) await nextTurn()
      const slice = piece.subarray(from, from + turnBytes)
      hash.update(slice)
      yield slice
    }
    bytes += piece.length
  }
  listed.push({ path: file.path, bytes, sha256: hash.digest('hex') })
}
