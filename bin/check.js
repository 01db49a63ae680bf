// Everything but the tests: types, lint, format, dead code, directions, and whether what is generated is fresh.
// Runs all of them, so that one look shows every problem; fails if any did.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildWhatIsStale } from './build.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const installed = (name) => join(root, 'node_modules/.bin', name)
const script = (path) => [process.execPath, join(root, path)]

const checks = {
  'types of the tests': [installed('tsc'), '-p', 'packages/server/test'],
  'types of the widget': [installed('tsc'), '-p', 'packages/widget'],
  "types of the clients' pages": [installed('tsc'), '-p', 'packages/client-pages'],
  lint: [installed('oxlint'), '--type-aware', '--deny-warnings', '--quiet'],
  format: [installed('prettier'), '--check', '--log-level', 'warn', '.'],
  'dead code': [installed('knip'), '--no-progress'],
  directions: script('bin/check-directions.js'),
  instruments: script('bin/check-instruments.js'),
  'openapi.json is fresh': [...script('bin/openapi.js'), '--check'],
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
const failed = []
for (const [name, [command, ...args]] of Object.entries(checks)) {
  // What a check says is shown only if it failed: redocly alone prints a page of news.
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' })
  process.stdout.write(`${status === 0 ? 'ok    ' : 'FAILED'} ${name}\n`)
  if (status === 0) continue
  failed.push(name)
  process.stdout.write(`${stdout}${stderr}\n`)
}
process.exitCode = failed.length === 0 ? 0 : 1
