// Every regular expression of the sources is told linear by a program (recheck): one that is not can be made to delay a
// process by a few thousand characters. Hundreds of them take minutes, so what was found is recorded by its hash, and only
// what is new is looked at; --record looks and writes the list anew. A new version of the program begins from nothing.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check } from 'recheck'
import { collectExpressions } from './expressions/collect-expressions.js'
import { isReadInTime } from './expressions/replay-attack.js'

const { version } = createRequire(import.meta.url)('recheck/package.json')
const recordFile = join(dirname(fileURLToPath(import.meta.url)), 'expressions/linear.json')

const isRecording = process.argv.includes('--record')

/** The longest of them take half a minute where there is no native build of the program, as on Linux with arm64. */
const timeoutMs = 60_000

const hashOf = ({ source, flags }) =>
  createHash('sha256').update(`/${source}/${flags}`).digest('base64url').slice(0, 12)

function readRecord() {
  try {
    const record = JSON.parse(readFileSync(recordFile, 'utf8'))
    return record.recheck === version ? new Set(record.linear) : new Set()
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return new Set()
  }
}

const { expressions, unknown } = await collectExpressions()
const recorded = readRecord()
const linear = expressions.map(hashOf).filter((hash) => recorded.has(hash))
const waiting = expressions.filter((one) => !recorded.has(hashOf(one)))
const problems = unknown.map(
  (at) =>
    `${at}: builds an expression from what it is given; compare without one, or build it when the file loads`,
)
if (waiting.length > 0) process.stdout.write(`${waiting.length} expressions are new\n`)

async function checkNext() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const verdict = await look(next)
    if (verdict.status === 'safe') linear.push(hashOf(next))
    else problems.push(describe(next, verdict))
  }
}

/** The automaton is exact; where it is too large, the fuzzer looks, and what it suspects is tried. */
async function look({ source, flags }) {
  const first = await check(source, flags, { timeout: timeoutMs })
  const verdict =
    first.status === 'unknown'
      ? await check(source, flags, { timeout: timeoutMs, checker: 'fuzz', recallTimeout: -1 })
      : first
  const isSuspected = verdict.status === 'vulnerable' && verdict.checker === 'fuzz'
  return isSuspected && (await isReadInTime({ source, flags }, verdict.attack))
    ? { ...verdict, status: 'safe' }
    : verdict
}

const describe = ({ source, flags, files }, { complexity, attack, error }) =>
  [
    `${files.join(', ')}: /${source}/${flags}`,
    `  ${complexity?.summary ?? `not decided (${error?.kind})`}`,
    // The attack itself is tens of thousands of characters.
    ...(attack?.pumps ?? []).map(
      ({ prefix, pump }) => `  after ${shorten(prefix)}, again and again ${shorten(pump)}`,
    ),
  ].join('\n')

const shorten = (text) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)

await Promise.all(Array.from({ length: availableParallelism() }, checkNext))
if (isRecording) {
  const record = { recheck: version, linear: [...new Set(linear)].toSorted() }
  writeFileSync(recordFile, `${JSON.stringify(record, null, 2)}\n`)
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.stdout.write(`${expressions.length} expressions, ${problems.length} problems\n`)
process.exitCode = problems.length === 0 ? 0 : 1
