import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ownFile } from '../../kernel/own-files.js'
import { makeEtag, type WebAsset } from '../web-assets.js'

const pack = promisify(gzip)

/** The pages that `bin/build-docs.js` rendered. Small, so each is kept in memory once it was asked for. */
export interface DocsSite {
  paths: readonly string[]
  searchIndexFile: string
  readPage(path: string): Promise<WebAsset>
  /** For a path of the site that there is not. */
  readNotFound(): Promise<WebAsset>
  readSearchIndex(): Promise<WebAsset>
}

/** What the guides write for the address of the service; `code.ts` of the site names it, too. */
const writtenOrigin = 'http://localhost:8080'

export function openDocsSite(publicUrl: string): DocsSite {
  const dist = ownFile('../docs-site/dist')
  const { pages, notFound, searchIndex } = JSON.parse(readFileSync(join(dist, 'site.json'), 'utf8')) as {
    pages: { path: string; file: string }[]
    notFound: string
    searchIndex: string
  }
  const kept = new Map<string, Promise<WebAsset>>()
  const read = (file: string, mediaType: string, change = (text: string) => text): Promise<WebAsset> => {
    const found = kept.get(file)
    if (found !== undefined) return found
    const made = readFile(join(dist, file), 'utf8').then((text) => makeAsset(file, mediaType, change(text)))
    kept.set(file, made)
    // A file that could not be read is asked for again.
    made.catch(() => kept.delete(file))
    return made
  }
  const readHtml = (file: string): Promise<WebAsset> =>
    // A URL that the configuration let through has no sign that means something in HTML.
    read(file, 'text/html; charset=utf-8', (text) => text.replaceAll(writtenOrigin, publicUrl))
  const files = new Map(pages.map(({ path, file }) => [path, file]))
  return {
    paths: [...files.keys()],
    searchIndexFile: searchIndex,
    readPage: (path) => readHtml(files.get(path) ?? ''),
    readNotFound: () => readHtml(notFound),
    readSearchIndex: () => read(searchIndex, 'application/json'),
  }
}

export async function makeAsset(file: string, mediaType: string, text: string): Promise<WebAsset> {
  const bytes = Buffer.from(text)
  return { file, mediaType, bytes, gzip: await pack(bytes, { level: 9 }), etag: makeEtag(bytes) }
}
