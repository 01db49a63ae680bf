import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, request as openRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writtenOrigin } from '../../../docs-site/src/render/code.js'

export type Fence = 'sh' | 'ts' | 'python'

const canRun = (command: string): boolean => spawnSync(command, ['--version']).status === 0

/** What a machine may lack, by the language that needs it. */
const missing: Partial<Record<Fence, string>> = {
  ...(canRun('curl') ? {} : { sh: 'curl' }),
  ...(canRun('python3') ? {} : { python: 'python3' }),
}

/** For `it.skipIf`: says loudly which snippets are not run here. */
export function lacks(fence: Fence): boolean {
  const command = missing[fence]
  if (command === undefined) return false
  process.stderr.write(`SKIPPED for want of ${command}: the snippets of the documentation in ${fence}\n`)
  return true
}

/** Stands before the service and keeps what it answered, snippet by snippet. */
export interface Recorder {
  url: string
  /** By snippet: the statuses of its calls of the API, repeated ones once. */
  answers: Map<string, number[]>
  close(): Promise<void>
}

export async function recordAnswers(serviceUrl: string): Promise<Recorder> {
  const answers = new Map<string, number[]>()
  let statuses: number[] = []
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { method, headers, url = '' } = request
    if (url.startsWith('/snippet/')) {
      statuses = []
      answers.set(url.slice('/snippet/'.length), statuses)
      response.end()
      return
    }
    const kept = statuses
    const target = openRequest(serviceUrl + url, { method, headers }, (answer) => {
      const status = answer.statusCode ?? 0
      if (url.startsWith('/v2/') && kept.at(-1) !== status) kept.push(status)
      response.writeHead(status, answer.headers)
      answer.pipe(response)
    })
    target.on('error', () => response.destroy())
    request.pipe(target)
  }
  const server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, answers, close }
}

export interface Step {
  name: string
  code: string
}

const program = fileURLToPath(new URL('../../../../bin/casenote.js', import.meta.url))

/**
 * What a reader does in another terminal: starts the listener and goes on once it says that it listens. In the end there must be
 * an event whose signature is right.
 */
const aroundShell = {
  before: `set -eu
npm() {
  shift 3
  "${process.execPath}" "${program}" "$@" > listener.log 2>&1 &
  LISTENER=$!
  trap 'kill $LISTENER' EXIT
  until grep -qi listening listener.log; do kill -0 $LISTENER; sleep 0.1; done
}`,
  after: `if [ -n "\${LISTENER:-}" ]; then
  until grep progress_note_generated listener.log | grep 'signature ok'; do kill -0 $LISTENER; sleep 0.1; done
fi`,
}

/** Each snippet says that it begins; they are one program. */
const assemble: Record<Fence, (steps: readonly Step[], recorderUrl: string) => string> = {
  sh: (steps, url) =>
    [
      aroundShell.before,
      ...steps.map(({ name, code }) => `curl -sS "${url}/snippet/${name}"\n${code}`),
      aroundShell.after,
    ].join('\n\n'),
  // As published: a snippet with annotations would end Node 20, which is what a reader has.
  ts: (steps, url) =>
    steps.map(({ name, code }) => `await fetch('${url}/snippet/${name}')\n${code}`).join('\n\n'),
  python: (steps, url) =>
    [
      'import urllib.request',
      ...steps.map(({ name, code }) => `urllib.request.urlopen("${url}/snippet/${name}").read()\n${code}`),
    ].join('\n\n'),
}

const files: Record<Fence, [command: string, file: string]> = {
  sh: ['sh', 'snippets.sh'],
  ts: [process.execPath, 'snippets.mjs'],
  python: ['python3', 'snippets.py'],
}

/** For what hangs; the longest waits for a transcript and a note on a busy machine. */
const runWithinMs = 240_000

/** Runs snippets as a reader does, one below the other in one file, in a folder with the sandbox's credentials. */
export async function runSnippets(
  fence: Fence,
  steps: readonly Step[],
  { recorder, folder, env }: { recorder: Recorder; folder: string; env: Record<string, string> },
): Promise<string> {
  const [command, file] = files[fence]
  const path = join(folder, file)
  await writeFile(path, assemble[fence](steps, recorder.url).replaceAll(writtenOrigin, recorder.url))
  const child = spawn(command, [path], {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: runWithinMs,
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text))
  }
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`the snippets ended with ${code}:\n${printed}`)
  return printed
}
