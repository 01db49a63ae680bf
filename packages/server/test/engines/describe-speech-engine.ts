import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sampleRate, type AudioClip, type SpeechEngine } from '../../src/engines/speech/speech-engine.js'

export interface SpeechDoor {
  engine: SpeechEngine
  /** Clips with speech, and words that must be recognized in each, in lower case. */
  spoken: readonly { clip: AudioClip; words: readonly string[] }[]
  close?: () => Promise<void>
}

export const makeClip = (samples: Float32Array): AudioClip => ({
  channel: 0,
  startSeconds: 0,
  endSeconds: samples.length / sampleRate,
  samples,
})

export const silence = (seconds: number): AudioClip => makeClip(new Float32Array(seconds * sampleRate))

/** What every engine behind the door for speech does, wherever it runs. */
export function describeSpeechEngine(name: string, openDoor: () => Promise<SpeechDoor>): void {
  describe(`speech engine ${name}`, () => {
    let door: SpeechDoor
    const never = new AbortController().signal

    beforeAll(async () => {
      door = await openDoor()
    })
    afterAll(async () => {
      await door.engine.close()
      await door.close?.()
    })

    it('recognizes what was said', async () => {
      const results = await door.engine.recognize(
        door.spoken.map(({ clip }) => clip),
        never,
      )
      for (const [index, { words }] of door.spoken.entries()) {
        const heard = results[index]?.text.toLowerCase() ?? ''
        for (const word of words) expect(heard).toContain(word)
        expect(results[index]?.confidence).toBeGreaterThan(0)
        expect(results[index]?.confidence).toBeLessThanOrEqual(1)
      }
    })

    it('gives as many answers as clips, in their order, whatever is between them', async () => {
      const clips = door.spoken.flatMap(({ clip }) => [silence(1), clip])
      const results = await door.engine.recognize(clips, never)
      expect(results).toHaveLength(clips.length)
      for (const [index, { words }] of door.spoken.entries()) {
        expect(results[index * 2]?.text).toBe('')
        expect(results[index * 2 + 1]?.text.toLowerCase()).toContain(words[0])
      }
    })

    it('says the same again for the same clip', async () => {
      const clips = door.spoken.map(({ clip }) => clip)
      expect(await door.engine.recognize(clips, never)).toEqual(await door.engine.recognize(clips, never))
    })

    it('gives nothing for silence, for a clip without samples and for no clips', async () => {
      const results = await door.engine.recognize([silence(3), makeClip(new Float32Array(0))], never)
      expect(results.map(({ text }) => text)).toEqual(['', ''])
      expect(await door.engine.recognize([], never)).toEqual([])
    })

    it('does not begin when it was aborted before', async () => {
      const clips = door.spoken.map(({ clip }) => clip)
      await expect(door.engine.recognize(clips, AbortSignal.abort(new Error('too late')))).rejects.toThrow(
        'too late',
      )
    })

    it('ends soon when it is aborted', async () => {
      const abort = new AbortController()
      const clips = Array.from(
        { length: 200 },
        (_, index) => door.spoken[index % door.spoken.length]?.clip ?? silence(1),
      )
      const running = door.engine.recognize(clips, abort.signal)
      setImmediate(() => abort.abort(new Error('enough')))
      await expect(running).rejects.toThrow('enough')
    })

    it('names its model', () => {
      expect(door.engine.model).not.toBe('')
    })
  })
}
