import { randomUUID } from 'node:crypto'
import type { ProgressNote, Transcript } from '@casenote/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CasenoteProcess } from '../support/casenote-process.js'
import {
  addColleague,
  creationHeaders,
  openRecording,
  patchHeaders,
  signIn,
} from '../widget/widget-fixture.js'
import { openPipelineRun, visit, type PipelineRun } from './pipeline-fixture.js'

let run: PipelineRun

beforeAll(async () => {
  run = await openPipelineRun('start')
})
afterAll(() => run.close())

it('what had arrived of a deactivated clinician’s recording becomes a note, which their successor signs', async () => {
  const { service, partner } = run
  const clinician = await signIn(service, partner)
  const { sessionId } = await openRecording(clinician, partner.clientId)
  const uploadId = randomUUID()
  await clinician.call('POST', `/sessions/${sessionId}/uploads`, undefined, creationHeaders(uploadId))
  const recorded = visit('mood and doses', 'webm')
  // Cut anywhere, as a browser's recording is that was on its way.
  const arrived = recorded.subarray(0, Math.floor(recorded.length * 0.7))
  const sent = await clinician.call('PATCH', `/uploads/${uploadId}`, arrived, patchHeaders(0))
  expect(sent.headers['upload-offset']).toBe(String(arrived.length))
  const env = { ...run.env, CASENOTE_MIGRATE_URL: service.database.migrateUrl }
  const command = new CasenoteProcess(['clinician', 'deactivate', clinician.clinicianId, '--json'], env)
  const { code, stdout, stderr } = await command.finished
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({ id: clinician.clinicianId, active: false })
  expect((await clinician.call('GET', '/clients')).statusCode).toBe(401)
  expect(await run.sessionEnded(sessionId)).toMatchObject({ status: 'completed' })
  const { body: transcript } = await run.call<Transcript>('GET', `/sessions/${sessionId}/transcript`)
  expect(transcript.transcriptItems.length).toBeGreaterThan(0)
  const successor = await addColleague(service, partner)
  await run.call('POST', `/clients/${partner.clientId}/transfer`, { clinicianId: successor.clinicianId })
  const signedIn = await signIn(service, partner, successor.clinicianId)
  const signed = await signedIn.call('POST', `/sessions/${sessionId}/progress-note/finalize`)
  expect([signed.statusCode, signed.json<ProgressNote>().status]).toEqual([200, 'finalized'])
  expect(signed.json<ProgressNote>().note.some(({ content }) => content !== '')).toBe(true)
})
