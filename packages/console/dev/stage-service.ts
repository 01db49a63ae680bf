import type { ConsoleMe } from '@casenote/contract'
import * as data from './stage-answers.js'

interface Call {
  method: string
  path: string
  query: string
  body: unknown
  isByItself: boolean
}

interface Told {
  status: number
  body?: unknown
  code?: string
}

/** `/console/api` in memory. A test sets who is there, what the next calls meet, and reads what was asked. */
export interface StageService {
  me: ConsoleMe | null
  /** Of the ports: without a user the public one answers as for any route that there is not. */
  isOpen: boolean
  /** Whether somebody has shown just now that it is them. */
  isFresh: boolean
  calls: Call[]
  /** By `GET /tenants/:tenant/sessions`; what is set here is told instead. */
  told: Record<string, unknown>
  /** The next calls to this path (its end) fail so; status 0: no answer comes. */
  failures: { path: string; status: number; message: string }[]
}

const changed = (service: StageService): Record<string, (body: never) => Told> => ({
  'POST /link': () => ({ status: 200, body: { userName: 'ops-anna' } }),
  'POST /enrol/password': () => ({
    status: 200,
    body: {
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      otpauthUri: 'otpauth://totp/Casenote:ops-anna?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Casenote',
    },
  }),
  'POST /enrol/totp': () => signIn(service),
  'POST /sign-in': ({ password, code }: { password: string; code: string }) =>
    password === 'correct horse battery' && code === '123456'
      ? signIn(service)
      : { status: 401, body: { message: 'User name, password or code is wrong.' } },
  'POST /sign-out': () => {
    service.me = null
    return { status: 204 }
  },
  'POST /confirm': ({ password, code }: { password: string; code: string }) => {
    service.isFresh = password === 'correct horse battery' && code === '123456'
    return service.isFresh
      ? { status: 204 }
      : { status: 401, body: { message: 'That did not match, or was tried too often.' } }
  },
  'POST /me/passkeys/:id/remove': () => ({ status: 204 }),
  'POST /tenants/:tenant/sessions/:id/retry': () => ({ status: 200, body: { id: data.goodSession.id } }),
  'POST /tenants/:tenant/deliveries/:id/resend': () => ({ status: 204 }),
  'POST /tenants/:tenant/endpoints/:id/recover': () => ({ status: 200, body: { count: 7 } }),
  'POST /tenants/:tenant/keys/rotate': () => ({
    status: 200,
    body: { secret: 'cn_live_3fQ2v7Lk9pXs1TzR8mWb4NdYc6HgJa0e' },
  }),
  'POST /tenants/:tenant/keys/:id/retire': () => ({ status: 204 }),
})

function signIn(service: StageService): Told {
  service.me = data.operator
  return { status: 204 }
}

const list = (rows: readonly unknown[]) => ({ data: rows, next: null })

const readables: Record<string, (id: string, query: URLSearchParams) => unknown> = {
  'GET /me/passkeys': () => list(data.passkeys),
  'GET /refusals': () => list(data.refusals),
  'GET /tenants/:tenant/rates': () => data.rates,
  'GET /tenants': () => list(data.tenants),
  'GET /health': () => data.health,
  'GET /tenants/:tenant/overview': () => data.overview,
  'GET /tenants/:tenant/sessions': (_, query) => pageSessions(query),
  'GET /tenants/:tenant/sessions/:id': (id) =>
    [data.failedSession, data.goodSession].find((session) => session.id === id),
  'GET /tenants/:tenant/endpoints': () => list(data.endpoints),
  'GET /tenants/:tenant/deliveries': () => list(data.deliveries),
  'GET /tenants/:tenant/deliveries/:id': (id) => (id === data.delivery.id ? data.delivery : undefined),
  'GET /tenants/:tenant/request-logs': () => list(data.requests),
  'GET /tenants/:tenant/keys': () => ({ keys: data.keys }),
  'GET /tenants/:tenant/limits': () => data.limits,
  'GET /tenants/:tenant/usage': () => ({ days: data.days }),
  'GET /tenants/:tenant/clinics': () => list(data.clinics),
  'GET /tenants/:tenant/clinicians': () => list(data.clinicians),
  'GET /tenants/:tenant/audit': () => list(data.audit),
}

