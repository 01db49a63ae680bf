import type { Session } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listTestRecordings } from '../../src/kernel/guarded-fetch/test-recordings/find-test-recording.js'
import { listEvents } from '../support/outcomes.js'
import { openPipelineRun, type PipelineRun } from './pipeline-fixture.js'

/** Twenty minutes of talk, which takes minutes of processor time, would show nothing more. */
const tooLong = new Set(['long', 'two-speakers'])
const recordings = listTestRecordings().filter(({ name }) => !tooLong.has(name))

let run: PipelineRun
const sessions = new Map<string, string>()

beforeAll(async () => {
  run = await openPipelineRun('start')
  for (const { name } of recordings)
    sessions.set(name, await run.createSession({ fileUrl: `casenote://test/${name}` }))
})
afterAll(() => run.close())

describe('a session of casenote://test', () => {
  it.each(recordings)('$name ends as the list says', async ({ name, outcome }) => {
    const sessionId = sessions.get(name) ?? ''
    const session: Session = await run.sessionEnded(sessionId)
    const { fileUrl, status, failure } = session
    expect([fileUrl, status, failure?.code ?? null]).toEqual([
      `casenote://test/${name}`,
      outcome.status,
      outcome.code,
    ])
    const tenant = { tenantId: run.partner.partnerId }
    const [event] = await listEvents(run.service, tenant, sessionId)
    expect(event?.eventType).toBe(outcome.code === null ? 'transcript_ready' : 'session_transcript_error')
  })
})
