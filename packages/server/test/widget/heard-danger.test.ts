import { randomUUID } from 'node:crypto'
import type { HeardDanger } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChunkResult } from '../../src/engines/speech/chunk-result.js'
import { keepDraft } from '../../src/features/live-transcripts/index.js'
import { chunkPlace } from '../../src/features/transcripts/make-checkpoints.js'
import { upsertChunk } from '../../src/features/transcripts/transcripts.sql.js'
import type { SessionId } from '../../src/kernel/ids.js'
import { sealJson } from '../../src/kernel/secrets/sealed-json.js'
import { waitUntil } from '../support/casenote-process.js'
import { listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, openRecording, signIn, type SignedIn } from './widget-fixture.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn

beforeAll(async () => {
  service = await makeTestService({
    env: {
      CASENOTE_SPEECH_ENGINE: 'openai',
      CASENOTE_SPEECH_URL: 'http://127.0.0.1:9',
      CASENOTE_SPEECH_MODEL: 'whisper',
      CASENOTE_SPEECH_LANGUAGES: 'es',
    },
  })
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
})
afterAll(() => service.close())

interface Line {
  startSeconds: number
  endSeconds: number
  text: string
}

const tenantOf = () => ({ tenantId: partner.partnerId })

/** As a worker keeps it: 40 s that are settled, and what was heard since. */
async function heard(settled: Line[], draft: Line[], given: object = {}): Promise<SessionId> {
  const opened = await openRecording(clinician, partner.clientId, given)
  const sessionId = opened.sessionId as SessionId
  const ring = await service.keys.get(tenantOf())
  const chunk: ChunkResult = {
    index: 0,
    plannedSeconds: 20,
    model: 'test',
    nextStartSeconds: [20],
    clips: settled.map((line) => ({ ...line, channel: 0, confidence: 0.9, level: -20, voices: [] })),
  }
  const sealedChunk = sealJson(ring, chunkPlace(sessionId, 0), chunk)
  await service.db.write(tenantOf(), (tx) =>
    tx.run(upsertChunk(tx.tenant, { sessionId, chunk: 0, sealedChunk })),
  )
  await keepDraft(service.db, ring, { sessionId, fedBytes: 1, heardSeconds: 60, draft, struckCount: 0 })
  return sessionId
}

const look = async (sessionId: string, start: number, end: number): Promise<HeardDanger> => {
  const answer = await clinician.call('POST', `/sessions/${sessionId}/heard-danger`, { start, end })
  expect(answer.statusCode).toBe(200)
  return answer.json<HeardDanger>()
}

const settled = [
  { startSeconds: 1, endSeconds: 4, text: 'How did you sleep this week?' },
  { startSeconds: 5, endSeconds: 9, text: 'Most nights I think about killing myself.' },
]
const draft = [
  { startSeconds: 30, endSeconds: 34, text: 'I have a gun at home and I want to shoot my boss.' },
]

describe('what was said about danger in a stretch that is to be struck while it is recorded', () => {
  it('is named from settled lines and from the draft, with its time', async () => {
    const sessionId = await heard(settled, draft)
    // The first look waits for a thread to start, and gives up before a busy machine has started one.
    await waitUntil(async () => (await look(sessionId, 0, 60)).lookedTo !== null, 'the rules answer')
    const found = await look(sessionId, 0, 60)
    expect(found.lookedTo).toBe(56)
    expect(found.danger.map(({ startTime }) => startTime)).toEqual(expect.arrayContaining([5, 30]))
    expect(JSON.stringify(found.danger)).toContain('Most nights I think about killing myself.')
    expect(JSON.stringify(found.danger)).toContain('shoot my boss')
  })

  it('is also what no plain word says, once it was read', async () => {
    const words = 'Some nights I look at the bridge and think how quiet it would be down there.'
    const bridge = { startSeconds: 12, endSeconds: 16, text: words }
    const sessionId = await heard([...settled, bridge], draft)
    // Loading the reader takes longer than a look may.
    await waitUntil(async () => (await look(sessionId, 0, 60)).readTo === 56, 'the reader answers')
    const found = await look(sessionId, 0, 60)
    expect(found).toMatchObject({ lookedTo: 56, readTo: 56 })
    expect(found.danger.filter((one) => one.words === words)).toHaveLength(1)
    expect(found.danger.filter((one) => one.words.includes('killing myself'))).toHaveLength(1)
    // What was struck is not named again of the reading that is kept for the next look.
    const at = new Date().toISOString()
    const gap = { id: randomUUID(), start: 10, end: 60, seconds: 50, at }
    expect((await clinician.call('POST', `/sessions/${sessionId}/gaps`, gap)).statusCode).toBe(204)
    expect(JSON.stringify(await look(sessionId, 0, 60))).not.toContain('bridge')
  })

  it('is that of the stretch alone', async () => {
    const sessionId = await heard(settled, draft)
    expect(JSON.stringify(await look(sessionId, 25, 60))).not.toContain('killing myself')
    expect(JSON.stringify(await look(sessionId, 0, 12))).not.toContain('my boss')
    expect(await look(sessionId, 13, 20)).toMatchObject({ danger: [], lookedTo: 56 })
  })

  it('nothing is said to have been looked at where nothing was heard, or what was spoken is not English', async () => {
    const nobody = { danger: [], lookedTo: null, readTo: null }
    const { sessionId } = await openRecording(clinician, partner.clientId)
    expect(await look(sessionId, 0, 60)).toEqual(nobody)
    expect(await look(await heard(settled, draft), 61, 120)).toEqual(nobody)
    expect(await look(await heard(settled, draft, { language: 'es' }), 0, 60)).toEqual(nobody)
    const struck = await heard(settled, draft)
    const gap = { id: randomUUID(), start: 0, end: 60, seconds: 60, at: new Date().toISOString() }
    expect((await clinician.call('POST', `/sessions/${struck}/gaps`, gap)).statusCode).toBe(204)
    expect(await look(struck, 0, 60)).toEqual(nobody)
  })

  it('404 for whoever does not record it, 400 for no stretch; each look is in the audit log', async () => {
    const sessionId = await heard(settled, draft)
    const { clinicianId } = await addColleague(service, partner)
    const colleague = await signIn(service, partner, clinicianId)
    const path = `/sessions/${sessionId}/heard-danger`
    expect((await colleague.call('POST', path, { start: 0, end: 60 })).statusCode).toBe(404)
    for (const stretch of [{}, { start: -1, end: 5 }, { start: 0, end: 'x' }])
      expect((await clinician.call('POST', path, stretch)).statusCode).toBe(400)
    await look(sessionId, 0, 60)
    const looks = await listSubjects(service, tenantOf(), 'widget.lookForDanger', sessionId)
    expect(looks).toContainEqual([sessionId, partner.clientId])
  })
})