const pageRows = 20

function pageSessions(query: URLSearchParams) {
  const from = Number(query.get('cursor') ?? 0)
  const status = query.get('status')
  const rows = data.sessions.filter((row) => status === null || row.status === status)
  const next = from + pageRows < rows.length ? String(from + pageRows) : null
  return { data: rows.slice(from, from + pageRows), next }
}

export function makeStageService(): StageService {
  return { me: data.operator, isOpen: true, isFresh: true, calls: [], told: {}, failures: [] }
}

/** In the browser's place of `fetch`, on the stage alone. */
export const makeFetch =
  (service: StageService) =>
  async (input: string, init: RequestInit): Promise<Response> => {
    const { pathname, searchParams } = new URL(input, location.origin)
    const path = pathname.slice('/console/api'.length)
    const method = init.method ?? 'GET'
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : null
    const isByItself = new Headers(init.headers).has('x-casenote-by-itself')
    service.calls.push({ method, path, query: searchParams.toString(), body, isByItself })
    const failed = service.failures.findIndex((failure) => path.endsWith(failure.path))
    const [failure] = failed < 0 ? [] : service.failures.splice(failed, 1)
    if (failure?.status === 0) throw new TypeError('no answer')
    const {
      status,
      body: told,
      code,
    } = failure === undefined
      ? answer(service, method, path, { body, query: searchParams })
      : { status: failure.status, body: { message: failure.message } }
    const text = told === undefined ? null : JSON.stringify(told)
    const etag = toTag(text ?? '')
    if (method === 'GET' && new Headers(init.headers).get('if-none-match') === etag)
      return new Response(null, { status: 304 })
    const headers = new Headers({ ...(code === undefined ? {} : { 'casenote-error-code': code }), etag })
    return new Response(text, { status, headers })
  }

function answer(
  service: StageService,
  method: string,
  path: string,
  { body, query }: { body: unknown; query: URLSearchParams },
): Told {
  const pattern = `${method} ${toPattern(path)}`
  if (!service.isOpen) return { status: 403, body: { message: 'Missing Authentication Token' } }
  if (!service.isFresh && /keys/.test(path) && method === 'POST')
    return {
      status: 409,
      body: { message: 'Show once more that it is you' },
      code: 'console_confirm_first',
    }
  const change = changed(service)[pattern]
  if (change !== undefined) return change(body as never)
  if (service.me === null) return { status: 401, body: { message: 'Nobody is signed in.' } }
  if (path === '/me') return { status: 200, body: service.me }
  const told = service.told[pattern] ?? readables[pattern]?.(path.split('/').at(-1) ?? '', query)
  return told === undefined
    ? { status: 404, body: { message: 'There is no such thing here.' } }
    : { status: 200, body: told }
}

/** `/tenants/{tenant}/sessions/{id}/retry` → `/tenants/:tenant/sessions/:id/retry`. */
function toPattern(path: string): string {
  const [, first = '', tenant, noun, id, ...rest] = path.split('/')
  if (path.startsWith('/me/passkeys/') && id !== undefined) return `/me/passkeys/:id/${id}`
  if (first !== 'tenants' || tenant === undefined) return path
  const isVerb = noun === 'keys' && id === 'rotate'
  return ['', first, ':tenant', noun, ...(id === undefined ? [] : [isVerb ? id : ':id']), ...rest].join('/')
}

const toTag = (text: string): string =>
  `"${Array.from(text).reduce((hash, letter) => (hash * 31 + (letter.codePointAt(0) ?? 0)) % 2_147_483_647, 7)}"`
