import { check } from '../check.js'
import { expectEqual, expectInvalid, expectPage, expectStatus, expectThat } from '../expect.js'

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  check(
    'the eight built-in templates are listed first, and each is read with its file',
    ['additions / templates'],
    async ({ api }) => {
      const listed = expectPage(await api.get('/templates'))
      expectEqual('the first', listed[0].id, 'soap')
      for (const { id, scope } of listed.slice(0, 8)) {
        expectEqual(`the scope of ${id}`, scope, 'built_in')
        const read = await api.get(`/templates/${id}`)
        expectStatus(read, 200)
        const { json } = read
        expectThat(json.template.sections.length > 0, `sections of ${id}`, json)
      }
    },
  ),
  check(
    '400 for a template without a place for danger, and 409 for removing a built-in one',
    ['additions / templates'],
    async ({ api }) => {
      const { json } = await api.get('/templates/dap')
      const sections = json.template.sections.map((section) => ({ ...section, holds: [] }))
      const template = { ...json.template, id: 'no-danger', sections }
      expectInvalid(await api.post('/templates', { template }), ['template.sections'])
      expectInvalid(await api.post('/templates', {}), ['template should not be empty'])
      expectStatus(await api.delete('/templates/dap'), 409)
    },
  ),
  check(
    'what a clinician wants of notes is read and changed; what is left out stays',
    ['additions / what a clinician wants of notes'],
    async ({ api, newClinician }) => {
      const path = `/clinicians/${(await newClinician()).id}/writing-preferences`
      const before = await api.get(path)
      expectStatus(before, 200)
      expectEqual('preferences', before.json, { length: 'usual', leftOut: [], avoidedPhrases: [] })
      const after = await api.patch(path, { length: 'shorter' })
      expectStatus(after, 200)
      expectEqual('preferences', after.json, { ...before.json, length: 'shorter' })
      expectInvalid(await api.patch(path, { length: 'endless' }), ['length'])
    },
  ),
]
