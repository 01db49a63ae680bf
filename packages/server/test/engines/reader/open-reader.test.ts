import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { EngineFault } from '../../../src/engines/engine-fault.js'
import {
  loadWeights,
  ownManifestSha256,
  ownWeightsFolder,
} from '../../../src/engines/reader/encoder/load-weights.js'
import { openReader } from '../../../src/engines/reader/open-reader.js'
import { packFigures, TOPICS, unpackFigures, type Reading } from '../../../src/engines/reader/reading.js'
import { readTalk } from '../../../src/engines/reader/talk/read-talk.js'
import { makeTalk } from './talk.js'

const reader = openReader()
afterAll(() => reader.close())
const never = new AbortController().signal
const topicsOf = ({ figures }: Reading) => unpackFigures(figures).topics
const isLinux = process.platform === 'linux'

const talk = makeTalk(
  'T: How have you been since the last visit?',
  'C: Not great. I stopped the sertraline, the fifty, about two weeks ago.',
  'T: Okay. Any thoughts of suicide?',
  'C: No, nothing like that.',
  "T: Good. I'll see you in two weeks, on Thursday.",
)

/** The processes of readers that this process has started. */
const listProcesses = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const isOurs =
          readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(process.pid)
        return isOurs && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reader-process.js')
      } catch {
        return false // ended while it was looked at
      }
    })

const waitFor = async (isSo: () => boolean): Promise<void> => {
  const deadline = Date.now() + 20_000
  while (!isSo()) {
    if (Date.now() > deadline) throw new Error('It did not come to be so')
    await new Promise((done) => setTimeout(done, 20))
  }
}

const expectFault = async (reading: Promise<unknown>, kind: EngineFault['kind'], message: RegExp) => {
  const error = await reading.catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(EngineFault)
  expect(error).toMatchObject({ kind, message: expect.stringMatching(message) as string })
}

describe('the reader', () => {
  it('takes a voice without a role for the client where nobody else is', async () => {
    const told = makeTalk('T: How are your nights?', 'C: Most nights I think about killing myself.')
    const unnamed = told.map((item) => (item.speaker === 'client' ? { ...item, speaker: 'speaker_2' } : item))
    const { findings } = await reader.read(unnamed, never)
    expect(findings).toContainEqual(
      expect.objectContaining({ kind: 'danger', matter: 'suicide', standing: 'affirmed', whose: 'client' }),
    )
  })

  it('reads topics for each item, findings and questions', async () => {
    const reading = await reader.read(talk, never)
    expect(topicsOf(reading)).toHaveLength(talk.length)
    const { sentences } = unpackFigures(reading.figures)
    expect(sentences.map((own) => own.length)).toEqual(readTalk(talk).map((turn) => turn.sentences.length))
    expect(sentences[3]?.[0]?.places.danger).toBeGreaterThan(0.5)
    expect(topicsOf(reading)[3]?.risk_self).toBeGreaterThan(0.5)
    expect(topicsOf(reading)[1]?.medication).toBeGreaterThan(0.3)
    for (const scores of topicsOf(reading))
      for (const [topic, score] of Object.entries(scores)) {
        expect(TOPICS).toContain(topic)
        expect(score).toBeGreaterThanOrEqual(0.02)
        expect(Math.round(score * 100) / 100).toBe(score)
      }
    expect(reading.questionOf[3]).toBe(2)
    expect(reading.findings).toContainEqual(
      expect.objectContaining({ kind: 'danger', matter: 'suicide', standing: 'denied', items: [2, 3] }),
    )
    expect(reading.findings).toContainEqual(
      expect.objectContaining({ kind: 'medicine', name: 'sertraline', dose: '50', status: 'stopped' }),
    )
    expect(reading.version).toBe(reader.version)
    expect(await reader.read(talk, never)).toEqual(reading)
  })

  it('gives an empty reading of no items', async () => {
    expect(await reader.read([], never)).toEqual({
      figures: packFigures({ topics: [], sentences: [] }),
      findings: [],
      questionOf: {},
      version: reader.version,
    })
  })

  it('reads items of nothing but spaces and signs', async () => {
    const reading = await reader.read(makeTalk('C: ', 'T: …', 'C: 😀 \u0000 ﷺ', 'O: -'), never)
    expect(topicsOf(reading)).toHaveLength(4)
    expect(reading.findings).toEqual([])
  })

  it('takes the highest of all pieces of a long item: what is said behind the 130th word counts', async () => {
    const filler = 'We drove out to the lake and had lunch there with the cousins. '
    const [line] = makeTalk(
      `C: ${filler.repeat(20)}I have been thinking about killing myself. ${filler.repeat(5)}`,
    )
    const reading = await reader.read([line!], never)
    expect(topicsOf(reading)[0]?.risk_self).toBeGreaterThan(0.3)
  })

  it('ends with the reason of an abort, waiting or reading, and reads the next one', async () => {
    const stopped = AbortSignal.abort(new Error('not needed'))
    await expect(reader.read(talk, stopped)).rejects.toThrow('not needed')
    const control = new AbortController()
    const long = Array.from({ length: 200 }, () => talk).flat()
    const first = reader.read(long, control.signal)
    const waiting = new AbortController()
    const second = reader.read(talk, waiting.signal)
    waiting.abort(new Error('no longer'))
    await expect(second).rejects.toThrow('no longer')
    control.abort(new Error('changed my mind'))
    await expect(first).rejects.toThrow('changed my mind')
    expect(topicsOf(await reader.read(talk, never))).toHaveLength(talk.length)
  })

  it.runIf(isLinux)(
    'is unavailable when its process is killed, and starts another for the next call',
    async () => {
      const own = openReader()
      const before = new Set(listProcesses())
      const reading = own.read(Array.from({ length: 200 }, () => talk).flat(), never)
      const ended = expectFault(reading, 'unavailable', /ended/)
      await waitFor(() => listProcesses().some((pid) => !before.has(pid)))
      const pid = listProcesses().find((one) => !before.has(one))
      process.kill(Number(pid), 'SIGKILL')
      await ended
      expect(topicsOf(await own.read(talk, never))).toHaveLength(talk.length)
      await own.close()
      await expectFault(own.read(talk, never), 'unavailable', /closed/)
    },
  )

  it.runIf(isLinux)('ends its process when nothing was read for a while', async () => {
    const own = openReader({ idleMs: 50 })
    const before = new Set(listProcesses())
    await own.read(talk, never)
    await waitFor(() => listProcesses().every((pid) => before.has(pid)))
    expect(topicsOf(await own.read(talk, never))).toHaveLength(talk.length)
    await own.close()
  })
})

