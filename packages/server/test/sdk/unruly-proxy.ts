import { once } from 'node:events'
import { createServer, request as forward, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What befalls the next requests of a kind on their way to the service, in the order they are listed; each once. */
export interface Trouble {
  /** `POST /clients/ID/sessions`: without `/v2` and query. A path that ends in `*` stands for all that begin so. */
  on: string
  /** Answered with this; the service never hears of it. */
  answer?: { status: number; headers?: Record<string, string>; body?: string }
  /** Done by the service, but the answer is lost. */
  lose?: boolean
  /** Never answered. */
  hang?: boolean
  /** The service's own answer with these fields and headers added. */
  add?: { fields?: object; headers?: Record<string, string> }
  /** For every such request, not for one. */
  always?: boolean
}

/** Lets an hour pass for the service, so that tokens expire. */
export interface MovableClock {
  nowMs(): number
  passAnHour(): void
}

export function makeMovableClock(): MovableClock {
  let aheadMs = 0
  return {
    nowMs: () => Date.now() + aheadMs,
    passAnHour: () => {
      aheadMs += 3_700_000
    },
  }
}

export interface Seen {
  /** `GET /partners?page=1` */
  request: string
  headers: IncomingHttpHeaders
  /** What was answered; 0 for nothing. */
  status: number
}

export interface UnrulyProxy {
  baseUrl: string
  troubles: Trouble[]
  seen: Seen[]
  /** The requests seen since the last `reset`, `METHOD /path`, that begin like this. */
  count(beginning: string): number
  reset(troubles?: Trouble[]): void
  close(): Promise<void>
}

/**
 * Between an SDK and the real service: makes trouble as told. `/control` is for tests in another language: GET reads what
 * was seen, POST resets it and names the next troubles, DELETE lets an hour pass.
 */
export async function makeUnrulyProxy(port: number, clock: MovableClock): Promise<UnrulyProxy> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const body = Buffer.concat(chunks)
      if (url === '/control') {
        if (method === 'DELETE') clock.passAnHour()
        if (method === 'POST') proxy.reset(JSON.parse(body.toString()) as Trouble[])
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(proxy.seen))
        return
      }
      const path = url.replace('/v2', '')
      const seen: Seen = { request: `${method} ${path}`, headers, status: 0 }
      proxy.seen.push(seen)
      handle(
        takeTrouble(proxy, `${method} ${path.split('?', 1)[0]}`),
        { method, url, headers, body },
        response,
        seen,
      )
    })
  })

  const handle = (
    trouble: Trouble | undefined,
    {
      method,
      url,
      headers,
      body,
    }: { method: string; url: string; headers: IncomingHttpHeaders; body: Buffer },
    response: ServerResponse,
    seen: Seen,
  ): void => {
    if (trouble?.hang === true) return
    if (trouble?.answer !== undefined) {
      seen.status = trouble.answer.status
      response.writeHead(seen.status, trouble.answer.headers).end(trouble.answer.body ?? '')
      return
    }
    const onward = forward({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => {
        if (trouble?.lose === true) return response.destroy()
        seen.status = answer.statusCode ?? 0
        const { 'content-length': _length, 'transfer-encoding': _encoding, ...kept } = answer.headers
        response.writeHead(seen.status, { ...kept, ...trouble?.add?.headers })
        return response.end(withFields(Buffer.concat(chunks), trouble?.add?.fields))
      })
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: UnrulyProxy = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v2`,
    troubles: [],
    seen: [],
    count: (beginning) => proxy.seen.filter(({ request }) => request.startsWith(beginning)).length,
    reset: (troubles = []) => {
      proxy.seen = []
      proxy.troubles = troubles
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}

function takeTrouble(proxy: UnrulyProxy, request: string): Trouble | undefined {
  const index = proxy.troubles.findIndex(({ on }) =>
    on.endsWith('*') ? request.startsWith(on.slice(0, -1)) : request === on,
  )
  const trouble = proxy.troubles[index]
  if (trouble !== undefined && trouble.always !== true) proxy.troubles.splice(index, 1)
  return trouble
}

const withFields = (body: Buffer, fields: object | undefined): Buffer | string =>
  fields === undefined ? body : JSON.stringify({ ...(JSON.parse(body.toString()) as object), ...fields })
