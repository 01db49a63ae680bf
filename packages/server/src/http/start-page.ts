import type { FastifyInstance } from 'fastify'

interface Lead {
  name: string
  path: string
  text: string
}

const leads: readonly Lead[] = [
  { name: 'docs', path: '/docs', text: 'Documentation: quick start, guides, reference' },
  { name: 'errors', path: '/docs/errors', text: 'Error codes: what each means, and what to do' },
  { name: 'openapi', path: '/docs/openapi.json', text: 'The OpenAPI document' },
  { name: 'health', path: '/health/ready', text: 'Whether this installation is ready' },
]
const demo: Lead = { name: 'demo', path: '/demo', text: 'An example EHR with the widget in it' }

const securityPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** `/`: what stands here and where to go on. The same for everybody, and nothing of a partner. `hasDemo`: now. */
export function mountStartPage(app: FastifyInstance, hasDemo: () => boolean): void {
  const config = { operation: 'start.read' }
  app.get('/', { config }, (request, reply) => {
    const shown = hasDemo() ? [...leads, demo] : leads
    void reply
      .header('vary', 'accept')
      .header('content-security-policy', securityPolicy)
      .header('referrer-policy', 'no-referrer')
    if (prefersJson(request.headers.accept)) {
      const links = Object.fromEntries(shown.map(({ name, path }) => [name, path]))
      return reply.send({ name: 'Casenote', api: '/v2', links })
    }
    return reply.type('text/html; charset=utf-8').send(renderStart(shown))
  })
  app.get('/start.css', { config }, (_request, reply) => reply.type('text/css; charset=utf-8').send(css))
}

/** A browser names HTML, a program that wants JSON names that, and whoever names neither is most likely a person with curl. */
const prefersJson = (accept = ''): boolean =>
  accept.toLowerCase().includes('application/json') && !accept.toLowerCase().includes('text/html')

const css = `:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: light-dark(#fff, #16181d); color: light-dark(#1b1f24, #e6e8eb); }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem; }
li { padding: .35rem 0; }
a { color: light-dark(#0b57b0, #8ab8ff); }
a:focus-visible { outline: 3px solid currentcolor; outline-offset: 2px; }
code { font: 1em ui-monospace, monospace; }
`

/** Words of ours alone: there is nothing to escape. */
const renderStart = (shown: readonly Lead[]): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Casenote</title>
<link rel="stylesheet" href="/start.css">
<link rel="icon" href="data:,">
</head>
<body>
<main>
<h1>Casenote</h1>
<p>A clinical documentation service. Its Partner API is below <code>/v2</code> of this address.</p>
<ul>
${shown.map(({ path, text }) => `<li><a href="${path}">${path}</a>: ${text}</li>`).join('\n')}
</ul>
</main>
</body>
</html>
`
