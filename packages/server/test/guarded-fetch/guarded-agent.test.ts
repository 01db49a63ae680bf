import type { RequestListener } from 'node:http'
import { Pool, type Dispatcher } from 'undici'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  makeGuardedAgent,
  makeGuardedConnect,
  type GuardOptions,
} from '../../src/kernel/guarded-fetch/guarded-agent.js'
import { findTargetProblem, publicTargetRules } from '../../src/kernel/guarded-fetch/target-rules.js'
import { forbiddenAnswers, forbiddenHosts, forbiddenUrls } from './forbidden-hosts.js'
import {
  publicAddress,
  readPem,
  resolveInTest,
  rulesWithPorts,
  startCanary,
  startTlsServer,
  startWebServer,
  watchAttempts,
  type Canary,
  type Listener,
} from './guard-fixture.js'

let canary: Canary
let partner: Listener
let attempts: ReturnType<typeof watchAttempts>
let answerOfPartner: RequestListener = (_request, response) => response.end('hello')
const open: Dispatcher[] = []

beforeAll(async () => {
  canary = await startCanary()
  partner = await startTlsServer((request, response) => answerOfPartner(request, response))
})
beforeEach(() => {
  canary.connections = 0
  attempts = watchAttempts()
})
afterEach(async () => {
  attempts.stop()
  await Promise.all(open.splice(0).map((dispatcher) => dispatcher.destroy()))
})
afterAll(async () => {
  await partner.close()
  await canary.close()
})

function makeAgent(options: Partial<GuardOptions> = {}): Dispatcher {
  const agent = makeGuardedAgent({
    environment: 'production',
    resolve: resolveInTest,
    rules: rulesWithPorts(canary.port, partner.port),
    ca: readPem('authority'),
    ...options,
  })
  open.push(agent)
  return agent
}

const listHostUrls = (): string[] =>
  Object.values(forbiddenHosts).flatMap(({ hosts }) => hosts.map((host) => `https://${host}:${canary.port}/`))

const listForbiddenUrls = (): string[] => [
  ...listHostUrls(),
  ...forbiddenUrls.map((url) => url.replace('PORT', String(canary.port))),
  ...Object.keys(forbiddenAnswers).map((name) => `https://${name}:${canary.port}/`),
]

/** As our callers do it: parse once, hand over the origin and the path. */
async function tryUrl(dispatcher: Dispatcher, text: string, method: 'GET' | 'POST'): Promise<string> {
  if (!URL.canParse(text)) return 'no URL'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'user info'
  if (!/^https?:$/.test(url.protocol)) return 'no web address'
  try {
    const { statusCode, body } = await dispatcher.request({ origin: url.origin, path: url.pathname, method })
    await body.dump()
    return `answered ${statusCode}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

describe('in production', () => {
  it('knows more than 150 spellings of targets that are not allowed', () => {
    expect(new Set(listForbiddenUrls()).size).toBeGreaterThan(200)
  })

  it.each(['GET', 'POST'] as const)(
    'refuses every one of them to a %s, and connects nowhere',
    async (method) => {
      const agent = makeAgent()
      for (const url of listForbiddenUrls()) {
        expect([url, await tryUrl(agent, url, method)]).toEqual([
          url,
          expect.stringMatching(/^(target_refused|no URL|user info|no web address)$/),
        ])
      }
      expect({ reached: canary.connections, tried: attempts.addresses }).toEqual({ reached: 0, tried: [] })
    },
  )

  it('refuses them to a Pool as well, which the guard is handed to as `connect`', async () => {
    const connect = makeGuardedConnect({
      environment: 'production',
      resolve: resolveInTest,
      rules: rulesWithPorts(canary.port),
    })
    for (const url of listForbiddenUrls().filter((text) => URL.canParse(text) && text.startsWith('https:'))) {
      const pool = new Pool(new URL(url).origin, { connect })
      open.push(pool)
      expect([url, await tryUrl(pool, url, 'POST')]).toEqual([
        url,
        expect.stringMatching(/^(target_refused|user info)$/),
      ])
    }
    expect({ reached: canary.connections, tried: attempts.addresses }).toEqual({ reached: 0, tried: [] })
  })

  it('tells nothing of a URL but that it is wrong, before any connection', () => {
    for (const url of listHostUrls().filter((text) => URL.canParse(text))) {
      const atDefaultPort = new URL(url)
      atDefaultPort.port = ''
      expect([url, findTargetProblem(atDefaultPort, 'production')]).toEqual([url, 'must name a public host'])
    }
  })

  it.each([301, 302, 303, 307, 308])('hands back a %i and follows it nowhere', async (status) => {
    const agent = makeAgent()
    for (const target of listForbiddenUrls()) {
      answerOfPartner = (_request, response) => {
        response.writeHead(status, { location: encodeURI(target) }).end()
      }
      const url = `https://hooks.example.org:${partner.port}/`
      expect(await tryUrl(agent, url, 'POST')).toBe(`answered ${status}`)
    }
    expect(canary.connections).toBe(0)
    expect(new Set(attempts.addresses)).toEqual(new Set([publicAddress]))
  })

  it('gives one error, whatever was wrong', async () => {
    const agent = makeAgent({
      resolve: (name) =>
        name.startsWith('unknown')
          ? Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }))
          : resolveInTest(name),
    })
    const wrong = ['127.0.0.1', 'unknown.example.org', 'private.example.org', 'nothing.example.org', '[::1]']
    const texts = await Promise.all(
      wrong.map((host) =>
        agent
          .request({ origin: `https://${host}:${canary.port}`, path: '/', method: 'GET' })
          .catch((error: NodeJS.ErrnoException) => `${error.name} ${error.code} ${error.message}`),
      ),
    )
    expect(new Set(texts)).toEqual(new Set(['TargetRefused target_refused The target is not allowed']))
  })
})

