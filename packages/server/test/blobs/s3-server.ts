import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import {
  createServer,
  request as forward,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
} from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'

const require = createRequire(import.meta.url)
const aws4 = require('aws4') as {
  sign(request: object, credentials: object): { headers: { Authorization: string } }
}

export interface S3Server {
  endpoint: string
  bucket: string
  /** There is one account. */
  credentials: { region: string; accessKeyId: string; secretAccessKey: string }
  stop(): Promise<void>
}

const bucket = 'recordings'
const credentials = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/**
 * A real S3 server in a process of its own. It does not check signatures of version 4, so a gate before it does. Looked for
 * a better one in November 2026: `@20minutes/s3rver` 4.0.4, a maintained fork for Node 20, is the same server with as many
 * packages (118) and the same two faults, 5 needs Node 24; Debian has only radosgw and swift, which want a cluster.
 */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'casenote-s3-'))
  const program = join(dirname(require.resolve('s3rver/package.json')), 'bin', 's3rver.js')
  const options = ['-d', folder, '-a', '127.0.0.1', '-p', '0', '--configure-bucket', bucket]
  // Its continuation tokens are enciphered with DES.
  const child = spawn(process.execPath, ['--openssl-legacy-provider', program, ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const port = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      const found = /listening on [^\s:]+:(\d+)/.exec(output)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error('the S3 server did not start')))
  })
  const gate = await startGate(`http://127.0.0.1:${port}`)
  return {
    endpoint: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    bucket,
    credentials,
    stop: async () => {
      gate.closeAllConnections()
      gate.close()
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Computes every signature anew, with a library that we did not write, and the hash and checksum of every body. */
async function startGate(upstream: string): Promise<Server> {
  const gate = createServer((request, response) => {
    void buffer(request).then((body) => {
      const refusal = findRefusal(request, body)
      if (refusal !== null) return response.writeHead(403).end(`<Error><Code>${refusal}</Code></Error>`)
      const { method, headers, url } = request
      return forward(upstream, { method, headers, path: url }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
        .on('error', () => response.destroy())
        .end(body)
    })
  })
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve))
  return gate
}

function findRefusal({ method, url, headers }: IncomingMessage, body: Buffer): string | null {
  const digest = createHash('sha256').update(body).digest()
  if (headers['x-amz-content-sha256'] !== digest.toString('hex')) return 'XAmzContentSHA256Mismatch'
  if (method === 'PUT' && headers['x-amz-checksum-sha256'] !== digest.toString('base64')) return 'BadDigest'
  const given = readAuthorization(headers.authorization)
  if (Math.abs(readTime(String(headers['x-amz-date'])) - Date.now()) > skewMostMs)
    return 'RequestTimeTooSkewed'
  if (given['Credential']?.split('/')[0] !== credentials.accessKeyId) return 'InvalidAccessKeyId'
  const signed = pick(headers, given['SignedHeaders']?.split(';') ?? [])
  const request = { service: 's3', region: credentials.region, method, path: url, headers: signed }
  const expected = readAuthorization(aws4.sign(request, credentials).headers.Authorization)
  return given['Signature'] === expected['Signature'] ? null : 'SignatureDoesNotMatch'
}

/** As Amazon has it. */
const skewMostMs = 15 * 60_000

/** Such as 20261119T035342Z. */
const readTime = (text: string): number =>
  Date.parse(text.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))

const readAuthorization = (text = ''): Record<string, string> =>
  Object.fromEntries(
    text
      .replace(/^\S+ /, '')
      .split(',')
      .map((field) => field.trim().split('=') as [string, string]),
  )

const pick = (headers: IncomingHttpHeaders, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, headers[name]]))
