// Writes docs/errors.md from the list of error codes; with --check only says whether it is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildWhatIsStale } from './build.js'

buildWhatIsStale()
const { writeErrorGuide } = await import('../packages/server/dist/http/docs/write-error-guide.js')
const file = fileURLToPath(new URL('../docs/errors.md', import.meta.url))
const text = writeErrorGuide()

if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('docs/errors.md is stale: run `npm run generate` and commit it\n')
  process.exitCode = 1
}
