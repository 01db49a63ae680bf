import { readFile } from 'node:fs/promises'
import { ownFile } from '../../own-files.js'
import { placeSecond, splitOgg } from './ogg-pages.js'

export type TestFile =
  'minute' | 'visit' | 'four-visits' | 'noise' | 'damaged' | 'cut-off' | 'page' | 'nothing'

export interface MadeFile {
  contentType: string
  /** In order; none is larger than a second of sound, so that whoever sends them can take their time. */
  pieces: Buffer[]
}

const minuteSeconds = 60
const noiseSeconds = 20
const noiseRate = 8_000

const makers: Record<TestFile, () => MadeFile | Promise<MadeFile>> = {
  minute: () => repeatVisit({ times: 1, secondsMax: minuteSeconds }),
  visit: () => repeatVisit({ times: 1 }),
  'four-visits': () => repeatVisit({ times: 4 }),
  noise: () => ({ contentType: 'audio/wav', pieces: makeNoise() }),
  damaged: async () => damage(await repeatVisit({ times: 1, secondsMax: minuteSeconds })),
  'cut-off': () => ({ contentType: 'audio/wav', pieces: makeNoise().slice(0, noiseSeconds / 2) }),
  page: () => ({
    contentType: 'text/html',
    pieces: [Buffer.from('<!doctype html><p>Please sign in</p>')],
  }),
  nothing: () => ({ contentType: 'audio/ogg', pieces: [] }),
}

/** At most 2.7 MB, made when it is asked for: nothing but the sample has to be shipped. */
export const makeTestFile = async (file: TestFile): Promise<MadeFile> => makers[file]()

async function repeatVisit({
  times,
  secondsMax = Number.POSITIVE_INFINITY,
}: {
  times: number
  secondsMax?: number
}): Promise<MadeFile> {
  const { head, seconds } = splitOgg(await readFile(ownFile('samples/medication-management.ogg')))
  const all = Array.from({ length: times }, () => seconds.slice(0, secondsMax)).flat()
  const placed = all.map((page, index) => placeSecond(page, index, { isLast: index === all.length - 1 }))
  return { contentType: 'audio/ogg', pieces: [...head, ...placed] }
}

/** Behind its first bytes there are others, the same each time. A file of which half can be heard is heard, so all of it is lost. */
function damage({ contentType, pieces }: MadeFile): MadeFile {
  const next = makeRandom()
  return {
    contentType,
    pieces: pieces.map((piece) => Buffer.from(piece.map((byte, at) => (at < 4 ? byte : next() & 0xff)))),
  }
}

/** White noise at -50 dB, as a second of WAV a piece. */
function makeNoise(): Buffer[] {
  const next = makeRandom()
  const seconds = Array.from({ length: noiseSeconds }, () => {
    const second = Buffer.alloc(noiseRate * 2)
    for (let at = 0; at < second.length; at += 2) second.writeInt16LE((next() & 0xff) - 128, at)
    return second
  })
  const soundBytes = noiseSeconds * noiseRate * 2
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + soundBytes, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(noiseRate, 24)
  header.writeUInt32LE(noiseRate * 2, 28)
  header.writeUInt16LE(2, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36)
  header.writeUInt32LE(soundBytes, 40)
  return [header, ...seconds]
}

/** Random numbers that are the same each time (xorshift32). */
function makeRandom(): () => number {
  let state = 0x9e3779b9
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return state >>> 8
  }
}
