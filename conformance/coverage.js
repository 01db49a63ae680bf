// node conformance/coverage.js [--write]: coverage.md from the clauses and the checks that read them. Without
// --write it fails when the file is stale, a clause has neither check nor reason, or a check reads no clause.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { checkFiles } from './checks/index.js'
import { contractClauses } from './contract-clauses.js'
import { rulingClauses } from './ruling-clauses.js'

const file = fileURLToPath(new URL('coverage.md', import.meta.url))
const clauses = [...contractClauses, ...rulingClauses]
const checks = Object.entries(checkFiles).flatMap(([name, list]) =>
  list.map((one) => ({ file: name, ...one })),
)

/** @returns {string[]} */
export function findCoverageProblems() {
  const ids = new Set(clauses.map(({ id }) => id))
  const names = new Set()
  const problems = []
  if (ids.size < clauses.length) problems.push('a clause is listed twice')
  for (const { file: name, name: title, reads } of checks) {
    if (names.has(`${name} ${title}`)) problems.push(`two checks are called "${name} ${title}"`)
    names.add(`${name} ${title}`)
    if (reads.length === 0) problems.push(`"${title}" reads no clause`)
    for (const id of reads) if (!ids.has(id)) problems.push(`"${title}" reads "${id}", which is no clause`)
  }
  for (const { id, leftOut } of clauses) {
    const isRead = checks.some(({ reads }) => reads.includes(id))
    if (!isRead && leftOut === undefined) problems.push(`"${id}" has neither a check nor a reason`)
    if (isRead && leftOut !== undefined) problems.push(`"${id}" has a check and a reason to have none`)
  }
  return problems
}

/** Checks that repeat one sentence for many routes are shown once, with their number. */
const namesShownMax = 4

/** @param {import('./contract-clauses.js').ContractClause} clause */
function renderRow({ id, leftOut }) {
  const readers = checks.filter(({ reads }) => reads.includes(id)).map((one) => `${one.file}: ${one.name}`)
  const shown = readers.slice(0, namesShownMax).join(' · ')
  const more = readers.length > namesShownMax ? ` · and ${readers.length - namesShownMax} more` : ''
  return `| ${id} | ${leftOut === undefined ? shown + more : `left out: ${leftOut}`} |`
}

function render() {
  /** @param {readonly import('./contract-clauses.js').ContractClause[]} list */
  const table = (list) => ['| clause | read by |', '| --- | --- |', ...list.map(renderRow)].join('\n')
  return `# What the suite reads

Written by \`node conformance/coverage.js --write\`. A check that needs what an installation may not give (a running
pipeline, a note) is skipped there, by name and with its reason.

## The contract, parts 2 to 9

${table(contractClauses)}

## Rulings, and additions

${table(rulingClauses)}
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
