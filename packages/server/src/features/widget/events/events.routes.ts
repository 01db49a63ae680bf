import type { WidgetApi } from '../../../http/widget-api.js'
import type { ReadAudit } from '../../../kernel/audit/index.js'
import { describeWidgetSession } from '../sessions/describe-widget-session.js'
import { findTreatedSession } from '../sessions/read-widget-sessions.js'
import { SessionStreams, type StreamParts } from './session-streams.js'

export interface EventParts extends StreamParts {
  reads: ReadAudit
}

/** Returns what must be closed with the process. */
export function registerEvents(api: WidgetApi, parts: EventParts): SessionStreams {
  const { db, keys, reads } = parts
  const streams = new SessionStreams(parts)
  api.raw({
    operation: 'widget.watchSession',
    method: 'GET',
    path: '/sessions/{sessionId}/events',
    load: (caller, { sessionId }) => findTreatedSession(db, caller, sessionId),
    respond: async ({ caller, loaded, actor, requestId, signal }, _request, reply) => {
      const { sessionId, clientId } = loaded.row
      // Once for the stream: all that follows on it is about the same session.
      const subjects = [sessionId, clientId]
      await reads.record(caller.tenant, { operation: 'widget.watchSession', actor, requestId, subjects })
      const session = describeWidgetSession(await keys.get(caller.tenant), loaded.row, loaded.note)
      return (
        reply
          .type('text/event-stream; charset=utf-8')
          .header('x-accel-buffering', 'no')
          // Ended by us, the connection must not idle on: a process that stops would wait for the browser to close it.
          .header('connection', 'close')
          .send(streams.open(caller, session, signal))
      )
    },
  })
  return streams
}
