import { SessionPad } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import type { SessionId } from '../../../kernel/ids.js'
import { refuse } from '../../../kernel/refuse.js'
import { keepPad, readPad } from '../../session-pads/index.js'
import { getLockedRecordedSession } from '../recordings/end-recording.js'
import { findTreatedSession, type TreatedSession } from './read-widget-sessions.js'

/** What the clinician jots down and marks while a session is recorded (decision 0026). */
export function registerPads(api: WidgetApi, parts: SealedParts): void {
  const { db, keys } = parts
  api.route({
    operation: 'widget.keepPad',
    method: 'POST',
    path: '/sessions/{sessionId}/pad',
    load: (caller, { sessionId }) => findOwnSession(parts, caller, sessionId),
    body: SessionPad,
    answer: { status: 204, schema: null },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      const { sessionId, clientId } = loaded.row
      await db.write(caller.tenant, async (tx) => {
        const { status } = await getLockedRecordedSession(tx, sessionId)
        // From there on a writer may have read it.
        if (status !== 'awaiting_audio')
          throw refuse.conflict('recording_complete', 'The recording is complete already, or was given up')
        await keepPad(tx, context, { sessionId, clientId, pad: body })
      })
    },
  })
  api.route({
    operation: 'widget.readPad',
    method: 'GET',
    path: '/sessions/{sessionId}/pad',
    load: (caller, { sessionId }) => findTreatedSession(db, caller, sessionId),
    answer: { status: 200, schema: SessionPad },
    audit: 'read',
    subjects: ({ row }) => [row.clientId],
    handle: async ({ caller, loaded }) =>
      readPad(db, caller.tenant, await keys.get(caller.tenant), loaded.row.sessionId),
  })
}

/** Whoever treats the client may read it; only whose session it is writes it. */
async function findOwnSession(
  { db }: SealedParts,
  caller: WidgetCaller,
  sessionId: SessionId,
): Promise<TreatedSession | null> {
  const found = await findTreatedSession(db, caller, sessionId)
  return found?.note.clinicianId === caller.clinicianId ? found : null
}
