import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import type { AssessmentAssignments, ClinicianTokens, NoteSection, ReviewItem } from '@casenote/contract'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeAssessments, makeBuiltInCatalogue } from '../../src/features/assessments/index.js'
import { saveMdm } from '../../src/features/mdm/index.js'
import { rotateSecret } from '../../src/features/partners/index.js'
import {
  completeGeneration,
  failGeneration,
  openNote,
  storeSection,
} from '../../src/features/progress-notes/index.js'
import { startTranscribing } from '../../src/features/sessions/index.js'
import { saveSummary } from '../../src/features/summaries/index.js'
import { completeTranscript, saveReading } from '../../src/features/transcripts/index.js'
import { DatabaseFault } from '../../src/kernel/db/db-errors.js'
import { describeFault } from '../../src/kernel/log.js'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import { dangerOf, readAs } from '../engines/session-fixtures.js'
import { asPipeline } from '../support/clinical-record.js'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let partner: TestPartner
let superuser: pg.Client
/** Everything our own log says, at its most talkative. */
let ownLog = ''

beforeAll(async () => {
  const stream = new PassThrough()
  stream.on('data', (chunk: Buffer) => (ownLog += chunk.toString()))
  const log = pino({ level: 'debug', serializers: { err: describeFault } }, stream)
  service = await makeTestService({ log })
  partner = await service.addPartner()
  superuser = await openSuperuser(service.database)
})
afterAll(async () => {
  await superuser.end()
  await service.close()
})

async function dumpTables(): Promise<string> {
  const { rows: tables } = await superuser.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'casenote'",
  )
  let dump = ''
  for (const { name } of tables) {
    const { rows } = await superuser.query<{ line: string }>(`select t::text as line from casenote.${name} t`)
    dump += rows.map(({ line }) => line).join('\n')
  }
  return dump
}

/** As itself, and as the hex and base64 in which a column of bytes would show it. */
const spellings = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
]

