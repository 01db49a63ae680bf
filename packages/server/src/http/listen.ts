import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { errnoOf } from '../kernel/errno.js'
import { endConnections } from './end-connections.js'
import { answerExpectations, answerRawError } from './raw-errors.js'

/** What a machine without IPv6 says. */
const noIpv6Codes = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/**
 * `localhost` is both loopback addresses, whatever the hosts file makes of the name: a client that resolves it to `::1`
 * must find us, too.
 */
export async function listen(
  app: FastifyInstance,
  { host, port }: { host: string; port: number },
): Promise<{ close(): Promise<void> }> {
  if (host !== 'localhost') {
    await app.listen({ host, port })
    return { close: () => app.close() }
  }
  await app.listen({ host: '127.0.0.1', port })
  const { requestTimeout, headersTimeout, keepAliveTimeout } = app.server
  const second = createServer(
    { requestTimeout, headersTimeout, keepAliveTimeout, requireHostHeader: false },
    (request, response) => app.routing(request, response),
  )
  second.on('clientError', answerRawError)
  answerExpectations(second)
  second.setTimeout(app.server.timeout)
  second.listen({ host: '::1', port })
  try {
    await once(second, 'listening')
  } catch (error) {
    if (!noIpv6Codes.has(errnoOf(error) ?? '')) throw error
    return { close: () => app.close() }
  }
  const close = async (): Promise<void> => {
    // Takes no more and finishes what is in hand; a connection that then only idles is ended, too.
    const closed = once(second, 'close')
    second.close()
    endConnections(second)
    await closed
    await app.close()
  }
  return { close }
}
