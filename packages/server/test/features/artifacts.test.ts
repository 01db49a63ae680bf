import { randomUUID } from 'node:crypto'
import type { Mdm, MdmFindings, PartnerApiError, Summary, Transcript } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emptyMdm, saveMdm } from '../../src/features/mdm/index.js'
import { setNotReadyStatus } from '../../src/features/partners/index.js'
import { createSession, startTranscribing } from '../../src/features/sessions/index.js'
import { saveSummary } from '../../src/features/summaries/index.js'
import { completeTranscript } from '../../src/features/transcripts/index.js'
import type { ChangeContext } from '../../src/kernel/change-context.js'
import { asPipeline, someItems, startRecord } from '../support/clinical-record.js'
import { listEvents, listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner
let tenant: { tenantId: string }
let context: ChangeContext

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  tenant = { tenantId: partner.partnerId }
  context = asPipeline(await service.keys.get(tenant))
})
afterAll(() => service.close())

const call = (method: 'GET' | 'PATCH', path: string, payload?: object, by = partner) =>
  service.ask(by, method, path, payload)

const newSession = async (): Promise<string> =>
  (
    await service.db.write(tenant, (tx) =>
      createSession(tx, context, 'sandbox', {
        clientId: partner.clientId,
        given: { fileUrl: 'https://recordings.example.com/a.mp3', sessionExternalId: 'ours-7' },
      }),
    )
  ).sessionId

const common = (sessionId: string) => ({
  sessionId,
  sessionExternalId: 'ours-7',
  clientId: partner.clientId,
  clinicianId: partner.clinicianId,
  clinicId: partner.clinicId,
  organizationId: partner.organizationId,
})

const findings: MdmFindings = {
  problemsAddressed: [{ problem: 'Insomnia', level: 'low', rationale: 'One stable problem', evidence: [3] }],
  riskOfComplications: { level: 'moderate', rationale: 'Prescription drug management', evidence: [7, 8] },
  crisisInterventionIdentified: false,
  crisisInterventionRationale: null,
  crisisInterventionEvidence: [],
}

describe('before they exist (contract part 7, ruling 6)', () => {
  for (const [artifact, message] of [
    ['transcript', 'Transcript has not been generated'],
    ['mdm', 'MDM elements have not been generated'],
    ['summary', 'Summary has not been generated'],
  ] as const) {
    it(`200 with an error body for the ${artifact}; 404 for a partner who chose it`, async () => {
      const other = await service.addPartner()
      for (const status of [200, 404] as const) {
        await setNotReadyStatus(service.owner, { tenantId: other.partnerId }, status)
        await service.watch.poll()
        const by = asPipeline(await service.keys.get({ tenantId: other.partnerId }))
        const { sessionId } = await service.db.write({ tenantId: other.partnerId }, (tx) =>
          createSession(tx, by, 'sandbox', {
            clientId: other.clientId,
            given: { fileUrl: 'https://recordings.example.com/a.mp3' },
          }),
        )
        const answer = await call('GET', `/sessions/${sessionId}/${artifact}`, undefined, other)
        expect(answer.statusCode).toBe(status)
        expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
        expect(answer.json()).toEqual({
          error: {
            type: expect.any(String),
            message,
            statusCode: 404,
            timestamp: expect.stringMatching(/Z$/),
            details: [],
          },
          path: `/sessions/${sessionId}/${artifact}`,
        })
      }
    })
  }

  it('an unknown session is 404 all the same', async () => {
    for (const artifact of ['transcript', 'mdm', 'summary', 'progress-note']) {
      expect((await call('GET', `/sessions/${randomUUID()}/${artifact}`)).statusCode).toBe(404)
    }
    expect((await call('GET', `/summaries/${randomUUID()}`)).statusCode).toBe(404)
  })
})

