import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorHeadersOf } from '@casenote/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { OpenSession } from '../../features/console/index.js'
import type { ConsoleApi } from '../../http/console-api.js'
import type { OnTurnedAway } from '../../http/errors.js'
import type { Health } from '../../http/health.js'
import { makeHttpServer } from '../../http/server.js'
import type { Log } from '../../kernel/log.js'
import type { ConsoleParts } from './console-parts.js'
import { mountConsole } from './mount-console.js'

/** The operator's console, without a port of its own: the admin port hands its requests on. */
export interface OperatorConsole {
  app: FastifyInstance
  api: ConsoleApi<OpenSession>
  ready(): Promise<void>
  handle(request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
}

export function openOperatorConsole(
  parts: ConsoleParts,
  { log, health, onTurnedAway }: { log: Log; health: Health; onTurnedAway: OnTurnedAway },
): OperatorConsole {
  // Nothing of the Partner API is here: a route that there is not is simply not there.
  const renderUnknown = (_request: FastifyRequest, reply: FastifyReply): FastifyReply =>
    reply.code(404).headers(errorHeadersOf('not_found')).send({ message: 'Not Found' })
  const app = makeHttpServer({ clock: parts.realm.clock, log, renderUnknown })
  // The catalogue of errors is on the public port: a link to it would lead nowhere here.
  app.addHook('onSend', async (_request, reply) => {
    void reply.removeHeader('link')
  })
  const api = mountConsole(app, parts, { log, health, onTurnedAway, renderUnknown })
  return {
    app,
    api,
    ready: async () => {
      await app.ready()
    },
    handle: (request, response) => app.routing(request, response),
    close: () => app.close(),
  }
}
