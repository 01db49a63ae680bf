import type { FastifyInstance, FastifyReply } from 'fastify'
import { serveForGood, type WebBundle } from './web-assets.js'

/**
 * Nothing from anywhere else, no inline script or style, no frame around it. Text reaches the page as text: Trusted Types
 * without any policy forbid every way of turning it into markup.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const permissionsPolicy = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'

export interface PageShell {
  /** The paths that its links lead to: `/a` for `/a`, `/a/` and whatever stands below. */
  paths: readonly string[]
  title: string
  bundle: WebBundle
  /** Handed to the script as JSON; the same for everybody. */
  data: unknown
}

/**
 * One page for every link, whether it is good for anything or not: the server does not look at the token here, so neither
 * status, headers, body nor time can tell. The script asks, together with the birth date.
 */
export function mountPageShell(app: FastifyInstance, { paths, title, bundle, data }: PageShell): void {
  const assets = '/pages/assets'
  serveForGood(app, assets, [bundle.js, bundle.css])
  const html = renderShell({ title, bundle, data, assets, noScript })
  for (const path of paths) {
    for (const url of [path, `${path}/*`]) {
      app.get(url, { config: { operation: 'clientPage.shell' } }, (_request, reply) => sendShell(reply, html))
    }
  }
}

const noScript = `This page needs JavaScript. Please allow it, or ask your clinic for the questions on paper.
<p lang="es">Esta página necesita JavaScript. Actívelo, por favor, o pida a su clínica las preguntas en papel.</p>`

export const sendShell = (reply: FastifyReply, html: string): FastifyReply =>
  reply
    .header('content-security-policy', contentSecurityPolicy)
    .header('permissions-policy', permissionsPolicy)
    .header('referrer-policy', 'no-referrer')
    .header('cross-origin-opener-policy', 'same-origin')
    .header('cross-origin-resource-policy', 'same-origin')
    .header('x-robots-tag', 'noindex, nofollow, noarchive')
    .type('text/html; charset=utf-8')
    .send(html)

interface Shell extends Omit<PageShell, 'paths'> {
  /** The path at which its files are served. */
  assets: string
  /** Markup of ours, for whoever has scripts switched off. */
  noScript: string
}

export function renderShell({ title, bundle, data, assets, noScript: said }: Shell): string {
  // `<` is the only character that could end the element early.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  const style = bundle.css === null ? '' : `<link rel="stylesheet" href="${assets}/${bundle.css.file}">\n`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="format-detection" content="telephone=no">
<title>${title}</title>
<link rel="icon" href="data:,">
${style}<script type="application/json" id="data">${json}</script>
<script type="module" src="${assets}/${bundle.js.file}"></script>
</head>
<body>
<div id="page"></div>
<noscript>${said}</noscript>
</body>
</html>
`
}
