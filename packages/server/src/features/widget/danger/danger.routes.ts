import { ClosedDanger, DangerClosing, DangerSeen, OpenDanger } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import {
  closeDanger,
  listDangerOfNote,
  listEndedDangerOfClient,
  listOpenDanger,
  listOpenDangerOfClient,
  seeDanger,
} from '../../danger/index.js'
import { isWritten, toDangerNote, type NotesParts } from '../../progress-notes/index.js'
import { findClientInCare, findTreatedClient } from '../clients/treated-clients.js'
import { findTreatedNote } from '../sessions/read-widget-sessions.js'
import { readReason } from './read-reason.js'

/** What is open about danger: of all clients, of one, and beside a note. */
export function registerDanger(api: WidgetApi, parts: NotesParts): void {
  registerLists(api, parts)
  registerChanges(api, parts)
}

const makeLoad =
  ({ db }: NotesParts) =>
  (caller: WidgetCaller, { clientId }: Record<'clientId', string>) =>
    findClientInCare(db, caller, clientId)

const clientsOf = (_loaded: unknown, { items }: OpenDanger): string[] => items.map(({ client }) => client.id)

function registerLists(api: WidgetApi, parts: NotesParts): void {
  const { db, keys } = parts
  const load = makeLoad(parts)
  api.route({
    operation: 'widget.listDanger',
    method: 'GET',
    path: '/danger',
    answer: { status: 200, schema: OpenDanger },
    audit: 'read',
    subjects: clientsOf,
    handle: async ({ caller }) => listOpenDanger(db, await keys.get(caller.tenant), caller.clinicianId),
  })
  api.route({
    operation: 'widget.listDangerOfClient',
    method: 'GET',
    path: '/clients/{clientId}/danger',
    load,
    answer: { status: 200, schema: OpenDanger },
    audit: 'read',
    handle: async ({ caller, loaded: { clientId } }) =>
      listOpenDangerOfClient(db, await keys.get(caller.tenant), {
        clientId,
        clinicianId: caller.clinicianId,
      }),
  })
  api.route({
    operation: 'widget.listClosedDanger',
    method: 'GET',
    path: '/clients/{clientId}/danger/closed',
    // A supervisor answers for what is open, not for what others closed.
    load: (caller, { clientId }) => findTreatedClient(db, caller, clientId),
    answer: { status: 200, schema: ClosedDanger },
    audit: 'read',
    handle: async ({ caller, loaded: { clientId } }) =>
      listEndedDangerOfClient(db, await keys.get(caller.tenant), {
        clientId,
        clinicianId: caller.clinicianId,
      }),
  })
  api.route({
    operation: 'widget.listDangerOfNote',
    method: 'GET',
    path: '/sessions/{sessionId}/danger',
    load: (caller, { sessionId }) => findTreatedNote(db, caller, sessionId),
    answer: { status: 200, schema: OpenDanger },
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: async ({ caller, loaded }) => {
      const ring = await keys.get(caller.tenant)
      return listDangerOfNote(parts, ring, {
        note: toDangerNote(ring, loaded),
        clinicianId: caller.clinicianId,
        isWritten: isWritten(loaded),
        // Who co-signed reads the session from then on, and what is open of the client is no longer theirs to answer for.
        isOpenShown:
          loaded.status !== 'finalized' || (await findTreatedClient(db, caller, loaded.clientId)) !== null,
      })
    },
  })
}

function registerChanges(api: WidgetApi, parts: NotesParts): void {
  const { db, keys } = parts
  const load = makeLoad(parts)
  api.route({
    operation: 'widget.seeDanger',
    method: 'POST',
    path: '/clients/{clientId}/danger/seen',
    load,
    body: DangerSeen,
    answer: { status: 204, schema: null },
    audit: 'change',
    handle: ({ caller: { tenant, clinicianId }, loaded: { clientId }, body, actor, requestId }) =>
      db.write(tenant, (tx) => seeDanger(tx, { clientId, clinicianId, ...body }, { actor, requestId })),
  })
  api.route({
    operation: 'widget.closeDanger',
    method: 'POST',
    path: '/clients/{clientId}/danger/close',
    load,
    body: DangerClosing,
    answer: { status: 204, schema: null },
    audit: 'change',
    handle: async ({ caller: { tenant, clinicianId }, loaded: { clientId }, body, actor, requestId }) => {
      const ring = await keys.get(tenant)
      const closing = { clientId, clinicianId, ...body, reason: readReason('reason', body.reason) }
      await db.write(tenant, (tx) => closeDanger(tx, ring, closing, { actor, requestId }))
    },
  })
}
