// Bundles what browsers load: the widget's loader and frame, the clients' pages, the demo. Run by the build after the
// types are compiled. Prints each bundle's size, and fails where one outgrew its limit: people load it on phones.
import { buildSync } from 'esbuild'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * `gzipBytesMax` counts script and style together, as far as they are loaded at once; `laterGzipBytesMax` what is
 * imported when it is needed. Loader and frame: fixed by the product; the others by taste.
 */
const bundles = [
  {
    package: 'widget',
    name: 'widget',
    entry: 'src/loader/loader.ts',
    gzipBytesMax: 3 * 1024,
    format: 'iife',
  },
  {
    package: 'widget',
    name: 'frame',
    entry: 'src/frame/frame.tsx',
    gzipBytesMax: 40 * 1024,
    laterGzipBytesMax: 14 * 1024,
    format: 'esm',
  },
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
  const { outputFiles, metafile } = buildSync({
    entryPoints: { [bundle.name]: join(home, bundle.entry) },
    outdir: dist,
    absWorkingDir: root,
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    splitting: bundle.format === 'esm',
    entryNames: '[name].[hash]',
    chunkNames: `${bundle.name}-part.[hash]`,
    format: bundle.format,
    target,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
    loader: { '.svg': 'text' },
  })
  mkdirSync(dist, { recursive: true })
  const sizes = new Map()
  for (const { path, contents } of outputFiles) {
    writeFileSync(path, contents)
    sizes.set(basename(path), gzipSync(contents, { level: 9 }).length)
  }
  const { js, css, atOnce } = readOutputs(metafile)
  const parts = [...sizes.keys()].filter((file) => file !== js && file !== css)
  writeFileSync(join(dist, `${bundle.name}.json`), `${JSON.stringify({ js, css, parts }, null, 2)}\n`)
  const add = (files) => files.reduce((sum, file) => sum + sizes.get(file), 0)
  const later = [...sizes.keys()].filter((file) => !atOnce.includes(file))
  return [
    ...checkSize(bundle.name, add(atOnce), bundle.gzipBytesMax),
    ...(later.length === 0
      ? []
      : checkSize(`${bundle.name} later`, add(later), bundle.laterGzipBytesMax ?? 0)),
  ]
}

/** The entry's script and style, and all files that a browser loads for them before anything is asked for. */
function readOutputs({ outputs }) {
  const [entryPath, entry] = Object.entries(outputs).find(([path, { entryPoint }]) => {
    return entryPoint !== undefined && extname(path) === '.js' && !basename(path).includes('-part.')
  })
  const paths = [entryPath]
  for (const path of paths) {
    const imported = outputs[path].imports.filter(({ kind }) => kind === 'import-statement')
    paths.push(...imported.map((one) => one.path).filter((one) => !paths.includes(one)))
  }
  if (entry.cssBundle !== undefined) paths.push(entry.cssBundle)
  const css = entry.cssBundle === undefined ? undefined : basename(entry.cssBundle)
  return { js: basename(entryPath), css, atOnce: paths.map((path) => basename(path)) }
}

function checkSize(name, gzipBytes, gzipBytesMax) {
  const size = `${(gzipBytes / 1024).toFixed(1)} of ${gzipBytesMax / 1024} KB gzip`
  process.stderr.write(`Casenote: ${name} ${size}\n`)
  return gzipBytes > gzipBytesMax ? [`${name} (${size})`] : []
}
