import type { LiveLine, LiveLines } from '@casenote/contract'
import type { FastifyRequest } from 'fastify'
import { queryOf } from '../../../http/route-machine.js'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { ReadAudit } from '../../../kernel/audit/index.js'
import type { Clock } from '../../../kernel/clock.js'
import { refuse } from '../../../kernel/refuse.js'
import { findLive } from '../../live-transcripts/index.js'
import { readHeardChunks } from '../../transcripts/index.js'
import type { ReadParts } from '../sessions/read-widget-sessions.js'
import { describeLive } from './describe-live.js'
import { findRecordedSession } from './recordings.routes.js'

export interface LiveParts extends ReadParts {
  reads: ReadAudit
  clock: Clock
}

/** A quarter of an hour of talk. */
const chunksMost = 15

/** Three hours have some 220 chunks. */
const afterMax = 10_000

/** Who watches asks every few seconds: one entry stands for so long of it. */
const entryGoodForMs = 300_000
const entriesMax = 10_000

/** What is heard while a clinician records. Of theirs alone: whoever else treats the client reads the transcript. */
export function registerLiveLines(api: WidgetApi, parts: LiveParts): void {
  const { db, keys, reads, clock } = parts
  const recorded = new Map<string, number>()
  api.raw({
    operation: 'widget.watchLines',
    method: 'GET',
    path: '/sessions/{sessionId}/live-lines',
    load: (caller, { sessionId }) => findRecordedSession(parts, caller, sessionId),
    respond: async ({ caller, loaded, actor, requestId, signal }, request, reply) => {
      const from = readAfter(request)
      const { sessionId, clientId } = loaded.row
      const ring = await keys.get(caller.tenant)
      const live = await findLive(db, ring, sessionId)
      const chunks =
        live === null ? [] : await readHeardChunks(db, ring, { sessionId, from, most: chunksMost })
      const watched = `${caller.widgetSessionId} ${sessionId}`
      if ((recorded.get(watched) ?? -Infinity) < clock.nowMs() - entryGoodForMs) {
        const subjects = [sessionId, clientId]
        await reads.record(caller.tenant, { operation: 'widget.watchLines', actor, requestId, subjects })
        if (recorded.size >= entriesMax) recorded.clear()
        recorded.set(watched, clock.nowMs())
      }
      signal.throwIfAborted()
      return reply.send({
        state: describeLive(live),
        lines: chunks.flatMap((clips) => clips.map(toLine)).toSorted(byTime),
        draft: (live?.draft ?? []).map(toLine),
        after: from + chunks.length,
        hasMore: chunks.length === chunksMost,
      } satisfies LiveLines)
    },
  })
}

const toLine = ({ startSeconds, text }: { startSeconds: number; text: string }): LiveLine => ({
  startTime: Math.floor(startSeconds * 100) / 100,
  text,
})

const byTime = (one: LiveLine, other: LiveLine): number => one.startTime - other.startTime

function readAfter(request: FastifyRequest): number {
  const { after = '0' } = queryOf(request)
  const given = typeof after === 'string' && /^\d{1,5}$/.test(after) ? Number(after) : Number.NaN
  if (!(given <= afterMax)) throw refuse.invalid([`after must be a whole number up to ${afterMax}`])
  return given
}