describe('the transcript', () => {
  it('comes with one event, once, and asks for the note', async () => {
    const sessionId = await newSession()
    const complete = () =>
      service.db.write(tenant, (tx) =>
        completeTranscript(tx, context, { madeBy: 'test', sessionId, items: someItems }),
      )
    // Not while the recording is still fetched.
    expect(await complete()).toBeNull()
    await service.db.write(tenant, (tx) => startTranscribing(tx, sessionId))
    const generations = await Promise.all([complete(), complete()])
    expect(generations.filter((one) => one !== null)).toHaveLength(1)
    expect(await listEvents(service, tenant, sessionId)).toEqual([
      {
        eventType: 'transcript_ready',
        timeStamp: expect.any(String),
        payload: {
          ...common(sessionId),
          transcriptUrl: `http://localhost:8080/v2/sessions/${sessionId}/transcript`,
        },
      },
    ])
    expect((await call('GET', `/sessions/${sessionId}/transcript`)).json()).toEqual({
      id: sessionId,
      sessionId,
      transcriptItems: someItems.map((item, index) => ({ ...item, voice: index + 1 })),
      speakers: [
        { voice: 1, speaker: 'speaker_1', name: null, role: null },
        { voice: 2, speaker: 'speaker_2', name: null, role: null },
      ],
      createdAt: expect.stringMatching(/Z$/),
    })
    expect((await call('GET', `/sessions/${sessionId}`)).json()).toMatchObject({
      status: 'generating',
      progress: 0.7,
    })
  })

  it('tells where only one voice was heard', async () => {
    const sessionId = await newSession()
    const heard = { madeBy: 'test', sessionId, items: someItems.slice(0, 1), isOneVoice: true }
    await service.db.write(tenant, async (tx) => {
      await startTranscribing(tx, sessionId)
      await completeTranscript(tx, context, heard)
    })
    expect((await call('GET', `/sessions/${sessionId}/transcript`)).json()).toMatchObject({
      isOneVoice: true,
    })
  })

  it.each(['PATCH of its labels', 'PATCH of its people'])(
    'does not tell of one voice any more once a %s leaves lines of two',
    async (change) => {
      const sessionId = await newSession()
      await service.db.write(tenant, async (tx) => {
        await startTranscribing(tx, sessionId)
        await completeTranscript(tx, context, {
          madeBy: 'test',
          sessionId,
          items: someItems,
          isOneVoice: true,
        })
      })
      const isKept = async (): Promise<unknown> =>
        (
          await service.db.read(tenant, {
            text: 'select is_one_voice as kept from casenote.transcripts where tenant_id = $1 and session_id = $2',
            values: [tenant.tenantId, sessionId],
          })
        )[0]?.kept
      expect(await isKept()).toBe(true)
      const path = `/sessions/${sessionId}/transcript`
      const answer = await (change === 'PATCH of its labels'
        ? call('PATCH', path, { speakers: { speaker_1: 'clinician' } })
        : call('PATCH', `/sessions/${sessionId}/speakers`, { speakers: [{ voice: 1, role: 'clinician' }] }))
      expect([answer.statusCode, answer.json<Transcript>().isOneVoice]).toEqual([200, undefined])
      expect(await isKept()).toBe(false)
    },
  )

  it('a speaker without a known label is a fault', async () => {
    const sessionId = await newSession()
    await service.db.write(tenant, (tx) => startTranscribing(tx, sessionId))
    const items = [{ startTime: 0, endTime: 1, speaker: 'Juniper', transcript: 'x' }]
    await expect(
      service.db.write(tenant, (tx) => completeTranscript(tx, context, { madeBy: 'test', sessionId, items })),
    ).rejects.toThrow('known label')
  })

  it('labels are corrected all at once, so that two can be swapped', async () => {
    const { sessionId } = await startRecord(service.db, context, { clientId: partner.clientId })
    const path = `/sessions/${sessionId}/transcript`
    const speakersOf = (transcript: Transcript) => transcript.transcriptItems.map(({ speaker }) => speaker)
    const patch = async (speakers: object) => (await call('PATCH', path, { speakers })).json<Transcript>()
    expect(speakersOf(await patch({ speaker_1: 'clinician', speaker_2: 'client' }))).toEqual([
      'clinician',
      'client',
    ])
    expect(speakersOf(await patch({ clinician: 'client', client: 'clinician' }))).toEqual([
      'client',
      'clinician',
    ])
    expect(speakersOf(await patch({ client: 'speaker_3' }))).toEqual(['speaker_3', 'clinician'])
    const changed = await patch({})
    expect((await call('GET', path)).json()).toEqual(changed)
    expect(changed.transcriptItems[0]?.transcript).toBe(someItems[0]?.transcript)
    const subjects = await listSubjects(service, tenant, 'session.correctSpeakers', sessionId)
    expect(subjects[0]).toEqual([sessionId, partner.clientId])
  })

  for (const [payload, problems] of [
    [{}, ['speakers should not be empty']],
    [{ speakers: 'x' }, ['speakers must be an object']],
    [{ speakers: [] }, ['speakers must be an object']],
    [{ speakers: { speaker_1: 5 } }, ['speakers.speaker_1 must be a string']],
    [{ speakers: { speaker_9: 'client' } }, ['speakers.speaker_9 must be a speaker of the transcript']],
    [{ speakers: { toString: 'client' } }, ['speakers.toString must be a speaker of the transcript']],
    [
      { speakers: { speaker_1: 'Dr. Who', speaker_2: 'speaker_0' } },
      [
        'speakers.speaker_1 must be one of the following values: clinician, client, speaker_N',
        'speakers.speaker_2 must be one of the following values: clinician, client, speaker_N',
      ],
    ],
    [
      { speakers: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`s${index}`, 'client'])) },
      ['speakers must contain no more than 100 elements'],
    ],
  ] as [object, string[]][]) {
    it(`400 for ${JSON.stringify(payload).slice(0, 60)}`, async () => {
      const answer = await call('PATCH', `/sessions/${partner.sessionId}/transcript`, payload)
      expect([answer.statusCode, answer.json<PartnerApiError>().error.message]).toEqual([
        400,
        { message: problems, error: 'Bad Request', statusCode: 400 },
      ])
    })
  }

  it('409 while there is none to correct', async () => {
    const answer = await call('PATCH', `/sessions/${await newSession()}/transcript`, {
      speakers: { speaker_1: 'client' },
    })
    expect([answer.statusCode, answer.json<PartnerApiError>().error.message]).toEqual([
      409,
      'Transcript has not been generated',
    ])
  })
})

