// npm run eval NAME [ARGUMENTS]: how good transcripts, voices and notes are, on sets with known truth. Prints what it finds;
// ends with 1 where a goal is missed.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const evals = ['speech', 'languages', 'voices', 'terms', 'reader', 'checker', 'extract', 'labelled', 'prose']
const [name, ...args] = process.argv.slice(2)
if (!evals.includes(name)) {
  process.stderr.write(`Which one? ${evals.join(', ')}\n`)
  process.exit(1)
}
const file = fileURLToPath(new URL(`${name}.js`, import.meta.url))
process.exitCode = spawnSync(process.execPath, [file, ...args], { stdio: 'inherit' }).status ?? 1
