import { randomUUID } from 'node:crypto'
import {
  NOTE_TYPES,
  templateLimits,
  type NoteTemplate,
  type Page,
  type PartnerApiError,
  type ProgressNote,
  type Session,
  type TemplateHead,
  type TemplateRead,
  type WidgetTemplates,
  type WritingPreferences,
} from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClinician } from '../../src/features/clinicians/index.js'
import { selectTemplates, selectTemplatesOfClinician } from '../../src/features/templates/templates.sql.js'
import { operator } from '../../src/kernel/operator.js'
import { invented } from '../engines/writer/invented-template.js'
import type { TestPartner } from '../support/test-service.js'
import { signIn, type SignedIn } from '../widget/widget-fixture.js'
import { openPipelineRun, type PipelineRun } from './pipeline-fixture.js'

let run: PipelineRun
let clinician: SignedIn

beforeAll(async () => {
  run = await openPipelineRun('start')
  clinician = await signIn(run.service, run.partner)
})
afterAll(() => run.close())

/** The traps of its guides are not in it. */
const text = `Client reports low mood since May, worse in the mornings.
Denies SI when asked.

Steps: sleep diary
Next session in one week`

const add = (template: NoteTemplate, given: object = {}) =>
  run.call<TemplateRead>('POST', '/templates', { template, ...given })
const remove = (templateId: string) =>
  run.service.call({
    method: 'DELETE',
    url: `/v2/templates/${templateId}`,
    headers: run.partner.headers,
  })
const create = async (given: object): Promise<Session> => {
  const { status, body } = await run.call<Session>('POST', `/clients/${run.partner.clientId}/sessions`, {
    text,
    ...given,
  })
  expect(status).toBe(201)
  return body
}
const problemsOf = ({ body }: { body: unknown }): string[] =>
  ((body as PartnerApiError).error.message as { message: string[] }).message

describe('templates of a partner', () => {
  it('are added, listed behind ours, read with their file, and removed', async () => {
    const added = await add({ ...invented, id: 'short-lived' })
    expect(added).toMatchObject({ status: 201, body: { id: 'short-lived', scope: 'tenant', version: 3 } })
    const { body: first } = await run.call<Page<TemplateHead>>('GET', '/templates')
    expect(first.data.slice(0, 8).every(({ scope }) => scope === 'built_in')).toBe(true)
    expect(first.data.map(({ id }) => id)).toContain('short-lived')
    const read = await run.call<TemplateRead>('GET', '/templates/short-lived')
    expect(read.body.template).toEqual({ ...invented, id: 'short-lived' })
    expect((await remove('short-lived')).statusCode).toBe(204)
    expect(await run.call('GET', '/templates/short-lived')).toMatchObject({ status: 404 })
    expect((await remove('soap')).statusCode).toBe(409)
  })

  it('grow by versions: the same file again is no other, a changed one needs a greater number', async () => {
    const own = { ...invented, id: 'growing' }
    expect(await add(own)).toMatchObject({ status: 201 })
    expect(await add(own)).toMatchObject({ status: 201, body: { version: 3 } })
    const changed = { ...own, title: 'Another' }
    expect(problemsOf(await add(changed))).toEqual([
      'template.version must be greater than 3, which is there already',
    ])
    expect(await add({ ...changed, version: 4 })).toMatchObject({ status: 201, body: { title: 'Another' } })
    expect(problemsOf(await add({ ...changed, version: 5, noteType: 'soap' }))).toEqual([
      'template.noteType must stay dap: make another template',
    ])
  })

  it('are taken back after they were removed, also with as many versions as there may be', async () => {
    const own = { ...invented, id: 'all-versions', version: templateLimits.versions }
    expect(await add(own)).toMatchObject({ status: 201 })
    const tenant = { tenantId: run.partner.partnerId }
    const olderOnes = {
      text: `insert into casenote.note_template_versions (tenant_id, template_id, version, template)
        select v.tenant_id, v.template_id, n, v.template
        from casenote.note_template_versions v, generate_series(1, $3::int - 1) n
        where v.tenant_id = $1 and v.template_id = $2`,
      values: [tenant.tenantId, own.id, templateLimits.versions],
    }
    await run.service.owner.write(tenant, (tx) => tx.run(olderOnes))
    expect((await remove(own.id)).statusCode).toBe(204)
    expect(await add(own)).toMatchObject({ status: 201 })
    expect(await add({ ...own, version: own.version + 1 })).toMatchObject({ status: 409 })
    expect((await remove(own.id)).statusCode).toBe(204)
  })

  it('400 for what does not fit, with its place', async () => {
    expect(problemsOf(await add({ ...invented, id: 'soap' }))).toEqual([
      'template.id must not be the id of a built-in template',
    ])
    const [first, ...rest] = invented.sections
    const unsafe = { ...invented, id: 'unsafe', sections: [{ ...first!, holds: [] }, ...rest] }
    expect(problemsOf(await add(unsafe))).toEqual([
      'template.sections: none holds “danger”; a note needs a place where danger is looked for',
    ])
    expect(problemsOf(await add(invented, { clinicId: randomUUID() }))).toEqual([
      'clinicId must be a clinic of the partner',
    ])
    expect(problemsOf(await run.call('POST', '/templates', { template: { id: 7 } }))).toContain(
      'template.id must be a string',
    )
    const { clinicId, clinicianId } = run.partner
    expect(problemsOf(await add(invented, { clinicId, clinicianId }))).toEqual([
      'clinicianId must not be given together with clinicId',
    ])
  })

  it('are no other partner’s, nor another clinician’s', async () => {
    const other = await run.service.addPartner('sandbox')
    const foreign = `/v2/templates/${other.templateId}`
    const answer = await run.service.call({ method: 'GET', url: foreign, headers: run.partner.headers })
    expect(answer.statusCode).toBe(404)
    const tenant = { tenantId: run.partner.partnerId }
    const colleagueId = await run.service.db.write(tenant, (tx) =>
      createClinician(
        tx,
        {
          clinicId: run.partner.clinicId,
          firstName: 'Cole',
          lastName: 'League',
          email: `${randomUUID()}@example.com`,
          externalId: null,
          prescriber: false,
          defaultNoteType: null,
        },
        operator,
      ),
    )
    await add({ ...invented, id: 'theirs' }, { clinicianId: colleagueId })
    const path = `/clients/${run.partner.clientId}/sessions`
    for (const templateId of ['theirs', 'no-such', other.templateId])
      expect(problemsOf(await run.call('POST', path, { text, templateId }))).toEqual([
        'templateId must be a template that the clinician can use',
      ])
    expect(problemsOf(await run.call('POST', path, { text, templateId: 'dap', noteType: 'soap' }))).toEqual([
      'templateId must be a template of the noteType',
    ])
    expect(problemsOf(await run.call('POST', path, { text, templateId: 'medication_management' }))).toEqual([
      'templateId must not be of a prescriber note type: the clinician is no prescriber',
    ])
    const { templates } = (await clinician.call('GET', '/templates')).json<WidgetTemplates>()
    expect(templates.map(({ id }) => id)).not.toContain('theirs')
  })
})

