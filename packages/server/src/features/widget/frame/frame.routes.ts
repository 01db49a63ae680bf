import type { IncomingHttpHeaders } from 'node:http'
import { pickLanguage } from '@casenote/contract'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { readLanguages } from '../../../http/read-languages.js'
import {
  readWebBundle,
  sendAsset,
  serveForGood,
  type WebAsset,
  type WebBundle,
} from '../../../http/web-assets.js'
import type { Database } from '../../../kernel/db/database.js'
import { isId } from '../../../kernel/ids.js'
import { selectEmbeddingOrigins } from './embedding-origins.sql.js'

/** How long browsers keep the loader: its name never changes, so a repair reaches every page within this time. */
const loaderSeconds = 300

/** The loader, and the page inside the frame. Both are loaded by partners' pages on other sites. */
export function mountFrame(app: FastifyInstance, db: Database): void {
  const loader = readWebBundle('widget', 'widget')
  const frame = readWebBundle('widget', 'frame')
  const { js, css, texts, parts, later } = frame
  serveForGood(app, '/widget/v1/assets', [js, css, ...Object.values(texts), ...parts, ...later])
  app.get('/widget/v1/widget.js', { config: { operation: 'widget.loader' } }, (request, reply) =>
    sendAsset(request, reply, loader.js, `public, max-age=${loaderSeconds}`),
  )
  app.get<{ Querystring: FrameQuery }>(
    '/widget/v1/frame',
    { config: { operation: 'widget.frame' } },
    async ({ query, headers }, reply) => {
      const ancestors = await listAncestors(db, query.partner)
      return sendFrame(reply, frame, { ancestors, language: chooseLanguage(query, headers) })
    },
  )
}

/** The query of a frame, as the page around it sends it; nothing has looked at it. */
interface FrameQuery {
  partner?: unknown
  language?: unknown
}

/** What the page around it set, else what the browser asks for: so a clinician loads the words of one language. */
function chooseLanguage({ language }: FrameQuery, headers: IncomingHttpHeaders): string {
  const wanted = typeof language === 'string' ? language : null
  return pickLanguage([wanted, ...readLanguages(headers['accept-language'])]) ?? 'en'
}

/**
 * Who may embed the frame. Without a partner that is decided when a clinician signs in (ruling 9); for one that does
 * not exist, nobody.
 */
async function listAncestors(db: Database, partner: unknown): Promise<string> {
  if (partner === undefined) return '*'
  if (typeof partner !== 'string' || !isId(partner)) return "'none'"
  const tenant = { tenantId: partner }
  const [row] = await db.read(tenant, selectEmbeddingOrigins(tenant))
  if (row === undefined || row.origins?.length === 0) return "'none'"
  return row.origins?.join(' ') ?? '*'
}

/** Tried in the widget's frame without a violation; nothing inline, no other host, no string that becomes script. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "media-src 'self' blob:",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** No `X-Frame-Options`: it cannot name several origins, and would forbid what `frame-ancestors` allows. */
function sendFrame(
  reply: FastifyReply,
  bundle: WebBundle,
  { ancestors, language }: { ancestors: string; language: string },
): FastifyReply {
  return reply
    .header('content-security-policy', `${policy}; frame-ancestors ${ancestors}`)
    .header('cross-origin-resource-policy', 'cross-origin')
    .header(
      'permissions-policy',
      'microphone=(self), display-capture=(self), screen-wake-lock=(self), camera=(), geolocation=()',
    )
    .header('referrer-policy', 'no-referrer')
    .type('text/html; charset=utf-8')
    .send(
      `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>Casenote</title>` +
        `<meta name="viewport" content="width=device-width, initial-scale=1">${linkAssets(bundle, language)}` +
        `<script type="module" src="/widget/v1/assets/${bundle.js.file}"></script></head><body></body></html>`,
    )
}

/**
 * All that the first screen needs is asked for at once; the parts of a script would be asked for when it has arrived, a
 * round trip later. The script looks here for the address of its words.
 */
function linkAssets({ css, parts, texts }: WebBundle, language: string): string {
  const link = (attributes: string, assets: readonly (WebAsset | null)[]): string =>
    assets
      .map((asset) => (asset === null ? '' : `<link ${attributes} href="/widget/v1/assets/${asset.file}">`))
      .join('')
  return (
    link('rel="stylesheet"', [css]) +
    link('rel="modulepreload"', parts) +
    link('rel="preload" as="fetch" crossorigin', [texts[language] ?? null])
  )
}
