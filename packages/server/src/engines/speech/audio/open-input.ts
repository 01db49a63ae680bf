import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { RecordingProblem } from '../recording-problem.js'
import { openWholeWav } from './open-wav.js'
import { readMp3Seconds } from './read-mp3-seconds.js'
import { findMeasuredWav } from './find-wav-data.js'
import type { FfmpegInput, OpenAudio } from './run-ffmpeg.js'

export interface AudioInput {
  input: FfmpegInput
  /** As the header says, where only we read it. */
  declaredSeconds: number | null
  close(): Promise<void>
}

/** Boxes before the sound are a few hundred bytes; covers and edit lists come with the index. */
const headLength = 65_536
/** One for looking, and two (measuring, decoding) for each of eight tracks. */
const readerCount = 17

/**
 * Bytes go to ffmpeg through a pipe and touch no disk, but an MP4 file whose index follows its sound must be read out of
 * order. It is spilled into a file that loses its name before the first byte is written: nothing stays behind, however
 * the process ends.
 */
export async function openInput(
  openAudio: OpenAudio,
  scratchFolder: string,
  signal: AbortSignal,
): Promise<AudioInput> {
  const head = await readHead(openAudio(), signal)
  if (head.length === 0) throw new RecordingProblem('empty')
  if (hasIndexAfterSound(head)) return await spill(openAudio, scratchFolder, signal)
  const wav = findMeasuredWav(head)
  const openWhole = wav === null ? openAudio : openWholeWav(openAudio, wav)
  // Through a pipe ffmpeg believes no such header, and a cut-off file would pass for a whole one.
  const declaredSeconds = wav === null ? readMp3Seconds(head) : wav.dataBytes / wav.bytesPerSecond
  return { input: { kind: 'stream', open: openWhole }, declaredSeconds, close: async () => {} }
}

async function readHead(source: Readable, signal: AbortSignal): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of source) {
    signal.throwIfAborted()
    pieces.push(piece as Buffer)
    length += (piece as Buffer).length
    if (length >= headLength) break
  }
  return Buffer.concat(pieces)
}

/** True as well when the head does not tell: spilling is slower, but always right. */
export function hasIndexAfterSound(head: Buffer): boolean {
  if (!/^(ftyp|moov|mdat|wide|free|skip|pnot)$/.test(head.toString('latin1', 4, 8))) return false
  let offset = 0
  while (offset + 16 <= head.length) {
    const kind = head.toString('latin1', offset + 4, offset + 8)
    if (kind === 'moov') return false
    if (kind === 'mdat') return true
    const size = head.readUInt32BE(offset)
    const length = size === 1 ? Number(head.readBigUInt64BE(offset + 8)) : size
    if (length < 8) return true
    offset += length
  }
  return true
}

async function spill(openAudio: OpenAudio, scratchFolder: string, signal: AbortSignal): Promise<AudioInput> {
  const folder = await mkdtemp(join(scratchFolder, 'casenote-audio-'))
  const handles: FileHandle[] = []
  const close = async () => {
    await Promise.all(handles.map((handle) => handle.close()))
  }
  try {
    const file = join(folder, 'recording')
    const writer = await open(file, 'wx', 0o600)
    handles.push(writer)
    // A native decoder opens it again, as a user of its own; nobody else can come here.
    await writer.chmod(0o444)
    // A descriptor for each run: where /dev/stdin is a duplicate of it (macOS), its position is shared.
    for (let count = 0; count < readerCount; count += 1) handles.push(await open(file, 'r'))
    await rm(folder, { recursive: true })
    await pipeline(openAudio(), createWriteStream('', { fd: writer.fd, autoClose: false }), { signal })
  } catch (error) {
    await close()
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  const readers = handles.slice(1)
  const takeDescriptor = () => {
    const reader = readers.pop()
    if (!reader) throw new Error('A spilled recording is read more often than was planned for')
    return reader.fd
  }
  return { input: { kind: 'file', takeDescriptor }, declaredSeconds: null, close }
}
