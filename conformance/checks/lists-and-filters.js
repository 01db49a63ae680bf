import { randomUUID } from 'node:crypto'
import { check } from '../check.js'
import { expectEqual, expectInvalid, expectKeys, expectPage, expectThat, skip } from '../expect.js'
import { fillPath, routes } from '../routes.js'
import { clientKeys, clientStatuses } from '../shapes.js'

const pageClauses = [
  '2 Page / data',
  '2 Page / totalItems',
  '2 Page / totalPages',
  '2 Page / itemsPerPage',
  '2 Page / currentPage',
  '4 Lists / page, default 1',
  '8 Limits / page',
]

/** @param {import('../context.js').Context} context @param {string} path */
async function ownPath({ ownId }, path) {
  /** @type {Record<string, string>} */
  const ids = {}
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) ids[name] = await ownId(name)
  return fillPath(path, (name) => ids[name] ?? '')
}

/** @param {import('../routes.js').Route} route */
const envelopeCheck = ({ path, clause }) =>
  check(
    `GET ${path} answers the paginated envelope, page 1 by default`,
    [clause, ...pageClauses],
    async (context) => {
      const { api } = context
      const filled = await ownPath(context, path)
      const first = expectPage(await api.get(filled))
      expectEqual('page 1', expectPage(await api.get(`${filled}?page=1`)), first)
    },
  )

/** @param {import('../routes.js').Route} route */
const pageCheck = ({ path, clause }) =>
  check(
    `GET ${path}: 400 for a page below 1 or no integer; above the last page 200 and empty`,
    [clause, '8 Limits / page', 'ruling 2 / page above the last', 'ruling 1 / field messages'],
    async (context) => {
      const { api } = context
      const filled = await ownPath(context, path)
      for (const page of ['0', '-1'])
        expectInvalid(await api.get(`${filled}?page=${page}`), ['page must not be less than 1'])
      for (const page of ['one', '1.5', '1e1', '0x1', '1&page=2'])
        expectInvalid(await api.get(`${filled}?page=${page}`), ['page'])
      const beyond = expectPage(await api.get(`${filled}?page=99999`), { currentPage: 99_999 })
      expectEqual('data', beyond, [])
    },
  )

/** @param {import('../routes.js').Route} route */
const sizeCheck = ({ path, clause }) =>
  check(
    `GET ${path}: Casenote-Page-Size sets how many items a page has; 400 for what is not 1 to 100`,
    [clause, 'additions / page size by header'],
    async (context) => {
      const { api } = context
      const filled = await ownPath(context, path)
      /** @param {string} size @param {number} [page] */
      const ask = (size, page = 1) =>
        api.get(`${filled}?page=${page}`, { headers: { 'casenote-page-size': size } })
      /** @param {readonly Record<string, any>[]} items */
      const idsOf = (items) => items.map(({ id }) => id)
      const ids = idsOf(expectPage(await api.get(filled)))
      const first = expectPage(await ask('1'), { itemsPerPage: 1 })
      expectEqual('page 1 of one item', idsOf(first), ids.slice(0, 1))
      const second = expectPage(await ask('1', 2), { currentPage: 2, itemsPerPage: 1 })
      expectEqual('page 2 of one item', idsOf(second), ids.slice(1, 2))
      // Where items are long, a page has ten of them whatever was asked for.
      const most = await ask('100')
      const { itemsPerPage } = most.json.meta
      expectThat(itemsPerPage === 100 || itemsPerPage === 10, 'itemsPerPage 100, or 10 of long items', most)
      expectPage(most, { itemsPerPage })
      for (const size of ['0', '101', 'ten', '1.5']) expectInvalid(await ask(size), ['Casenote-Page-Size'])
    },
  )

/**
 * What a query finds among one clinician's clients, by first name.
 * @param {import('../context.js').Context} context
 * @param {string} clinicianId
 * @param {Record<string, string>} query
 */
async function findFirstNames({ api }, clinicianId, query) {
  const answer = await api.get(`/clinicians/${clinicianId}/clients?${new URLSearchParams(query)}`)
  return expectPage(answer).map((client) => client.firstName)
}

