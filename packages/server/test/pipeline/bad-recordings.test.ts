import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { WebhookEvent, WidgetSession } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SESSION_FAILURES, type SessionFailure } from '../../src/features/sessions/session-lifecycle.js'
import { makeAudio, readSample, samplePath, wavHeader } from '../engines/speech/speech-fixture.js'
import { waitUntil } from '../support/casenote-process.js'
import { listEvents } from '../support/outcomes.js'
import { makeReceiver, type Receiver } from '../webhooks/dispatch-fixture.js'
import { signIn } from '../widget/widget-fixture.js'
import { backwards, halfBackwards, openPipelineRun, type PipelineRun } from './pipeline-fixture.js'

const text = (words: string): Buffer => Buffer.from(words)
const speech = ['-i', samplePath('reader-0870.ogg')]
const picture = ['-f', 'lavfi', '-i', 'testsrc=d=2:s=64x48:r=5']
const answerWith =
  (status: number, headers: Record<string, string> = {}, body: Buffer | string = ''): RequestListener =>
  (_request, response) =>
    response.writeHead(status, headers).end(body)

function halfOfAWav(): Buffer {
  const sound = makeAudio(...speech, '-ar', '16000', '-ac', '1', '-f', 's16le')
  return Buffer.concat([wavHeader(sound.length), sound.subarray(0, sound.length / 2)])
}

const bad: [name: string, path: string, SessionFailure, () => Buffer | RequestListener][] = [
  [
    'a web page, said to be one',
    '/page.html',
    'fetch_web_page',
    () => answerWith(200, { 'content-type': 'text/html' }, '<!doctype html><p>Please sign in</p>'),
  ],
  [
    'a web page, said to be sound',
    '/page.mp3',
    'fetch_web_page',
    () => answerWith(200, { 'content-type': 'audio/mpeg' }, '<!doctype html><p>Please sign in</p>'),
  ],
  ['text named .mp3', '/text.mp3', 'audio_unreadable', () => text('Client feels better.\n'.repeat(5_000))],
  ['nothing', '/empty.mp3', 'fetch_empty_file', () => Buffer.alloc(0)],
  [
    'silence',
    '/silence.wav',
    'audio_no_speech',
    () => makeAudio('-f', 'lavfi', '-i', 'anullsrc=cl=mono:r=16000', '-t', '5', '-f', 'wav'),
  ],
  [
    'noise',
    '/noise.wav',
    'audio_no_speech',
    () => makeAudio('-f', 'lavfi', '-i', 'anoisesrc=c=pink:d=5:a=0.5:seed=1', '-f', 'wav'),
  ],
  ['talk that nobody understands', '/backwards.ogg', 'audio_not_understood', backwards],
  ['half a file', '/half.wav', 'audio_truncated', halfOfAWav],
  ['a header and no sample', '/header.wav', 'audio_no_audio', () => wavHeader(0)],
  [
    'a film without sound',
    '/film.mp4',
    'audio_no_audio',
    () => makeAudio(...picture, '-c:v', 'mpeg4', '-movflags', 'frag_keyframe+empty_moov', '-f', 'mp4'),
  ],
  [
    'a codec that is not on the list',
    '/ac3.mkv',
    'audio_unsupported',
    () => makeAudio(...speech, '-c:a', 'ac3', '-f', 'matroska'),
  ],
  ['random bytes', '/random.m4a', 'audio_unreadable', () => randomBytes(200_000)],
  ['404', '/gone.mp3', 'fetch_not_found', () => answerWith(404)],
  [
    '403',
    '/expired.mp3',
    'fetch_link_refused',
    () => answerWith(403, {}, '<Error>Request has expired</Error>'),
  ],
  ['400', '/odd.mp3', 'fetch_unexpected_status', () => answerWith(400)],
  [
    'a redirect to itself',
    '/loop.mp3',
    'fetch_too_many_redirects',
    () => answerWith(302, { location: '/loop.mp3' }),
  ],
  [
    'a redirect to the credentials of the machine',
    '/trap.mp3',
    'fetch_target_refused',
    () => answerWith(302, { location: 'http://169.254.169.254/latest/meta-data/' }),
  ],
  [
    'a compressed answer',
    '/zipped.ogg',
    'fetch_compressed',
    () => answerWith(200, { 'content-encoding': 'gzip' }, gzipSync(readSample('go-forward.ogg'))),
  ],
]

let run: PipelineRun
let receiver: Receiver
const sessions = new Map<string, string>()
let goodId: string

