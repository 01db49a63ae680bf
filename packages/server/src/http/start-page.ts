import type { FastifyInstance } from 'fastify'
import { html, type Html } from './docs/html.js'
import { pageSecurityPolicy } from './docs/mount-docs.js'

interface Lead {
  name: string
  path: string
  text: string
}

const leads: readonly Lead[] = [
  { name: 'docs', path: '/docs', text: 'API reference' },
  { name: 'errors', path: '/docs/errors', text: 'Error codes: what each means, and what to do' },
  { name: 'openapi', path: '/docs/openapi.json', text: 'The OpenAPI document' },
  { name: 'health', path: '/health/ready', text: 'Whether this installation is ready' },
]
const demo: Lead = { name: 'demo', path: '/demo', text: 'An example EHR with the widget in it' }

/** `/`: what stands here and where to go on. The same for everybody, and nothing of a partner. `hasDemo`: now. */
export function mountStartPage(app: FastifyInstance, hasDemo: () => boolean): void {
  app.get('/', { config: { operation: 'start.read' } }, (request, reply) => {
    const shown = hasDemo() ? [...leads, demo] : leads
    void reply
      .header('vary', 'accept')
      .header('content-security-policy', pageSecurityPolicy)
      .header('referrer-policy', 'no-referrer')
    if (prefersJson(request.headers.accept)) {
      const links = Object.fromEntries(shown.map(({ name, path }) => [name, path]))
      return reply.send({ name: 'Casenote', api: '/v2', links })
    }
    return reply.type('text/html; charset=utf-8').send(renderStart(shown))
  })
}

/** A browser names HTML, a program that wants JSON names that, and whoever names neither is most likely a person with curl. */
const prefersJson = (accept = ''): boolean =>
  accept.toLowerCase().includes('application/json') && !accept.toLowerCase().includes('text/html')

const renderLead = ({ path, text }: Lead): Html => html`<li><a href="${path}">${path}</a>: ${text}</li>`

const renderStart = (shown: readonly Lead[]): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Casenote</title>
        <link rel="stylesheet" href="/docs/reference.css" />
        <link rel="icon" href="data:," />
      </head>
      <body class="plain">
        <main>
          <h1>Casenote</h1>
          <p>A clinical documentation service. Its Partner API is below <code>/v2</code> of this address.</p>
          <ul>
            ${shown.map(renderLead)}
          </ul>
        </main>
      </body>
    </html>`.text
