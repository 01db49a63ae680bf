// A recording that is heard while it is recorded: from its last word to its transcript and to its note, against sending the whole of it at
// once, in the same run; with a queue of whole recordings waiting; and what falls behind at how many live ones. It goes in real time:
// BENCH_MINUTES=50 for a whole session (3 hours), BENCH_SESSIONS=1,4,8 for those at once, of BENCH_SESSION_MINUTES each; BENCH_PARTS=loaded for one of
// the three parts alone.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeAudio } from '../packages/server/test/support/make-audio.mjs'
import { openInstallation } from './installation.js'

const minutes = Number(process.env.BENCH_MINUTES ?? 5)
const sessionMinutes = Number(process.env.BENCH_SESSION_MINUTES ?? 3)
const parts = (process.env.BENCH_PARTS ?? 'idle,loaded,many').split(',')
const sessionCounts = (process.env.BENCH_SESSIONS ?? '2,4,8').split(',').map(Number)
/** Whole recordings that wait for the worker meanwhile. */
const queueLength = 3
/** As the widget sends. */
const everySeconds = 3
const signInEveryMs = 4 * 60_000

const sample = fileURLToPath(new URL('../packages/server/samples/medication-management.ogg', import.meta.url))
const say = (line) => process.stdout.write(`${line}\n`)
const inSeconds = (ms) => `${(ms / 1000).toFixed(1)} s`

export async function run() {
  // Making them blocks this process for longer than a server keeps a connection open.
  const [first, talk, sessionTalk] = [0.5, minutes, sessionMinutes].map(record)
  const installation = await openInstallation({ poolSize: 20 })
  try {
    const widget = await signIn(installation)
    // Models are loaded, as after the first recording of a day.
    await widget.untilNote(await widget.sendAtOnce(first))
    const whole = await widget.untilNote(await widget.sendAtOnce(talk))
    say(
      `${minutes} minutes sent at once: transcript after ${inSeconds(whole.transcriptMs)}, note after ${inSeconds(whole.noteMs)}`,
    )
    if (parts.includes('idle')) compare('heard live, idle', await widget.sendLive(talk, minutes), whole)
    if (parts.includes('loaded')) await measureLoaded(widget, talk, whole)
    if (parts.includes('many'))
      for (const count of sessionCounts) await measureMany(widget, count, sessionTalk)
  } finally {
    await installation.close()
  }
}

async function measureLoaded(widget, talk, whole) {
  const queue = keepWaiting(widget, talk)
  const loaded = await widget.sendLive(talk, minutes, queue.close)
  compare(`heard live, ${queueLength} whole recordings waiting`, loaded, whole)
  say(`${queue.doneAtLastWord()} of them were written by its last word, and ${queueLength} waited then`)
  await queue.ended
}

/** So many whole recordings wait or are heard at any time, until it is closed: for each that is written another one is sent. */
function keepWaiting(widget, talk) {
  const queue = { isOpen: true }
  let [done, doneAtLastWord] = [0, 0]
  const one = async () => {
    while (queue.isOpen) {
      await widget.untilNote(await widget.sendAtOnce(talk))
      done += 1
    }
  }
  const close = () => {
    queue.isOpen = false
    doneAtLastWord = done
  }
  const ended = Promise.all(Array.from({ length: queueLength }, one))
  return { close, ended, doneAtLastWord: () => doneAtLastWord }
}

function compare(name, live, whole) {
  const ratio = (pick) => (pick(live) / pick(whole)).toFixed(3)
  say(
    `${name}: first line after ${inSeconds(live.firstLineMs)}, transcript ${inSeconds(live.transcriptMs)} after the last word ` +
      `(ratio ${ratio(({ transcriptMs }) => transcriptMs)}), note ${inSeconds(live.noteMs)} (ratio ${ratio(({ noteMs }) => noteMs)}); ` +
      `behind in ${live.behind} of ${live.looks} looks, without a place in ${live.waiting}`,
  )
}

async function measureMany(widget, count, talk) {
  const all = await Promise.all(Array.from({ length: count }, () => widget.sendLive(talk, sessionMinutes)))
  const behind = all.filter((one) => one.behind > 0).length
  const waiting = all.filter((one) => one.waiting > 0).length
  const last = Math.max(...all.map(({ transcriptMs }) => transcriptMs))
  say(
    `${count} at once for ${sessionMinutes} minutes: ${behind} fell behind by more than a chunk, ${waiting} found no place; ` +
      `the last transcript ${inSeconds(last)} after the last word`,
  )
}

function record(lengthMinutes) {
  const input = ['-stream_loop', '20', '-i', sample, '-t', String(lengthMinutes * 60)]
  return makeAudio([...input, '-ac', '1', '-c:a', 'libopus', '-b:a', '32k', '-f', 'webm', 'pipe:1'])
}

