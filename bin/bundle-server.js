// Bundles the compiled server with the packages it uses: read as 1,800 files it took 2 s of processor time before each
// command and each process of the service began its work, as 50 files it takes 0.5 s. Run by the build.
import { buildSync } from 'esbuild'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const compiled = join(root, 'packages/server/dist')

/** Native ones, those that start files of their own, and what is not installed with the others. */
const external = ['onnxruntime-node', 'pino', 'node-llama-cpp', 'pg-native']

/** The command line, and what threads and processes begin with. The decoder's stands by itself. */
function listEntries() {
  const started = ['engines', 'kernel'].flatMap((folder) =>
    readdirSync(join(compiled, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /-(thread|process|worker)\.js$/.test(name))
      .map((name) => join(folder, name)),
  )
  return ['main/cli.js', ...started].filter((name) => !name.endsWith('decoder-process.js'))
}

/** Returns which files are in it, for the notices of a release. */
export function bundleServer() {
  const { metafile } = buildSync({
    entryPoints: listEntries().map((name) => join(compiled, name)),
    outdir: join(compiled, 'bundle'),
    outbase: compiled,
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    metafile: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    external,
    // Packages of the older kind ask for Node's own modules with it.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url)",
    },
    legalComments: 'none',
    logLevel: 'warning',
  })
  return Object.keys(metafile.inputs)
}
