import { setMaxListeners } from 'node:events'
import type { AudioClip, RecognizedClip, SpeechEngine } from './speech-engine.js'
import type { SpeechPool } from './speech-pool.js'

/** Moonshine base on the processors of this machine: no sound leaves it. */
export function makeEmbeddedEngine(pool: SpeechPool): SpeechEngine {
  return {
    name: 'embedded',
    model: 'moonshine-base-en-int8 (moonshine-js 0.1.16)',
    recognize: (clips, signal, onHeard, owner) => recognizeAll({ pool, owner }, clips, signal, onHeard),
    close: () => pool.close(),
  }
}

async function recognizeAll(
  { pool, owner }: { pool: SpeechPool; owner: string | undefined },
  clips: readonly AudioClip[],
  signal: AbortSignal,
  onHeard?: (clip: AudioClip) => void,
): Promise<RecognizedClip[]> {
  // The longest first, so that the processes end together.
  const order = clips
    .map((clip, index) => ({ clip, index }))
    .toSorted((one, other) => other.clip.samples.length - one.clip.samples.length)
  const recognized: RecognizedClip[] = []
  // As many listeners as clips are no leak.
  const own = AbortSignal.any([signal])
  setMaxListeners(0, own)
  await Promise.all(
    order.map(async ({ clip, index }) => {
      recognized[index] = await pool.ask({ kind: 'hear', samples: clip.samples }, own, owner)
      onHeard?.(clip)
    }),
  )
  return recognized
}
