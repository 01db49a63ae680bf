import { NoteReturn, PageOf, pageOfTen, PageQuery, ProgressNote, WidgetSession } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import { openChange } from '../../../kernel/change-context.js'
import { returnNote, showNote, type NotesParts } from '../../progress-notes/index.js'
import { findTreatedNote, listWaitingSessions } from '../sessions/read-widget-sessions.js'

/** For supervisors: what waits for their signature, and giving it back. They sign as everybody does. */
export function registerReturns(api: WidgetApi, parts: NotesParts): void {
  const { db } = parts
  api.route({
    operation: 'widget.listCoSignatures',
    method: 'GET',
    path: '/co-signatures',
    query: PageQuery,
    answer: { status: 200, schema: PageOf(WidgetSession) },
    audit: 'read',
    subjects: (_loaded, result) => result.data.flatMap(({ sessionId, client }) => [sessionId, client.id]),
    handle: ({ caller, query }) => listWaitingSessions(parts, caller, pageOfTen(query.page)),
  })
  api.route({
    operation: 'widget.returnNote',
    method: 'POST',
    path: '/sessions/{sessionId}/progress-note/return',
    load: (caller, { sessionId }) => findTreatedNote(db, caller, sessionId),
    body: NoteReturn,
    answer: { status: 200, schema: ProgressNote },
    audit: 'change',
    handle: async ({ caller: { tenant, clinicianId }, loaded, body, ...source }) => {
      const context = await openChange(parts, tenant, source)
      const { reason } = body
      const row = await db.write(tenant, (tx) =>
        returnNote(tx, context, loaded.noteId, { clinicianId, reason }),
      )
      return showNote(context.ring, row)
    },
  })
}
