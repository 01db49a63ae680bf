// node bin/upgrade-drill.js [REVISION]: an upgrade as somebody with a checkout makes it, from an earlier revision of this repository
// to the files as they lie here. Installs and starts the earlier program in an empty folder, lets it write a note of a recording,
// copies its stopped data folder, starts this program on it and compares every answer; then the way back: the earlier
// program does not take the upgraded folder, and serves the copy as before. Takes some minutes and asks the registry for packages.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

/** What 0.1.0 was, which nobody packed: the last revision before a model wrote notes (schema 19). */
const revisionOf010 = 'c72b2a1a'
const readyWithinMs = 300_000
const noteWithinMs = 1_200_000

const here = fileURLToPath(new URL('..', import.meta.url))
const revision = process.argv[2] ?? revisionOf010
const folder = mkdtempSync(join(tmpdir(), 'casenote-upgrade-'))
// PostgreSQL runs as a user without rights where this is run as root, and walks through it.
chmodSync(folder, 0o711)
const earlier = join(folder, 'earlier')
const data = join(folder, 'data')
const copy = join(folder, 'copy')

/** Whatever fails, none lives on. */
const running = new Set()

for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    // Each ends its database with it.
    for (const child of running) child.kill('SIGTERM')
    process.exitCode = 1
  })

const say = (text) => process.stdout.write(`${text}\n`)

function check(isTrue, what) {
  if (!isTrue) throw new Error(`NOT SO: ${what}`)
  say(`ok     ${what}`)
}

/** Loopback only: sandboxes at home may fetch from there. */
async function serveRecording() {
  const bytes = readFileSync(join(here, 'packages/server/samples/quick-start.ogg'))
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'audio/ogg', 'content-length': bytes.length }).end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${server.address().port}/session.ogg`, close: () => server.close() }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function start(program, dataDir) {
  const port = await freePort()
  const child = spawn(process.execPath, [join(program, 'bin/casenote.js'), 'start'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      CASENOTE_DATA_DIR: dataDir,
      PORT: String(port),
      CASENOTE_ADMIN_PORT: String(await freePort()),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk))
  const until = Date.now() + readyWithinMs
  for (;;) {
    if (child.exitCode !== null || Date.now() > until) {
      child.kill('SIGKILL')
      throw new Error(`${program} did not start:\n${said.slice(-2_000)}`)
    }
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => null)
    if (answer?.status === 200) break
    await wait(250)
  }
  return {
    call: await openApi(`http://127.0.0.1:${port}/v2`, dataDir),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function openApi(base, dataDir) {
  const credentials = JSON.parse(readFileSync(join(dataDir, 'sandbox-credentials.json'), 'utf8'))
  const headers = { 'x-api-key': credentials.apiKey, 'content-type': 'application/json' }
  const { clientId, clientSecret } = credentials
  const token = await fetch(`${base}/partners/authenticate`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ clientId, clientSecret }),
  }).then((answer) => answer.json())
  const call = async (path, body) => {
    const answer = await fetch(`${base}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { ...headers, 'access-token': token.accessToken },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
    return JSON.parse(text)
  }
  return Object.assign(call, { credentials })
}

const awaited = ['transcript', 'progress-note', 'summary']
/** MDM elements are not made of every session: they are compared where there are any. */
const artifacts = [...awaited, 'mdm']
const isMade = (answer) => answer.error === undefined && answer.isLoading !== true

/** Null: there is none. */
async function readMade(call, sessionId, name) {
  const answer = await call(`/sessions/${sessionId}/${name}`)
  return isMade(answer) ? answer : null
}

/** Until nothing of it is still to be made. */
async function untilWritten(call, sessionId) {
  const until = Date.now() + noteWithinMs
  for (;;) {
    const { status } = await call(`/sessions/${sessionId}`)
    const made = await Promise.all(awaited.map((name) => readMade(call, sessionId, name)))
    if (status === 'failed') throw new Error('the session failed')
    if (status === 'completed' && made.every((one) => one !== null)) return
    if (Date.now() > until) throw new Error('no note in time')
    await wait(1_000)
  }
}

/** What must read the same after the upgrade: fields may come, none may go or change. */
async function readAll(call, { sessionId, clientId }) {
  return {
    client: await call(`/clients/${clientId}`),
    session: await call(`/sessions/${sessionId}`),
    made: await Promise.all(artifacts.map((name) => readMade(call, sessionId, name))),
    sessions: await call(`/clients/${clientId}/sessions`),
  }
}

/** The paths of what was there and is not, or is another. */
function listLost(before, after, path = '') {
  if (before === null || typeof before !== 'object') return before === after ? [] : [path]
  if (after === null || typeof after !== 'object') return [path]
  return Object.keys(before).flatMap((key) => listLost(before[key], after[key], `${path}/${key}`))
}

async function writeWithEarlier(recording) {
  const service = await start(earlier, data)
  const { call } = service
  const person = { firstName: 'Ada', lastName: 'Vane', dateOfBirth: '1990-05-02' }
  const { id: clientId } = await call(`/clinicians/${call.credentials.prescriberId}/clients`, person)
  const { sessionId } = await call(`/clients/${clientId}/sessions`, { fileUrl: recording.url })
  const ids = { clientId, sessionId }
  await untilWritten(call, sessionId)
  const before = await readAll(call, ids)
  await service.stop()
  return { ids, before }
}

let isWell = false
const recording = await serveRecording()
try {
  say(`installing ${revision} …`)
  execFileSync('sh', ['-c', `mkdir "$1" && git archive "$2" | tar -x -C "$1"`, 'sh', earlier, revision], {
    cwd: here,
  })
  execFileSync('npm', ['ci', '--no-audit', '--no-fund'], { cwd: earlier, stdio: 'ignore' })
  say('a note by the earlier program …')
  const { ids, before } = await writeWithEarlier(recording)
  execFileSync('cp', ['-a', data, copy])

  say('the same folder with this program …')
  const upgraded = await start(here, data)
  const after = await readAll(upgraded.call, ids)
  const lost = listLost(before, after)
  check(
    lost.length === 0,
    `client, session, transcript, note, MDM, summary and lists read as before${lost.map((at) => `; not ${at}`).join('')}`,
  )
  const { sessionId } = await upgraded.call(`/clients/${ids.clientId}/sessions`, {
    text: 'She sleeps four hours a night.',
  })
  await untilWritten(upgraded.call, sessionId)
  say('ok     a new session of the same client becomes a note')
  await upgraded.stop()

  say('the way back …')
  const refused = await start(earlier, data).then(
    async (service) => {
      await service.stop()
      return false
    },
    () => true,
  )
  check(refused, 'the earlier program does not start on the upgraded folder')
  const restored = await start(earlier, copy)
  check(
    listLost(before, await readAll(restored.call, ids)).length === 0,
    'the copy is served by the earlier program as before',
  )
  await restored.stop()
  isWell = true
} finally {
  recording.close()
  for (const child of running) child.kill('SIGKILL')
  if (isWell) rmSync(folder, { recursive: true, force: true })
  else say(`what there was lies in ${folder}`)
}