describe('a dump of every table', () => {
  it('shows no credential and no token', async () => {
    const mint = async (): Promise<ClinicianTokens> =>
      (
        await service.call({
          method: 'POST',
          url: `/v2/clinicians/${partner.clinicianId}/authenticate`,
          headers: partner.headers,
        })
      ).json()
    const renew = async (RefreshToken: string): Promise<ClinicianTokens> =>
      (
        await service.call({
          method: 'POST',
          url: '/widget/v1/token',
          payload: { RefreshToken, renewalId: randomUUID() },
        })
      ).json()
    const minted = await mint()
    const renewed = await renew(minted.RefreshToken)
    const ring = await readTenantKeys(service.owner, service.masterKeys, { tenantId: partner.partnerId })
    const newSecret = await rotateSecret(service.owner, ring)
    const secrets = [
      partner.apiKey,
      partner.clientSecret,
      newSecret,
      partner.accessToken,
      minted.AccessToken,
      minted.RefreshToken,
      renewed.AccessToken,
      renewed.RefreshToken,
      ring.newest('data').bytes.toString('hex'),
      ring.newest('token').bytes.toString('hex'),
      ring.newest('audit').bytes.toString('hex'),
    ]
    const dump = await dumpTables()
    expect(dump).toContain(partner.partnerId)
    for (const secret of secrets) {
      for (const spelling of spellings(secret)) expect(dump.includes(spelling)).toBe(false)
    }
  })

  it('shows nothing of what was said, written, derived or asked for, nor where a recording lies', async () => {
    const tenant = { tenantId: partner.partnerId }
    const context = asPipeline(await service.keys.get(tenant))
    const planted: string[] = []
    const plant = (kind: string): string => {
      const text = `Qz${kind}${randomUUID().replaceAll('-', '')}`
      planted.push(text)
      return text
    }
    const section = (key: string): NoteSection => ({
      key,
      title: plant('title'),
      content: plant('content'),
      evidence: [
        {
          sentence: plant('sentence'),
          transcriptItems: [0],
          supported: true,
          judgement: 'verified',
          reason: null,
        },
      ],
    })
    const call = async (method: 'POST' | 'PATCH', path: string, payload: object) => {
      const answer = await service.ask(partner, method, path, payload)
      expect([200, 201, 202]).toContain(answer.statusCode)
      return answer.json<{ id: string }>()
    }
    await superuser.query('update casenote.clinicians set prescriber = true where tenant_id = $1', [
      tenant.tenantId,
    ])
    const { id: sessionId } = await call('POST', `/clients/${partner.clientId}/sessions`, {
      fileUrl: `https://recordings.example.com/${plant('path')}?signature=${plant('signature')}`,
      noteType: 'medication_management',
    })
    const activeOf = async (): Promise<string> => {
      const found = await superuser.query<{ id: string }>(
        'select active_generation_id as id from casenote.progress_notes where session_id = $1',
        [sessionId],
      )
      return found.rows[0]?.id ?? ''
    }
    const noteId = await service.db.write(tenant, async (tx) => {
      await startTranscribing(tx, sessionId)
      const items = [{ startTime: 0, endTime: 1, speaker: 'speaker_1', transcript: plant('said') }]
      const generationId = (await completeTranscript(tx, context, { madeBy: 'test', sessionId, items })) ?? ''
      const danger = dangerOf(items, 0, plant('danger'))
      const reading = readAs(danger)
      await saveReading(tx, context.ring, { sessionId, transcript: items, reading })
      const review: ReviewItem[] = [
        {
          id: danger.id,
          kind: 'danger',
          reason: 'not_written',
          transcriptItems: [0],
          label: plant('label'),
          words: plant('unwritten'),
        },
      ]
      const sections = [section('plan')]
      await completeGeneration(tx, context, { madeBy: 'test', generationId, sections, review })
      await saveSummary(tx, context, { madeBy: 'test', sessionId, summary: plant('summary') })
      await saveMdm(tx, context, {
        madeBy: 'test',
        sessionId,
        findings: {
          problemsAddressed: [
            { problem: plant('problem'), level: 'low', rationale: plant('why'), evidence: [0] },
          ],
          riskOfComplications: { level: 'low', rationale: plant('risk'), evidence: [0] },
          crisisInterventionIdentified: true,
          crisisInterventionRationale: plant('crisis'),
          crisisInterventionEvidence: [0],
        },
      })
      const [note] = await tx.run<{ id: string }>({
        text: 'select progress_note_id as id from casenote.progress_notes where tenant_id = $1 and session_id = $2',
        values: [tenant.tenantId, sessionId],
      })
      return note?.id ?? ''
    })
    await call('PATCH', `/progress-notes/${noteId}`, { note: [{ key: 'plan', content: plant('edited') }] })
    await call('PATCH', `/sessions/${sessionId}/transcript`, { speakers: { speaker_1: 'client' } })
    await call('POST', `/progress-notes/${noteId}/magic-edit`, { userInstructions: plant('asked') })
    const failed = await activeOf()
    await service.db.write(tenant, (tx) =>
      failGeneration(tx, context, { generationId: failed, reason: plant('failure') }),
    )
    await call('POST', `/progress-notes/${noteId}/magic-edit`, { userInstructions: plant('again') })
    const drafting = await activeOf()
    await service.db.write(tenant, (tx) =>
      storeSection(tx, context.ring, { generationId: drafting, section: section('plan') }),
    )
    // As the widget will: with what the clinician chose.
    await superuser.query(
      `insert into casenote.sessions (tenant_id, session_id, client_id, clinician_id, clinic_id, organization_id,
         note_type, status) select tenant_id, gen_random_uuid(), client_id, clinician_id, clinic_id,
         organization_id, note_type, 'awaiting_audio' from casenote.sessions where session_id = $1`,
      [sessionId],
    )
    const { rows } = await superuser.query<{ id: string }>(
      "select session_id as id from casenote.sessions where status = 'awaiting_audio'",
    )
    await service.db.write(tenant, (tx) =>
      openNote(tx, context.ring, {
        sessionId: rows[0]?.id ?? '',
        preferences: { treatmentApproaches: [plant('approach')], sessionSetting: plant('setting') },
      }),
    )
    expect(planted.length).toBeGreaterThan(15)
    const dump = await dumpTables()
    expect(dump).toContain(sessionId)
    for (const text of planted) {
      for (const spelling of spellings(text)) expect([text, dump.includes(spelling)]).toEqual([text, false])
    }
    expect(ownLog).not.toMatch(/Qz/)
    expect(await readServerLog()).not.toMatch(/Qz/)
  })
})

