import { addAbortSignal, Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { FileAnswer } from '../file-answer.js'
import type { TestRecording } from './find-test-recording.js'
import { makeTestFile } from './make-test-file.js'

/**
 * What a file server would answer, without one: from here on everything is as with a real one. A file that was broken off
 * is sent from its beginning, which servers may do.
 */
export async function answerTestRecording(
  { name, answers = 200, sends = 'nothing', sendingSeconds = 0, announcesBytes }: TestRecording,
  signal: AbortSignal,
): Promise<FileAnswer> {
  const { contentType, pieces } = await makeTestFile(sends)
  const sizeBytes = pieces.reduce((sum, { length }) => sum + length, 0)
  const body = Readable.from(sendSlowly(pieces, sendingSeconds / Math.max(1, pieces.length), signal))
  return {
    statusCode: answers,
    headers: {
      'content-type': contentType,
      'content-length': String(announcesBytes ?? sizeBytes),
      etag: `"${name}"`,
    },
    body: addAbortSignal(signal, body),
  }
}

async function* sendSlowly(
  pieces: readonly Buffer[],
  secondsBetween: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (secondsBetween > 0) await wait(secondsBetween * 1_000, undefined, { signal })
    yield piece
  }
}
