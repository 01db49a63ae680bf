import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { sampleRate } from '../../src/engines/speech/speech-engine.js'
import { decodeSegments } from '../../src/pipeline/decode-segments.js'
import type { LiveSegment } from '../../src/pipeline/live-segments.js'
import { decoder, makeAudio, opens } from '../engines/speech/speech-fixture.js'

const sample = fileURLToPath(new URL('../../samples/medication-management.ogg', import.meta.url))
const bytes = makeAudio('-t', '3', '-i', sample, '-ac', '1', '-c:a', 'libopus', '-f', 'webm')
const signal = new AbortController().signal

const makeSegment = (isWhole: boolean): LiveSegment => ({
  segment: null,
  open: opens(bytes),
  tracks: [{ stream: 0, channelCount: 1 }],
  isWhole: () => isWhole,
})

/** Seconds of sound, and how often another segment was asked for. */
async function decode(first: LiveSegment, ...others: LiveSegment[]): Promise<[number, number]> {
  let asked = 0
  const next = async (): Promise<LiveSegment | null> => {
    asked += 1
    return others.shift() ?? null
  }
  let samples = 0
  for await (const { channels } of decodeSegments(decoder, { next }, first, signal))
    samples += channels[0]?.length ?? 0
  return [Math.round(samples / sampleRate), asked]
}

it('takes one segment after the other', async () => {
  expect(await decode(makeSegment(true), makeSegment(true))).toEqual([6, 2])
})

it('ends with a segment that pauses: its next bytes are waited for by nobody, and ask for it anew', async () => {
  expect(await decode(makeSegment(false), makeSegment(true))).toEqual([3, 0])
})