describe('what a partner keeps of templates is bounded', () => {
  let other: TestPartner
  let tenant: { tenantId: string }

  beforeAll(async () => {
    other = await run.service.addPartner('sandbox')
    tenant = { tenantId: other.partnerId }
  })

  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object, headers = {}) =>
    run.service.ask(other, method, path, payload, headers)

  /** Of about as many bytes as JSON, by phrases that are as long as they may be. */
  const ofBytes = (id: string, bytes: number): NoteTemplate => {
    const phrases = Math.floor(bytes / (3 * templateLimits.phraseLength))
    const phrase = '睡'.repeat(templateLimits.phraseLength)
    const of = (at: number) =>
      Array.from(
        { length: Math.min(templateLimits.mustNot, phrases - at * templateLimits.mustNot) },
        () => phrase,
      )
    const sections = Array.from({ length: Math.ceil(phrases / templateLimits.mustNot) }, (_, at) => ({
      key: `part_${at}`,
      title: `Part ${at}`,
      guide: 'x',
      words: { least: 1, most: 2 },
      mustNot: of(at),
    }))
    const [first] = sections
    return { ...invented, id, sections: [{ ...first!, holds: ['danger', 'reported'] }, ...sections.slice(1)] }
  }

  it('400 for a file of more than 64 KB, however it comes', async () => {
    for (const bytes of [templateLimits.fileBytes, 140_000]) {
      const answer = await call('POST', '/templates', { template: ofBytes('too-long', bytes) })
      expect([answer.statusCode, problemsOf({ body: answer.json() })]).toEqual([
        400,
        [`template must have at most ${templateLimits.fileBytes} bytes, as JSON in UTF-8`],
      ])
    }
    expect((await call('GET', '/templates/too-long')).statusCode).toBe(404)
    expect((await call('POST', '/templates', { template: ofBytes('long', 60_000) })).statusCode).toBe(201)
  })

  it('lists read heads page by page, and no files', async () => {
    for (const id of ['one', 'two', 'gone', 'three'])
      await call('POST', '/templates', { template: ofBytes(id, 60_000) })
    await call('DELETE', '/templates/gone')
    const seen: string[] = []
    for (const number of [1, 2, 3, 4]) {
      const answer = await call('GET', `/templates?page=${number}`, undefined, { 'casenote-page-size': '5' })
      const { data, meta } = answer.json<Page<TemplateHead>>()
      expect(meta).toEqual({ totalItems: 13, totalPages: 3, itemsPerPage: 5, currentPage: number })
      expect(data).toHaveLength([5, 5, 3, 0][number - 1] ?? 0)
      seen.push(...data.map(({ id }) => id))
    }
    expect(seen).toEqual([...NOTE_TYPES, other.templateId, 'long', 'one', 'two', 'three'])
    const own = await signIn(run.service, other)
    const { templates } = (await own.call('GET', '/templates')).json<WidgetTemplates>()
    expect(templates.map(({ id }) => id)).toEqual(seen)
    expect(templates.at(-1)).toMatchObject({
      title: invented.title,
      sections: expect.arrayContaining([
        { key: 'part_0', title: 'Part 0', isAlwaysWritten: true },
        { key: 'part_1', title: 'Part 1', isAlwaysWritten: false },
      ]),
    })
    const { db } = run.service
    const heads = await db.read(tenant, selectTemplates(tenant, { skipped: 0, most: 100 }))
    const ofClinician = await db.read(tenant, selectTemplatesOfClinician(tenant, other.clinicianId))
    for (const rows of [heads, ofClinician]) {
      expect(rows).toHaveLength(5)
      expect(JSON.stringify(rows).length).toBeLessThan(10_000)
    }
  })

  it('409 for another id once there were a thousand, those that were removed included', async () => {
    const removedBefore = {
      text: `insert into casenote.note_templates (tenant_id, template_id, note_type, newest_version, removed_at)
        select $1, 'removed-' || n, 'dap', 1, now() from generate_series(1, $2::int) n`,
      values: [tenant.tenantId, templateLimits.ids],
    }
    await run.service.owner.write(tenant, (tx) => tx.run(removedBefore))
    const answer = await call('POST', '/templates', { template: { ...invented, id: 'one-more' } })
    expect([answer.statusCode, answer.headers['casenote-error-code']]).toEqual([409, 'templates_full'])
    expect((await call('GET', '/templates/one-more')).statusCode).toBe(404)
    const again = { ...invented, id: 'gone', version: 4 }
    expect((await call('POST', '/templates', { template: again })).statusCode).toBe(201)
  })
})

