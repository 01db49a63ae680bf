// Compiles what is stale. Run by `npm start`, `npm test` and `npm run casenote`, so that a fresh clone needs no
// build step of its own. A stamp with the newest source time makes the usual case cost a few milliseconds.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildDocs } from './build-docs.js'
import { buildWeb } from './build-web.js'
import { bundleServer } from './bundle-server.js'
import { packSdks } from './pack-sdks.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const packages = ['contract', 'server', 'sdk']
const webPackages = ['widget', 'client-pages', 'console', 'docs-site']

/** The newest modification below a folder, folders included: a deleted file changes its folder. */
function newestChangeMs(path) {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  return readdirSync(path).reduce(
    (newest, name) => Math.max(newest, newestChangeMs(join(path, name))),
    found.mtimeMs,
  )
}

function sourcesStamp() {
  const inputs = [
    'package-lock.json',
    'tsconfig.base.json',
    'bin/build-docs.js',
    'bin/build-web.js',
    'bin/bundle-server.js',
    'bin/pack-sdks.js',
    'bin/sdk/archives.js',
    'docs',
    'packages/sdk/package.json',
    'packages/sdk/README.md',
    'packages/sdk/examples',
    'sdk/python/src/casenote',
    'sdk/python/pyproject.toml',
    'sdk/python/README.md',
    'sdk/python/examples',
  ]
  for (const name of [...packages, ...webPackages]) {
    inputs.push(`packages/${name}/src`, `packages/${name}/tsconfig.json`)
  }
  return String(Math.max(...inputs.map((input) => newestChangeMs(join(root, input)))))
}

const stampFile = join(root, 'packages/server/dist/.built')

/** A compilation takes some seconds; a minute is a machine in trouble. */
const lockWaitMs = 60_000

function builtStamp() {
  try {
    return readFileSync(stampFile, 'utf8')
  } catch {
    return '' // never built
  }
}

export function buildWhatIsStale() {
  if (builtStamp() === sourcesStamp()) return
  const unlock = lockBuild()
  try {
    // Who waited for another's compilation finds it done.
    const stamp = sourcesStamp()
    if (builtStamp() !== stamp) compile(stamp)
  } finally {
    unlock()
  }
}

/** Two first starts at once must not compile over each other. The lock of a process that has died is taken over. */
function lockBuild() {
  const lockFile = join(root, '.build-lock')
  const deadline = Date.now() + lockWaitMs
  for (;;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
      return () => rmSync(lockFile, { force: true })
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    if (!isBuilderAlive(lockFile) || Date.now() > deadline) rmSync(lockFile, { force: true })
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
  }
}

function isBuilderAlive(lockFile) {
  try {
    const pid = Number(readFileSync(lockFile, 'utf8'))
    // Zero: the other one is between creating the file and writing it.
    if (pid > 0) process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM' || error.code === 'ENOENT'
  }
}

function compile(stamp) {
  process.stderr.write('Casenote: compiling …\n')
  // Removed sources must not live on as compiled modules.
  for (const name of packages) rmSync(join(root, 'packages', name, 'dist'), { recursive: true, force: true })
  for (const name of packages) {
    rmSync(join(root, 'packages', name, 'tsconfig.tsbuildinfo'), { force: true })
  }
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json')
  const result = spawnSync(process.execPath, [join(dirname(tsc), 'bin/tsc'), '-b', root], {
    stdio: 'inherit',
  })
  if (result.status !== 0) {
    process.stderr.write('Casenote: the compilation failed, see above.\n')
    process.exit(1)
  }
  const bundled = [...bundleServer(), ...buildWeb()]
  writeFileSync(join(root, 'packages/server/dist/bundled.json'), JSON.stringify(listPackageFolders(bundled)))
  packSdks()
  buildDocs()
  writeFileSync(stampFile, stamp)
}

/** The packages that are within the bundles, where no `node_modules` tells of them: a release names their licences. */
const listPackageFolders = (files) =>
  [...new Set(files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))].toSorted(
    (one, other) => (one < other ? -1 : 1),
  )

if (process.argv[1] === fileURLToPath(import.meta.url)) buildWhatIsStale()