beforeAll(async () => {
  run = await openPipelineRun('start')
  receiver = await makeReceiver()
  await run.call('POST', '/webhook-endpoints', { url: receiver.url })
  for (const [name, path, , make] of bad) {
    run.files.serve(path, make())
    sessions.set(name, await run.createSession({ fileUrl: run.files.urlOf(path) }))
  }
  run.files.serve('/good.ogg', readSample('go-forward.ogg'))
  goodId = await run.createSession({ fileUrl: run.files.urlOf('/good.ogg') })
})
afterAll(async () => {
  await run.close()
  await receiver.close()
})

const eventsOf = (sessionId: string): Promise<WebhookEvent[]> =>
  listEvents(run.service, { tenantId: run.partner.partnerId }, sessionId)

describe('what is no recording ends its session, and no other', () => {
  it.each(bad)('%s', async (name, _path, failure) => {
    const sessionId = sessions.get(name) ?? ''
    expect(await run.sessionEnded(sessionId)).toMatchObject({ status: 'failed' })
    const events = await eventsOf(sessionId)
    expect(events.map(({ eventType, payload }) => [eventType, 'error' in payload && payload.error])).toEqual([
      ['session_transcript_error', SESSION_FAILURES[failure]],
    ])
    expect(await run.noteAtRest(sessionId)).toMatchObject({ status: 'failed', note: [] })
    expect((await run.call('GET', `/sessions/${sessionId}/transcript`)).body).toMatchObject({
      error: { message: 'Transcript has not been generated' },
    })
    const told = (): string[] =>
      receiver.received.map(({ body }) => body.toString()).filter((body) => body.includes(sessionId))
    await waitUntil(async () => told().length > 0, 'the partner was told')
    expect(told()).toHaveLength(1)
  })

  it('talk that nobody understands is written down on the word of who was there, in the widget and over the API', async () => {
    const sessionId = sessions.get('talk that nobody understands') ?? ''
    await run.sessionEnded(sessionId)
    const clinician = await signIn(run.service, run.partner)
    const seen = (await clinician.call('GET', `/sessions/${sessionId}`)).json<WidgetSession>()
    expect(seen).toMatchObject({ stage: 'failed', canWriteAnyway: true, hasAudio: true })
    const again = await clinician.call('POST', `/sessions/${sessionId}/write-anyway`)
    const inWidget = again.json<WidgetSession>().sessionId
    const fileUrl = run.files.urlOf('/backwards.ogg')
    const overApi = await run.createSession({ fileUrl, language: 'en' })
    for (const id of [inWidget, overApi]) {
      expect(await run.sessionEnded(id)).toMatchObject({ status: 'completed', language: 'en' })
      expect(await run.noteAtRest(id)).toMatchObject({ status: 'generated' })
    }
  })

  it('talk of which half is understood is taken for English, unless the client’s record names another language', async () => {
    run.files.serve('/half-backwards.ogg', halfBackwards())
    const fileUrl = run.files.urlOf('/half-backwards.ogg')
    const path = `/clients/${run.partner.clientId}`
    const english = await run.createSession({ fileUrl })
    expect(await run.sessionEnded(english)).toMatchObject({ status: 'completed' })
    expect((await run.call('PATCH', path, { language: 'es-MX' })).status).toBe(200)
    const spanish = await run.createSession({ fileUrl })
    expect(await run.sessionEnded(spanish)).toMatchObject({ status: 'failed' })
    const [event] = await eventsOf(spanish)
    expect(event?.payload).toMatchObject({ error: SESSION_FAILURES.audio_not_understood })
    // Of a dictation it says nothing: the clinician speaks.
    const dictated = await run.createSession({ fileUrl, dictated: true })
    expect(await run.sessionEnded(dictated)).toMatchObject({ status: 'completed', source: 'dictated' })
    expect((await run.call('PATCH', path, { language: null })).status).toBe(200)
  })

  it('a good recording behind them is completed', async () => {
    expect(await run.sessionEnded(goodId)).toMatchObject({ status: 'completed' })
    expect((await eventsOf(goodId)).map(({ eventType }) => eventType)).toEqual([
      'transcript_ready',
      'progress_note_generated',
    ])
  })

  it('nobody tries any of them again: each job took one attempt', async () => {
    const jobs = await run.rows<{ status: string; attempts: number }>(
      'select status, attempts from casenote.jobs where tenant_id = $1 and kind in ($2, $3)',
      'fetch_audio',
      'transcribe',
    )
    expect(jobs.length).toBeGreaterThan(bad.length)
    expect(jobs.filter(({ status, attempts }) => status !== 'done' || attempts !== 1)).toEqual([])
  })
})
