import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startS3Server, type S3Server } from '../blobs/s3-server.js'
import { countFile, makeFile } from '../pipeline/fetch-fixture.js'
import { openPipelineRun, type PipelineRun } from '../pipeline/pipeline-fixture.js'
import { waitUntil } from '../support/casenote-process.js'
import { startRole, type StartedRole } from '../support/started-roles.js'
import { StoreDoor, storeSettings } from '../support/store-door.js'
import { creationHeaders, openRecording, patchHeaders, signIn } from '../widget/widget-fixture.js'

const mebibyte = 1_024 * 1_024

let run: PipelineRun
let bucket: S3Server
let door: StoreDoor
let env: Record<string, string>

beforeAll(async () => {
  run = await openPipelineRun(null)
  bucket = await startS3Server()
  door = new StoreDoor(bucket.endpoint)
  env = { ...run.env, ...storeSettings(bucket, await door.listen()) }
})
afterAll(async () => {
  await door.close()
  await bucket.stop()
  await run.close()
})

afterEach(() => {
  door.state = 'open'
  door.unanswered.length = 0
})

const untilUnanswered = (): Promise<void> =>
  waitUntil(async () => door.unanswered.length > 0, 'a part is on its way to the store')

/** Only a process that gave up whatever it waited for ends with 0. */
async function expectOrderlyEnd({ process }: StartedRole): Promise<void> {
  const { code, stdout } = await process.end('SIGTERM')
  expect(stdout).not.toContain('closing took too long')
  expect(code).toBe(0)
}

describe('a stop while the blob store takes connections and says nothing', () => {
  it('of a worker gives back the recording that it fetches, at no cost of an attempt', async () => {
    const file = countFile(makeFile(6 * mebibyte))
    file.stallAt(mebibyte)
    run.files.serve('/recording', file.listener)
    const worker = await startRole('worker', env)
    const sessionId = await run.createSession({ fileUrl: run.files.urlOf('/recording') })
    await waitUntil(async () => file.sentBytes() >= mebibyte, 'it is being fetched')
    door.state = 'silent'
    file.stallAt(Infinity)
    await untilUnanswered()
    await expectOrderlyEnd(worker)
    const jobs = await run.rows(
      `select status, attempts from casenote.jobs where tenant_id = $1 and subject_id = $2 and kind = 'fetch_audio'`,
      sessionId,
    )
    expect(jobs).toEqual([{ status: 'waiting', attempts: 0 }])
  })

  it('of an API in which a part of an upload waits for it ends in time', async () => {
    const clinician = await signIn(run.service, run.partner)
    const { sessionId } = await openRecording(clinician, run.partner.clientId)
    const uploadId = randomUUID()
    const uploads = `/sessions/${sessionId}/uploads`
    const created = await clinician.call('POST', uploads, undefined, creationHeaders(uploadId))
    expect(created.statusCode).toBe(201)
    const api = await startRole('api', env)
    door.state = 'silent'
    const sent = fetch(`${api.urls.at(-1)}/widget/v1/uploads/${uploadId}`, {
      method: 'PATCH',
      headers: { ...clinician.headers, ...patchHeaders(0) },
      body: randomBytes(2 * mebibyte),
    })
    // Cut off, or told to come again: either way it sends the part to another process.
    const isTaken = sent.then(({ ok }) => ok).catch(() => false)
    await untilUnanswered()
    await expectOrderlyEnd(api)
    expect(await isTaken).toBe(false)
  })
})
