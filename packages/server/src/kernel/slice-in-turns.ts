import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Hashed or encrypted in some 4 ms. */
const sliceBytes = 4 * 1024 * 1024

/** What may be hundreds of megabytes, for whoever does something with all of it: others have their turn between the slices. */
export async function* sliceInTurns(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    if (from > 0) await nextTurn()
    yield bytes.subarray(from, from + sliceBytes)
  }
}

export async function sha256InTurns(bytes: Buffer): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const slice of sliceInTurns(bytes)) hash.update(slice)
  return hash.digest()
}
