// What stands around an installation that is measured, in one process: a file server with a recording, a receiver of webhooks,
// and, as its child, an S3-compatible store. Tells its ports on one line.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const [, , address, folder, recordingBytes] = process.argv
const recording = randomBytes(Number(recordingBytes))
let received = 0

const listen = (server) =>
  new Promise((resolve) => server.listen(0, address, () => resolve(server.address().port)))

const files = createServer((_request, response) =>
  response.writeHead(200, { 'content-length': recording.length, etag: '"bench"' }).end(recording),
)
const receiver = createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ received }))
    return
  }
  request.resume().on('end', () => {
    received += 1
    response.writeHead(204).end()
  })
})

async function startStore() {
  const program = join(
    dirname(createRequire(import.meta.url).resolve('s3rver/package.json')),
    'bin/s3rver.js',
  )
  const options = ['-d', folder, '-a', address, '-p', '0', '--configure-bucket', 'recordings']
  // Its continuation tokens are enciphered with DES.
  const child = spawn(process.execPath, ['--openssl-legacy-provider', program, ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  process.once('SIGTERM', () => {
    child.kill()
    process.exit(0)
  })
  return new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      const found = /listening on [^\s:]+:(\d+)/.exec(chunk.toString())?.[1]
      if (found !== undefined) resolve(Number(found))
    })
    child.once('exit', () => reject(new Error('the store did not start')))
  })
}

process.stdout.write(
  `${JSON.stringify({ files: await listen(files), receiver: await listen(receiver), store: await startStore() })}\n`,
)
