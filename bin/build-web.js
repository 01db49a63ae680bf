// Bundles what browsers load: the widget's loader and frame, the clients' pages, the console, the demo, the documentation. Run by the build after the
// types are compiled. Prints each bundle's size, and fails where one outgrew its limit: people load it on phones.
import { buildSync } from 'esbuild'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * `gzipBytesMax` counts script and style together, as far as they are loaded at once; `laterGzipBytesMax` what is
 * imported when it is needed, `partsGzipBytesMax` what has a limit of its own among that, by the end of its entry's path, `textsGzipBytesMax` each language pack, of which a browser loads one. Loader and frame: fixed by the product; the others
 * by taste.
 */
const bundles = [
  {
    package: 'widget',
    name: 'widget',
    entry: 'src/loader/loader.ts',
    gzipBytesMax: 3.2 * 1024,
    format: 'iife',
  },
  {
    package: 'widget',
    name: 'frame',
    entry: 'src/frame/frame.tsx',
    gzipBytesMax: 50 * 1024,
    laterGzipBytesMax: 43 * 1024,
    partsGzipBytesMax: {
      'checks/signing-checks.tsx': 2.5 * 1024,
      'brief/client-brief.tsx': 2.5 * 1024,
      'plans/plans.tsx': 4 * 1024,
      'consent/consents.tsx': 4 * 1024,
      'people/people-dialog.tsx': 2.5 * 1024,
      'session/vocabulary-dialog.tsx': 1.5 * 1024,
      'session/wrong-client-dialog.tsx': 2.5 * 1024,
      'note/history-dialog.tsx': 1.5 * 1024,
      'recordings/open-other-side.ts': 1024,
    },
    texts: 'src/frame/texts',
    // Spanish is longer by a tenth, and has words for what the service says in English.
    textsGzipBytesMax: { en: 12.5 * 1024, es: 20 * 1024 },
    format: 'esm',
  },
  { package: 'widget', name: 'demo', entry: 'src/demo/demo.ts', gzipBytesMax: 10 * 1024, format: 'iife' },
  { package: 'client-pages', name: 'pages', entry: 'src/pages.tsx', gzipBytesMax: 30 * 1024, format: 'esm' },
  {
    package: 'docs-site',
    name: 'docs',
    entry: 'src/browser/docs.ts',
    gzipBytesMax: 12 * 1024,
    format: 'esm',
  },
  { package: 'console', name: 'console', entry: 'src/console.tsx', gzipBytesMax: 40 * 1024, format: 'esm' },
]

/** What a person on Node 20's generation of browsers has; Safari 16.4 is the oldest that records in a frame. */
const target = ['chrome110', 'edge110', 'firefox115', 'safari16.4']

/**
 * The runtime is imported by files with JSX only. Calls of `h`, injected into every file, pack 1 % better, but then a part
 * without JSX that is loaded later shares preact with the first screen, which has to ask for it as a file of its own.
 */
const jsxOptions = {
  tsconfigRaw: { compilerOptions: { jsx: /** @type {const} */ ('react-jsx'), jsxImportSource: 'preact' } },
}

/** Returns which files are in the bundles. */
export function buildWeb() {
  const folders = new Set(bundles.map((bundle) => join(root, 'packages', bundle.package, 'dist')))
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  const built = bundles
    .filter(({ package: name, entry }) => existsSync(join(root, 'packages', name, entry)))
    .map(buildBundle)
  const tooLarge = built.flatMap((bundle) => bundle.tooLarge)
  if (tooLarge.length > 0) throw new Error(`too large: ${tooLarge.join(', ')}`)
  return built.flatMap((bundle) => bundle.files)
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
    ...(extname(bundle.entry) === '.tsx' ? jsxOptions : {}),
    legalComments: 'none',
    logLevel: 'warning',
    loader: { '.svg': 'text' },
  })
  mkdirSync(dist, { recursive: true })
  const sizes = new Map()
  const write = (file, content) => {
    writeFileSync(join(dist, file), content)
    sizes.set(file, gzipSync(content, { level: 9 }).length)
  }
  for (const { path, contents } of outputFiles) write(basename(path), contents)
  const { js, css, atOnce } = readOutputs(metafile)
  const parts = atOnce.filter((file) => file !== js && file !== css)
  const later = [...sizes.keys()].filter((file) => !atOnce.includes(file))
  const ownParts = findOwnParts(metafile, bundle.partsGzipBytesMax)
  const others = later.filter((file) => !Object.values(ownParts).includes(file))
  const texts = bundle.texts === undefined ? undefined : writeTexts(bundle, home, write)
  const manifest = { js, css, parts, later, texts }
  writeFileSync(join(dist, `${bundle.name}.json`), `${JSON.stringify(manifest, null, 2)}\n`)
  const check = (name, files, gzipBytesMax = 0) =>
    files.length === 0 ? [] : checkSize(name, add(files, sizes), gzipBytesMax)
  const tooLarge = [
    ...check(bundle.name, atOnce, bundle.gzipBytesMax),
    ...check(`${bundle.name} later`, others, bundle.laterGzipBytesMax),
    ...Object.entries(ownParts).flatMap(([entry, file]) =>
      check(`${bundle.name}'s ${entry}`, [file], bundle.partsGzipBytesMax[entry]),
    ),
    ...Object.entries(texts ?? {}).flatMap(([language, file]) =>
      check(`${bundle.name}'s texts (${language})`, [file], bundle.textsGzipBytesMax[language]),
    ),
  ]
  return { tooLarge, files: Object.keys(metafile.inputs) }
}

const add = (files, sizes) => files.reduce((sum, file) => sum + sizes.get(file), 0)

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

/** The file of each part that has a limit of its own. */
function findOwnParts({ outputs }, limits = {}) {
  return Object.fromEntries(
    Object.keys(limits).map((end) => {
      const found = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint?.endsWith(end))
      if (found === undefined) throw new Error(`no part begins with ${end}`)
      return [end, basename(found[0])]
    }),
  )
}

/** One file a language, by language. */
function writeTexts(bundle, home, write) {
  return Object.fromEntries(
    Object.keys(bundle.textsGzipBytesMax).map((language) => {
      const source = readFileSync(join(home, bundle.texts, `${language}.json`), 'utf8')
      const content = JSON.stringify(JSON.parse(source))
      const hash = createHash('sha256').update(content).digest('hex').slice(0, 8)
      const file = `${bundle.name}-texts.${language}.${hash}.json`
      write(file, content)
      return [language, file]
    }),
  )
}

function checkSize(name, gzipBytes, gzipBytesMax) {
  const size = `${(gzipBytes / 1024).toFixed(1)} of ${gzipBytesMax / 1024} KB gzip`
  process.stderr.write(`Casenote: ${name} ${size}\n`)
  return gzipBytes > gzipBytesMax ? [`${name} (${size})`] : []
}
