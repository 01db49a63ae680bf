import { inspect } from 'node:util'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EngineFault } from '../../src/engines/engine-fault.js'
import { cutRepetition } from '../../src/engines/speech/cut-repetition.js'
import { encodeWav } from '../../src/engines/speech/encode-wav.js'
import { makeOpenAiSpeechEngine } from '../../src/engines/speech/openai-engine.js'
import { neutralConfidence, readTranscription } from '../../src/engines/speech/read-transcription.js'
import type { SpeechEngine } from '../../src/engines/speech/speech-engine.js'
import { makeClip } from './describe-speech-engine.js'
import { OpenAiTestServer } from './openai-server.js'
import { encodeWords, transcribeWords, writeAsModel } from './scripted-models.js'

const never = new AbortController().signal
const words = 'I told nobody about the affair'

describe('the speech door over HTTP', () => {
  let server: OpenAiTestServer
  let engine: SpeechEngine
  const recognize = (...texts: string[]) =>
    engine.recognize(
      texts.map((text) => makeClip(encodeWords(text))),
      never,
    )

  beforeEach(async () => {
    server = new OpenAiTestServer({ apiKey: null, writeAsModel, transcribe: transcribeWords })
    const url = await server.start()
    engine = makeOpenAiSpeechEngine(
      { url, model: 'whisper-large-v3', apiKey: null },
      { backoffMs: 2, timeoutMs: 3_000 },
    )
  })
  afterEach(async () => {
    await engine.close()
    await server.close()
  })

  it('sends model, format, language and temperature, and nothing that tells whose voice it is', async () => {
    await recognize(words)
    expect(server.forms[0]?.fields).toEqual({
      model: 'whisper-large-v3',
      response_format: 'verbose_json',
      language: 'en',
      temperature: '0',
    })
    expect(server.authorizations).toEqual([undefined])
  })

  it('has two clips under way at a time, and gives 300 answers in their order', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `This is clip ${index}`)
    const results = await recognize(...texts)
    expect(results.map(({ text }) => text)).toEqual(texts)
    expect(server.openCountMost).toBeLessThanOrEqual(2)
  })

  it('lets recordings take turns, however many clips one of them waits for', async () => {
    const heard: string[] = []
    const hear = (owner: string) =>
      engine.recognize([makeClip(encodeWords(words))], never, () => heard.push(owner), owner)
    const owners = [...Array.from({ length: 8 }, () => 'long'), 'short']
    await Promise.all(owners.map(hear))
    expect(heard.indexOf('short')).toBeLessThan(6)
  })

  it('takes a plain text for an answer, with a neutral confidence', async () => {
    server.mischief.push({ kind: 'answer', body: { text: ' I slept well. ' } })
    expect(await recognize(words)).toEqual([{ text: 'I slept well.', confidence: neutralConfidence }])
  })

  const refusals: [string, Record<string, unknown>][] = [
    [
      'OpenAI',
      { type: 'invalid_request_error', code: 'unsupported_value', param: 'response_format', message: '' },
    ],
    ['an older vLLM', { type: 'BadRequestError', code: 400, param: null, message: 'no verbose_json' }],
  ]
  for (const [name, error] of refusals) {
    it(`a model without a verbose answer is asked for a plain one, and remembered, as ${name} says it`, async () => {
      server.unsupportedFormat = { format: 'verbose_json', error }
      expect((await recognize(words)).map(({ text }) => text)).toEqual([words])
      expect((await recognize(words, words)).map(({ text }) => text)).toEqual([words, words])
      expect(server.forms.map(({ fields }) => fields.response_format)).toEqual(['json', 'json', 'json'])
      expect(server.callCount).toBe(4)
    })
  }

  it('a request that is refused for another reason is not asked again', async () => {
    server.mischief.push({ kind: 'status', status: 404, body: { error: { code: 'model_not_found' } } })
    await expect(recognize(words)).rejects.toMatchObject({ kind: 'refused' })
    expect(server.callCount).toBe(1)
  })

  it('goes on after a rate limit and a lost connection', async () => {
    server.mischief.push({ kind: 'status', status: 429, headers: { 'retry-after': '0' } }, { kind: 'reset' })
    expect((await recognize(words, words)).map(({ text }) => text)).toEqual([words, words])
  })

  const bad: [string, unknown][] = [
    ['an array', []],
    ['an error with status 200', { error: 'boom' }],
    ['a text that is none', { text: 7 }],
    ['segments without text', { text: words, segments: [{ avg_logprob: 0 }] }],
  ]
  for (const [name, body] of bad) {
    it(`${name} is malformed, and ends the other clips`, async () => {
      server.mischief.push({ kind: 'answer', body })
      const texts = Array.from({ length: 100 }, () => words)
      const error: unknown = await recognize(...texts).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(EngineFault)
      expect(error).toMatchObject({ kind: 'malformed' })
      expect(inspect(error, { depth: 9 })).not.toContain(words)
      expect(server.callCount).toBeLessThan(10)
    })
  }
})

