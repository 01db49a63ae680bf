import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface S3Server {
  endpoint: string
  bucket: string
  /** What the server knows; there is one account. */
  credentials: { region: string; accessKeyId: string; secretAccessKey: string }
  stop(): Promise<void>
}

const bucket = 'recordings'

/** A real S3 server in a process of its own, which checks signatures. */
export async function startS3Server(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 'casenote-s3-'))
  const manifest = createRequire(import.meta.url).resolve('s3rver/package.json')
  const program = join(dirname(manifest), 'bin', 's3rver.js')
  const options = ['-d', folder, '-a', '127.0.0.1', '-p', '0', '--configure-bucket', bucket]
  const child = spawn(process.execPath, [program, ...options], { stdio: ['ignore', 'pipe', 'ignore'] })
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
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    credentials: { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    stop: async () => {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
