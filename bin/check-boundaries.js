// What comes in and goes out of the server is typed by what describes it, not by whoever reads it: a row by its statement, an id by the
// path of its route, an answer by its schema. So nothing is cast in *.routes.ts and *.sql.ts, and no row is told what it is by its reader.
// What is left is counted in boundaries-left.json, file by file: the list may only get shorter. --write counts anew.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync, Visitor } from 'oxc-parser'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'packages/server/src')

const list = join(root, 'bin/boundaries-left.json')
/** @type {Readonly<Record<string, number>>} */
const left = JSON.parse(readFileSync(list, 'utf8'))

const isConst = ({ typeAnnotation: { type, typeName } }) =>
  type === 'TSTypeReference' && typeName.name === 'const'
const isCallOf = (node, names) =>
  node?.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  names.includes(node.callee.property.name)
const unwrap = (node) => {
  let inner = node
  while (inner.type === 'ParenthesizedExpression' || inner.type === 'AwaitExpression')
    inner = inner.expression ?? inner.argument
  return inner
}

function findCasts(file, text) {
  const isBoundary = /\.(routes|sql)\.ts$/.test(file)
  const found = []
  const add = (node, says) => found.push({ at: text.slice(0, node.start).split('\n').length, says })
  new Visitor({
    TSAsExpression(node) {
      if (isConst(node)) return
      if (isCallOf(unwrap(node.expression), ['read', 'run', 'throughDoor']))
        add(node, 'a row is typed by its statement: Statement<Row>')
      else if (isBoundary) add(node, 'nothing is cast here')
    },
    TSNonNullExpression(node) {
      if (isBoundary) add(node, 'nothing is taken to be there')
    },
    CallExpression(node) {
      if (isCallOf(node, ['run', 'throughDoor']) && node.typeArguments)
        add(node, 'a row is typed by its statement: Statement<Row>')
    },
    LogicalExpression(node) {
      if (file.endsWith('.routes.ts') && node.operator === '??' && node.right.value === '')
        add(node, 'an id is typed by the path of its route')
    },
  }).visit(parseSync(file, text).program)
  return found
}

const problems = []
const counts = {}
for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).toSorted()) {
  if (!file.endsWith('.ts') || file.startsWith('kernel/db/')) continue
  const found = findCasts(file, readFileSync(join(source, file), 'utf8'))
  if (found.length > 0) counts[file] = found.length
  if (found.length > (left[file] ?? 0))
    problems.push(...found.map(({ at, says }) => `${file}:${at}: ${says}`))
}
for (const [file, count] of Object.entries(left))
  if ((counts[file] ?? 0) < count)
    problems.push(`${file}: ${counts[file] ?? 0} are left of ${count}: node bin/check-boundaries.js --write`)

if (process.argv.includes('--write')) writeFileSync(list, `${JSON.stringify(counts, null, 2)}\n`)
else {
  for (const problem of problems) process.stderr.write(`${problem}\n`)
  process.exitCode = problems.length === 0 ? 0 : 1
}
