// Bundles what browsers load: the widget's loader and frame, the clients' pages, the demo. Run by the build after the
// types are compiled. Prints each bundle's size, and fails where one outgrew its limit: people load it on phones.
import { buildSync } from 'esbuild'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** `gzipBytesMax` counts script and style together. Loader and frame: fixed by the product; the others by taste. */
const bundles = [
  {
    package: 'widget',
    name: 'widget',
    entry: 'src/loader/loader.ts',
    gzipBytesMax: 3 * 1024,
    format: 'iife',
  },
  { package: 'widget', name: 'frame', entry: 'src/frame/frame.tsx', gzipBytesMax: 50 * 1024, format: 'esm' },
  { package: 'widget', name: 'demo', entry: 'src/demo/demo.ts', gzipBytesMax: 10 * 1024, format: 'iife' },
  { package: 'client-pages', name: 'pages', entry: 'src/pages.tsx', gzipBytesMax: 30 * 1024, format: 'esm' },
]

/** What a person on Node 20's generation of browsers has; Safari 16.4 is the oldest that records in a frame. */
const target = ['chrome110', 'edge110', 'firefox115', 'safari16.4']

export function buildWeb() {
  const folders = new Set(bundles.map((bundle) => join(root, 'packages', bundle.package, 'dist')))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  const tooLarge = bundles
    .filter(({ package: name, entry }) => existsSync(join(root, 'packages', name, entry)))
    .flatMap(buildBundle)
  if (tooLarge.length > 0) throw new Error(`too large: ${tooLarge.join(', ')}`)
}

/** Writes the bundle's files with their hash in the name, and a manifest that tells the server what they are called. */
function buildBundle(bundle) {
  const home = join(root, 'packages', bundle.package)
  const dist = join(home, 'dist')
  const { outputFiles } = buildSync({
    entryPoints: { [bundle.name]: join(home, bundle.entry) },
    outdir: dist,
    bundle: true,
    minify: true,
    write: false,
    format: bundle.format,
    target,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    loader: { '.svg': 'text' },
  })
  mkdirSync(dist, { recursive: true })
  const manifest = {}
  let gzipBytes = 0
  for (const { path, contents } of outputFiles) {
    const hash = createHash('sha256').update(contents).digest('hex').slice(0, 12)
    const kind = extname(path)
    const file = relative(dist, path).replace(kind, `.${hash}${kind}`)
    writeFileSync(join(dist, file), contents)
    manifest[kind.slice(1)] = file
    gzipBytes += gzipSync(contents, { level: 9 }).length
  }
  writeFileSync(join(dist, `${bundle.name}.json`), `${JSON.stringify(manifest, null, 2)}\n`)
  const size = `${(gzipBytes / 1024).toFixed(1)} of ${bundle.gzipBytesMax / 1024} KB gzip`
  process.stderr.write(`Casenote: ${bundle.name} ${size}\n`)
  return gzipBytes > bundle.gzipBytesMax ? [`${bundle.name} (${size})`] : []
}
