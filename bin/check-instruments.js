// Every instrument of the program fits its schema: one line for each problem, with the file and the place in it. Looks at
// all files of the folder, so that one which nobody reads is seen as well.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'packages/server/instruments')
const { makeBuiltInCatalogue, readInstrumentFile } =
  await import('../packages/server/dist/features/assessments/instruments/index.js')

const problems = []
const ids = []
for (const name of readdirSync(folder)) {
  try {
    const { file } = readInstrumentFile(readFileSync(join(folder, name), 'utf8'))
    if (!name.startsWith(file.id)) problems.push(`${name}: id: the file is named otherwise`)
    ids.push(file.id)
  } catch (error) {
    problems.push(...(error.problems ?? [error.message]).map((problem) => `${name}: ${problem}`))
  }
}
if (problems.length === 0) {
  const known = new Set(
    makeBuiltInCatalogue()
      .list()
      .map(({ id }) => id),
  )
  for (const id of ids) if (!known.has(id)) problems.push(`${id}: built-in-instruments.ts does not name it`)
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
