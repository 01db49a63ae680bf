// The closing line of CI: tests from the runner's report, and `npm run check` as one more.
import { readFileSync } from 'node:fs'

const [reportFile, checksCode] = process.argv.slice(2)
const isCheckGreen = checksCode === '0'
let counts = { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0 }
try {
  counts = JSON.parse(readFileSync(reportFile, 'utf8'))
} catch {
  process.stdout.write('the test runner left no report\n')
}
const passed = counts.numPassedTests + (isCheckGreen ? 1 : 0)
// One that fails before its first test has none that failed.
const brokenFiles = (counts.testResults ?? []).filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
)
const failed = counts.numFailedTests + brokenFiles.length + (isCheckGreen ? 0 : 1)
const skipped = counts.numPendingTests > 0 ? `, ${counts.numPendingTests} skipped` : ''
process.stdout.write(`${passed} passed, ${failed} failed${skipped}\n`)
