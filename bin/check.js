// Everything but the tests: types, lint, format, dead code, directions, and whether what is generated is fresh.
// Runs all of them, as many at once as there are cores, so that one look shows every problem; fails if any did.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWhatIsStale } from './build.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const installed = (name) => join(root, 'node_modules/.bin', name)
const script = (path) => [process.execPath, join(root, path)]

const checks = {
  "types of the server's tests": [installed('tsc'), '-p', 'packages/server/test'],
  "types of the contract's tests": [installed('tsc'), '-p', 'packages/contract/test'],
  'types of the widget': [installed('tsc'), '-p', 'packages/widget'],
  "types of the widget's tests": [installed('tsc'), '-p', 'packages/widget/test'],
  "types of the clients' pages": [installed('tsc'), '-p', 'packages/client-pages'],
  "types of the tests of the clients' pages": [installed('tsc'), '-p', 'packages/client-pages/test'],
  'types of the documentation': [installed('tsc'), '-p', 'packages/docs-site'],
  "types of the documentation's tests": [installed('tsc'), '-p', 'packages/docs-site/test'],
  'types of the console': [installed('tsc'), '-p', 'packages/console'],
  "types of the console's tests": [installed('tsc'), '-p', 'packages/console/test'],
  'types of benches and evaluations': [installed('tsc'), '-p', 'tsconfig.scripts.json'],
  lint: [installed('oxlint'), '--type-aware', '--deny-warnings', '--quiet'],
  format: [installed('prettier'), '--check', '--log-level', 'warn', '.'],
  'dead code': [installed('knip'), '--no-progress'],
  'expressions are linear': script('bin/check-expressions.js'),
  directions: script('bin/check-directions.js'),
  'what is cited is there': script('bin/check-citations.js'),
  'types at the boundaries': script('bin/check-boundaries.js'),
  'imports of the scripts': script('bin/check-scripts.js'),
  instruments: script('bin/check-instruments.js'),
  templates: script('bin/check-templates.js'),
  'openapi.json is fresh': [...script('bin/openapi.js'), '--check'],
  'docs/errors.md is fresh': [...script('bin/error-codes.js'), '--check'],
  'the SDKs are fresh': [...script('bin/sdk.js'), '--check'],
  'schema.txt is fresh': [...script('bin/schema.js'), '--check'],
  'redocly on openapi.json': [installed('redocly'), 'lint', 'openapi.json'],
  'spectral on openapi.json': [
    installed('spectral'),
    'lint',
    '--quiet',
    '--fail-severity=warn',
    'openapi.json',
  ],
  "the conformance suite's coverage": script('conformance/coverage.js'),
}

buildWhatIsStale()
const waiting = Object.entries(checks)
let hasFailed = false

async function runCheck([name, [command, ...args]]) {
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => (said += text))
  }
  const [code] = await once(child, 'close')
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}\n`)
  if (code === 0) return
  // What a check says is shown only if it failed: redocly alone prints a page of news.
  process.stdout.write(`${said}\n`)
  hasFailed = true
}

async function runChecks() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await runCheck(next)
}

await Promise.all(Array.from({ length: availableParallelism() }, runChecks))
process.exitCode = hasFailed ? 1 : 0