describe('a dump of every table, of assessments', () => {
  it('shows neither the link of a client nor what the client answered', async () => {
    const administered = await service.call({
      method: 'POST',
      url: `/v2/clients/${partner.clientId}/assessments`,
      headers: partner.headers,
      payload: { assessmentIds: ['phq9'] },
    })
    const [assignment] = administered.json<AssessmentAssignments>().assignments
    const tenant = { tenantId: partner.partnerId }
    const ring = await service.keys.get(tenant)
    const result = {
      assignmentId: assignment?.id ?? '',
      answers: Array.from({ length: 9 }, (_, index) => ({
        questionKey: `phq9_${index + 1}`,
        answerValue: 3,
      })),
    }
    const parts = { ring, catalogue: makeBuiltInCatalogue() }
    const { clientId } = partner
    const completion = { clientId, results: [result], publicUrl: 'http://localhost', nowMs: Date.now() }
    const [score] = await service.db.write(tenant, (tx) =>
      completeAssessments(tx, parts, completion, {
        actor: { kind: 'client', id: clientId },
        requestId: null,
      }),
    )
    const read = await service.call({
      method: 'GET',
      url: `/v2/assessment-scores/${score?.id}`,
      headers: partner.headers,
    })
    expect(read.json()).toMatchObject({ score: 27, severity: 'severe', flags: ['self_harm'] })
    const token = assignment?.url.split('/').at(-1) ?? ''
    const dump = await dumpTables()
    expect(dump).toContain(score?.id)
    const secrets = [
      token,
      token.split('.')[1] ?? '',
      'severe',
      'self_harm',
      'phq9_9',
      'better off dead',
      'Nearly every day',
    ]
    for (const secret of secrets) {
      expect(secret).not.toBe('')
      for (const spelling of spellings(secret)) expect(dump.includes(spelling)).toBe(false)
      expect(ownLog.includes(secret)).toBe(false)
    }
  })

  it('a sealed score does not open in the row of another', async () => {
    const tenant = { tenantId: partner.partnerId }
    await superuser.query(
      `update casenote.assessment_scores set sealed_result = other.sealed_result
       from casenote.assessment_scores other where other.tenant_id = $1 and other.score_id <> $2
         and casenote.assessment_scores.score_id = $2`,
      [tenant.tenantId, partner.scoreId],
    )
    const read = await service.call({
      method: 'GET',
      url: `/v2/assessment-scores/${partner.scoreId}`,
      headers: partner.headers,
    })
    expect(read.statusCode).toBe(500)
    expect(read.body).not.toMatch(/Zq|phq9/)
  })
})

