import { CorrectedItems, Transcript, WordCorrection } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import { withGaps } from '../../session-gaps/index.js'
import { correctWords, listCorrectedItems } from '../../transcripts/index.js'
import { findSessionToCorrect, findTreatedSession } from './read-widget-sessions.js'

/** What clinicians put right in the words of a transcript. */
export function registerWordCorrections(api: WidgetApi, parts: SealedParts): void {
  const { db, keys } = parts
  const load = (caller: WidgetCaller, { sessionId }: Record<'sessionId', string>) =>
    findTreatedSession(db, caller, sessionId)
  api.route({
    operation: 'widget.listCorrectedItems',
    method: 'GET',
    path: '/sessions/{sessionId}/transcript/corrections',
    load,
    answer: { status: 200, schema: CorrectedItems },
    audit: 'read',
    subjects: ({ row }) => [row.clientId],
    handle: async ({ caller, loaded }) => ({
      items: await listCorrectedItems(db, await keys.get(caller.tenant), loaded.row.sessionId),
    }),
  })
  api.route({
    operation: 'widget.correctWords',
    method: 'POST',
    path: '/sessions/{sessionId}/transcript/corrections',
    load: (caller, { sessionId }) => findSessionToCorrect(db, caller, sessionId),
    body: WordCorrection,
    answer: { status: 200, schema: Transcript },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      const { sessionId } = loaded.row
      const { clinicianId } = caller
      const corrected = await db.write(caller.tenant, (tx) =>
        correctWords(tx, context, { sessionId, clinicianId }, body),
      )
      return withGaps(db, caller.tenant, corrected)
    },
  })
}
