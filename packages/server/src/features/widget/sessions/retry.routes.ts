import { WidgetSession, WidgetSessionText } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import type { ChangeSource } from '../../../kernel/audit/index.js'
import { openChange } from '../../../kernel/change-context.js'
import { refuse, Refusal } from '../../../kernel/refuse.js'
import type { NoteRow } from '../../progress-notes/index.js'
import { findText, tryAgain, writeAnyway } from '../../sessions/index.js'
import type { CorrectionParts } from './correct-client.routes.js'
import { findOwnNote, getWidgetSession } from './read-widget-sessions.js'
import { retryPartsOf } from './retry-parts.js'

/** Ways out of a session that failed: once more, on the clinician's word for it, or from what they had typed. */
export function registerRetries(api: WidgetApi, parts: CorrectionParts): void {
  const { db, keys } = parts
  const load = (caller: WidgetCaller, { sessionId }: Record<'sessionId', string>) =>
    findOwnNote(db, caller, sessionId)
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
  const retried = { sessionId: note.sessionId, note, keepDays: parts.blobs.keepDays }
  const againId = await parts.db
    .write(caller.tenant, (tx) => make(tx, context, retryPartsOf(context.ring, retried)))
    .catch(rewordTaken)
  return getWidgetSession(parts, caller, againId)
}

/** Whose id it is that another session has, a partner can put right and a clinician cannot. */
function rewordTaken(error: unknown): never {
  if (error instanceof Refusal && error.code === 'external_id_taken')
    throw refuse.conflict('external_id_taken', 'The session cannot be tried again')
  throw error
}
