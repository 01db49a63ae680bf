import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { renderShell, sendShell } from './page-shell.js'
import { findWebBundle, serveForGood } from './web-assets.js'

interface ConsolePage {
  isOpen: () => Promise<boolean>
  renderUnknown: (request: FastifyRequest, reply: FastifyReply) => FastifyReply
}

const assets = '/console/assets'

/** One page for everything below `/console`; without a user, or without the bundle, there is no such route. */
export function mountConsolePage(app: FastifyInstance, { isOpen, renderUnknown }: ConsolePage): void {
  const bundle = findWebBundle('console', 'console')
  if (bundle === null) return
  serveForGood(app, assets, [bundle.js, bundle.css, ...bundle.parts, ...bundle.later])
  const html = renderShell({
    title: 'Casenote console',
    bundle,
    assets,
    data: {},
    noScript: 'The console needs JavaScript.',
  })
  for (const url of ['/console', '/console/']) {
    app.get(url, { config: { operation: 'console.shell' } }, async (request, reply) =>
      (await isOpen()) ? sendShell(reply, html) : renderUnknown(request, reply),
    )
  }
}
