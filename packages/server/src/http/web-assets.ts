import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ownFile } from '../kernel/own-files.js'

/** A bundle that `bin/build-web.js` made; small, so it is kept in memory, packed once. */
export interface WebAsset {
  /** The name of the file, with the hash of its content in it. */
  file: string
  mediaType: string
  bytes: Buffer
  gzip: Buffer
  etag: string
}

export interface WebBundle {
  js: WebAsset
  css: WebAsset | null
  /** Scripts that the first one imports at once, and those that it imports when they are needed. */
  parts: WebAsset[]
  later: WebAsset[]
  /** The words by language, where they are files of their own. */
  texts: Readonly<Record<string, WebAsset>>
}

const mediaTypes = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  texts: 'application/json',
} as const

type WebPackage = 'widget' | 'client-pages' | 'console' | 'docs-site'

/** Null: it was not built. */
export const findWebBundle = (packageName: WebPackage, name: string): WebBundle | null =>
  existsSync(join(ownFile(`../${packageName}/dist`), `${name}.json`))
    ? readWebBundle(packageName, name)
    : null

export function readWebBundle(packageName: WebPackage, name: string): WebBundle {
  const dist = ownFile(`../${packageName}/dist`)
  const manifest = JSON.parse(readFileSync(join(dist, `${name}.json`), 'utf8')) as {
    js: string
    css?: string
    parts: string[]
    later: string[]
    texts?: Record<string, string>
  }
  const read = (file: string, kind: keyof typeof mediaTypes): WebAsset => {
    const bytes = readFileSync(join(dist, file))
    const mediaType = mediaTypes[kind]
    return { file, mediaType, bytes, gzip: gzipSync(bytes, { level: 9 }), etag: makeEtag(bytes) }
  }
  return {
    js: read(manifest.js, 'js'),
    css: manifest.css === undefined ? null : read(manifest.css, 'css'),
    parts: manifest.parts.map((file) => read(file, 'js')),
    later: manifest.later.map((file) => read(file, 'js')),
    texts: Object.fromEntries(
      Object.entries(manifest.texts ?? {}).map(([language, file]) => [language, read(file, 'texts')]),
    ),
  }
}

/** 128 bits of its hash: two contents with one tag do not happen. */
export const makeEtag = (bytes: Buffer): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`

/** For a file whose name changes with its content: a browser need never ask again. */
export const keepForGood = 'public, max-age=31536000, immutable'

export function serveForGood(
  app: FastifyInstance,
  prefix: string,
  assets: readonly (WebAsset | null)[],
): void {
  for (const asset of assets) {
    if (asset === null) continue
    app.get(`${prefix}/${asset.file}`, (request, reply) => sendAsset(request, reply, asset, keepForGood))
  }
}

export function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: WebAsset,
  cacheControl: string,
): FastifyReply {
  void reply
    .header('cache-control', cacheControl)
    .header('etag', asset.etag)
    .header('vary', 'accept-encoding')
    .header('x-content-type-options', 'nosniff')
    // Loaded by partners' pages from other sites.
    .header('cross-origin-resource-policy', 'cross-origin')
    .type(asset.mediaType)
  if (request.headers['if-none-match'] === asset.etag) return reply.code(304).send()
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(asset.bytes)
  return reply.header('content-encoding', 'gzip').send(asset.gzip)
}
