import { WidgetSession, WidgetSessionText } from '@casenote/contract'
import type { WidgetApi, WidgetCaller } from '../../../http/widget-api.js'
import type { ChangeSource } from '../../../kernel/audit/index.js'
import { openChange } from '../../../kernel/change-context.js'
import { readPreferences, type NoteRow } from '../../progress-notes/index.js'
import { findText, tryAgain, writeAnyway } from '../../sessions/index.js'
import { holdLines } from '../../transcripts/index.js'
import { moveUploads } from '../recordings/uploads.sql.js'
import type { CorrectionParts } from './correct-client.routes.js'
import { findOwnNote, getWidgetSession } from './read-widget-sessions.js'

/** Ways out of a session that failed: once more, on the clinician's word for it, or from what they had typed. */
export function registerRetries(api: WidgetApi, parts: CorrectionParts): void {
  const { db, keys } = parts
  const load = (caller: WidgetCaller, { sessionId }: Record<string, string>) =>
    findOwnNote(db, caller, sessionId ?? '')
  api.route({
    operation: 'widget.writeAnyway',
    method: 'POST',
    path: '/sessions/{sessionId}/write-anyway',
    load,
    answer: { status: 200, schema: WidgetSession },
    audit: 'change',
    handle: ({ caller, loaded, ...source }) => retry(parts, { caller, note: loaded, source }, writeAnyway),
  })
  api.route({
    operation: 'widget.tryAgain',
    method: 'POST',
    path: '/sessions/{sessionId}/try-again',
    load,
    answer: { status: 200, schema: WidgetSession },
    audit: 'change',
    handle: ({ caller, loaded, ...source }) => retry(parts, { caller, note: loaded, source }, tryAgain),
  })
  api.route({
    operation: 'widget.readText',
    method: 'GET',
    path: '/sessions/{sessionId}/text',
    load,
    answer: { status: 200, schema: WidgetSessionText },
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: async ({ caller, loaded }) => ({
      text: await findText(db, await keys.get(caller.tenant), loaded.sessionId),
    }),
  })
}

async function retry(
  parts: CorrectionParts,
  { caller, note, source }: { caller: WidgetCaller; note: NoteRow; source: ChangeSource },
  make: typeof tryAgain,
): Promise<WidgetSession> {
  const context = await openChange(parts, caller.tenant, source)
  const { keepDays } = parts.blobs
  const { sessionId } = note
  const againId = await parts.db.write(caller.tenant, (tx) =>
    make(tx, context, {
      sessionId,
      preferences: note.sealedPreferences === null ? null : readPreferences(context.ring, note),
      keepDays,
      findLines: (within) => holdLines(within, context.ring, sessionId),
      moveSegments: async (within, from, to) =>
        (await within.run(moveUploads(within.tenant, { from, to, keepDays }))).length,
    }),
  )
  return getWidgetSession(parts, caller, againId)
}
