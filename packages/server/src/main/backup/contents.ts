import { createHash, type Hash } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import type { DeletionReason } from '../../kernel/blobs/index.js'
import type { BlobId, TenantId } from '../../kernel/ids.js'
import { openFile, type BoundedFolder, type OpenFile } from './bounded-folder.js'

/**
 * What a backup holds, a line each in a file of its own: the list may have millions of lines, and is never in memory as a
 * whole. `deleted`: a recording that was deleted while the backup ran. `missing`: a part that the store had lost before.
 */
export type Entry =
  | { kind: 'file'; path: string; bytes: number; sha256: string }
  | { kind: 'folder'; path: string }
  | { kind: 'deleted'; tenantId: TenantId; blobId: BlobId; reason: DeletionReason }
  | { kind: 'missing'; name: string }

export const contentsName = 'contents.ndjson'

export class ContentsWriter {
  readonly #file: Awaited<ReturnType<typeof openFile>>
  readonly #hash: Hash = createHash('sha256')
  #isWritten: Promise<void> = Promise.resolve()
  files = 0
  bytes = 0

  private constructor(file: Awaited<ReturnType<typeof openFile>>) {
    this.#file = file
  }

  static async open(target: BoundedFolder): Promise<ContentsWriter> {
    return new ContentsWriter(await openFile(target.at(contentsName), 'wx'))
  }

  /** One line after the other, whoever adds them. */
  add(entry: Entry): Promise<void> {
    const line = Buffer.from(`${JSON.stringify(entry)}\n`)
    if (entry.kind === 'file') {
      this.files += 1
      this.bytes += entry.bytes
    }
    this.#isWritten = this.#append(this.#isWritten, line)
    return this.#isWritten
  }

  async #append(before: Promise<void>, line: Buffer): Promise<void> {
    await before
    this.#hash.update(line)
    await this.#file.append(line)
  }

  /** Its hash, once it is on the disk. */
  async end(): Promise<string> {
    await this.#isWritten
    await this.#file.sync()
    await this.#file.close()
    return this.#hash.digest('hex')
  }

  /** For a backup that failed. */
  async abandon(): Promise<void> {
    await this.#isWritten.catch(() => {})
    await this.#file.close().catch(() => {})
  }
}

/** No line of ours is longer; a list that somebody else wrote must not fill the memory. */
const lineCharactersMost = 10_000

export async function* readContents(source: BoundedFolder): AsyncGenerator<Entry> {
  const file = await openFile(source.at(contentsName), 'r')
  try {
    for await (const line of readLines(file)) {
      if (line.length > lineCharactersMost) throw new Error(`${contentsName} has a line that is too long`)
      yield readEntry(line)
    }
  } finally {
    await file.close()
  }
}

/** At a time: some hundred lines. */
const readBytes = 65_536

async function* readLines(file: OpenFile): AsyncGenerator<string> {
  const buffer = Buffer.allocUnsafe(readBytes)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  for (;;) {
    const bytesRead = await file.readInto(buffer)
    const lines = (rest + decoder.write(buffer.subarray(0, bytesRead))).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (bytesRead === 0 || rest.length > lineCharactersMost) break
  }
  if (rest !== '') yield rest
}

function readEntry(line: string): Entry {
  const entry = JSON.parse(line) as Entry
  if (entry.kind === 'file' || entry.kind === 'folder') requireInside(entry.path)
  return entry
}

/** No path of the list leads out of the backup, or out of where it is restored to. */
function requireInside(path: string): void {
  const parts = path.split('/')
  const isInside =
    ['database', 'blobs', 'files'].includes(parts[0] ?? '') &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..' && !part.includes('\0'))
  if (!isInside) throw new Error(`${contentsName} names a path that is not of a backup`)
}

/** Their names are kept in memory, some 10 MB; parts beyond that count as missing in the backup. */
const lostMost = 100_000

/** Parts that the store had lost before the backup. */
export async function readLost(source: BoundedFolder): Promise<ReadonlySet<string>> {
  const lost = new Set<string>()
  for await (const entry of readContents(source)) {
    if (entry.kind === 'missing' && lost.size < lostMost) lost.add(entry.name)
  }
  return lost
}
