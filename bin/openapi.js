// Writes openapi.json from the registered routes; with --check only says whether it is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildWhatIsStale } from './build.js'

buildWhatIsStale()
const { describePartnerApi } = await import('../packages/server/dist/main/describe-api.js')
const file = fileURLToPath(new URL('../openapi.json', import.meta.url))
const text = `${JSON.stringify(describePartnerApi(), null, 2)}\n`

if (!process.argv.includes('--check')) writeFileSync(file, text)
else if (readFileSync(file, 'utf8') !== text) {
  process.stderr.write('openapi.json is stale: run `npm run generate` and commit it\n')
  process.exitCode = 1
}
