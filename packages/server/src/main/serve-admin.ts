import { once } from 'node:events'
import { createServer } from 'node:http'
import ipaddr from 'ipaddr.js'
import { describeReadiness, type Health } from '../http/health.js'
import { metrics } from '../http/metrics.js'
import { isErrno } from '../kernel/errno.js'
import type { OperatorConsole } from './console/operator-console.js'

export interface AdminPort {
  /** The operator's console, once there is one; before and after it there is no such thing here. */
  serveConsole(opened: OperatorConsole | null): void
  close(): Promise<void>
}

const isOfThisMachine = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'

/**
 * A port of its own: metrics and health are for the operator, never for partners. Where others reach it, the console is still for
 * who comes from this machine, by a tunnel for example: what is typed there must not go over a network in the open.
 */
export async function serveAdmin(
  { host, port }: { host: string; port: number },
  health: Health,
): Promise<AdminPort> {
  let operatorConsole: OperatorConsole | null = null
  const answers: Record<string, () => Promise<[status: number, type: string, text: string]>> = {
    '/metrics': async () => [200, metrics.contentType, await metrics.metrics()],
    '/health/live': async () => [200, 'application/json', JSON.stringify({ status: 'live' })],
    '/health/ready': async () => {
      const { code, body } = describeReadiness(health)
      return [code, 'application/json', JSON.stringify(body)]
    },
  }
  const server = createServer((request, response) => {
    const mayOperate = operatorConsole !== null && isOfThisMachine(request.socket.remoteAddress)
    if (mayOperate && /^\/console(?:[/?]|$)/.test(request.url ?? '')) {
      operatorConsole?.handle(request, response)
      return
    }
    const answer = request.method === 'GET' ? answers[request.url ?? ''] : undefined
    if (answer === undefined) {
      response.writeHead(404).end()
      return
    }
    answer().then(
      ([status, type, text]) => response.writeHead(status, { 'content-type': type }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw describeRefusal(error, port) ?? error
  }
  return {
    serveConsole: (opened) => {
      operatorConsole = opened
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Null: it is another fault. Roles on one machine each have a port of their own: two with the same is how the first happens. */
function describeRefusal(error: unknown, port: number): Error | null {
  if (isErrno(error, 'EADDRINUSE'))
    return new Error(`admin port ${port} is taken: set CASENOTE_ADMIN_PORT to a free one`, { cause: error })
  if (isErrno(error, 'EADDRNOTAVAIL'))
    return new Error('CASENOTE_ADMIN_HOST is no address of this machine', { cause: error })
  return null
}
