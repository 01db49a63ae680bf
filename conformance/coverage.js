// node conformance/coverage.js [--write]: coverage.md from the statements and the checks that read them. Without
// --write it fails when the file is stale, a statement has neither check nor reason, or a check reads no statement.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkFiles } from './checks/index.js'
import { contractStatements } from './contract-statements.js'
import { rulingStatements } from './ruling-statements.js'

const file = fileURLToPath(new URL('coverage.md', import.meta.url))
const statements = [...contractStatements, ...rulingStatements]
const checks = Object.entries(checkFiles).flatMap(([name, list]) =>
  list.map((one) => ({ file: name, ...one })),
)

/** @returns {string[]} */
export function findCoverageProblems() {
  const ids = new Set(statements.map(({ id }) => id))
  const names = new Set()
  const problems = []
  if (ids.size < statements.length) problems.push('a statement is listed twice')
  for (const { file: name, name: title, reads } of checks) {
    if (names.has(`${name} ${title}`)) problems.push(`two checks are called "${name} ${title}"`)
    names.add(`${name} ${title}`)
    if (reads.length === 0) problems.push(`"${title}" reads no statement`)
    for (const id of reads) if (!ids.has(id)) problems.push(`"${title}" reads "${id}", which is no statement`)
  }
  for (const { id, leftOut } of statements) {
    const isRead = checks.some(({ reads }) => reads.includes(id))
    if (!isRead && leftOut === undefined) problems.push(`"${id}" has neither a check nor a reason`)
    if (isRead && leftOut !== undefined) problems.push(`"${id}" has a check and a reason to have none`)
  }
  return problems
}

/** Checks that repeat one sentence for many routes are shown once, with their number. */
const namesShownMax = 4

/** @param {import('./contract-statements.js').ContractStatement} statement */
function renderRow({ id, leftOut }) {
  const readers = checks.filter(({ reads }) => reads.includes(id)).map((one) => `${one.file}: ${one.name}`)
  const shown = readers.slice(0, namesShownMax).join(' · ')
  const more = readers.length > namesShownMax ? ` · and ${readers.length - namesShownMax} more` : ''
  return `| ${id} | ${leftOut === undefined ? shown + more : `left out: ${leftOut}`} |`
}

function render() {
  /** @param {readonly import('./contract-statements.js').ContractStatement[]} list */
  const table = (list) => ['| statement | read by |', '| --- | --- |', ...list.map(renderRow)].join('\n')
  return `# What the suite reads

Written by \`node conformance/coverage.js --write\`. A check that needs what an installation may not give (a running
pipeline, a note) is skipped there, by name and with its reason.

## The contract, parts 2 to 9

${table(contractStatements)}

## Rulings, and additions

${table(rulingStatements)}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--write')) writeFileSync(file, render())
  const problems = findCoverageProblems()
  if (readFileSync(file, 'utf8') !== render())
    problems.push('coverage.md is stale: node conformance/coverage.js --write')
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
