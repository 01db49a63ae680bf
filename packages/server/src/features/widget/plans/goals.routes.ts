import { WidgetGoals } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { SealedParts } from '../../../kernel/change-context.js'
import { findNoteOfSession, readGoals } from '../../progress-notes/index.js'
import { findTreatedSession } from '../sessions/read-widget-sessions.js'

/** What a note says about each goal, with the goal as it was worded when the note was written. */
export function registerGoals(api: WidgetApi, { db, keys }: SealedParts): void {
  api.route({
    operation: 'widget.readGoals',
    method: 'GET',
    path: '/sessions/{sessionId}/goals',
    load: (caller, { sessionId }) => findTreatedSession(db, caller, sessionId),
    answer: { status: 200, schema: WidgetGoals },
    audit: 'read',
    subjects: ({ row }) => [row.clientId],
    handle: async ({ caller, loaded }) => {
      const note = await findNoteOfSession(db, caller.tenant, loaded.row.sessionId)
      const goals = note === null ? [] : readGoals(await keys.get(caller.tenant), note)
      return {
        goals: goals.map(({ goalId, treatmentPlanId, text, sentences }) => ({
          goalId,
          treatmentPlanId,
          text,
          sentences,
        })),
      }
    },
  })
}
