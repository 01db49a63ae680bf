// Every template of the program fits: one line for each problem, with the file and the place in it. Looks at all files of the
// folder, so that one which nobody reads is seen as well.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuiltIn } from '../packages/server/dist/engines/writer/templates/built-in-templates.js'
import { readTemplateFile } from '../packages/server/dist/engines/writer/templates/read-template-file.js'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, 'packages/server/templates')

const problems = []
for (const name of readdirSync(folder)) {
  try {
    const { id, noteType } = readTemplateFile(readFileSync(join(folder, name), 'utf8'))
    if (!name.startsWith(id)) problems.push(`${name}: id: the file is named otherwise`)
    if (id !== noteType || !isBuiltIn(id)) problems.push(`${name}: id: must be its note type`)
  } catch (error) {
    problems.push(...(error.problems ?? [error.message]).map((problem) => `${name}: ${problem}`))
  }
}
for (const problem of problems) process.stderr.write(`${problem}\n`)
process.exitCode = problems.length === 0 ? 0 : 1
