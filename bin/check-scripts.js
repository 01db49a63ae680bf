// Whether everything that bench, eval, conformance and the scripts here import is exported where they look for it. The
// compiler does not read them, and a bench or an eval is run by hand, once in a while.
import { buildSync } from 'esbuild'
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folders = ['bin', 'bench', 'eval', 'conformance', '.ci']

const scripts = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(root, folder, name)),
)
try {
  buildSync({
    entryPoints: scripts,
    outdir: root,
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
} catch {
  process.exitCode = 1 // It has said what is missing.
}
