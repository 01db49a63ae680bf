import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { findServers } from '../../../src/engines/models/openai/find-servers.js'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener)
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const models = (ids: readonly unknown[]) =>
  JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) })

describe('finding model servers', () => {
  it('asks for the list of models and for nothing else, and skips our own port', async () => {
    const asked: string[] = []
    const port = await listen((request, response) => {
      asked.push(`${request.method} ${request.url}`)
      response.end(models(['qwen3:8b', 'evil\u001B[2J', 7]))
    })
    const places = [{ name: 'Ollama', port }]
    expect(await findServers({ places })).toEqual([
      { name: 'Ollama', url: `http://127.0.0.1:${port}/v1`, models: ['qwen3:8b'] },
    ])
    expect(await findServers({ places, ownPorts: [port] })).toEqual([])
    expect(asked).toEqual(['GET /v1/models'])
  })

  it('leaves out what is silent, endless, no list, an error or elsewhere, within a second or so', async () => {
    let redirected = 0
    const elsewhere = await listen((_, response) => {
      redirected += 1
      response.end(models(['x']))
    })
    const places = await Promise.all(
      (
        [
          () => undefined,
          (_, response) => {
            const timer = setInterval(() => response.write('x'.repeat(10_000)), 1)
            response.on('close', () => clearInterval(timer))
          },
          (_, response) => response.end('<html>'),
          (_, response) => response.end('{"data":{}}'),
          (_, response) => response.writeHead(404).end(models(['x'])),
          (_, response) =>
            response.writeHead(302, { location: `http://127.0.0.1:${elsewhere}/v1/models` }).end(),
        ] satisfies RequestListener[]
      ).map(async (listener) => ({ name: 'x', port: await listen(listener) })),
    )
    const startedAt = performance.now()
    expect(await findServers({ places: [...places, { name: 'nobody', port: 9 }] })).toEqual([])
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect(redirected).toBe(0)
  })
})
