// node eval/prose/record-false.js FOLDER PENDING: lays the prompts of verification that have no answer yet into PENDING.
import { NotRecorded } from './recorded-model.js'
import { verifyFalse } from './verify-false.js'

const [folder, pending] = process.argv.slice(2)
let count = 0
try {
  for await (const sentence of verifyFalse(folder, pending)) count += sentence === null ? 0 : 1
  process.stdout.write(`done: ${count} sentences\n`)
} catch (error) {
  if (!(error instanceof NotRecorded)) throw error
  process.stdout.write(`pending: ${error.promptFile} (after ${count} sentences)\n`)
}
