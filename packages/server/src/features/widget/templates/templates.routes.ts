import { WidgetTemplates, WritingPreferences, WritingPreferencesPatch } from '@casenote/contract'
import { isAlwaysWritten } from '../../../engines/writer/templates/apply-preferences.js'
import type { WidgetApi } from '../../../http/widget-api.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import { changeWritingPreferences, listTemplatesOf, readWritingPreferences } from '../../templates/index.js'

/** What a clinician can write with, and what they want of every note. */
export function registerTemplates(api: WidgetApi, parts: SealedParts): void {
  const { db, keys } = parts
  api.route({
    operation: 'widget.listTemplates',
    method: 'GET',
    path: '/templates',
    answer: { status: 200, schema: WidgetTemplates },
    audit: 'read',
    handle: async ({ caller: { tenant, clinicianId } }): Promise<WidgetTemplates> => {
      const found = await listTemplatesOf(db, tenant, clinicianId)
      const preferences = await readWritingPreferences(db, await keys.get(tenant), clinicianId)
      const templates = found.map(({ head, sections }) => ({
        ...head,
        sections: sections.map((section) => ({
          key: section.key,
          title: section.title,
          isAlwaysWritten: isAlwaysWritten(section),
        })),
      }))
      return { templates, preferences }
    },
  })
  api.route({
    operation: 'widget.changeWritingPreferences',
    method: 'POST',
    path: '/writing-preferences',
    body: WritingPreferencesPatch,
    answer: { status: 200, schema: WritingPreferences },
    audit: 'change',
    handle: async ({ caller, body, actor, requestId }) => {
      const context = await openChange(parts, caller.tenant, { actor, requestId })
      return db.write(caller.tenant, (tx) => changeWritingPreferences(tx, context, caller.clinicianId, body))
    },
  })
}