describe('a transcription', () => {
  const segment = (text: string, avg_logprob: number, no_speech_prob: number) => ({
    text,
    avg_logprob,
    no_speech_prob,
  })

  it('is as sure as its tokens and its speech, weighted by length', () => {
    const sure = readTranscription({ text: 'x', segments: [segment(' I slept.', -0.1, 0)] }, 2)
    expect(sure?.confidence).toBeCloseTo(Math.exp(-0.1))
    const unsure = readTranscription({ text: 'x', segments: [segment(' I slept.', -0.9, 0.5)] }, 2)
    expect(unsure?.confidence).toBeCloseTo(Math.exp(-0.9) * 0.5)
  })

  it('leaves out what Whisper itself would call silence, and keeps doubtful speech', () => {
    const segments = [segment(' Thank you.', -1.3, 0.8), segment(' I slept.', -0.3, 0.1)]
    expect(readTranscription({ text: 'all', segments }, 4)?.text).toBe('I slept.')
    expect(readTranscription({ text: 'x', segments: [segment(' I slept.', -0.3, 0.8)] }, 2)?.text).toBe(
      'I slept.',
    )
  })

  for (const text of ['', ' … ', '♪', 'Thanks for watching!', 'Subtitles by the Amara.org community']) {
    it(`nothing intelligible: ${JSON.stringify(text)}`, () => {
      expect(readTranscription({ text }, 3)).toEqual({ text: '', confidence: 0 })
    })
  }

  it('cuts a loop and does not trust what is left', () => {
    const text = `I was tired. ${'I am sorry. '.repeat(30)}`
    const segments = [segment(text, -0.1, 0)]
    expect(readTranscription({ text, segments }, 14)).toEqual({
      text: 'I was tired. I am sorry.',
      confidence: 0.3,
    })
  })

  it('gives nothing for more words than anybody can say in that time', () => {
    const text = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ')
    expect(readTranscription({ text }, 2)?.text).toBe('')
    expect(readTranscription({ text }, 60)?.text).toBe(text)
  })

  it('whatever numbers a server gives, confidence is from 0 to 1', () => {
    const number = fc.oneof(fc.double(), fc.constant(null))
    fc.assert(
      fc.property(
        fc.array(fc.record({ text: fc.string(), avg_logprob: number, no_speech_prob: number })),
        (segments) => {
          const result = readTranscription({ text: 'a', segments }, 5)
          if (result === null) return
          expect(result.confidence).toBeGreaterThanOrEqual(0)
          expect(result.confidence).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})

describe('repetition', () => {
  for (const text of [
    'no, no, no, no, no',
    'yes yes yes',
    'I tried and I tried and I tried.',
    'very very very tired',
  ]) {
    it(`people say: ${text}`, () => {
      expect(cutRepetition(text)).toEqual({ text, isLoop: false })
    })
  }

  it('a loop of any phrase is found behind any words, and leaves one round of it', () => {
    const word = fc.constantFrom('I', 'was', 'so', 'tired', 'then', 'we', 'went', 'home')
    const start = fc.uniqueArray(fc.constantFrom('one', 'two', 'three', 'four'))
    fc.assert(
      fc.property(
        start,
        fc.array(word, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 6, max: 40 }),
        (before, phrase, times) => {
          const text = [...before, ...Array.from({ length: times }, () => phrase).flat()].join(' ')
          const cut = cutRepetition(text)
          expect(cut.isLoop).toBe(true)
          expect(text.startsWith(cut.text)).toBe(true)
          expect(cut.text.split(' ').length).toBeLessThanOrEqual(before.length + phrase.length)
        },
      ),
    )
  })

  it('changes nothing in a text without repetition but its white space', () => {
    const text = 'I went to the store and then I went home. I was tired, so I went to bed.'
    expect(cutRepetition(`  ${text.replaceAll(' ', '  ')} `)).toEqual({ text, isLoop: false })
  })
})

describe('a WAV file', () => {
  it('carries every sample in 16 bits, cut at full scale, and silence for what is no number', () => {
    const wav = encodeWav(Float32Array.of(0, 0.5, -1, 1, 7, -7, Number.NaN, Number.POSITIVE_INFINITY), 16_000)
    const samples = Array.from({ length: 8 }, (_, index) => wav.readInt16LE(44 + index * 2))
    expect(samples).toEqual([0, 16_384, -32_768, 32_767, 32_767, -32_768, 0, 32_767])
    expect(wav).toHaveLength(60)
  })
})