/** A clinician with a few clients whose names are easy to confuse. @param {import('../context.js').Context} context */
const namesakes = (context) =>
  context.once('namesakes', async () => {
    const { id } = await context.newClinician()
    const people = [
      ['Joanna', 'Smith'],
      ['Anna', 'Smithers'],
      ['Smilla', 'Hannsen'],
      ['Percy', '100%_done'],
      ['Zoë', 'Ångström'],
    ]
    for (const [firstName = '', lastName = ''] of people)
      await context.newClient({ clinicianId: id, firstName, lastName })
    return id
  })

/** Each field with a value that finds the client and some that do not. */
const exactFilters = /** @type {const} */ ([
  ['externalId', '4 Filters / clients by externalId'],
  ['firstName', '4 Filters / clients by firstName, lastName'],
  ['lastName', '4 Filters / clients by firstName, lastName'],
  ['email', '4 Filters / clients by email, phoneNumber'],
  ['phoneNumber', '4 Filters / clients by email, phoneNumber'],
])

/** One client whose every field is unlike all others. @param {import('../context.js').Context} context */
const distinctClient = (context) =>
  context.once('distinct client', async () => {
    const digits = BigInt(`0x${randomUUID().replaceAll('-', '')}`)
    return context.newClient({
      firstName: context.unique('First'),
      lastName: context.unique('Last'),
      externalId: context.unique('Chart'),
      email: `${context.unique('Mail')}@example.com`,
      phoneNumber: `+1${digits}`,
      dateOfBirth: '1907-05-22',
    })
  })

