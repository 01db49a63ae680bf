// Files in which a test failed are run once more, one by one, when nothing else runs any more: what is wrong fails again, and what only missed a
// limit of time beside three other files on a busy machine does not. They are told by name, so that one which often needs it is seen.
import { spawnSync } from 'node:child_process'
import { listFailedFiles, readReport } from './report.js'

/** More than these have not failed by chance. */
const filesMost = 5

const [reportFile, againFile] = process.argv.slice(2)
const files = listFailedFiles(readReport(reportFile))
if (files.length === 0 || files.length > filesMost) process.exit(1)
process.stdout.write(`\nonce more, alone: ${files.join(' ')}\n`)
const { status } = spawnSync(
  'npx',
  [
    'vitest',
    'run',
    '--maxWorkers=1',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${againFile}`,
    ...files,
  ],
  { stdio: 'inherit' },
)
process.exit(status ?? 1)
