import { createReadStream, statSync } from 'node:fs'
import { errorHeadersOf } from '@casenote/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownFile } from '../../kernel/own-files.js'
import { keepForGood, readWebBundle, sendAsset, serveForGood, type WebAsset } from '../web-assets.js'
import { makeAsset, openDocsSite } from './docs-site.js'

/**
 * What the documentation's pages may load, as strict as for the clients' pages: nothing from anywhere else, nothing inline, and no text
 * that becomes markup.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** A browser asks every time and is told "as before": a page changes with the version and with the service's address. */
const askAgain = 'no-cache'

/** Half a minute of an invented session, for whoever has no recording at hand. */
const sampleFile = 'samples/quick-start.ogg'

/**
 * The documentation at `/docs`, rendered by the build, and the OpenAPI document of the routes. It asks no other host, and can
 * be read without its script.
 */
export function mountDocs(
  app: FastifyInstance,
  { describe, publicUrl }: { describe: () => Record<string, unknown>; publicUrl: string },
): void {
  const config = { operation: 'docs.read' }
  const site = openDocsSite(publicUrl)
  const { js, css, parts } = readWebBundle('docs-site', 'docs')
  serveForGood(app, '/docs/assets', [js, css, ...parts])
  const send = async (
    request: FastifyRequest,
    reply: FastifyReply,
    asset: Promise<WebAsset>,
    cacheControl = askAgain,
  ): Promise<FastifyReply> => {
    void reply
      .header('content-security-policy', contentSecurityPolicy)
      .header('referrer-policy', 'no-referrer')
      .header('cross-origin-opener-policy', 'same-origin')
    return sendAsset(request, reply, await asset, cacheControl)
  }
  for (const path of site.paths) {
    app.get(path, { config }, (request, reply) => send(request, reply, site.readPage(path)))
  }
  app.get(`/docs/assets/${site.searchIndexFile}`, { config }, (request, reply) =>
    send(request, reply, site.readSearchIndex(), keepForGood),
  )
  // A reader who mistyped gets the menu and the search, not the gateway's answer to programs.
  app.get('/docs/*', { config }, (request, reply) =>
    send(request, reply.code(404).headers(errorHeadersOf('not_found')), site.readNotFound(), 'no-store'),
  )
  let openApi: Promise<WebAsset> | null = null
  app.get('/docs/openapi.json', { config }, (request, reply) => {
    openApi ??= makeAsset('openapi.json', 'application/json', JSON.stringify(describe()))
    return send(request, reply, openApi)
  })
  app.get('/docs/sample-session.ogg', { config }, (_request, reply) => {
    const file = ownFile(sampleFile)
    return reply
      .header('cache-control', askAgain)
      .header('content-length', statSync(file).size)
      .type('audio/ogg')
      .send(createReadStream(file))
  })
}
