// Nothing looks up: main → pipeline → features → http, jobs, engines → kernel, and everyone may use the contract.
// A feature uses another feature through its index.ts only. Fails with one line for each import that does not fit.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const source = join(root, 'packages/server/src')

/** From the top floor down; folders on one floor do not know each other. */
const floors = [['main'], ['pipeline'], ['features'], ['http', 'jobs', 'engines'], ['kernel']]
const floorOf = (folder) => floors.findIndex((floor) => floor.includes(folder))

/** What a file may not do, whatever floor it is on. */
const rules = [
  {
    isFor: (file) => !file.endsWith('.sql.ts') && !file.startsWith('kernel/db/'),
    pattern: /\b(select|insert into|update|delete from)\s+[^'"`]*\bcasenote\./i,
    says: 'SQL lives in *.sql.ts',
  },
]

const problems = []
for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.ts'),
)) {
  const text = readFileSync(join(source, file), 'utf8')
  for (const { isFor, pattern, says } of rules)
    if (isFor(file) && pattern.test(text)) problems.push(`${file}: ${says}`)
  for (const [, target] of text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)) {
    const problem = findProblem(file, relative(source, resolve(source, dirname(file), target)))
    if (problem !== null) problems.push(`${file} imports ${target}: ${problem}`)
  }
}

function findProblem(file, target) {
  const [from, fromFeature] = file.split('/')
  const [to, toFeature, ...inside] = target.split('/')
  if (floorOf(from) < 0 || floorOf(to) < 0) return 'the folder has no floor in bin/check-directions.js'
  if (floorOf(to) < floorOf(from)) return `${from} must not know ${to}`
  if (floorOf(to) === floorOf(from) && to !== from) return `${from} and ${to} stand on one floor`
  if (
    to === 'features' &&
    (from !== 'features' || fromFeature !== toFeature) &&
    inside.join('/') !== 'index.js'
  ) {
    return 'a feature is used through its index.ts'
  }
  return null
}

for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
