import { createContext, runInContext } from 'node:vm'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

const publicUrl = 'https://casenote.clinic.example'

let service: TestService
let partner: TestPartner

beforeAll(async () => {
  service = await makeTestService({ env: { CASENOTE_PUBLIC_URL: publicUrl } })
  partner = await service.addPartner()
})
afterAll(() => service.close())

const get = (url: string) => service.call({ method: 'GET', url })

interface PostmanRequest {
  name: string
  event?: { listen: string; script: { exec: string[] } }[]
  request: {
    method: string
    header: { key: string; value: string }[]
    url: {
      raw: string
      path: string[]
      variable?: { key: string }[]
      query?: { key: string; disabled: boolean }[]
    }
    body?: { raw: string }
  }
}

interface PostmanCollection {
  info: { schema: string }
  variable: { key: string; value: string }[]
  item: { name: string; item: PostmanRequest[] }[]
}

describe('/docs/postman.json', () => {
  const readRequests = async (): Promise<PostmanRequest[]> =>
    (await get('/docs/postman.json')).json<PostmanCollection>().item.flatMap(({ item }) => item)

  it('has every operation once, and no secret', async () => {
    const answer = await get('/docs/postman.json')
    expect(answer.headers['content-type']).toContain('application/json')
    const collection = answer.json<PostmanCollection>()
    expect(collection.info.schema).toContain('v2.1.0')
    const { baseUrl, ...others } = Object.fromEntries(
      collection.variable.map(({ key, value }) => [key, value]),
    )
    expect(baseUrl).toBe(`${publicUrl}/v2`)
    expect(others).toEqual({ apiKey: '', clientId: '', clientSecret: '', accessToken: '' })
    const written = (await readRequests()).map(({ request }) => `${request.method} ${request.url.raw}`)
    const expected = service.api.partnerApi.routes.map(
      ({ method, path }) => `${method} {{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    )
    expect(written.toSorted()).toEqual(expected.toSorted())
    for (const { request } of await readRequests()) {
      const named = request.url.path.filter((part) => part.startsWith(':')).map((part) => part.slice(1))
      expect(request.url.variable?.map(({ key }) => key) ?? []).toEqual(named)
      expect(request.url.query?.every(({ disabled }) => disabled) ?? true).toBe(true)
    }
  })

  /** Sends a request of the collection as Postman does: variables filled in, then its script. */
  async function send(one: PostmanRequest, variables: Map<string, string>): Promise<number> {
    const fill = (text: string): string =>
      text.replaceAll(/\{\{(\w+)\}\}/g, (_, key: string) => variables.get(key) ?? '')
    const answer = await service.call({
      method: one.request.method as 'GET' | 'POST',
      url: fill(one.request.url.raw),
      headers: Object.fromEntries(one.request.header.map(({ key, value }) => [key, fill(value)])),
      ...(one.request.body === undefined ? {} : { payload: fill(one.request.body.raw) }),
    })
    const pm = {
      response: { code: answer.statusCode, json: () => answer.json<unknown>() },
      collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
    }
    for (const { script } of one.event ?? []) runInContext(script.exec.join('\n'), createContext({ pm }))
    return answer.statusCode
  }

  it('authenticates, and its other requests use the token', async () => {
    const requests = await readRequests()
    const find = (method: string, path: string): PostmanRequest => {
      const found = requests.find(
        (one) => one.request.method === method && one.request.url.raw.endsWith(path),
      )
      if (found === undefined) throw new Error(`no ${method} ${path}`)
      return found
    }
    const variables = new Map([
      ['baseUrl', '/v2'],
      ['apiKey', partner.apiKey],
      ['clientId', partner.credentialId],
      ['clientSecret', partner.clientSecret],
    ])
    expect(await send(find('GET', '}}/partners'), variables)).toBe(403)
    expect(await send(find('POST', '/partners/authenticate'), variables)).toBe(200)
    expect(await send(find('GET', '}}/partners'), variables)).toBe(200)
    expect(await send(find('GET', '/organizations'), variables)).toBe(200)
    const create = find('POST', '/clinicians/:clinicianId/clients')
    create.request.url.raw = create.request.url.raw.replace(':clinicianId', partner.clinicianId)
    // The programs of the example are somebody else's.
    const { programIds: _others, ...body } = JSON.parse(create.request.body?.raw ?? '') as {
      programIds: string[]
    }
    create.request.body = { raw: JSON.stringify(body) }
    expect(await send(create, variables)).toBe(201)
  })
})

describe('/llms.txt', () => {
  it('names every operation and the base URL, and links to nothing that is not served', async () => {
    const { body, headers } = await get('/llms.txt')
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
    expect(body).toMatch(/^# Casenote Partner API\n\n> /)
    expect(body).toContain(`\`${publicUrl}/v2\``)
    for (const { method, path, operation } of service.api.partnerApi.routes) {
      expect(body).toContain(`- \`${method} ${path}\` (\`${operation}\`): `)
    }
    expect(body).toContain(`[API reference](${publicUrl}/docs/reference)`)
    const links = [...body.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
    expect(links.length).toBeGreaterThanOrEqual(5)
    for (const link of links) {
      expect(link.startsWith(`${publicUrl}/`)).toBe(true)
      expect([link, (await get(link.slice(publicUrl.length))).statusCode]).toEqual([link, 200])
    }
  })
})

describe('/docs/sdk/', () => {
  const findFile = async (ending: string): Promise<string> => {
    const { body } = await get('/llms.txt')
    return body.match(new RegExp(`/docs/sdk/[\\w.+-]+${ending}`))?.[0] ?? ''
  }

  it('has the tarball for npm and the wheel for pip, with nothing but what they need', async () => {
    const tarball = await get(await findFile('tgz'))
    const text = gunzipSync(tarball.rawPayload).toString('latin1')
    expect(text).toContain('package/package.json')
    expect(text).toContain('package/dist/index.js')
    expect(text).toContain('package/examples/integration.ts')
    expect(text).not.toContain('"scripts"')
    const wheel = await get(await findFile('whl'))
    expect(wheel.rawPayload.subarray(0, 4).toString('latin1')).toBe('PK\u0003\u0004')
    const names = wheel.rawPayload.toString('latin1')
    for (const name of ['casenote/__init__.py', 'casenote/py.typed', 'dist-info/RECORD']) {
      expect(names).toContain(name)
    }
    expect(names).not.toContain('__pycache__')
  })

  it('has no other file', async () => {
    for (const path of ['/docs/sdk/', '/docs/sdk/x.tgz', '/docs/sdk/..%2fbundle%2fmain%2fcli.js']) {
      expect((await get(path)).statusCode).toBe(404)
    }
  })
})