describe('a note of a template', () => {
  let session: Session
  let sessionId: string
  let note: ProgressNote

  beforeAll(async () => {
    await add(invented)
    session = await create({ templateId: invented.id })
    sessionId = session.id
    await run.sessionEnded(sessionId)
    note = await run.noteAtRest(sessionId)
  })

  it('has its sections in order with their titles, keeps id and version, and no word of its guides', () => {
    expect(session).toMatchObject({ noteType: 'dap', templateId: invented.id })
    expect(note.template).toMatchObject({
      id: invented.id,
      version: 3,
      noteType: 'dap',
      title: invented.title,
    })
    expect(note.note.map(({ key, title }) => [key, title])).toEqual(
      invented.sections.map(({ key, title }) => [key, title]),
    )
    expect(note.note[2]?.content).toContain('sleep diary')
    expect(JSON.stringify(note.note)).not.toMatch(/lithium|homicid/i)
  })

  it('lists what must stand and does not, until it does', async () => {
    const unmet = (one: ProgressNote) => one.review.filter(({ reason }) => reason === 'must_stand')
    expect(unmet(note)).toMatchObject([{ kind: 'template', label: 'Next Steps: Insurance' }])
    const sections = note.note.map(({ key, content }) => ({
      key,
      content: key === 'next_steps' ? `${content}\nInsurance was called.` : content,
    }))
    const path = `/progress-notes/${note.progressNoteId}`
    const changed = await run.call<ProgressNote>('PATCH', path, { note: sections })
    expect(changed.status).toBe(200)
    expect(unmet(changed.body)).toEqual([])
    const refused = await run.call('PATCH', path, { note: [{ key: 'subjective', content: 'x' }] })
    expect(problemsOf(refused)[0]).toContain('safety_first, how_it_went, next_steps')
  })

  it('stays what it is when a new version is added or the template removed; written again it is the newest', async () => {
    await add({ ...invented, version: 4, title: 'Riverside, Anew' })
    const before = await run.noteAtRest(sessionId)
    expect(before.template).toMatchObject({ version: 3, title: 'Riverside Check-in' })
    const again = await run.call('POST', `/progress-notes/${before.progressNoteId}/regenerate`)
    expect(again.status).toBe(202)
    const written = await run.noteAtRest(sessionId)
    expect(written.template).toMatchObject({ version: 4, title: 'Riverside, Anew' })
    await remove(invented.id)
    expect((await run.noteAtRest(sessionId)).template).toMatchObject({ version: 4 })
  })

  it('becomes another one by its id, and the widget’s choice is the same', async () => {
    const { progressNoteId } = await run.noteAtRest(sessionId)
    const path = `/progress-notes/${progressNoteId}/regenerate`
    expect(problemsOf(await run.call('POST', `${path}?templateId=no-such`))).toEqual([
      'templateId must be a template that the clinician can use',
    ])
    expect((await run.call('POST', `${path}?templateId=birp`)).status).toBe(202)
    const birp = await run.noteAtRest(sessionId)
    expect(birp).toMatchObject({ noteType: 'birp', template: { id: 'birp', version: 1 } })
    expect((await run.call<Session>('GET', `/sessions/${sessionId}`)).body).toMatchObject({
      noteType: 'birp',
      templateId: 'birp',
    })
  })
})

