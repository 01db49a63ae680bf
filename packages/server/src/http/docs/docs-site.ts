import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { ownFile } from '../../kernel/own-files.js'
import type { WebAsset } from '../web-assets.js'

const pack = promisify(gzip)

/** The pages that `bin/build-docs.js` rendered. Small, so each is kept in memory once it was asked for. */
export interface DocsSite {
  paths: readonly string[]
  searchIndexFile: string
  readPage(path: string): Promise<WebAsset>
  readSearchIndex(): Promise<WebAsset>
}

/** What the guides write for the address of the service; `code.ts` of the site names it, too. */
const writtenOrigin = 'http://localhost:8080'

export function openDocsSite(publicUrl: string): DocsSite {
  const dist = ownFile('../docs-site/dist')
  const { pages, searchIndex } = JSON.parse(readFileSync(join(dist, 'site.json'), 'utf8')) as {
    pages: { path: string; file: string }[]
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
  const files = new Map(pages.map(({ path, file }) => [path, file]))
  return {
    paths: [...files.keys()],
    searchIndexFile: searchIndex,
    readPage: (path) =>
      // A URL that the configuration let through has no sign that means something in HTML.
      read(files.get(path) ?? '', 'text/html; charset=utf-8', (text) =>
        text.replaceAll(writtenOrigin, publicUrl),
      ),
    readSearchIndex: () => read(searchIndex, 'application/json'),
  }
}

export async function makeAsset(file: string, mediaType: string, text: string): Promise<WebAsset> {
  const bytes = Buffer.from(text)
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
  return { file, mediaType, bytes, gzip: await pack(bytes, { level: 9 }), etag }
}
