import { Readable } from 'node:stream'
import type { OpenAudio } from '../run-ffmpeg.js'
import { planMp4Seek } from './mp4-seek.js'
import { planOggSeek } from './ogg-seek.js'
import { readAt, type SeekableAudio, type SeekPlan, type SyncPoint } from './seekable-audio.js'
import { findWavStart } from './wav-seek.js'
import { planWebmSeek } from './webm-seek.js'

/** Headers of recorders are under 10 KB; the names and comments of other programs fit, too. */
const headBytes = 131_072

/** Half a minute of sound at 256 kbit/s, the longest time between two sync points. */
const scanBytes = 1_048_576

/** Reading past so much takes no time that anybody notices. */
const closeSeconds = 20

/** Recordings of an even rate are found at the second look, all others by halving. */
const looksMax = 16

/**
 * The recording as if it began shortly before `fromSeconds`: no byte of what lies between is read. Where the container
 * does not say where its sound is, or says so wrongly, all of it. Null: it ends before that.
 */
export async function seekAudio(
  audio: SeekableAudio,
  fromSeconds: number,
): Promise<{ openAudio: OpenAudio; fromSeconds: number } | null> {
  const head = await readAt(audio, 0, headBytes)
  const wav = findWavStart(head, fromSeconds)
  if (wav !== null)
    return wav.byte < audio.sizeBytes
      ? { openAudio: splice(audio, wav.head, wav.byte), fromSeconds: 0 }
      : null
  const plan = planWebmSeek(head) ?? planOggSeek(head) ?? planMp4Seek(head)
  const start = plan === null ? null : await search(audio, plan, fromSeconds)
  if (plan === null || start === null) return { openAudio: () => audio.openAt(0), fromSeconds }
  return {
    openAudio: splice(audio, plan.head, start.byte),
    fromSeconds: fromSeconds - (start.seconds - plan.first.seconds),
  }
}

const splice =
  (audio: SeekableAudio, head: Buffer, fromByte: number): OpenAudio =>
  () =>
    Readable.from(
      (async function* () {
        yield head
        yield* audio.openAt(fromByte) as AsyncIterable<Buffer>
      })(),
      { objectMode: false },
    )

/** A sync point not long before the wanted time. Null: there are none, or times do not rise with bytes. */
async function search(
  audio: SeekableAudio,
  { first, findSync }: SeekPlan,
  fromSeconds: number,
): Promise<SyncPoint | null> {
  const wanted = first.seconds + fromSeconds
  const look = async (byte: number): Promise<SyncPoint | null> => {
    const found = findSync(await readAt(audio, byte, scanBytes))
    return found === null ? null : { ...found, byte: found.byte + byte }
  }
  let before = first
  let after = await look(Math.max(first.byte, audio.sizeBytes - scanBytes))
  for (let looks = 0; looks < looksMax; looks += 1) {
    if (after === null || after.seconds < before.seconds) return null
    if (after.seconds <= wanted) return after
    if (wanted - before.seconds <= closeSeconds || after.byte - before.byte <= scanBytes) break
    const byte = guess(before, after, wanted, looks)
    const found = await look(byte)
    if (found !== null && found.seconds <= wanted) {
      if (found.seconds < before.seconds) return null
      before = found
    } else after = { byte, seconds: found?.seconds ?? after.seconds }
  }
  return before
}

/** By the rate between the two, a little early; in the middle where that has not helped. */
function guess(before: SyncPoint, after: SyncPoint, wanted: number, looks: number): number {
  const share = (wanted - closeSeconds / 2 - before.seconds) / (after.seconds - before.seconds)
  const even = looks % 3 === 2 ? 0.5 : Math.min(0.98, Math.max(0.02, share))
  return Math.floor(before.byte + even * (after.byte - before.byte))
}
