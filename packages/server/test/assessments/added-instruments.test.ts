import { readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Assessment, AssessmentAssignments, Page } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  addInstrument,
  completeAssessments,
  InstrumentProblem,
  readInstruments,
  removeInstrument,
} from '../../src/features/assessments/index.js'
import { makeCaller, type Caller } from '../features/people-fixture.js'
import { makeDataFolder, runCasenote, waitUntil, type Finished } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { answersTo, makeTextPack, readBuiltIn } from './instruments-fixture.js'

let service: TestService
let partner: TestPartner
let caller: Caller
let folder: { path: string; remove(): Promise<void> }

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  caller = makeCaller(service, partner)
  folder = await makeDataFolder()
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})

const command = (...args: string[]): Promise<Finished> =>
  runCasenote(['instrument', ...args], {
    ...service.settingsFor(folder.path),
    CASENOTE_MIGRATE_URL: service.database.migrateUrl,
  })

async function write(name: string, text: string): Promise<string> {
  const path = join(dirname(folder.path), name)
  await writeFile(path, text)
  return path
}

const listOffered = async (): Promise<string[]> =>
  ((await caller.get(`/clinics/${partner.clinicId}/assessments`)).body as Page<Assessment>).data.map(
    ({ id }) => id,
  )

describe('casenote instrument', () => {
  it('a bad file is refused with its place and reason, and nothing of it is added', async () => {
    const good = await write('good.json', makeTextPack('k10'))
    const bad = await write('bad.json', makeTextPack('who5', { texts: { questions: {}, answers: {} } }))
    const checked = await command('check', good, bad)
    expect(checked.code).toBe(1)
    expect(checked.stdout).toContain(`${good}: fits, k10 of 2026-12-01 (en)`)
    expect(checked.stderr).toContain(`${bad}: texts.questions.who5_1: is missing`)
    await expect(addInstrument(service.owner, await readFile(bad, 'utf8'))).rejects.toThrow(InstrumentProblem)
    const { catalogue, refused } = await readInstruments(service.db)
    expect(refused).toEqual([])
    const notOffered = catalogue.list().filter(({ id }) => !catalogue.isOffered(id))
    expect(notOffered.map(({ id }) => id)).toEqual(['audit', 'who5', 'k10', 'asrs_v1_1', 'dast10'])
  })

  it('a text pack and a whole instrument are offered by every running instance, without a restart', async () => {
    const peer = await service.makePeer()
    try {
      const pack = await write('who5.json', makeTextPack('who5'))
      const own = await write('own.json', JSON.stringify({ ...readBuiltIn('gad2'), id: 'own_scale' }))
      expect(await listOffered()).toHaveLength(7)
      const { code, stdout, stderr } = await command('add', pack, own)
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toContain('added, own_scale of 2026-11-15')
      const offersAll = async (list: () => Promise<string[]>): Promise<boolean> => {
        const ids = await list()
        return ids.includes('who5') && ids.includes('own_scale')
      }
      await waitUntil(() => offersAll(listOffered), 'this instance offers them')
      const url = `/v2/clinics/${partner.clinicId}/assessments`
      const askPeer = async (): Promise<string[]> =>
        (await peer.api.app.inject({ method: 'GET', url, headers: partner.headers }))
          .json<Page<Assessment>>()
          .data.map(({ id }) => id)
      await waitUntil(() => offersAll(askPeer), 'the other instance offers them')
      await expect(addInstrument(service.owner, await readFile(pack, 'utf8'))).rejects.toThrow(
        'version: who5 has one of 2026-12-01; give this one a later day',
      )
    } finally {
      await peer.close()
    }
  })

  it('what is removed is offered no more, but who was given it can finish', async () => {
    const tenant = { tenantId: partner.partnerId }
    const { id: clientId } = await caller.createClient()
    const { body } = await caller.post(`/clients/${clientId}/assessments`, { assessmentIds: ['who5'] })
    const [assignment] = (body as AssessmentAssignments).assignments
    expect(await removeInstrument(service.owner, 'who5')).toBe(1)
    await waitUntil(async () => !(await listOffered()).includes('who5'), 'who5 is gone')
    const { catalogue } = await readInstruments(service.db)
    const parts = { ring: await service.keys.get(tenant), catalogue }
    const results = [{ assignmentId: assignment?.id ?? '', answers: answersTo('who5', [3, 3, 3, 2, 2]) }]
    const completion = { clientId, results, publicUrl: 'http://localhost', nowMs: Date.now() }
    const source = { actor: { kind: 'client', id: clientId }, requestId: null } as const
    const [score] = await service.db.write(tenant, (tx) => completeAssessments(tx, parts, completion, source))
    expect((await caller.get(`/assessment-scores/${score?.id}`)).body).toMatchObject({
      score: 52,
      severity: 'not_low',
      assessmentVersion: '2026-12-01',
      answers: expect.arrayContaining([
        {
          questionKey: 'who5_1',
          questionDisplay: 'Made-up question who5_1',
          answerValue: 3,
          answerDisplay: 'Made-up answer 3',
        },
      ]),
    })
    expect(await removeInstrument(service.owner, 'phq9')).toBe(0)
  })

  it('a row that does not fit any more is left out and named; the service goes on', async () => {
    await service.owner.throughDoor({
      text: `insert into casenote.instruments (assessment_id, version, source) values ('broken', '2026-11-15', '{')`,
      values: [],
    })
    await service.watch.poll()
    expect(await listOffered()).toContain('own_scale')
    const { code, stdout } = await command('list')
    expect(code).toBe(0)
    expect(stdout).toContain('broken of 2026-11-15 is left out: line 1, column 2: this is not JSON')
  })
})