describe('who is heard', () => {
  const family = [
    { startTime: 0, endTime: 2, speaker: 'clinician', transcript: 'How was the week?', voice: 1 },
    { startTime: 2, endTime: 4, speaker: 'speaker_2', transcript: 'We argued.', voice: 2 },
    { startTime: 4, endTime: 6, speaker: 'speaker_3', transcript: 'I was tired.', voice: 3 },
  ]
  const start = async () =>
    (await startRecord(service.db, context, { clientId: partner.clientId, items: family })).sessionId
  const name = (sessionId: string, payload: object) =>
    call('PATCH', `/sessions/${sessionId}/speakers`, payload)
  const people = [
    { voice: 2, name: ' Ana ', role: 'client' },
    { voice: 3, name: 'Ben', role: 'partner' },
  ]

  it('names and roles stand in the transcript, by voice; a role can make a voice the client’s', async () => {
    const sessionId = await start()
    const named = (await name(sessionId, { speakers: people })).json<Transcript>()
    expect(named.speakers).toEqual([
      { voice: 1, speaker: 'clinician', name: null, role: null },
      { voice: 2, speaker: 'client', name: 'Ana', role: 'client' },
      { voice: 3, speaker: 'speaker_3', name: 'Ben', role: 'partner' },
    ])
    expect(named.transcriptItems.map(({ speaker }) => speaker)).toEqual(['clinician', 'client', 'speaker_3'])
    expect((await call('GET', `/sessions/${sessionId}/transcript`)).json()).toEqual(named)
    // Given again it is the same.
    expect((await name(sessionId, { speakers: people })).json()).toEqual(named)
    const subjects = await listSubjects(service, tenant, 'session.nameSpeakers', sessionId)
    expect(subjects[0]).toEqual([sessionId, partner.clientId])
  })

  it('a name is sealed, changes no line, and has nothing read anew', async () => {
    const sessionId = await start()
    const kept = async () =>
      (await service.owner.read(tenant, {
        text: `select t.sealed_items as items, t.sealed_speakers as speakers, (select count(*)::int from casenote.jobs j
            where j.tenant_id = $1 and j.subject_id = $2 and j.kind = 'read_transcript') as jobs
          from casenote.transcripts t where t.tenant_id = $1 and t.session_id = $2`,
        values: [tenant.tenantId, sessionId],
      })) as { items: Buffer; speakers: Buffer | null; jobs: number }[]
    const [before] = await kept()
    await name(sessionId, { speakers: [{ voice: 3, name: 'Benedikta' }] })
    const [after] = await kept()
    expect(after?.items).toEqual(before?.items)
    expect([before?.speakers, after?.jobs]).toEqual([null, 0])
    expect(after?.speakers?.includes('Benedikta')).toBe(false)
    await name(sessionId, { speakers: [{ voice: 3, name: null, role: null }] })
    expect((await kept())[0]?.speakers).toBeNull()
    await name(sessionId, { speakers: [], lines: [{ item: 2, voice: 2 }] })
    expect((await kept())[0]?.jobs).toBe(1)
    const moved = (await call('GET', `/sessions/${sessionId}/transcript`)).json<Transcript>()
    expect(moved.transcriptItems[2]).toMatchObject({ voice: 2, speaker: 'speaker_2' })
    expect(moved.speakers).toHaveLength(2)
  })

  it('that one who would be taken for the client is another has it read anew, once, though no label changes', async () => {
    const sessionId = await start()
    const told = async (role: string | null) => {
      await service.owner.write(tenant, (tx) =>
        tx.run({
          text: `delete from casenote.jobs where tenant_id = $1 and subject_id = $2 and kind = 'read_transcript'`,
          values: [tenant.tenantId, sessionId],
        }),
      )
      const answer = await name(sessionId, { speakers: [{ voice: 3, role }] })
      const jobs = await service.owner.read(tenant, {
        text: `select from casenote.jobs where tenant_id = $1 and subject_id = $2 and kind = 'read_transcript'`,
        values: [tenant.tenantId, sessionId],
      })
      return [answer.json<Transcript>().speakers?.[2]?.speaker, jobs.length]
    }
    expect(await told('parent')).toEqual(['speaker_3', 1])
    expect(await told('parent')).toEqual(['speaker_3', 0])
    expect(await told('partner')).toEqual(['speaker_3', 0])
    expect(await told(null)).toEqual(['speaker_3', 1])
  })

  it('labels that are merged leave the voices apart', async () => {
    const sessionId = await start()
    const path = `/sessions/${sessionId}/transcript`
    await name(sessionId, { speakers: [{ voice: 3, name: 'Ben', role: 'partner' }] })
    const merged = await call('PATCH', path, { speakers: { speaker_2: 'client', speaker_3: 'client' } })
    expect(merged.json<Transcript>().transcriptItems.map(({ voice }) => voice)).toEqual([1, 2, 3])
    expect(merged.json<Transcript>().speakers?.[2]).toEqual({
      voice: 3,
      speaker: 'client',
      name: 'Ben',
      role: null,
    })
    expect((await call('GET', path)).json()).toEqual(merged.json())
    const parted = await call('PATCH', path, { speakers: { client: 'speaker_2' } })
    expect((await call('GET', path)).json()).toEqual(parted.json())
    await call('PATCH', path, { speakers: { speaker_2: 'client' } })
    const again = await name(sessionId, { speakers: [{ voice: 3, role: 'child' }] })
    expect(again.json<Transcript>().transcriptItems.map(({ speaker }) => speaker)).toEqual([
      'clinician',
      'client',
      'speaker_3',
    ])
  })

  for (const [payload, problems] of [
    [{}, ['speakers should not be empty']],
    [{ speakers: [{ voice: 7 }] }, ['speakers.0.voice must be a voice of the transcript']],
    [
      { speakers: [{ voice: 1, name: 'a: “b”' }] },
      ["speakers.0.name must have letters, digits, spaces and . , ' - only"],
    ],
    [
      { speakers: [{ voice: 1, role: 'boss' }] },
      [
        'speakers.0.role must be one of the following values: client, partner, parent, child, other, clinician',
      ],
    ],
  ] as [object, string[]][]) {
    it(`400 for ${JSON.stringify(payload)}`, async () => {
      const answer = await name(partner.sessionId, payload)
      expect([answer.statusCode, answer.json<PartnerApiError>().error.message]).toEqual([
        400,
        { message: problems, error: 'Bad Request', statusCode: 400 },
      ])
    })
  }

  it('409 while there is no transcript, and for one that was typed', async () => {
    expect((await name(await newSession(), { speakers: [] })).json<PartnerApiError>().error).toMatchObject({
      statusCode: 409,
      message: 'Transcript has not been generated',
    })
    const typed = someItems.map((item) => ({ ...item, speaker: 'clinician', source: 'typed' as const }))
    const { sessionId } = await startRecord(service.db, context, { clientId: partner.clientId, items: typed })
    expect((await name(sessionId, { speakers: [] })).statusCode).toBe(409)
  })
})