/** @type {readonly import('../check.js').Check[]} */
export const checks = [
  ...routes.filter(({ isList }) => isList).map(envelopeCheck),
  ...routes.filter(({ isList }) => isList).map(pageCheck),
  ...routes.filter(({ isList }) => isList).map(sizeCheck),
  check(
    '21 clients are three pages; iterating until currentPage equals totalPages sees each once, oldest first',
    [
      '8 Limits / page',
      '8 Limits / page size',
      '2 Page / totalPages',
      'ruling 2 / oldest first',
      '4 Lists / clients of a clinician',
    ],
    async ({ api, crowd }) => {
      const { clinician, clients } = await crowd()
      const seen = []
      for (let page = 1; ; page += 1) {
        const answer = await api.get(`/clinicians/${clinician.id}/clients?page=${page}`)
        const data = expectPage(answer, { currentPage: page, totalItems: 21 })
        expectEqual(`the items of page ${page}`, data.length, page < 3 ? 10 : 1)
        seen.push(...data)
        if (answer.json.meta.currentPage === answer.json.meta.totalPages) break
        expectThat(page < 4, 'an end after three pages', answer.json.meta)
      }
      expectEqual(
        'the clients',
        seen.map(({ id }) => id),
        clients.map(({ id }) => id),
      )
      for (const client of seen) expectKeys('a list item', client, clientKeys)
    },
  ),
  check(
    'limit, pageSize, per_page and other parameters change nothing',
    ['8 Limits / page size', 'ruling 1 / unknown fields and parameters are ignored'],
    async ({ api, crowd }) => {
      const path = `/clinicians/${(await crowd()).clinician.id}/clients`
      const plain = await api.get(path)
      for (const query of ['limit=5', 'pageSize=5', 'per_page=50', 'sort=-id', 'nothing=1'])
        expectEqual(`the answer with ${query}`, (await api.get(`${path}?${query}`)).json, plain.json)
    },
  ),
  check(
    'a filtered list pages over what it found',
    ['4 Filters / combined with AND', '8 Limits / page'],
    async ({ api, crowd }) => {
      const path = `/clinicians/${(await crowd()).clinician.id}/clients`
      expectPage(await api.get(`${path}?lastName=Client&page=3`), { currentPage: 3, totalItems: 21 })
      // 0 to 20: 1, 10 to 19.
      expectEqual(
        'the second page',
        expectPage(await api.get(`${path}?name=number+1&page=2`), { currentPage: 2, totalItems: 11 }).length,
        1,
      )
    },
  ),
  check(
    'an empty list has totalItems 0 and totalPages 1',
    ['ruling 2 / empty list', '2 Page / totalPages'],
    async ({ api, newClinician }) => {
      const { id } = await newClinician()
      expectPage(await api.get(`/clinicians/${id}/clients`), { totalItems: 0 })
      expectPage(await api.get(`/clinicians/${id}/clients?page=2`), { currentPage: 2, totalItems: 0 })
    },
  ),
  check(
    'a clinic lists its clients, and the items have every key',
    ['4 Lists / clients of a clinic', 'ruling 6 / client'],
    async ({ api, credentials, newClient }) => {
      await newClient()
      for (const client of expectPage(await api.get(`/clinics/${credentials.clinicId}/clients`))) {
        expectKeys('a client', client, clientKeys)
        expectEqual('clinicId', client.clinicId, credentials.clinicId)
      }
    },
  ),
  ...exactFilters.map(([field, clause]) =>
    check(
      `clients by ${field}: exact, case included, on both lists`,
      [clause, 'ruling 2 / exact filters'],
      async (context) => {
        const { api, credentials } = context
        const client = await distinctClient(context)
        const value = client[field]
        for (const path of [
          `/clinics/${credentials.clinicId}/clients`,
          `/clinicians/${client.clinicianId}/clients`,
        ]) {
          const [found] = expectPage(await api.get(`${path}?${new URLSearchParams({ [field]: value })}`), {
            totalItems: 1,
          })
          expectEqual(`the client by ${field}`, found, client)
          const unlike = [value.slice(0, -1), `${value}x`, '%', value.replace(/.$/, '_')]
          if (value.toUpperCase() !== value) unlike.push(value.toUpperCase())
          for (const other of unlike)
            expectPage(await api.get(`${path}?${new URLSearchParams({ [field]: other })}`), { totalItems: 0 })
        }
      },
    ),
  ),
  check(
    'clients by dateOfBirth and by status, combined with AND',
    [
      '4 Filters / clients by dateOfBirth',
      '4 Filters / clients by status',
      '4 Filters / combined with AND',
      '3 Client status / values',
    ],
    async (context) => {
      const { api } = context
      const { clinicianId, externalId, dateOfBirth } = await distinctClient(context)
      const path = `/clinicians/${clinicianId}/clients`
      expectPage(await api.get(`${path}?${new URLSearchParams({ externalId, dateOfBirth })}`), {
        totalItems: 1,
      })
      expectPage(await api.get(`${path}?${new URLSearchParams({ externalId, dateOfBirth: '1907-05-23' })}`), {
        totalItems: 0,
      })
      for (const status of clientStatuses) {
        const answer = await api.get(`${path}?${new URLSearchParams({ externalId, status })}`)
        expectPage(answer, { totalItems: status === 'awaiting_invite' ? 1 : 0 })
      }
    },
  ),
  check(
    '400 for a malformed status or dateOfBirth filter, both listed',
    [
      'ruling 2 / malformed status, dateOfBirth, defaultOnly',
      'ruling 1 / every offending field is listed',
      'ruling 1 / a date that does not exist',
    ],
    async ({ api, credentials }) => {
      for (const path of [
        `/clinics/${credentials.clinicId}/clients`,
        `/clinicians/${credentials.clinicianId}/clients`,
      ]) {
        expectInvalid(await api.get(`${path}?status=gone&dateOfBirth=1990-02-30&page=0`), [
          'status must be one of the following values: ',
          'dateOfBirth must be a valid ISO 8601 date string',
          'page must not be less than 1',
        ])
      }
    },
  ),
  check(
    'a filter that cannot match gives an empty list',
    ['ruling 2 / filters that cannot match'],
    async ({ api, credentials }) => {
      const clients = `/clinics/${credentials.clinicId}/clients`
      const clinicians = `/clinics/${credentials.clinicId}/clinicians`
      for (const asked of [
        `${clients}?clinicianId=${randomUUID()}`,
        `${clients}?clinicianId=not-a-uuid`,
        `${clients}?phoneNumber=2025550142`,
        `${clients}?email=nobody`,
        `${clinicians}?id=not-a-uuid`,
        `${clinicians}?id=${randomUUID()}`,
      ])
        expectPage(await api.get(asked), { totalItems: 0 })
    },
  ),
  check('an empty value is no filter', ['ruling 2 / an empty value is no filter'], async ({ api, crowd }) => {
    const path = `/clinicians/${(await crowd()).clinician.id}/clients`
    const query = 'externalId=&firstName=&lastName=&name=&email=&phoneNumber=&dateOfBirth=&status=&page='
    expectPage(await api.get(`${path}?${query}`), { totalItems: 21 })
  }),
  check(
    'clinicianId filters a clinic’s list and is ignored on a clinician’s',
    ['4 Filters / clients by clinicianId', 'ruling 2 / clinicianId is ignored on a clinician'],
    async ({ api, credentials, crowd }) => {
      const { clinician } = await crowd()
      expectPage(await api.get(`/clinics/${credentials.clinicId}/clients?clinicianId=${clinician.id}`), {
        totalItems: 21,
      })
      expectPage(await api.get(`/clinicians/${clinician.id}/clients?clinicianId=${randomUUID()}`), {
        totalItems: 21,
      })
    },
  ),
  check(
    'a + in phoneNumber that arrived as a space is read as +',
    ['ruling 2 / a space in phoneNumber is a plus', '4 Filters / clients by email, phoneNumber'],
    async (context) => {
      const { phoneNumber, clinicianId } = await distinctClient(context)
      expectPage(await context.api.get(`/clinicians/${clinicianId}/clients?phoneNumber=${phoneNumber}`), {
        totalItems: 1,
      })
    },
  ),
  check(
    'name: any order of words, each a substring, case ignored, across first and last name',
    ['4 Filters / clients by name', 'ruling 2 / name search'],
    async (context) => {
      const id = await namesakes(context)
      const expected = {
        'ann smi': ['Joanna', 'Anna', 'Smilla'],
        'SMI ANN': ['Joanna', 'Anna', 'Smilla'],
        'joanna smith': ['Joanna'],
        smithers: ['Anna'],
        '  smithers   anna ': ['Anna'],
        'joanna hannsen': [],
        'smith joanna x': [],
        zoë: ['Zoë'],
        ZOË: ['Zoë'],
      }
      for (const [name, found] of Object.entries(expected))
        expectEqual(`the clients found by name "${name}"`, await findFirstNames(context, id, { name }), found)
    },
  ),
  check('name: % and _ and \\ are plain characters', ['ruling 2 / name search'], async (context) => {
    const id = await namesakes(context)
    for (const [name, found] of Object.entries({
      '%': ['Percy'],
      _: ['Percy'],
      '0%_d': ['Percy'],
      'j%a': [],
      j_anna: [],
      '\\': [],
    }))
      expectEqual(`the clients found by name "${name}"`, await findFirstNames(context, id, { name }), found)
  }),
  check(
    'name combines with the other filters',
    ['4 Filters / combined with AND', '4 Filters / clients by name'],
    async (context) => {
      const id = await namesakes(context)
      expectEqual('the clients', await findFirstNames(context, id, { name: 'ann', lastName: 'Smith' }), [
        'Joanna',
      ])
      expectEqual('the clients', await findFirstNames(context, id, { name: 'ann', firstName: 'Percy' }), [])
    },
  ),
  check(
    'what is created while someone pages comes last',
    ['ruling 2 / oldest first'],
    async ({ api, newClinician, newClient }) => {
      const { id: clinicianId } = await newClinician()
      for (let index = 0; index < 11; index += 1) await newClient({ clinicianId })
      const first = expectPage(await api.get(`/clinicians/${clinicianId}/clients`))
      const late = await newClient({ clinicianId })
      const second = expectPage(await api.get(`/clinicians/${clinicianId}/clients?page=2`), {
        currentPage: 2,
        totalItems: 12,
      })
      expectEqual('the last item', second.at(-1)?.id, late.id)
      const both = new Set([...first, ...second].map(({ id }) => id))
      expectEqual('the number of different clients', both.size, 12)
    },
  ),
  check(
    "another tenant's ids in a filter find nothing",
    ['ruling 2 / filters that cannot match', 'ruling 3 / ids of another tenant never resolve'],
    async ({ api, credentials, requireOther }) => {
      const { clinicianId } = requireOther()
      if (clinicianId === undefined) skip('the other credentials name no clinician')
      expectPage(await api.get(`/clinics/${credentials.clinicId}/clients?clinicianId=${clinicianId}`), {
        totalItems: 0,
      })
      expectPage(await api.get(`/clinics/${credentials.clinicId}/clinicians?id=${clinicianId}`), {
        totalItems: 0,
      })
    },
  ),
]
