// npm run conformance -- --base-url URL --credentials FILE: tries the Partner API of any deployment from outside.
// Exit code 0 only if no check failed and the list of clauses is complete.
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkFiles } from './checks/index.js'
import { Client } from './client.js'
import { Context } from './context.js'
import { findCoverageProblems } from './coverage.js'
import { Skipped } from './expect.js'
import { PartnerSite } from './partner-site.js'

const usage = `npm run conformance -- --credentials FILE [options]
  --credentials FILE        sandbox-credentials.json of the installation
  --base-url URL            ends in /v2; default: the credentials' baseUrl
  --other-credentials FILE  another tenant's, to ask for its ids as well
  --recording URL           a short recording that the service can fetch, for the checks that need a note
  --only NAME               only files and checks whose name contains NAME
  --json FILE               a report for scripts
  --wait SECONDS            how long to wait for what the service does on its own (default 5)
`

/** @param {string} file @returns {import('./context.js').Credentials} */
function readCredentials(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    process.stderr.write(
      `${file} cannot be read as credentials: ${error instanceof Error ? error.message : ''}\n`,
    )
    return process.exit(2)
  }
}

function readArguments() {
  const { values } = parseArgs({
    options: {
      'base-url': { type: 'string' },
      credentials: { type: 'string' },
      'other-credentials': { type: 'string' },
      recording: { type: 'string' },
      only: { type: 'string', default: '' },
      json: { type: 'string' },
      wait: { type: 'string', default: '5' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help || values.credentials === undefined || !(Number(values.wait) >= 0)) {
    process.stderr.write(usage)
    process.exit(values.help ? 0 : 2)
  }
  const credentials = readCredentials(values.credentials)
  return {
    credentials,
    baseUrl: values['base-url'] ?? credentials.baseUrl,
    other: values['other-credentials'] === undefined ? null : readCredentials(values['other-credentials']),
    recordingUrl: values.recording ?? null,
    only: values.only.toLowerCase(),
    json: values.json,
    waitMs: Number(values.wait) * 1000,
  }
}

/**
 * @typedef {object} Result
 * @property {string} file
 * @property {string} name
 * @property {readonly string[]} reads
 * @property {'passed' | 'failed' | 'skipped'} outcome
 * @property {string | null} message
 * @property {number} durationMs
 */

/**
 * @param {string} file
 * @param {import('./check.js').Check} one
 * @param {Context} context
 * @returns {Promise<Result>}
 */
async function runCheck(file, one, context) {
  const startedMs = performance.now()
  /** @param {Result['outcome']} outcome @param {string | null} message */
  const end = (outcome, message) => ({
    file,
    name: one.name,
    reads: one.reads,
    outcome,
    message,
    durationMs: Math.round(performance.now() - startedMs),
  })
  try {
    await one.run(context)
    return end('passed', null)
  } catch (error) {
    if (error instanceof Skipped) return end('skipped', error.message)
    if (!(error instanceof Error)) return end('failed', String(error))
    // fetch hides why it failed in its cause.
    return end(
      'failed',
      error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message,
    )
  }
}

/** @param {Result} result */
function printResult({ name, outcome, message }) {
  const mark = { passed: '  ok  ', failed: '  FAIL', skipped: '  skip' }[outcome]
  process.stdout.write(`${mark} ${name}\n${message === null ? '' : `         ${message}\n`}`)
}

async function main() {
  const { baseUrl, only, json, ...parts } = readArguments()
  const site = await new PartnerSite().start()
  const context = new Context({ ...parts, api: new Client(baseUrl, parts.credentials), site })
  /** @type {Result[]} */
  const results = []
  for (const [file, checks] of Object.entries(checkFiles)) {
    const chosen = checks.filter(({ name }) => `${file} ${name}`.toLowerCase().includes(only))
    if (chosen.length > 0) process.stdout.write(`${file}\n`)
    for (const one of chosen) {
      const result = await runCheck(file, one, context)
      results.push(result)
      printResult(result)
    }
  }
  await context.close()
  site.stop()

  const problems = findCoverageProblems()
  for (const problem of problems) process.stdout.write(`coverage: ${problem}\n`)
  /** @param {Result['outcome']} outcome */
  const count = (outcome) => results.filter((result) => result.outcome === outcome).length
  const counts = {
    passed: count('passed'),
    failed: count('failed') + problems.length,
    skipped: count('skipped'),
  }
  if (json !== undefined)
    writeFileSync(json, `${JSON.stringify({ baseUrl, ...counts, problems, results }, null, 2)}\n`)
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
  // A run that tried nothing says nothing: a misspelled --only must not look green.
  process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1
}

await main()
