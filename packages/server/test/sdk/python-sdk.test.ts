import { execFile, spawnSync } from 'node:child_process'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeExample } from '../../src/http/example.js'
import { freePort } from '../support/casenote-process.js'
import { ownIdOf } from '../support/own-id.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { hasMethod, methodOf } from './method-of.js'
import { makeMovableClock, makeUnrulyProxy, type UnrulyProxy } from './unruly-proxy.js'

const folder = fileURLToPath(new URL('../../../../sdk/python/', import.meta.url))
const hasPython = spawnSync('python3', ['-c', 'import unittest']).status === 0
const run = promisify(execFile)

let service: TestService
let proxy: UnrulyProxy

beforeAll(async () => {
  const clock = makeMovableClock()
  service = await makeTestService({ clock })
  await service.api.app.listen({ port: 0, host: '127.0.0.1' })
  proxy = await makeUnrulyProxy((service.api.app.server.address() as AddressInfo).port, clock)
})
afterAll(async () => {
  await proxy.close()
  await service.close()
})

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const credentialsOf = (partner: TestPartner): object => ({
  api_key: partner.apiKey,
  client_id: partner.credentialId,
  client_secret: partner.clientSecret,
})

/** Every operation with ids of the partner and the body that the reference shows; reads first. */
function listOperations(partner: TestPartner): object[] {
  const routes = service.api.partnerApi.routes.filter(hasMethod)
  const inOrder = routes.toSorted((a, b) => Number(a.method !== 'GET') - Number(b.method !== 'GET'))
  return inOrder.map(({ operation, path, method, body }) => {
    const [property, verb] = methodOf(operation)
    const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ownIdOf(partner, path, name))
    const credentials = { clientId: partner.credentialId, clientSecret: partner.clientSecret }
    const example = (): unknown => (operation === 'partner.authenticate' ? credentials : makeExample(body))
    return {
      resource: snake(property),
      method: snake(verb),
      args: [...ids, ...(body === undefined ? [] : [example()])],
      pattern: `^${method} ${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?.*)?$`,
    }
  })
}

it('the SDK for Python does what its tests say', async ({ skip }) => {
  skip(!hasPython, 'no python3 on this machine')
  const [partner, first, second, listed] = [
    await service.addPartner(),
    await service.addPartner(),
    await service.addPartner(),
    await service.addPartner(),
  ]
  const given = {
    baseUrl: proxy.baseUrl,
    nowhere: `http://127.0.0.1:${await freePort()}/v2`,
    partner,
    victims: [credentialsOf(first), credentialsOf(second)],
    operations: [listOperations(first), listOperations(second)],
    listed: { ...listed, credentials: credentialsOf(listed) },
  }
  const env = {
    ...process.env,
    CASENOTE_TEST: JSON.stringify(given),
    PYTHONPATH: `${folder}src`,
    PYTHONDONTWRITEBYTECODE: '1',
    no_proxy: '127.0.0.1',
  }
  // It writes what it did to stderr, and that is what a failure shows.
  const { stderr } = await run('python3', ['-W', 'error', '-m', 'unittest', '-v', 'tests.test_casenote'], {
    cwd: folder,
    env,
  })
  expect(stderr).toMatch(/Ran \d\d tests .*\n\nOK\n$/)
})