describe('after errors of every kind', () => {
  it("neither PostgreSQL's log nor ours shows any of 1,000 planted names, e-mails and texts", async () => {
    const planted: string[] = []
    const plant = (kind: string): string => {
      const value = `Zq${kind}${randomUUID().replaceAll('-', '')}`
      planted.push(value)
      return value
    }
    const tenant = { tenantId: partner.partnerId }
    const run = async (text: string, values: unknown[]): Promise<void> => {
      const failure = await service.db
        .write(tenant, (tx) => tx.run({ text, values }))
        .catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(DatabaseFault)
      expect(JSON.stringify(describeFault(failure))).not.toMatch(/Zq/)
      expect(`${(failure as Error).message} ${String((failure as Error).cause)}`).not.toMatch(/Zq/)
    }
    const insert = `insert into casenote.clinicians (tenant_id, clinician_id, clinic_id, first_name, last_name, email, email_folded)
      values ($1, $2, $3, $4, $5, $6, $6)`
    for (let index = 0; index < 60; index += 1) {
      const email = `${plant('mail')}@example.com`
      const taken = [tenant.tenantId, randomUUID(), partner.clinicId, plant('first'), plant('last'), email]
      await service.db.write(tenant, (tx) => tx.run({ text: insert, values: taken }))
      // unique, foreign key, not null, check, bad uuid, bad date, out of range, bad JSON, too deep, division, raise
      await run(insert, [
        tenant.tenantId,
        randomUUID(),
        partner.clinicId,
        plant('first'),
        plant('last'),
        email,
      ])
      await run(insert, [
        tenant.tenantId,
        randomUUID(),
        randomUUID(),
        plant('first'),
        plant('last'),
        plant('mail'),
      ])
      await run(insert, [tenant.tenantId, randomUUID(), partner.clinicId, null, plant('last'), plant('mail')])
      await run('select $1::uuid', [plant('uuid')])
      await run('select $1::date', [plant('date')])
      await run('select $1::int', [plant('int')])
      await run('select $1::jsonb', [plant('json')])
      await run(`select '${plant('literal')}'::int`, [])
      await run(`select from "${plant('table')}"`, [])
      await run(`do $$ begin raise exception '${plant('raised')}'; end $$`, [])
      await run(
        `insert into casenote.clients (tenant_id, client_id, clinician_id, last_name, date_of_birth, status)
        values ($1, $2, $3, $4, '2000-01-01', $4)`,
        [tenant.tenantId, randomUUID(), partner.clinicianId, plant('status')],
      )
      const bad = {
        method: 'PATCH',
        url: `/v2/partners/${partner.partnerId}?name=${plant('query')}`,
        headers: { ...partner.headers, 'content-type': 'application/json', 'x-name': plant('header') },
      } as const
      await service.call({ ...bad, payload: `{"callbackUrl":"${plant('url')}"` })
      await service.call({ ...bad, payload: { callbackUrl: plant('url') } })
      for (const [method, path, payload] of [
        [
          'POST',
          `/clients/${partner.clientId}/sessions`,
          { fileUrl: plant('file'), noteType: plant('type') },
        ],
        [
          'PATCH',
          `/progress-notes/${partner.progressNoteId}`,
          { note: [{ key: plant('key'), content: '' }] },
        ],
        [
          'POST',
          `/progress-notes/${partner.progressNoteId}/magic-edit`,
          { userInstructions: [plant('ask')] },
        ],
        ['PATCH', `/sessions/${partner.sessionId}/transcript`, { speakers: { [plant('label')]: 'client' } }],
      ] as const) {
        const answer = await service.call({ ...bad, method, url: `/v2${path}`, payload })
        expect(answer.statusCode).toBe(400)
      }
      await service.call({ ...bad, url: `/v2/organizations/${plant('id')}` })
      await service.call({ ...bad, url: `/v2/${plant('route')}` })
      await service.call({ ...bad, headers: { ...bad.headers, 'access-token': plant('token') } })
    }
    expect(planted.length).toBeGreaterThan(1000)
    expect(ownLog).toContain('"operation":"partner.change"')
    expect(ownLog).not.toMatch(/Zq/)
    for (const secret of [partner.apiKey, partner.accessToken, partner.clientSecret]) {
      expect(ownLog.includes(secret)).toBe(false)
    }
    expect(await readServerLog()).not.toMatch(/Zq/)
  })

  it('a fault is answered with nothing of its cause', async () => {
    await superuser.query('alter table casenote.organizations rename column name to renamed')
    try {
      const answer = await service.call({ method: 'GET', url: '/v2/organizations', headers: partner.headers })
      expect(answer.statusCode).toBe(500)
      expect(answer.json()).toMatchObject({
        error: { message: 'Internal server error', statusCode: 500, details: [] },
      })
      expect(answer.body).not.toMatch(/column|42703|select/)
      expect(ownLog).toContain('"code":"42703"')
    } finally {
      await superuser.query('alter table casenote.organizations rename column renamed to name')
    }
  })
})

async function readServerLog(): Promise<string> {
  const { rows } = await superuser.query<{ log_directory: string }>('show log_directory')
  const folder = rows[0]?.log_directory ?? ''
  const files = await readdir(folder)
  expect(files.length).toBeGreaterThan(0)
  return (await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))).join('')
}