describe('names', () => {
  it('are resolved once a connection, and the connection goes where the check looked', async () => {
    const answers = [publicAddress, '127.0.0.1']
    let questions = 0
    const resolve: GuardOptions['resolve'] = () =>
      Promise.resolve([{ address: answers[questions++] ?? '127.0.0.1', family: questions === 1 ? 6 : 4 }])
    answerOfPartner = (_request, response) => response.writeHead(200, { connection: 'close' }).end()
    const agent = makeAgent({ resolve })
    const url = `https://rebinding.example.org:${partner.port}/`
    expect(await tryUrl(agent, url, 'GET')).toBe('answered 200')
    expect({ questions, tried: attempts.addresses }).toEqual({ questions: 1, tried: [publicAddress] })
    expect(await tryUrl(agent, url, 'GET')).toBe('target_refused')
    expect({ questions, tried: attempts.addresses }).toEqual({ questions: 2, tried: [publicAddress] })
  })

  it('stay the Host and the SNI of the connection', async () => {
    const seen: unknown[] = []
    answerOfPartner = (request, response) => {
      seen.push(request.headers.host, (request.socket as unknown as { servername: string }).servername)
      response.end()
    }
    await tryUrl(makeAgent(), `https://hooks.example.org:${partner.port}/`, 'POST')
    expect(seen).toEqual([`hooks.example.org:${partner.port}`, 'hooks.example.org'])
  })

  it('are given up when resolving takes longer than a connection may', async () => {
    const agent = makeAgent({ resolve: () => new Promise(() => {}), connectTimeoutMs: 50 })
    expect(await tryUrl(agent, `https://slow.example.org:${partner.port}/`, 'GET')).toBe(
      'UND_ERR_CONNECT_TIMEOUT',
    )
  })
})

describe('certificates', () => {
  it.each([
    ['expired', 'CERT_HAS_EXPIRED'],
    ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ])('that are %s are refused, even where the environment says otherwise', async (certificate, code) => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED']
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
    const server = await startTlsServer((_request, response) => response.end(), certificate)
    try {
      const agent = makeAgent({ rules: rulesWithPorts(server.port) })
      expect(await tryUrl(agent, `https://hooks.example.org:${server.port}/`, 'GET')).toBe(code)
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before
      await server.close()
    }
  })

  it('of another name are refused', async () => {
    const url = `https://hooks.example.net:${partner.port}/`
    expect(await tryUrl(makeAgent(), url, 'GET')).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
  })
})

describe('in a sandbox', () => {
  const makeSandboxAgent = (): Dispatcher =>
    makeAgent({ environment: 'sandbox', rules: publicTargetRules, connectTimeoutMs: 500 })

  it('every spelling of this machine arrives here: the list does test the guard', async () => {
    const agent = makeSandboxAgent()
    const silent: string[] = []
    for (const { hosts } of Object.values(forbiddenHosts).filter(({ loopback }) => loopback)) {
      for (const host of hosts.filter((name) => URL.canParse(`https://${name}/`))) {
        const before = canary.connections
        await tryUrl(agent, `https://${host}:${canary.port}/`, 'GET')
        if (canary.connections === before) silent.push(host)
      }
    }
    // Which IPv6 forms have a route differs from machine to machine; IPv4 loopback is everywhere.
    expect(silent.filter((host) => !host.startsWith('['))).toEqual([])
  })

  it('http and loopback work', async () => {
    const server = await startWebServer((_request, response) => response.end('hello'))
    expect(await tryUrl(makeSandboxAgent(), `http://localhost:${server.port}/`, 'POST')).toBe('answered 200')
    expect(await tryUrl(makeSandboxAgent(), `http://127.0.0.1:${server.port}/`, 'GET')).toBe('answered 200')
    await server.close()
  })

  it('only the addresses where cloud providers hand out credentials are refused', async () => {
    const agent = makeSandboxAgent()
    const refused = [
      '169.254.169.254',
      '0xa9fea9fe',
      '169.254.170.2',
      '168.63.129.16',
      '100.100.100.200',
      '192.0.0.192',
      '[fd00:ec2::254]',
      '[::ffff:169.254.169.254]',
      '[::a9fe:a9fe]',
      '[64:ff9b::a9fe:a9fe]',
      '[fe80::1]',
      'metadata.example.org',
      'zone.example.org',
    ]
    for (const host of refused) {
      expect([host, await tryUrl(agent, `http://${host}:${canary.port}/`, 'GET')]).toEqual([
        host,
        'target_refused',
      ])
    }
    expect(attempts.addresses).toEqual([])
  })

  it('an unknown name is said to be one', async () => {
    const agent = makeAgent({
      environment: 'sandbox',
      resolve: () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })),
    })
    expect(await tryUrl(agent, 'http://unknown.example.org/', 'GET')).toBe('ENOTFOUND')
  })
})
