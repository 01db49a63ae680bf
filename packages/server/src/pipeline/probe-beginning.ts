import { Readable } from 'node:stream'
import { hasIndexAfterSound } from '../engines/speech/audio/open-input.js'
import { probeRecording, type AudioTrack } from '../engines/speech/audio/probe-recording.js'
import { RecordingProblem } from '../engines/speech/recording-problem.js'
import { readPart } from '../kernel/blobs/index.js'
import type { BlobId } from '../kernel/ids.js'
import type { TenantScope } from '../kernel/tenant.js'
import type { PipelineParts } from './pipeline-parts.js'

/** Two seconds of speech: enough to tell what it is. */
export const headBytes = 8_192
const headBytesMax = 65_536

/** A recording that cannot be heard before it is whole: its end must be read first, or its segments differ. */
export class NotHeardLive extends Error {
  constructor(reason: string) {
    super(`the recording is not heard while it comes in: ${reason}`)
    this.name = 'NotHeardLive'
  }
}

/** What the first parts of a recording that is not complete tell of it. */
export async function probeBeginning(
  parts: PipelineParts,
  tenant: TenantScope,
  { blobId, partCount }: { blobId: BlobId; partCount: number },
  signal: AbortSignal,
): Promise<readonly AudioTrack[]> {
  let bytes = Buffer.alloc(0)
  for (let part = 1; part <= partCount && bytes.length < headBytesMax; part += 1)
    bytes = Buffer.concat([bytes, await readPart(parts.blobs, tenant, blobId, part)])
  if (hasIndexAfterSound(bytes)) throw new NotHeardLive('its index comes last')
  const input = { kind: 'stream', open: () => Readable.from([bytes], { objectMode: false }) } as const
  try {
    return (await probeRecording(parts.speech.decoder, input, signal)).tracks
  } catch (error) {
    if (!(error instanceof RecordingProblem)) throw error
    throw new NotHeardLive(error.code)
  }
}
