import { ClientCorrection, CorrectedClient, NoteCopy, WithdrawnSession } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import { recordChange } from '../../../kernel/audit/index.js'
import type { BlobParts } from '../../../kernel/blobs/index.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import { refuse } from '../../../kernel/refuse.js'
import { requireConsent } from '../../consents/index.js'
import { moveItems } from '../../danger/index.js'
import { forgetWithdrawn } from '../../erasure/index.js'
import { correctClient } from '../../sessions/index.js'
import { describeWithdrawn, recordCopy } from './note-copies.js'
import { findOwnNote, findTreatedNote, findTreatedSession, getWidgetSession } from './read-widget-sessions.js'
import { retryPartsOf } from './retry-parts.js'

export interface CorrectionParts extends SealedParts {
  blobs: Pick<BlobParts, 'keepDays'>
}

/** What keeps a note in the right chart: what was copied is known, and a recording under the wrong client is put right. */
export function registerCorrections(api: WidgetApi, parts: CorrectionParts): void {
  const { db } = parts
  api.route({
    operation: 'widget.copyNote',
    method: 'POST',
    path: '/sessions/{sessionId}/progress-note/copies',
    load: (caller, { sessionId }) => findTreatedNote(db, caller, sessionId),
    body: NoteCopy,
    answer: { status: 204, schema: null },
    audit: 'change',
    handle: async ({ caller, loaded, body, actor, requestId }) => {
      const { clinicianId } = caller
      await db.write(caller.tenant, async (tx) => {
        const chartClientId = await recordCopy(tx, loaded, { clinicianId, ...body })
        const { progressNoteId, sessionId, clientId } = loaded
        const chart = chartClientId === null || chartClientId === clientId ? [] : [chartClientId]
        const subjects = [progressNoteId, sessionId, clientId, ...chart]
        await recordChange(tx, { operation: 'widget.copyNote', actor, requestId, subjects })
      })
    },
  })
  api.route({
    operation: 'widget.printNote',
    method: 'POST',
    path: '/sessions/{sessionId}/progress-note/prints',
    load: (caller, { sessionId }) => findTreatedNote(db, caller, sessionId),
    answer: { status: 204, schema: null },
    audit: 'change',
    handle: async ({ caller, loaded: { progressNoteId, sessionId, clientId }, actor, requestId }) => {
      const subjects = [progressNoteId, sessionId, clientId]
      await db.write(caller.tenant, (tx) =>
        recordChange(tx, { operation: 'widget.printNote', actor, requestId, subjects }),
      )
    },
  })
  api.route({
    operation: 'widget.correctClient',
    method: 'POST',
    path: '/sessions/{sessionId}/correct-client',
    load: (caller, { sessionId }) => findOwnNote(db, caller, sessionId),
    body: ClientCorrection,
    answer: { status: 200, schema: CorrectedClient },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      const { sessionId: wrongId } = loaded
      const { clientId, sessionExternalId = null } = body
      const rightId = await db.write(caller.tenant, async (tx) => {
        const correctedId = await correctClient(tx, context, {
          ...retryPartsOf(context.ring, { sessionId: wrongId, note: loaded, keepDays: parts.blobs.keepDays }),
          clientId,
          sessionExternalId,
          requireConsent: (within) => requireConsent(within, clientId),
          forgetArtifacts: (within) =>
            forgetWithdrawn(within, { sessionId: wrongId, clientId: loaded.clientId }),
        })
        await tx.run(moveItems(tx.tenant, { from: wrongId, to: { sessionId: correctedId, clientId } }))
        return correctedId
      })
      const session = await getWidgetSession(parts, caller, rightId)
      return { session, withdrawn: await describeWithdrawn(db, caller.tenant, loaded) }
    },
  })
  api.route({
    operation: 'widget.readWithdrawn',
    method: 'GET',
    path: '/sessions/{sessionId}/withdrawn',
    load: (caller, { sessionId }) => findOwnNote(db, caller, sessionId),
    answer: { status: 200, schema: WithdrawnSession },
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: async ({ caller, loaded }) => {
      const { row } = (await findTreatedSession(db, caller, loaded.sessionId)) ?? {}
      if (row?.failureCode !== 'withdrawn') throw refuse.notFound()
      const session = row.correctedBy === null ? null : await getWidgetSession(parts, caller, row.correctedBy)
      return { session, withdrawn: await describeWithdrawn(db, caller.tenant, loaded) }
    },
  })
}
