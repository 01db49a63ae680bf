import { WidgetService } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import type { SessionId } from '../../../kernel/ids.js'
import { refuse } from '../../../kernel/refuse.js'
import type { TenantKeyRing } from '../../../kernel/secrets/tenant-keys.js'
import { changeSessionContext, findContext } from '../../sessions/index.js'
import { findOwnNote } from './read-widget-sessions.js'

/** Code and times of a session, where they do not fit each other: its clinician knows which of them is wrong. */
export function registerServices(api: WidgetApi, parts: SealedParts): void {
  const { db, keys } = parts
  const load = (caller: WidgetCaller, { sessionId }: { sessionId: SessionId }) =>
    findOwnNote(db, caller, sessionId)
  const read = async (ring: TenantKeyRing, sessionId: SessionId): Promise<WidgetService> => {
    const { serviceCode, startedAt, endedAt } = (await findContext(db, ring, sessionId)).context
    return { serviceCode, startedAt, endedAt }
  }
  api.route({
    operation: 'widget.readService',
    method: 'GET',
    path: '/sessions/{sessionId}/service',
    load,
    answer: { status: 200, schema: WidgetService },
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: async ({ caller, loaded }) => read(await keys.get(caller.tenant), loaded.sessionId),
  })
  api.route({
    operation: 'widget.correctService',
    method: 'PATCH',
    path: '/sessions/{sessionId}/service',
    load,
    body: WidgetService,
    answer: { status: 200, schema: WidgetService },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const { sessionId, clientId, status, signerId } = loaded
      // A signature was given on checks of what stands here. No lock: none of it is in the note.
      if (status === 'finalized' || signerId !== null)
        throw refuse.forbidden('note_finalized', 'Progress note is locked')
      const change = await openChange(parts, caller.tenant, source)
      await db.write(caller.tenant, (tx) =>
        changeSessionContext(tx, change, { sessionId, clientId, given: body }),
      )
      return read(change.ring, sessionId)
    },
  })
}
