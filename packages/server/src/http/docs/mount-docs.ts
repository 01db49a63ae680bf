import { errorCataloguePath } from '@casenote/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { renderErrorCatalogue } from './render-error-catalogue.js'
import { referenceCss } from './reference-css.js'
import { renderReference, type OpenApiDocument } from './render-reference.js'

/** Of pages without script that nobody frames. */
export const pageSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The API reference at `/docs`, from the same document as openapi.json. It asks no other host and runs no script. */
export function mountDocs(app: FastifyInstance, document: Record<string, unknown>): void {
  const page = renderReference(document as unknown as OpenApiDocument)
  const errors = renderErrorCatalogue()
  const json = JSON.stringify(document)
  const config = { operation: 'docs.read' }
  const send = (reply: FastifyReply, type: string, text: string): FastifyReply =>
    reply
      .header('content-security-policy', pageSecurityPolicy)
      .header('referrer-policy', 'no-referrer')
      .type(type)
      .send(text)
  app.get('/docs', { config }, (_request, reply) => send(reply, 'text/html; charset=utf-8', page))
  app.get(errorCataloguePath, { config }, (_request, reply) =>
    send(reply, 'text/html; charset=utf-8', errors),
  )
  app.get('/docs/reference.css', { config }, (_request, reply) =>
    send(reply, 'text/css; charset=utf-8', referenceCss),
  )
  app.get('/docs/openapi.json', { config }, (_request, reply) => send(reply, 'application/json', json))
}