async function signIn({ port, credentials }) {
  const ask = async (method, path, sent) => {
    const answer = await fetch(`http://localhost:${port}${path}`, { method, ...sent })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    const text = await answer.text()
    return text === '' ? null : JSON.parse(text)
  }
  const { clinicianId, clientSecret, apiKey } = credentials
  const key = { 'x-api-key': apiKey, 'content-type': 'application/json' }
  const body = JSON.stringify({ clientId: credentials.clientId, clientSecret })
  const signed = { atMs: -Infinity, authorization: '' }
  /** An access token ends before a long recording does. */
  const authorize = async () => {
    if (performance.now() - signed.atMs > signInEveryMs) {
      signed.atMs = performance.now()
      const { accessToken } = await ask('POST', '/v2/partners/authenticate', { headers: key, body })
      const partner = { 'x-api-key': apiKey, 'access-token': accessToken }
      const tokens = await ask('POST', `/v2/clinicians/${clinicianId}/authenticate`, { headers: partner })
      signed.authorization = `Bearer ${tokens.AccessToken}`
    }
    return { authorization: signed.authorization }
  }
  await authorize()
  const call = async (method, path, sent) => {
    const headers = await authorize()
    const json = { ...headers, 'content-type': 'application/json' }
    const request = sent === undefined ? { headers } : { headers: json, body: JSON.stringify(sent) }
    return ask(method, `/widget/v1${path}`, request)
  }
  const { data } = await call('GET', '/clients')
  const [{ id: clientId }] = data
  await call('POST', `/clients/${clientId}/consent`, { textVersion: '2026-11', given: true })

  async function begin() {
    const { sessionId } = await call('POST', `/clients/${clientId}/sessions`, { recordingId: randomUUID() })
    const uploadId = randomUUID()
    const told = { mimeType: 'audio/webm;codecs=opus', segment: '0', uploadId }
    const metadata = Object.entries(told).map(
      ([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`,
    )
    await ask('POST', `/widget/v1/sessions/${sessionId}/uploads`, {
      headers: {
        ...(await authorize()),
        'tus-resumable': '1.0.0',
        'upload-defer-length': '1',
        'upload-metadata': metadata.join(','),
      },
    })
    const send = async (bytes, offset, length) =>
      ask('PATCH', `/widget/v1/uploads/${uploadId}`, {
        headers: {
          ...(await authorize()),
          'tus-resumable': '1.0.0',
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(offset),
          ...(length === undefined ? {} : { 'upload-length': String(length) }),
        },
        body: bytes,
      })
    const complete = () => call('POST', `/sessions/${sessionId}/recording`, { uploadIds: [uploadId] })
    return { sessionId, send, complete }
  }

  async function sendAtOnce(bytes) {
    const { sessionId, send, complete } = await begin()
    await send(bytes, 0, bytes.length)
    const fromMs = performance.now()
    await complete()
    return { sessionId, fromMs }
  }

  async function untilNote({ sessionId, fromMs }) {
    let transcriptMs = null
    for (;;) {
      const { status } = await call('GET', `/sessions/${sessionId}`)
      if (status === 'failed') throw new Error('a session failed')
      if (transcriptMs === null && ['generating', 'completed'].includes(status))
        transcriptMs = performance.now() - fromMs
      if (status === 'completed') return { transcriptMs, noteMs: performance.now() - fromMs }
      await sleep(200)
    }
  }

  async function sendLive(bytes, lengthMinutes, onLastWord = () => {}) {
    const { sessionId, send, complete } = await begin()
    const step = Math.ceil((bytes.length / (lengthMinutes * 60)) * everySeconds)
    const begunMs = performance.now()
    const seen = { looks: 0, behind: 0, waiting: 0, firstLineMs: NaN }
    const look = async () => {
      const { state, lines, draft } = await call('GET', `/sessions/${sessionId}/live-lines?after=0`)
      seen.looks += 1
      if (state === 'behind' || state === 'waiting') seen[state] += 1
      if (Number.isNaN(seen.firstLineMs) && lines.length + draft.length > 0)
        seen.firstLineMs = performance.now() - begunMs
    }
    for (let offset = 0, number = 1; offset < bytes.length; offset += step, number += 1) {
      // Its sound is there when it was spoken.
      await sleep(Math.max(0, begunMs + number * everySeconds * 1_000 - performance.now()))
      const piece = bytes.subarray(offset, offset + step)
      await send(piece, offset, offset + piece.length === bytes.length ? bytes.length : undefined)
      await look()
    }
    const fromMs = performance.now()
    onLastWord()
    await complete()
    return { ...seen, ...(await untilNote({ sessionId, fromMs })) }
  }
  return { sendAtOnce, sendLive, untilNote }
}
