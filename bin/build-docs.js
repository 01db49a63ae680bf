// Renders the documentation that the service serves at /docs, from the guides in docs/ and the OpenAPI document, into
// packages/docs-site/dist. Run by the build after everything else: it needs the compiled server and the site's bundle.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { buildSync } from 'esbuild'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { fillInVersions } from './pack-sdks.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, 'packages/docs-site/dist')

/** The index is loaded when somebody begins to search; a phone has it within a second. */
const searchIndexGzipBytesMax = 80 * 1024

/** In a process of its own: what was compiled a moment ago is imported, and whoever builds again imports it anew. */
export function buildDocs() {
  const args = [fileURLToPath(import.meta.url), '--render']
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error('the documentation could not be rendered, see above')
}

async function render() {
  const { renderSite, renderNotFound, makeSearchIndex, renderLayout } = await importRenderer()
  const { describePartnerApi } = await import(
    pathToFileURL(join(root, 'packages/server/dist/main/describe-api.js')).href
  )
  const pages = renderSite(describePartnerApi(), (file) =>
    fillInVersions(readFileSync(join(root, file), 'utf8')),
  )
  const searchIndex = writeHashed('search', 'json', JSON.stringify(makeSearchIndex(pages)))
  const { js, css } = JSON.parse(readFileSync(join(dist, 'docs.json'), 'utf8'))
  mkdirSync(join(dist, 'pages'), { recursive: true })
  const listed = pages.map((page) => {
    const file = `pages/${page.path.slice('/docs'.length).replaceAll('/', '-').slice(1) || 'index'}.html`
    writeFileSync(join(dist, file), renderLayout(page, pages, { js, css, searchIndex }))
    return { path: page.path, file }
  })
  // No page of the list has this name: its path would have to be "/docs/404".
  const notFound = 'pages/404.html'
  writeFileSync(join(dist, notFound), renderLayout(renderNotFound(), pages, { js, css, searchIndex }))
  const site = { pages: listed, notFound, searchIndex }
  writeFileSync(join(dist, 'site.json'), `${JSON.stringify(site, null, 2)}\n`)
}

/** The renderer is TypeScript that nothing but this runs; it is bundled for the moment. */
async function importRenderer() {
  const outfile = join(dist, 'renderer.mjs')
  buildSync({
    entryPoints: [join(root, 'packages/docs-site/src/render/index.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'warning',
  })
  return import(pathToFileURL(outfile).href)
}

function writeHashed(name, extension, content) {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
  const file = `${name}.${hash}.${extension}`
  writeFileSync(join(dist, file), content)
  const gzipBytes = gzipSync(content, { level: 9 }).length
  const size = `${(gzipBytes / 1024).toFixed(1)} of ${searchIndexGzipBytesMax / 1024} KB gzip`
  process.stderr.write(`Casenote: ${name} index ${size}\n`)
  if (gzipBytes > searchIndexGzipBytesMax) throw new Error(`too large: ${name} index (${size})`)
  return file
}

if (process.argv[2] === '--render') await render()