describe('MDM elements', () => {
  it('in the shape of ruling 6, with one event however often they are derived', async () => {
    await service.db.write(tenant, (tx) =>
      tx.run({
        text: 'update casenote.clinicians set prescriber = true where tenant_id = $1',
        values: [tenant.tenantId],
      }),
    )
    const { sessionId } = await startRecord(service.db, context, {
      clientId: partner.clientId,
      given: { noteType: 'medication_management', sessionExternalId: 'ours-7' },
    })
    const save = (level: 'low' | 'high') =>
      service.db.write(tenant, (tx) =>
        saveMdm(tx, context, {
          madeBy: 'test',
          sessionId,
          findings: { ...findings, riskOfComplications: { level, rationale: 'r', evidence: [] } },
        }),
      )
    const mdmId = await save('low')
    // Struck: what is derived next has the id that the event told.
    await service.db.write(tenant, (tx) => tx.run(emptyMdm(tenant, sessionId)))
    const struck = (await call('GET', `/sessions/${sessionId}/mdm`)).json<PartnerApiError>()
    expect(struck.error).toMatchObject({ statusCode: 404, message: 'MDM elements have not been generated' })
    expect(await save('high')).toBe(mdmId)
    expect((await call('GET', `/sessions/${sessionId}/mdm`)).json<Mdm>()).toEqual({
      id: mdmId,
      mdmId,
      sessionId,
      ...findings,
      riskOfComplications: { level: 'high', rationale: 'r', evidence: [] },
      createdAt: expect.stringMatching(/Z$/),
    })
    const events = (await listEvents(service, tenant, sessionId)).filter(
      ({ eventType }) => eventType === 'mdm_elements_identified',
    )
    expect(events.map(({ payload }) => payload)).toEqual([
      { ...common(sessionId), mdmId, mdmUrl: `http://localhost:8080/v2/sessions/${sessionId}/mdm` },
    ])
  })

  it('not for a note that is none of a prescriber any more', async () => {
    const { sessionId } = await startRecord(service.db, context, {
      clientId: partner.clientId,
      given: { noteType: 'medication_management', sessionExternalId: 'ours-8' },
    })
    await service.db.write(tenant, (tx) => saveMdm(tx, context, { madeBy: 'test', sessionId, findings }))
    await service.db.write(tenant, (tx) =>
      tx.run({
        text: `update casenote.sessions set note_type = 'soap' where tenant_id = $1 and session_id = $2`,
        values: [tenant.tenantId, sessionId],
      }),
    )
    const answer = (await call('GET', `/sessions/${sessionId}/mdm`)).json<PartnerApiError>()
    expect(answer.error).toMatchObject({ statusCode: 404, message: 'MDM elements have not been generated' })
  })

  it('only for prescriber note types', async () => {
    const { sessionId } = partner
    const saving = service.db.write(tenant, (tx) =>
      saveMdm(tx, context, { madeBy: 'test', sessionId, findings }),
    )
    await expect(saving).rejects.toThrow('prescriber')
  })
})

