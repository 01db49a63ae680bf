import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Hash of the samples that a chunk adds, by channel: two chunks with the same hash are heard as the same words. Some 5 ms a minute of a
 * channel, and a turn for each.
 */
export async function hashSound(
  sound: readonly { channel: number; samples: Float32Array }[],
): Promise<string> {
  const hash = createHash('sha256')
  for (const { channel, samples } of sound) {
    await nextTurn()
    hash.update(`${channel}/${samples.length}/`)
    hash.update(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength))
  }
  await nextTurn()
  return hash.digest('base64url')
}
