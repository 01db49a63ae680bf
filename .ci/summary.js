// The closing line of CI: tests from the runner's report, those of the files that were run once more from their own, and
// `npm run check` as one more.
import { listFailedFiles, readReport } from './report.js'

const [reportFile, againFile, checksCode] = process.argv.slice(2)
const report = readReport(reportFile)
if (report === null) process.stdout.write('the test runner left no report\n')
const again = new Map((readReport(againFile)?.testResults ?? []).map((file) => [file.name, file]))
const files = (report?.testResults ?? []).map((file) => again.get(file.name) ?? file)

const count = (wanted) =>
  files.reduce(
    (sum, { assertionResults }) => sum + assertionResults.filter(({ status }) => status === wanted).length,
    0,
  )
// One that fails before its first test has none that failed.
const brokenFiles = files.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((one) => one.status === 'failed'),
)
const isCheckGreen = checksCode === '0'
const passed = count('passed') + (isCheckGreen ? 1 : 0)
const failed = count('failed') + brokenFiles.length + (report === null ? 1 : 0) + (isCheckGreen ? 0 : 1)
const skips = count('pending') + count('skipped')
const skipped = skips > 0 ? `, ${skips} skipped` : ''
const flaky = listFailedFiles(report).filter((name) => again.get(name)?.status === 'passed')
if (flaky.length > 0) process.stdout.write(`passed only when run once more, alone: ${flaky.join(' ')}\n`)
process.stdout.write(`${passed} passed, ${failed} failed${skipped}\n`)
