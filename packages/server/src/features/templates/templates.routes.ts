import {
  PageOf,
  PageQuery,
  TemplateHead,
  TemplateInput,
  TemplateRead,
  WritingPreferences,
  WritingPreferencesPatch,
} from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findClinician } from '../clinicians/index.js'
import { addTemplate, removeTemplate, auditIdOf } from './add-template.js'
import { findTemplate, listTemplates, type FoundTemplate } from './find-template.js'
import { changeWritingPreferences, readWritingPreferences } from './writing-preferences.js'

/** Our addition: templates of notes as data (docs/templates.md). */
export function registerTemplates(api: PartnerApi, parts: SealedParts): void {
  const { db, keys } = parts
  const load = (tenant: TenantScope, { templateId }: Record<'templateId', string>) =>
    findTemplate(db, tenant, templateId)
  const loadClinician = (tenant: TenantScope, { clinicianId }: Record<'clinicianId', string>) =>
    findClinician(db, tenant, clinicianId)
  const show = ({ head, template }: FoundTemplate): TemplateRead => ({ ...head, template })
  api.route({
    operation: 'template.list',
    method: 'GET',
    path: '/templates',
    summary: 'List the templates that notes can be written with',
    query: PageQuery,
    answer: {
      status: 200,
      schema: PageOf(TemplateHead),
      description: 'A page of templates: the eight built-in ones, then those that were added, oldest first',
    },
    audit: 'read',
    subjects: () => [],
    handle: ({ tenant, page }) => listTemplates(db, tenant, page),
  })
  api.route({
    operation: 'template.read',
    method: 'GET',
    path: '/templates/{templateId}',
    summary: 'Read a template with its file',
    load,
    answer: { status: 200, schema: TemplateRead, description: 'The newest version of the template' },
    audit: 'read',
    subjects: ({ head }) => [auditIdOf(head.id)],
    handle: async ({ loaded }) => show(loaded),
  })
  api.route({
    operation: 'template.add',
    method: 'POST',
    path: '/templates',
    summary: 'Add a template, or a new version of one',
    description:
      'For the whole tenant, one clinic or one clinician. A note keeps the version that it was written with. A new version stays whose it was, and the default that it was, unless it is named otherwise: `clinicId` null and nothing else makes it the whole tenant’s. The same version with the same content changes only whose it is.',
    body: TemplateInput,
    answer: { status: 201, schema: TemplateRead, description: 'The template' },
    rules: {
      400: 'Validation failed; what is wrong in the file is listed with its place in it, such as `template.sections: none holds “danger”; a note needs a place where danger is looked for`',
      409: '`There are 100 templates already: remove one first`, or 200 versions of this one',
    },
    audit: 'change',
    handle: async ({ tenant, body, actor, requestId }) => {
      const { template, ...place } = body
      await db.write(tenant, (tx) => addTemplate(tx, { actor, requestId }, template, place))
      const added = await findTemplate(db, tenant, template.id)
      if (added === null) throw refuse.notFound()
      return show(added)
    },
  })
  api.route({
    operation: 'template.remove',
    method: 'DELETE',
    path: '/templates/{templateId}',
    summary: 'No longer offer a template',
    description: 'Notes that were written with it keep it. What is built in stays.',
    load,
    answer: { status: 204, schema: null, description: 'It is no longer offered' },
    rules: { 409: '`A built-in template cannot be removed`' },
    audit: 'change',
    handle: async ({ tenant, loaded, actor, requestId }) => {
      if (loaded.head.scope === 'built_in')
        throw refuse.conflict('template_built_in', 'A built-in template cannot be removed')
      await db.write(tenant, (tx) => removeTemplate(tx, { actor, requestId }, loaded.head.id))
    },
  })
  api.route({
    operation: 'clinician.readWritingPreferences',
    method: 'GET',
    path: '/clinicians/{clinicianId}/writing-preferences',
    summary: 'Read what a clinician wants of their notes',
    load: loadClinician,
    answer: { status: 200, schema: WritingPreferences, description: 'Their preferences' },
    audit: 'read',
    handle: async ({ tenant, loaded }) =>
      readWritingPreferences(db, await keys.get(tenant), loaded.clinicianId),
  })
  api.route({
    operation: 'clinician.changeWritingPreferences',
    method: 'PATCH',
    path: '/clinicians/{clinicianId}/writing-preferences',
    summary: 'Change what a clinician wants of their notes',
    description:
      'Length, sections that are not written, and phrases that are refused: for the next notes, over whatever template they are written with.',
    load: loadClinician,
    body: WritingPreferencesPatch,
    answer: { status: 200, schema: WritingPreferences, description: 'Their preferences' },
    audit: 'change',
    handle: async ({ tenant, loaded, body, actor, requestId }) => {
      const context = await openChange(parts, tenant, { actor, requestId })
      return db.write(tenant, (tx) => changeWritingPreferences(tx, context, loaded.clinicianId, body))
    },
  })
}