describe('the summary', () => {
  it('by session and by its own id, which it keeps', async () => {
    const sessionId = await newSession()
    const save = (summary: string) =>
      service.db.write(tenant, (tx) => saveSummary(tx, context, { madeBy: 'test', sessionId, summary }))
    const summaryId = await save('First.')
    expect(await save('Second.')).toBe(summaryId)
    const summary = (await call('GET', `/sessions/${sessionId}/summary`)).json<Summary>()
    expect(summary).toEqual({
      id: summaryId,
      summaryId,
      sessionId,
      summary: 'Second.',
      createdAt: expect.stringMatching(/Z$/),
    })
    expect((await call('GET', `/summaries/${summaryId}`)).json()).toEqual(summary)
    expect(await listEvents(service, tenant, sessionId)).toEqual([])
  })
})

describe('who saw client X', () => {
  it('every read of clinical data names the client', async () => {
    const { sessionId, progressNoteId, summaryId, clinicianId } = partner
    const paths = {
      'session.read': `/sessions/${sessionId}`,
      'session.list': `/clients/${partner.clientId}/sessions`,
      'session.readTranscript': `/sessions/${sessionId}/transcript`,
      'session.readProgressNote': `/sessions/${sessionId}/progress-note`,
      'session.readSummary': `/sessions/${sessionId}/summary`,
      'summary.read': `/summaries/${summaryId}`,
      'progressNote.read': `/progress-notes/${progressNoteId}`,
      'progressNote.listVersions': `/progress-notes/${progressNoteId}/versions`,
    }
    for (const [operation, path] of Object.entries(paths)) {
      expect((await call('GET', path)).statusCode).toBe(200)
      expect([operation, await listSubjects(service, tenant, operation, partner.clientId)]).not.toEqual([
        operation,
        [],
      ])
    }
    const path = `/progress-notes/${progressNoteId}/magic-edit`
    await service.call({
      method: 'POST',
      url: `/v2${path}`,
      headers: partner.headers,
      payload: { userInstructions: 'Shorter.' },
    })
    expect((await call('GET', `/clinicians/${clinicianId}/magic-edit`)).statusCode).toBe(200)
    for (const operation of ['progressNote.magicEdit', 'clinician.listMagicEdits']) {
      expect(await listSubjects(service, tenant, operation, partner.clientId)).toHaveLength(1)
    }
  })
})
