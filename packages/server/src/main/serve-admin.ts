import { once } from 'node:events'
import { createServer } from 'node:http'
import { describeReadiness, type Health } from '../http/health.js'
import { metrics } from '../http/metrics.js'

/** A port of its own on the loopback address: metrics and health are for the operator, never for partners. */
export async function serveAdmin(port: number, health: Health): Promise<{ close(): Promise<void> }> {
  const answers: Record<string, () => Promise<[status: number, type: string, text: string]>> = {
    '/metrics': async () => [200, metrics.contentType, await metrics.metrics()],
    '/health/live': async () => [200, 'application/json', JSON.stringify({ status: 'live' })],
    '/health/ready': async () => {
      const { code, body } = describeReadiness(health)
      return [code, 'application/json', JSON.stringify(body)]
    },
  }
  const server = createServer((request, response) => {
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
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
