import { once } from 'node:events'
import { createServer } from 'node:http'
import { describeReadiness, type Health } from '../http/health.js'
import { metrics } from '../http/metrics.js'
import type { OperatorConsole } from './console/operator-console.js'

export interface AdminPort {
  /** The operator's console, once there is one; before and after it there is no such thing here. */
  serveConsole(opened: OperatorConsole | null): void
  close(): Promise<void>
}

/** A port of its own on the loopback address: metrics and health are for the operator, never for partners. */
export async function serveAdmin(port: number, health: Health): Promise<AdminPort> {
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
    if (operatorConsole !== null && /^\/console(?:[/?]|$)/.test(request.url ?? '')) {
      operatorConsole.handle(request, response)
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
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
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
