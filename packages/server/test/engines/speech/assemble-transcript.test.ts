import { describe, expect, it } from 'vitest'
import { assembleTranscript } from '../../../src/engines/speech/assemble-transcript.js'
import { packVector, type ChunkResult, type ClipResult } from '../../../src/engines/speech/chunk-result.js'
import { makeAssembly } from '../../../src/engines/speech/make-assembly.js'

/** Two voices that take turns of two seconds, each with windows that differ a little. */
function makeChunks(minutes: number): ChunkResult[] {
  return Array.from({ length: minutes }, (_, index) => ({
    index,
    plannedSeconds: 60,
    model: 'made up',
    nextStartSeconds: [60 * (index + 1)],
    clips: Array.from({ length: 30 }, (_clip, position) => makeTurn(60 * index + 2 * position, position % 2)),
  }))
}

function makeTurn(startSeconds: number, voice: number): ClipResult {
  const windows = Array.from({ length: 4 }, (_, window) =>
    Float32Array.from(
      { length: 128 },
      (_value, i) => Math.sin((i + 1) * (voice + 1)) + 0.2 * Math.sin((i + 1) * (startSeconds + window)),
    ),
  )
  return {
    startSeconds,
    endSeconds: startSeconds + 1.8,
    channel: 0,
    text: voice === 0 ? 'How have you been sleeping since we last met?' : 'I sleep badly and I feel tired.',
    confidence: 0.9,
    level: -20,
    voices: windows.map(packVector),
  }
}

const { signal } = new AbortController()

it('tells more than two voices apart by number, and two by their labels', () => {
  const turns = (voices: number): ChunkResult[] =>
    makeChunks(2).map((chunk) => ({
      ...chunk,
      clips: chunk.clips.map(({ startSeconds }, position) => makeTurn(startSeconds, position % voices)),
    }))
  const three = assembleTranscript(turns(3)).items
  expect(three.map(({ voice }) => voice)).toEqual(three.map((_, index) => (index % 3) + 1))
  expect(new Set(three.map(({ voice, speaker }) => `${voice} ${speaker}`)).size).toBe(3)
  for (const item of assembleTranscript(turns(2)).items) expect(item).not.toHaveProperty('voice')
})

it('gives all of a dictation to the clinician, in short lines that end with a sentence', () => {
  const chunks = makeChunks(2)
  // Somebody who stops in the middle of what they say.
  for (const clip of chunks[1]?.clips.slice(3, 8) ?? []) clip.text = 'and then'
  const { items } = assembleTranscript(chunks, [], true)
  for (const item of items) {
    expect(item).toMatchObject({ speaker: 'clinician', source: 'dictated' })
    expect(item).not.toHaveProperty('voice')
    expect(item.endTime - item.startTime).toBeLessThan(30)
    expect(item.transcript).toMatch(/[.?]$/)
  }
  expect(items.filter(({ startTime, endTime }) => endTime - startTime > 12).length).toBeLessThan(2)
  expect(items.length).toBeGreaterThan(8)
})

async function assembleInThread(chunks: readonly ChunkResult[], stopped = signal) {
  const assembly = makeAssembly(stopped)
  try {
    return await assembly.assemble(chunks, { vocabulary: [], isDictated: false })
  } finally {
    await assembly.close()
  }
}

describe('the transcript of a long recording', () => {
  it('is assembled while the thread that asked for it goes on', async () => {
    let turns = 0
    const counting = setInterval(() => (turns += 1), 1)
    const { items } = await assembleInThread(makeChunks(10))
    clearInterval(counting)
    expect(items).toHaveLength(300)
    expect(new Set(items.map((item) => item.speaker)).size).toBe(2)
    // On the same thread the loop would not have turned before the end.
    expect(turns).toBeGreaterThan(10)
  })

  it('is not waited for without end', async () => {
    const assembly = makeAssembly(signal, 1)
    await expect(
      assembly.assemble(makeChunks(10), { vocabulary: [], isDictated: false }),
    ).rejects.toMatchObject({ kind: 'timeout' })
    await assembly.close()
  })

  it('is the same from the thread as from the function', async () => {
    const chunks = makeChunks(2)
    expect(await assembleInThread(chunks)).toEqual(assembleTranscript(chunks))
  })

  it('is given up with the reason of the signal', async () => {
    const controller = new AbortController()
    const assembled = assembleInThread(makeChunks(10), controller.signal)
    controller.abort(new Error('stopped by the operator'))
    await expect(assembled).rejects.toThrow('stopped by the operator')
  })
})
