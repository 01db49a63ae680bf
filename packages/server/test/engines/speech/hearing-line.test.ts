import { describe, expect, it } from 'vitest'
import type { ChunkResult } from '../../../src/engines/speech/chunk-result.js'
import { makeHearingLine, type ChunkInLine } from '../../../src/engines/speech/hearing-line.js'
import type { AudioClip, RecognizedClip, SpeechEngine } from '../../../src/engines/speech/speech-engine.js'

/** Answers when the test says so. */
function makeSlowEngine() {
  const calls: { answer(): void; fail(error: Error): void }[] = []
  const recognize: SpeechEngine['recognize'] = (clips, _signal, onHeard) =>
    new Promise<RecognizedClip[]>((resolve, reject) => {
      const answer = () => {
        clips.forEach((clip) => onHeard?.(clip))
        resolve(clips.map(() => ({ text: 'yes', confidence: 1 })))
      }
      calls.push({ answer, fail: reject })
    })
  const engine: SpeechEngine = { name: 'embedded', model: 'slow', recognize, close: async () => undefined }
  return { engine, calls }
}

const clip = (seconds: number): AudioClip & { level: number; voices: string[] } => ({
  startSeconds: 0,
  endSeconds: seconds,
  channel: 0,
  samples: new Float32Array(seconds * 16_000),
  level: -20,
  voices: [],
})
const chunk = (index: number, ...clipSeconds: number[]): ChunkInLine => ({
  index,
  plannedSeconds: 60,
  seconds: 60,
  clips: clipSeconds.map(clip),
  nextStartSeconds: [0],
})

function makeLine() {
  const saved: ChunkResult[] = []
  const heard: number[] = []
  const { engine, calls } = makeSlowEngine()
  const checkpoints = { load: async () => [], save: async (result: ChunkResult) => void saved.push(result) }
  const { signal } = new AbortController()
  const line = makeHearingLine({ engine, checkpoints, signal }, (seconds) => heard.push(seconds))
  return { line, calls, saved, heard }
}

describe('chunks on their way through the engine', () => {
  it('are heard two at a time, and kept in the order of the recording', async () => {
    const { line, calls, saved } = makeLine()
    await line.add(chunk(0, 1))
    await line.add(chunk(1, 1))
    expect(calls).toHaveLength(2)
    const third = line.add(chunk(2, 1))
    calls[1]!.answer()
    await Promise.resolve()
    expect(calls).toHaveLength(2)
    expect(saved).toEqual([])
    calls[0]!.answer()
    await third
    calls[2]!.answer()
    const results = await line.finish()
    expect(results.map(({ index }) => index)).toEqual([0, 1, 2])
    expect(saved).toEqual(results)
  })

  it('tell what was heard clip by clip, in seconds of the recording', async () => {
    const { line, calls, heard } = makeLine()
    await line.add(chunk(0, 1, 3))
    await line.add({ ...chunk(1), seconds: 40 })
    calls.forEach((call) => call.answer())
    await line.finish()
    expect(heard.toSorted((a, b) => a - b)).toEqual([15, 40, 45])
  })

  it('are not kept after one before them that failed', async () => {
    const { line, calls, saved } = makeLine()
    await line.add(chunk(0, 1))
    await line.add(chunk(1, 1))
    calls[1]!.answer()
    calls[0]!.fail(new Error('the engine broke'))
    await expect(line.finish()).rejects.toThrow('the engine broke')
    await line.settle()
    expect(saved).toEqual([])
  })
})
