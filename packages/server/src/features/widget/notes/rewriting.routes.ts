import { OpenRewriting, RewritingKept } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { openChange } from '../../../kernel/change-context.js'
import { findRewriting, keepRewriting, type NoteRow, type NotesParts } from '../../progress-notes/index.js'
import { findTreatedNote, requireReadable } from '../sessions/read-widget-sessions.js'

/** What a magic edit changed, until the clinician says that it stays. The way back is a restored version. */
export function registerRewriting(api: WidgetApi, parts: NotesParts): void {
  const { db, keys } = parts
  const load = (caller: WidgetCaller, { sessionId }: Record<'sessionId', string>): Promise<NoteRow | null> =>
    findTreatedNote(db, caller, sessionId)
  api.route({
    operation: 'widget.readRewriting',
    method: 'GET',
    path: '/sessions/{sessionId}/progress-note/rewriting',
    load,
    answer: { status: 200, schema: OpenRewriting },
    audit: 'read',
    subjects: ({ progressNoteId, clientId }) => [progressNoteId, clientId],
    handle: async ({ caller, loaded }) => {
      const ring = await keys.get(caller.tenant)
      const talk = await parts.findTalk(ring, loaded.sessionId)
      return { rewriting: await findRewriting(parts, ring, loaded, talk) }
    },
  })
  api.route({
    operation: 'widget.keepRewriting',
    method: 'POST',
    path: '/sessions/{sessionId}/progress-note/rewriting/keep',
    load,
    body: RewritingKept,
    answer: { status: 204, schema: null },
    audit: 'change',
    handle: async ({ caller, loaded, body, actor, requestId }) => {
      const context = await openChange(parts, caller.tenant, { actor, requestId })
      await db.write(caller.tenant, async (tx) => {
        await keepRewriting(tx, context, loaded.noteId, body)
        await requireReadable(tx, caller, loaded)
      })
    },
  })
}