describe('the nearest default, and what a clinician wants', () => {
  it('a clinician’s wins over the clinic’s, and that over the tenant’s', async () => {
    const { clinicId, clinicianId } = run.partner
    const own = (id: string): NoteTemplate => ({ ...invented, id, noteType: 'pirp' })
    const chosen = async (): Promise<string> => (await create({ noteType: 'pirp' })).templateId
    expect(await chosen()).toBe('pirp')
    await add(own('of-tenant'), { isDefault: true })
    expect(await chosen()).toBe('of-tenant')
    await add(own('of-clinic'), { isDefault: true, clinicId })
    expect(await chosen()).toBe('of-clinic')
    await add(own('of-clinician'), { isDefault: true, clinicianId })
    expect(await chosen()).toBe('of-clinician')
    await add(own('instead'), { isDefault: true, clinicianId })
    expect(await chosen()).toBe('instead')
    await remove('instead')
    expect(await chosen()).toBe('of-clinic')
  })

  it('a new version stays whose it was and the default that it was, unless something else is named', async () => {
    const { clinicId, clinicianId } = run.partner
    const placeOf = async (version: number, given: object = {}): Promise<unknown[]> => {
      const { status, body } = await add({ ...invented, id: 'moving', noteType: 'girp', version }, given)
      expect(status).toBe(201)
      return [body.scope, body.clinicId ?? body.clinicianId, body.isDefault]
    }
    expect(await placeOf(1, { clinicianId, isDefault: true })).toEqual(['clinician', clinicianId, true])
    expect(await placeOf(2)).toEqual(['clinician', clinicianId, true])
    expect(await placeOf(3, { isDefault: false })).toEqual(['clinician', clinicianId, false])
    expect(await placeOf(4, { isDefault: true })).toEqual(['clinician', clinicianId, true])
    // Others have another default already, perhaps.
    expect(await placeOf(5, { clinicId })).toEqual(['clinic', clinicId, false])
    expect(await placeOf(6, { clinicId: null })).toEqual(['tenant', null, false])
    await remove('moving')
  })

  it('a magic edit that changes the type of note goes to the nearest default, as a new note does', async () => {
    const { clinicianId } = run.partner
    await add({ ...invented, id: 'edited-to', noteType: 'girp' }, { clinicianId, isDefault: true })
    const { id } = await create({ noteType: 'soap' })
    await run.sessionEnded(id)
    const { progressNoteId } = await run.noteAtRest(id)
    const edit = { userInstructions: 'Change it to a GIRP note. Use bullets in the steps section.' }
    expect((await run.call('POST', `/progress-notes/${progressNoteId}/magic-edit`, edit)).status).toBe(202)
    const edited = await run.noteAtRest(id)
    expect(edited).toMatchObject({ noteType: 'girp', template: { id: 'edited-to', version: 3 } })
    expect(edited.note.map(({ key }) => key)).toEqual(invented.sections.map(({ key }) => key))
    await remove('edited-to')
  })

  it('headings are left out, but not that of danger; the API and the widget show the same', async () => {
    const path = `/clinicians/${run.partner.clinicianId}/writing-preferences`
    const leftOut = ['objective', 'assessment']
    const changed = await run.call<WritingPreferences>('PATCH', path, { leftOut })
    expect(changed.body).toEqual({ length: 'usual', leftOut, avoidedPhrases: [] })
    const { preferences } = (await clinician.call('GET', '/templates')).json<WidgetTemplates>()
    expect(preferences).toEqual(changed.body)
    expect(problemsOf(await run.call('PATCH', path, { length: 'endless' }))).toEqual([
      'length must be one of the following values: shorter, usual, longer',
    ])
    const { id } = await create({ noteType: 'soap' })
    await run.sessionEnded(id)
    const { note, template } = await run.noteAtRest(id)
    expect(note.map(({ key }) => key)).toEqual(['subjective', 'assessment', 'plan'])
    expect(template.sections).toHaveLength(4)
    await run.call('PATCH', path, { leftOut: [] })
  })
})
