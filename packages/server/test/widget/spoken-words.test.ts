import type { CorrectedItems, ProgressNote, Transcript, Vocabulary } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetTranscript } from '../../src/features/transcripts/index.js'
import { readVocabulary } from '../../src/features/vocabulary/index.js'
import { someItems } from '../support/clinical-record.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, signIn, type SignedIn } from './widget-fixture.js'
import { makeWrittenSession } from './written-session.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
})
afterAll(() => service.close())

const tenantOf = () => ({ tenantId: partner.partnerId })
const said = someItems[1]?.transcript ?? ''
const linesOf = ({ transcriptItems }: Transcript): string[] =>
  transcriptItems.map(({ transcript }) => transcript)

describe('words of a transcript', () => {
  const pathOf = (sessionId: string) => `/sessions/${sessionId}/transcript/corrections`
  const correct = (sessionId: string, body: object) => clinician.call('POST', pathOf(sessionId), body)
  const listCorrected = async (sessionId: string) =>
    (await clinician.call('GET', pathOf(sessionId))).json<CorrectedItems>().items

  it('are put right with author and moment, the original is kept, and the evidence still points there', async () => {
    const sessionId = await makeWrittenSession(service, partner, clinician)
    const note = async () =>
      (await clinician.call('GET', `/sessions/${sessionId}/progress-note`)).json<ProgressNote>()
    const before = await note()
    const events = (await listEvents(service, tenantOf(), sessionId)).length
    expect(
      (await correct(sessionId, { item: 1, before: said, after: ' Slept like Naoise. ' })).statusCode,
    ).toBe(200)
    await correct(sessionId, { item: 1, before: 'Slept like Naoise.', after: 'I slept like Naoise.' })
    expect(await listCorrected(sessionId)).toMatchObject([
      { item: 1, original: said, name: expect.stringMatching(/\S+ \S+/), at: expect.any(String) },
    ])
    expect(await note()).toEqual(before)
    // The partner reads the words as they were put right, and hears of the transcript once, ever.
    const shown = await service.call({
      method: 'GET',
      url: `/v2/sessions/${sessionId}/transcript`,
      headers: partner.headers,
    })
    expect(linesOf(shown.json<Transcript>())[1]).toBe('I slept like Naoise.')
    expect(await listEvents(service, tenantOf(), sessionId)).toHaveLength(events)
    expect(await listSubjects(service, tenantOf(), 'session.correctWords', sessionId)).toHaveLength(2)
  })

  it('409 where somebody else was faster, 400 for a line that is not there or is emptied', async () => {
    const sessionId = await makeWrittenSession(service, partner, clinician)
    expect((await correct(sessionId, { item: 1, before: 'Other words.', after: 'x' })).statusCode).toBe(409)
    expect((await correct(sessionId, { item: 99, before: said, after: 'x' })).statusCode).toBe(400)
    expect((await correct(sessionId, { item: 1, before: said, after: '  ' })).statusCode).toBe(400)
    const endless = { item: 1, before: said, after: said + ' And on.'.repeat(100) }
    expect((await correct(sessionId, endless)).statusCode).toBe(400)
    expect(await listCorrected(sessionId)).toEqual([])
  })

  it('are forgotten with their transcript', async () => {
    const sessionId = await makeWrittenSession(service, partner, clinician)
    await correct(sessionId, { item: 1, before: said, after: 'Slept like Naoise.' })
    await service.db.write(tenantOf(), (tx) => forgetTranscript(tx, sessionId))
    expect(await listCorrected(sessionId)).toEqual([])
  })
})

describe('the vocabulary', () => {
  const add = (by: SignedIn, body: object) => by.call('POST', '/vocabulary', body)
  const read = async (by: SignedIn) => (await by.call('GET', '/vocabulary')).json<Vocabulary>().terms

  it('is the clinician’s own and their clinic’s, learns what is misheard, and can be taken back', async () => {
    const colleague = await addColleague(service, partner)
    const other = await signIn(service, partner, colleague.clinicianId)
    await add(clinician, { scope: 'clinician', term: 'Naoise', heard: 'knee sha' })
    await add(clinician, { scope: 'clinician', term: 'naoise', heard: 'Neesha' })
    await add(clinician, { scope: 'clinic', term: 'Zurzuvae' })
    expect(await read(clinician)).toMatchObject([
      { scope: 'clinic', term: 'Zurzuvae', heard: [] },
      { scope: 'clinician', term: 'naoise', heard: ['knee sha', 'Neesha'] },
    ])
    const shared = await read(other)
    expect(shared).toMatchObject([{ scope: 'clinic', term: 'Zurzuvae' }])
    const own = (await read(clinician)).find(({ scope }) => scope === 'clinician')
    // Another's own word is not theirs to take.
    await other.call('POST', '/vocabulary/remove', { termId: own?.id })
    expect(await read(clinician)).toHaveLength(2)
    await clinician.call('POST', '/vocabulary/remove', { termId: own?.id })
    await other.call('POST', '/vocabulary/remove', { termId: shared[0]?.id })
    expect(await read(clinician)).toEqual([])
  })

  it('is another tenant’s for nobody, and sealed', async () => {
    await add(clinician, { scope: 'clinic', term: 'Xanthippe' })
    const stranger = await service.addPartner()
    expect(await read(await signIn(service, stranger))).toEqual([])
    const rows = await service.owner.throughDoor<{ row: string }>({
      text: 'select t::text as row from casenote.vocabulary_terms t where tenant_id = $1',
      values: [partner.partnerId],
    })
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows)).not.toContain(Buffer.from('Xanthippe').toString('hex'))
  })

  it('takes nothing that is said every day, or of danger, for misheard, and ends at its bound', async () => {
    for (const [heard, why] of [
      ['two', 'said every day'],
      ['was not', 'said every day'],
      ['sertraline', 'said every day'],
      ['feels suicidal', 'speaks of danger'],
    ] as const) {
      const answer = await add(clinician, { scope: 'clinician', term: 'Tu', heard })
      expect([answer.statusCode, answer.body]).toEqual([400, expect.stringContaining(why)])
    }
    expect((await add(clinician, { scope: 'clinician', term: '12' })).statusCode).toBe(400)
    for (let count = 0; count < 300; count += 1)
      await add(clinician, { scope: 'clinician', term: `Name ${'abcdefghij'[count % 10]}${count}` })
    expect((await add(clinician, { scope: 'clinician', term: 'One too many' })).statusCode).toBe(409)
    const ring = await service.keys.get(tenantOf())
    expect((await readVocabulary(service.db, ring, partner.clinicianId)).terms.length).toBeGreaterThanOrEqual(
      300,
    )
  })
})
