import type { FastifyReply, FastifyRequest } from 'fastify'
import { cutClip } from '../../../engines/speech/audio/cut-clip.js'
import type { Decoder } from '../../../engines/speech/audio/decoder/decoder.js'
import { recordingSecondsMax, RecordingProblem } from '../../../engines/speech/recording-problem.js'
import { queryOf } from '../../../http/route-machine.js'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { ReadAudit } from '../../../kernel/audit/index.js'
import { openManifest, type BlobParts } from '../../../kernel/blobs/index.js'
import type { Database } from '../../../kernel/db/database.js'
import { Places } from '../../../kernel/places.js'
import { refuse } from '../../../kernel/refuse.js'
import { findTreatedSession } from '../sessions/read-widget-sessions.js'
import { takePlace } from '../take-place.js'

export interface AudioParts {
  db: Database
  reads: ReadAudit
  blobs: BlobParts
  decoder: Decoder
  scratchFolder: string
  closing: AbortSignal
}

/** A decoder each, of low priority: more would only take turns on the cores. */
const clipsMost = 8

/** Who skips through a recording leaves clips behind that are not cut any more; nobody hears more than one. */
const ofClinicianMost = 3

const clipSecondsMax = 60

/** A file that must be read from its start takes some 5 s for the last seconds of three hours; beyond this one was made to be slow. */
const clipTimeoutMs = 20_000

export function registerAudio(api: WidgetApi, parts: AudioParts): void {
  const { db, reads, blobs, decoder, scratchFolder } = parts
  const cutting = new Places(clipsMost, ofClinicianMost)
  api.raw({
    operation: 'widget.playAudio',
    method: 'GET',
    path: '/sessions/{sessionId}/audio',
    load: (caller, { sessionId }) => findTreatedSession(db, caller, sessionId),
    respond: async ({ caller, loaded, actor, requestId, signal: cutOff }, request, reply) => {
      const span = readSpan(request)
      const { sessionId, clientId, audioBlobId, hasAudio } = loaded.row
      if (audioBlobId === null || !hasAudio) throw refuse.notReady('The recording is not available')
      const release = takePlace(cutting, caller, 'recordings are played')
      try {
        const audio = await openManifest(blobs, caller.tenant, audioBlobId)
        const timeout = AbortSignal.timeout(clipTimeoutMs)
        const signal = AbortSignal.any([endOf(reply), cutOff, parts.closing, timeout])
        const clip = await cutClip({ audio, decoder, scratchFolder, ...span, signal })
        cutOff.throwIfAborted()
        if (clip === null) throw refuse.rule('clip_out_of_range', 'from lies behind the end of the recording')
        const subjects = [sessionId, clientId]
        await reads.record(caller.tenant, { operation: 'widget.playAudio', actor, requestId, subjects })
        return await reply.type('audio/wav').send(clip)
      } catch (error) {
        if (error instanceof RecordingProblem) throw refuse.conflict('recording_unreadable', error.message)
        if (error instanceof Error && error.name === 'TimeoutError')
          throw refuse.busy('busy', 'The recording took too long to read')
        if (error instanceof Error && error.name === 'AbortError')
          throw refuse.busy('busy', 'The recording was not read to its end')
        throw error
      } finally {
        release()
      }
    },
  })
}

/** Whoever asked has gone: nothing is decoded for nobody. Not of the connection, which may ask for a thousand of them. */
function endOf({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => gone.abort())
  return gone.signal
}

function readSpan(request: FastifyRequest): { fromSeconds: number; seconds: number } {
  const { from = '0', seconds = String(clipSecondsMax) } = queryOf(request)
  const span = { fromSeconds: readSeconds(from), seconds: readSeconds(seconds) }
  const problems = [
    ...(span.fromSeconds <= recordingSecondsMax ? [] : ['from must be a number of seconds']),
    ...(span.seconds > 0 && span.seconds <= clipSecondsMax
      ? []
      : [`seconds must be more than 0 and at most ${clipSecondsMax}`]),
  ]
  if (problems.length > 0) throw refuse.invalid(problems)
  return span
}

const readSeconds = (given: unknown): number =>
  typeof given === 'string' && /^\d{1,6}(?:\.\d{1,6})?$/.test(given) ? Number(given) : Number.NaN
