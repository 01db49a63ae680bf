// Writes the generated parts of the SDKs from openapi.json; with --check only says whether they are stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readDocument } from './sdk/read-document.js'
import { writePython } from './sdk/write-python.js'
import { writeTypeScript } from './sdk/write-typescript.js'

const root = new URL('../', import.meta.url)
const document = readDocument(JSON.parse(readFileSync(new URL('openapi.json', root), 'utf8')))
const files = { ...(await writeTypeScript(document)), ...writePython(document) }

for (const [path, text] of Object.entries(files)) {
  const file = fileURLToPath(new URL(path, root))
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${path} is stale: run \`npm run generate\` and commit it\n`)
    process.exitCode = 1
  }
}
