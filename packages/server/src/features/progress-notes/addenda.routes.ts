import { Addendum, AddendumRequest, PageOf, pageOf, PageQuery, skippedBefore } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { addAddendum, readAddenda } from './add-addendum.js'
import { findNote } from './get-note.js'
import type { NoteRow } from './progress-notes.sql.js'

/** Our addition: what a finalized note is added to. */
export function registerAddenda(api: PartnerApi, parts: SealedParts): void {
  const { db, keys } = parts
  const path = '/progress-notes/{progressNoteId}/addenda'
  const load = (
    tenant: TenantScope,
    { progressNoteId }: Record<'progressNoteId', string>,
  ): Promise<NoteRow | null> => findNote(db, tenant, progressNoteId)
  api.route({
    operation: 'progressNote.addAddendum',
    method: 'POST',
    path,
    summary: 'Add to a finalized progress note',
    load,
    body: AddendumRequest,
    answer: {
      status: 201,
      schema: Addendum,
      description: 'The addendum; the note’s text stays as it is, no event',
    },
    rules: {
      409: '`Progress note is not finalized`; it has as many addenda as it takes; or an addendum with this `id` says something else',
    },
    audit: 'change',
    handle: async ({ tenant, loaded, body, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const { addendum } = await db.write(tenant, (tx) => addAddendum(tx, context, loaded.noteId, body))
      return addendum
    },
  })
  api.route({
    operation: 'progressNote.listAddenda',
    method: 'GET',
    path,
    summary: 'List the addenda of a progress note',
    load,
    query: PageQuery,
    answer: { status: 200, schema: PageOf(Addendum), description: 'A page of addenda, oldest first' },
    audit: 'read',
    subjects: ({ sessionId, clientId }) => [sessionId, clientId],
    handle: async ({ tenant, loaded, page }) => {
      const start = skippedBefore(page)
      const shown = loaded.addenda.slice(start, start + page.size)
      return pageOf(readAddenda(await keys.get(tenant), loaded.noteId, shown), loaded.addendaCount, page)
    },
  })
}