describe('weights', () => {
  const makeFolder = (change: (folder: string) => void): string => {
    const folder = mkdtempSync(join(tmpdir(), 'reader-'))
    const own = ownWeightsFolder()
    symlinkSync(join(own, 'reader-int8.onnx'), join(folder, 'reader-int8.onnx'))
    cpSync(join(own, 'vocab.txt'), join(folder, 'vocab.txt'))
    cpSync(join(own, 'manifest.json'), join(folder, 'manifest.json'))
    change(folder)
    return folder
  }
  const readWith = async (folder: string) => {
    const own = openReader({ weightsFolder: folder })
    try {
      return await own.read(talk, never)
    } finally {
      await own.close()
      rmSync(folder, { recursive: true })
    }
  }

  it('are refused when a file is not the one that the manifest names', async () => {
    const folder = makeFolder((at) => writeFileSync(join(at, 'vocab.txt'), 'other\nwords\n'))
    await expectFault(
      readWith(folder),
      'refused',
      /vocab\.txt is not the file its manifest\.json names: sha256/,
    )
  })

  it('of the program are refused with another manifest, whatever it lists', async () => {
    const folder = makeFolder((at) => {
      const manifest = JSON.parse(readFileSync(join(at, 'manifest.json'), 'utf8')) as object
      writeFileSync(join(at, 'manifest.json'), JSON.stringify({ ...manifest, version: 'another' }))
    })
    expect((await loadWeights(folder)).vocabulary).not.toBe('')
    await expectFault(
      loadWeights(folder, ownManifestSha256),
      'refused',
      /not the one that this program knows/,
    )
    expect((await loadWeights(ownWeightsFolder(), ownManifestSha256)).vocabulary).not.toBe('')
    rmSync(folder, { recursive: true })
  })

  it('are refused when the manifest has no hash of a file', async () => {
    const folder = makeFolder((at) => writeFileSync(join(at, 'manifest.json'), '{"version":"2","files":{}}'))
    await expectFault(readWith(folder), 'refused', /no hash of/)
  })

  it('are refused when the manifest is none, and unavailable where there is none', () => {
    const folder = makeFolder((at) => writeFileSync(join(at, 'manifest.json'), 'not json'))
    expect(() => openReader({ weightsFolder: folder })).toThrow(EngineFault)
    rmSync(join(folder, 'manifest.json'))
    expect(() => openReader({ weightsFolder: folder })).toThrow(/manifest\.json cannot be read/)
    rmSync(folder, { recursive: true })
  })
})

describe('a quarter of an hour of talk', () => {
  const lines = [
    'T: And how was the week with your sister, did you get to talk about the house at all?',
    'C: We did, sort of. She wants to sell it in the spring and I told her I was not ready, and then it got loud.',
    'T: Mm-hmm.',
    'C: I slept maybe five hours. I took the trazodone twice, the fifty, and it did help a little with the falling asleep part.',
    'T: What would you like to do with that before we meet again?',
    'C: I guess I could write down what I want to say to her first.',
  ]
  // 2,300 words in 180 items. They are read a batch at a time, so that an hour or three take no more.
  const quarter = Array.from({ length: 30 }, (_, round) =>
    makeTalk(...lines.map((line) => `${line} It was day ${round}.`)),
  ).flat()

  it.runIf(isLinux)(
    'takes at most 400 MB',
    async () => {
      const own = openReader({ threads: 2 })
      const before = new Set(listProcesses())
      const reading = await own.read(quarter, never)
      const pid = listProcesses().find((one) => !before.has(one))
      const peakMb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
      await own.close()
      expect(topicsOf(reading)).toHaveLength(180)
      expect(peakMb).toBeLessThan(400)
    },
    600_000,
  )
})
