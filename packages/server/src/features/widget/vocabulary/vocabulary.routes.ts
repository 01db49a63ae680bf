import { Vocabulary, VocabularyAddition, VocabularyRemoval } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import { addTerm, readVocabulary, removeTerm } from '../../vocabulary/index.js'

/** How names and medicines are written, for the clinician and for their clinic. */
export function registerVocabulary(api: WidgetApi, parts: SealedParts): void {
  const { db, keys } = parts
  const answer = { status: 200, schema: Vocabulary } as const
  const read = async ({ tenant, clinicianId }: WidgetCaller): Promise<Vocabulary> =>
    readVocabulary(db, await keys.get(tenant), clinicianId)
  api.route({
    operation: 'widget.readVocabulary',
    method: 'GET',
    path: '/vocabulary',
    answer,
    audit: 'read',
    handle: ({ caller }) => read(caller),
  })
  api.route({
    operation: 'widget.addTerm',
    method: 'POST',
    path: '/vocabulary',
    body: VocabularyAddition,
    answer,
    audit: 'change',
    handle: async ({ caller, body, actor, requestId }) => {
      const context = await openChange(parts, caller.tenant, { actor, requestId })
      await db.write(caller.tenant, (tx) => addTerm(tx, context, caller.clinicianId, body))
      return read(caller)
    },
  })
  api.route({
    operation: 'widget.removeTerm',
    method: 'POST',
    path: '/vocabulary/remove',
    body: VocabularyRemoval,
    answer,
    audit: 'change',
    handle: async ({ caller, body, actor, requestId }) => {
      const context = await openChange(parts, caller.tenant, { actor, requestId })
      await db.write(caller.tenant, (tx) => removeTerm(tx, context, caller.clinicianId, body.termId))
      return read(caller)
    },
  })
}
