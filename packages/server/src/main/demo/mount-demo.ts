import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { readWebBundle, serveForGood, type WebBundle } from '../../http/web-assets.js'
import type { Config } from '../../kernel/config.js'
import type { TenantId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { findSandboxCredentials } from '../sandbox.js'
import { makePartnerBackend, type CallPartnerApi } from './partner-backend.js'

/**
 * An example EHR with the widget in it. It signs in whoever asks, as a clinician of the sandbox partner: mounted by
 * `start` alone, and only where there is a sandbox. As soon as that is no longer at home these are unknown routes.
 */
export function mountDemo(
  app: FastifyInstance,
  { publicUrl, dataDir }: Config,
  isAtHome: () => boolean,
): boolean {
  const first = findSandboxCredentials(dataDir)
  if (first === null) return false
  // Read for each call: `casenote sandbox reset` writes other ids while this runs.
  const getCredentials = () => findSandboxCredentials(dataDir) ?? first
  const backend = makePartnerBackend(getCredentials, callInside(app))
  const page = readWebBundle('widget', 'demo')
  const { origin } = new URL(publicUrl)
  serveForGood(app, '/demo/assets', [page.js, page.css])
  const onRequest = async (_request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (!isAtHome()) reply.callNotFound()
  }
  app.get('/demo', { config: { operation: 'demo.page' }, onRequest }, (request, reply) => {
    const elsewhere = findOtherSite(request, origin)
    if (elsewhere !== null) return reply.redirect(elsewhere)
    return sendPage(reply, page, origin, first.partnerId)
  })
  app.get('/demo/clients', { config: { operation: 'demo.clients' }, onRequest }, async (request) => {
    requireOwnPage(request)
    return backend.listClients()
  })
  app.post('/demo/tokens', { config: { operation: 'demo.tokens' }, onRequest }, async (request) => {
    requireOwnPage(request)
    return backend.mintTokens()
  })
  return true
}

/** Through all checks of the Partner API, without a socket: behind a proxy we may not reach our own public URL. */
function callInside(app: FastifyInstance): CallPartnerApi {
  return async ({ method, path, headers, body }) => {
    const payload = body === undefined ? {} : { payload: body }
    const answer = await app.inject({ method, url: `/v2${path}`, headers, ...payload })
    return { status: answer.statusCode, body: answer.json<unknown>() }
  }
}

/** `localhost` and `127.0.0.1` are two sites: so the widget is seen as partners see it, from another one. */
function findOtherSite({ headers: { host = '' } }: FastifyRequest, origin: string): string | null {
  const { protocol, hostname, port } = new URL(origin)
  if (protocol !== 'http:' || hostname !== 'localhost' || !host.startsWith('localhost')) return null
  return `http://127.0.0.1${port === '' ? '' : `:${port}`}/demo`
}

/** No page of another site asks in a visitor's name, and no name that was made to point here. */
function requireOwnPage({ headers }: FastifyRequest): void {
  if (headers['sec-fetch-site'] === 'same-origin' && headers['x-demo'] === '1') return
  throw refuse.forbidden('demo_only', 'Only for the demo page')
}

/** What a partner's page needs for the widget stands here, and nothing else: docs/widget.md explains it. */
function sendPage(
  reply: FastifyReply,
  { js, css }: WebBundle,
  origin: string,
  partnerId: TenantId,
): FastifyReply {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${origin}`,
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    `frame-src ${origin}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
  const style = css === null ? '' : `<link rel="stylesheet" href="/demo/assets/${css.file}">`
  return reply
    .header('content-security-policy', policy)
    .header('permissions-policy', `microphone=(self "${origin}")`)
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Example EHR</title>
  <link rel="icon" href="data:,">
  ${style}
  <script defer src="/demo/assets/${js.file}"></script>
  <script defer src="${origin}/widget/v1/widget.js?partner=${partnerId}"></script>
</head>
<body></body>
</html>
`,
    )
}
