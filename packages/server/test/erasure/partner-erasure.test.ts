import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Consent, Erasure, StruckStretch, Transcript } from '@casenote/contract'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askErasure, eraseRows } from '../../src/features/erasure/erasure.sql.js'
import {
  countLeasedErasures,
  isReceiptGenuine,
  liftLegalHold,
  placeLegalHold,
  readReceiptKey,
  requestErasure,
  runErasure,
  whileLeased,
  type ErasureParts,
  type Receipt,
} from '../../src/features/erasure/index.js'
import { setPartnerErasure } from '../../src/features/partners/index.js'
import { saveReading } from '../../src/features/transcripts/index.js'
import { endJobsOf } from '../../src/jobs/enqueue-job.js'
import type { Statement } from '../../src/kernel/db/database.js'
import type { TenantScope } from '../../src/kernel/tenant.js'
import { newId } from '../../src/kernel/ids.js'
import { establishClientKeys } from '../../src/kernel/key-store/index.js'
import { operator } from '../../src/kernel/operator.js'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import { applyErasures } from '../../src/main/erasure/apply-erasures.js'
import { listAgain } from '../../src/main/erasure/list-again.js'
import { finishErasure, finishErasures, makeErasureParts } from '../../src/main/erasure/finish-erasures.js'
import { dangerOf, readAs } from '../engines/session-fixtures.js'
import { waitUntil } from '../support/casenote-process.js'
import { asPipeline, someItems, startRecord } from '../support/clinical-record.js'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let folder: string
let superuser: pg.Client
let parts: ErasureParts

beforeAll(async () => {
  service = await makeTestService()
  folder = await mkdtemp(join(tmpdir(), 'casenote-keys-'))
  const { owner, masterKeys, db, keys, blobs } = service
  const config = { keyStore: { kind: 'folder', path: folder } as const, s3: null }
  const clientKeys = await establishClientKeys(config, owner, masterKeys)
  if (clientKeys === null) throw new Error('no key store')
  masterKeys.clientKeys = clientKeys
  parts = makeErasureParts({ db, keys, clientKeys, store: blobs.store })
  superuser = await openSuperuser(service.database)
})
afterAll(async () => {
  await superuser.end()
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const countLeased = async (): Promise<number> =>
  (await service.owner.throughDoor(countLeasedErasures()))[0]?.total ?? 0

const tenantOf = ({ partnerId }: TestPartner) => ({ tenantId: partnerId })

/** Its session is complete, and it may erase. */
async function addPartner({ mayErase = true } = {}): Promise<TestPartner> {
  const partner = await service.addPartner()
  await superuser.query(
    `update casenote.sessions set status = 'completed', progress = 1 where session_id = $1`,
    [partner.sessionId],
  )
  if (mayErase) await setPartnerErasure(service.owner, tenantOf(partner), true)
  return partner
}

const pathsOf = (of: TestPartner) =>
  ({
    client: `/clients/${of.clientId}/erasures`,
    session: `/sessions/${of.sessionId}/erasures`,
    transcript: `/sessions/${of.sessionId}/transcript/erasures`,
    draft: `/progress-notes/${of.progressNoteId}/erasures`,
  }) as const

const post = (of: TestPartner, path: string, payload: object = { confirm: 'erase' }) =>
  service.ask(of, 'POST', path, payload)
const get = (of: TestPartner, path: string) => service.ask(of, 'GET', path)
const finalize = (of: TestPartner) => post(of, `/progress-notes/${of.progressNoteId}/finalize`, {})

/** As a worker does it: those of partners are not left to a command first. */
const finish = () => finishErasures(parts, 60)

const refusalOf = (answer: { statusCode: number; headers: Record<string, unknown> }) => [
  answer.statusCode,
  answer.headers['casenote-error-code'],
]

describe('erasing over the Partner API', () => {
  it('403 unless the operator has allowed it, whatever is sent, and nothing is begun', async () => {
    const partner = await addPartner({ mayErase: false })
    for (const path of Object.values(pathsOf(partner)))
      expect(refusalOf(await post(partner, path))).toEqual([403, 'erasure_not_allowed'])
    // Nor by the services' own login.
    const tenant = tenantOf(partner)
    const asked = { erasureId: newId(), kind: 'client', subjectId: partner.clientId } as const
    const statement = askErasure(tenant, { ...asked, askedId: partner.clientId, withSignedNotes: true })
    const [row] = await service.db.write(tenant, (tx) => tx.run(statement))
    expect(row).toEqual({ denial: 'not_allowed' })
    expect(await finish()).toBe(0)
    expect((await get(partner, `/clients/${partner.clientId}`)).statusCode).toBe(200)
  })

  it('400 without the word that confirms it', async () => {
    const partner = await addPartner()
    for (const path of Object.values(pathsOf(partner)))
      for (const payload of [{}, { confirm: true }, { confirm: 'yes' }])
        expect((await post(partner, path, payload)).statusCode).toBe(400)
    expect(
      (await post(partner, pathsOf(partner).client, { confirm: 'erase', includeSignedNotes: 'x' }))
        .statusCode,
    ).toBe(400)
  })

  it('a client goes with a receipt that can be fetched again; asked again, before and after, it is the same one', async () => {
    const partner = await addPartner()
    const { client: path } = pathsOf(partner)
    const consents = `/clients/${partner.clientId}/consents`
    const signed = { method: 'signed_in_room', textVersion: 'casenote-1', personName: 'Juniper Testwell' }
    const consent = `${consents}/${(await post(partner, consents, signed)).json<Consent>().id}`
    expect((await get(partner, consent)).statusCode).toBe(200)
    const asked = await post(partner, path)
    expect(asked.statusCode).toBe(202)
    const begun = asked.json<Erasure>()
    expect(begun).toMatchObject({
      kind: 'client',
      subjectId: partner.clientId,
      clientId: partner.clientId,
      status: 'erasing',
      finishedAt: null,
      receipt: null,
    })
    expect((await post(partner, path)).json<Erasure>().id).toBe(begun.id)
    expect(await finish()).toBe(1)
    for (const gone of [`/clients/${partner.clientId}`, consent])
      expect((await get(partner, gone)).statusCode).toBe(404)
    const done = (await get(partner, `/erasures/${begun.id}`)).json<Erasure>()
    expect(done).toMatchObject({ id: begun.id, status: 'erased' })
    expect(done.receipt?.statement).toMatchObject({ askedBy: 'partner', askedId: partner.clientId })
    const ring = await readTenantKeys(service.owner, service.masterKeys, tenantOf(partner))
    // As it came over the wire.
    expect(isReceiptGenuine(done.receipt as Receipt, readReceiptKey(ring))).toBe(true)
    expect((await post(partner, path)).json()).toEqual(done)
    const { rows } = await superuser.query<{ actor: string }>(
      `select actor_kind as actor from casenote.audit_pending where tenant_id = $1 and operation = 'client.erase' and $2 = any (subject_ids)`,
      [partner.partnerId, begun.id],
    )
    expect(rows).toEqual([{ actor: 'partner' }])
  })

  it('a transcript and a draft go, each once, and what they were made of and for stays', async () => {
    const partner = await addPartner()
    const { transcript, draft } = pathsOf(partner)
    const ids = [transcript, draft].map(async (path) => (await post(partner, path)).json<Erasure>().id)
    const [first, second] = await Promise.all(ids)
    expect(await finish()).toBe(2)
    expect((await get(partner, `/sessions/${partner.sessionId}`)).statusCode).toBe(200)
    expect((await get(partner, `/sessions/${partner.sessionId}/transcript`)).body).not.toContain(
      'transcriptItems',
    )
    const again = [await post(partner, transcript), await post(partner, draft)]
    expect(again.map((answer) => answer.json<Erasure>())).toMatchObject([
      { id: first, status: 'erased', subjectId: partner.sessionId },
      { id: second, status: 'erased', subjectId: partner.progressNoteId },
    ])
    expect(await finish()).toBe(0)
  })

  it('of a session whose draft is gone a stretch can still be struck', async () => {
    const partner = await addPartner()
    expect((await post(partner, pathsOf(partner).draft)).statusCode).toBe(202)
    expect(await finish()).toBe(1)
    const items = (await get(partner, `/sessions/${partner.sessionId}/transcript`)).json<Transcript>()
      .transcriptItems
    const last = items.at(-1)
    const stretch = { start: last?.startTime, end: last?.endTime, dangerSeen: true }
    const struck = await post(partner, `/sessions/${partner.sessionId}/strike`, stretch)
    expect([struck.statusCode, struck.json<StruckStretch>().isStruck]).toEqual([200, true])
    const left = (await get(partner, `/sessions/${partner.sessionId}/transcript`)).json<Transcript>()
    expect(left.transcriptItems.length).toBe(items.length - 1)
    // The summary rested on what was struck, and there is no note to be written before it.
    const { rows } = await superuser.query<{ kind: string }>(
      `select kind from casenote.jobs where subject_id = $1 and status = 'waiting' and kind <> 'cut_audio'`,
      [partner.sessionId],
    )
    expect(rows).toEqual([{ kind: 'summarize' }])
  })

  it('and what another session’s note holds about danger stays, though the draft is gone', async () => {
    const partner = await addPartner()
    const { sessionId, clientId } = partner
    const context = asPipeline(await service.keys.get(tenantOf(partner)))
    const reading = readAs(dangerOf(someItems, 1))
    await service.db.write(tenantOf(partner), async (tx) => {
      await saveReading(tx, context.ring, { sessionId, transcript: someItems, reading })
      await endJobsOf(tx, [sessionId])
    })
    const { sessionId: other } = await startRecord(service.db, context, { clientId })
    const held = await superuser.query(
      `update casenote.danger_items d set status = 'held', ended_at = now(), note_id = n.note_id
        from casenote.progress_notes n where n.session_id = $1 and d.session_id = $2`,
      [other, sessionId],
    )
    expect(held.rowCount).toBe(1)
    expect((await post(partner, pathsOf(partner).draft)).statusCode).toBe(202)
    expect(await finish()).toBe(1)
    const stretch = { start: 3, end: 5, dangerSeen: true }
    const struck = await post(partner, `/sessions/${sessionId}/strike`, stretch)
    expect(refusalOf(struck)).toEqual([409, 'danger_named'])
  })

  it('409 for signed notes without a confirmation of their own, and never for a draft', async () => {
    const partner = await addPartner()
    expect((await finalize(partner)).statusCode).toBe(200)
    const { client, session, draft } = pathsOf(partner)
    for (const path of [client, session, draft])
      expect(refusalOf(await post(partner, path))).toEqual([409, 'signed_notes'])
    const confirmed = { confirm: 'erase', includeSignedNotes: true }
    expect(refusalOf(await post(partner, draft, confirmed))).toEqual([409, 'signed_notes'])
    expect((await post(partner, session, confirmed)).statusCode).toBe(202)
    expect(await finish()).toBe(1)
    expect((await get(partner, `/sessions/${partner.sessionId}`)).statusCode).toBe(404)
    expect((await get(partner, `/clients/${partner.clientId}`)).statusCode).toBe(200)
  })

  it('409 under a legal hold, of the client and of all that is theirs', async () => {
    const partner = await addPartner()
    const { owner } = service
    await owner.write(tenantOf(partner), (tx) => placeLegalHold(tx, operator, partner.clientId))
    for (const path of Object.values(pathsOf(partner)))
      expect(refusalOf(await post(partner, path))).toEqual([409, 'legal_hold'])
    await owner.write(tenantOf(partner), (tx) => liftLegalHold(tx, operator, partner.clientId))
    expect((await post(partner, pathsOf(partner).transcript)).statusCode).toBe(202)
  })

  it('stops no legal hold while nothing of it is gone, and is refused by it', async () => {
    const partner = await addPartner()
    const tenant = tenantOf(partner)
    const place = () => service.owner.write(tenant, (tx) => placeLegalHold(tx, operator, partner.clientId))
    const { id } = (await post(partner, pathsOf(partner).client)).json<Erasure>()
    await place()
    await finish()
    expect((await get(partner, `/erasures/${id}`)).json()).toMatchObject({ status: 'refused' })
    expect((await get(partner, `/clients/${partner.clientId}`)).statusCode).toBe(200)
    await service.owner.write(tenant, (tx) => liftLegalHold(tx, operator, partner.clientId))
    const again = (await post(partner, pathsOf(partner).client)).json<Erasure>()
    // Killed after its first session.
    const of = { erasureId: again.id, root: 'session', subjectId: partner.sessionId } as const
    const first = eraseRows(tenant, of, null)
    const [row] = await service.db.write(tenant, (tx) => tx.run(first))
    expect(row).toEqual({ denial: null })
    await expect(place()).rejects.toThrow('too late for a hold')
    expect(await finish()).toBe(1)
  })

  it('409 for a transcript and a draft that are still being made', async () => {
    const partner = await addPartner()
    await superuser.query(
      `update casenote.sessions set status = 'generating', progress = 0.8 where session_id = $1`,
      [partner.sessionId],
    )
    const { transcript, draft } = pathsOf(partner)
    for (const path of [transcript, draft])
      expect(refusalOf(await post(partner, path))).toEqual([409, 'still_being_made'])
  })

  it('429 for the thousand and first of a day', async () => {
    const partner = await addPartner()
    await superuser.query(
      `insert into casenote.erasures (tenant_id, erasure_id, kind, subject_id, client_id, asked_by, asked_at)
       select $1, gen_random_uuid(), 'client', gen_random_uuid(), gen_random_uuid(), 'partner',
         now() - case when number <= 10 then interval '25 hours' else interval '1 hour' end
       from generate_series(1, 1009) number order by number`,
      [partner.partnerId],
    )
    await superuser.query(
      `update casenote.erasures set status = 'refused', done_at = now() where tenant_id = $1 and status = 'deleting'`,
      [partner.partnerId],
    )
    expect((await post(partner, pathsOf(partner).transcript)).statusCode).toBe(202)
    const refused = await post(partner, pathsOf(partner).draft)
    expect(refusalOf(refused)).toEqual([429, 'erasures_of_day'])
    expect(refused.headers['retry-after']).toBe('3600')
  })

  it('409 for one more than a partner may have in the key store that all share; the operator goes on', async () => {
    const partner = await addPartner()
    /** Without triggers: these are of nobody. */
    const addErasures = async (count: number, askedBy = 'partner'): Promise<void> => {
      await superuser.query('set session_replication_role = replica')
      await superuser.query(
        `insert into casenote.erasures (tenant_id, erasure_id, kind, subject_id, client_id, asked_by, asked_at, status, done_at)
         select $1, gen_random_uuid(), 'client', gen_random_uuid(), gen_random_uuid(), $3, now() - interval '2 days', 'refused', now()
         from generate_series(1, $2::int)`,
        [partner.partnerId, count, askedBy],
      )
      await superuser.query('reset session_replication_role')
    }
    await addErasures(19_900)
    await addErasures(200, 'operator')
    expect(refusalOf(await post(partner, pathsOf(partner).transcript))).toEqual([202, undefined])
    await addErasures(100)
    expect(refusalOf(await post(partner, pathsOf(partner).draft))).toEqual([409, 'erasures_full'])
    await finish()
    const asked = {
      kind: 'session',
      id: partner.sessionId,
      askedBy: 'operator',
      withSignedNotes: false,
    } as const
    const tenant = tenantOf(partner)
    const erasureId = await service.owner.write(tenant, (tx) => requestErasure(tx, operator, asked))
    expect(await runErasure(parts, tenant, erasureId)).not.toBeNull()
    await parts.clientKeys.refresh()
    expect(parts.clientKeys.fullness).toBeGreaterThan(0)
  })

  it('of many that one partner asks for, another’s waits for no more than its turn', async () => {
    await finish()
    const many = await addPartner()
    const other = await addPartner()
    for (const path of [pathsOf(many).transcript, pathsOf(many).draft, pathsOf(many).session])
      expect((await post(many, path)).statusCode).toBe(202)
    expect((await post(other, pathsOf(other).transcript)).statusCode).toBe(202)
    expect(await finish()).toBe(4)
    const { rows } = await superuser.query<{ tenantId: string }>(
      'select tenant_id as "tenantId" from casenote.erasures where tenant_id = any($1) and done_at is not null order by done_at',
      [[many.partnerId, other.partnerId]],
    )
    // Each has a refused one from before, of which nobody asked.
    const asked = rows.slice(-4).map(({ tenantId }) => tenantId)
    expect(asked.indexOf(other.partnerId)).toBe(1)
  })

  it('of a client of years that one partner asks for, another’s waits for no more than a turn', async () => {
    await finish()
    const [huge, other] = [await addPartner(), await addPartner()]
    await superuser.query(
      `insert into casenote.sessions
         (tenant_id, session_id, client_id, clinician_id, clinic_id, organization_id, note_type, status)
       select tenant_id, gen_random_uuid(), client_id, clinician_id, clinic_id, organization_id, note_type, 'awaiting_audio'
       from casenote.sessions, generate_series(1, 100) where tenant_id = $1 and session_id = $2`,
      [huge.partnerId, huge.sessionId],
    )
    expect((await post(huge, pathsOf(huge).client)).statusCode).toBe(202)
    const finishing = finishErasures(parts, 60, { turnMs: 500 })
    const countSessions = async (of: TestPartner): Promise<number> => {
      const { rows } = await superuser.query<{ total: number }>(
        'select count(*)::int as total from casenote.sessions where client_id = $1',
        [of.clientId],
      )
      return rows[0]?.total ?? 0
    }
    await waitUntil(async () => (await countSessions(huge)) < 100, 'it is under way')
    // Somebody asks meanwhile.
    expect((await post(other, pathsOf(other).transcript)).statusCode).toBe(202)
    expect([await finishing, await countSessions(huge)]).toEqual([2, 0])
    const { rows } = await superuser.query<{ tenantId: string }>(
      `select tenant_id as "tenantId" from casenote.erasures where tenant_id = any($1) and status = 'done' order by done_at`,
      [[huge.partnerId, other.partnerId]],
    )
    expect(rows.map(({ tenantId }) => tenantId)).toEqual([other.partnerId, huge.partnerId])
  })

  it('two workers do not take the same one, and one that was killed is gone on with', async () => {
    await finish()
    const partner = await addPartner()
    const { id } = (await post(partner, pathsOf(partner).client)).json<Erasure>()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let begun = 0
    const freeOthers: ErasureParts['freeOthers'] = async (...of) => {
      begun += 1
      await held
      return parts.freeOthers(...of)
    }
    const first = finishErasures({ ...parts, freeOthers }, 60)
    await waitUntil(async () => begun > 0, 'the first is at it')
    expect(await finishErasures({ ...parts, freeOthers }, 60)).toBe(0)
    expect(begun).toBe(1)
    release()
    expect(await first).toBe(1)
    expect((await get(partner, `/erasures/${id}`)).json()).toMatchObject({ status: 'erased' })

    const other = await addPartner()
    const killed = (await post(other, pathsOf(other).session)).json<Erasure>()
    const lease = (time: string) =>
      superuser.query(`update casenote.erasures set leased_until = ${time} where erasure_id = $1`, [
        killed.id,
      ])
    await lease(`now() + interval '1 minute'`)
    expect(await finish()).toBe(0)
    await lease(`now() - interval '1 second'`)
    expect(await finish()).toBe(1)
  })

  it('whoever lost the lease ends nobody else’s; what fails at the lease fails nothing that was done', async () => {
    await finish()
    const partner = await addPartner()
    const tenant = tenantOf(partner)
    const { id: erasureId } = (await post(partner, pathsOf(partner).session)).json<Erasure>()
    const isLeased = async (): Promise<boolean> => {
      const { rows } = await superuser.query<{ isLeased: boolean }>(
        'select coalesce(leased_until > now(), false) as "isLeased" from casenote.erasures where erasure_id = $1',
        [erasureId],
      )
      return rows[0]?.isLeased === true
    }
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let other: Promise<unknown> = Promise.resolve()
    const late = await whileLeased(parts.db, { tenant, erasureId }, async () => {
      await superuser.query('update casenote.erasures set leased_until = now() where erasure_id = $1', [
        erasureId,
      ])
      other = whileLeased(parts.db, { tenant, erasureId }, () => held)
      await waitUntil(isLeased, 'another has it')
    })
    expect(late).toEqual({ result: undefined })
    expect(await isLeased()).toBe(true)
    expect(await countLeased()).toBe(1)
    await expect(finishErasure(parts, tenant, erasureId)).rejects.toThrow(
      'another process is at this erasure',
    )
    release()
    await other
    expect(await isLeased()).toBe(false)

    let calls = 0
    const writeAtOnce = <Row>(of: TenantScope, statement: Statement<Row>): Promise<Row[]> => {
      calls += 1
      // The first takes it; then two renewals of which the first fails; then every release.
      return calls === 1 || calls === 3
        ? parts.db.writeAtOnce(of, statement)
        : Promise.reject(new Error('away'))
    }
    const done = await whileLeased({ writeAtOnce }, { tenant, erasureId, renewEveryMs: 1 }, async () => {
      await waitUntil(async () => calls >= 3, 'it is renewed again')
      return runErasure(parts, tenant, erasureId)
    })
    expect(done?.result).not.toBeNull()
    expect(await finishErasure(parts, tenant, erasureId)).toEqual(done?.result)
  })

  it('asked again after a restore has carried it out, it answers with the receipt', async () => {
    const partner = await addPartner()
    // As a backup of before it brings back: what is erased is there, and the erasure is not.
    const entry = {
      tenantId: partner.partnerId,
      clientId: partner.clientId,
      askedAt: new Date().toISOString(),
    }
    const [draft, client] = [newId(), newId()]
    const { rows } = await superuser.query<{ noteId: string }>(
      'select note_id as "noteId" from casenote.progress_note_ids where tenant_id = $1 and progress_note_id = $2',
      [partner.partnerId, partner.progressNoteId],
    )
    const erasures = [
      {
        ...entry,
        erasureId: draft,
        kind: 'draft',
        subjectId: rows[0]?.noteId ?? '',
        askedId: partner.progressNoteId,
      },
      { ...entry, erasureId: client, kind: 'client', subjectId: partner.clientId },
    ] as const
    const { owner, masterKeys, blobs } = service
    for (const erasure of erasures) await parts.clientKeys.list(owner, erasure)
    const done = await applyErasures({ db: owner, masterKeys, store: blobs.store }, parts.clientKeys)
    expect(done).toEqual({ applied: 2, refused: [], left: 0 })
    for (const [path, id] of [
      [pathsOf(partner).draft, draft],
      [pathsOf(partner).client, client],
    ] as const) {
      const answer = await post(partner, path)
      expect([answer.statusCode, answer.json<Erasure>().id]).toEqual([202, id])
      expect(answer.json<Erasure>().receipt?.statement.erasureId).toBe(id)
    }
  })

  it('asked again by the id that it was asked for, also where an older copy of the key store was brought up to date', async () => {
    const partner = await addPartner()
    const path = join(folder, 'key-store.json')
    const older = await readFile(path)
    const { id } = (await post(partner, pathsOf(partner).draft)).json<Erasure>()
    await finish()
    const { clientKeys } = parts
    const before = clientKeys.erasures
    expect(before.at(-1)).toMatchObject({ erasureId: id, askedId: partner.progressNoteId, isDone: true })
    await writeFile(path, older)
    await clientKeys.refresh()
    await listAgain(service.db, clientKeys)
    expect(clientKeys.erasures).toEqual(before)
  })

  it('is refused in the end where something was signed since, and says so', async () => {
    const partner = await addPartner()
    const { id } = (await post(partner, pathsOf(partner).session)).json<Erasure>()
    expect((await finalize(partner)).statusCode).toBe(200)
    await finish()
    expect((await get(partner, `/erasures/${id}`)).json()).toMatchObject({ status: 'refused', receipt: null })
    const again = await post(partner, pathsOf(partner).session, {
      confirm: 'erase',
      includeSignedNotes: true,
    })
    expect(again.json<Erasure>().id).not.toBe(id)
  })
})

describe('erasing beside a job that is just being ended', () => {
  it.each(['session', 'client'] as const)('of a %s: the job ends, and what it kept is gone', async (kind) => {
    const partner = await addPartner()
    const tenant = tenantOf(partner)
    const jobId = newId()
    await superuser.query(
      `insert into casenote.jobs (tenant_id, job_id, kind, subject_id, status, due_at, leased_until)
       values ($1, $2, 'summarize', $3, 'running', null, now() + interval '1 hour')`,
      [partner.partnerId, jobId, partner.sessionId],
    )
    const job = await openSuperuser(service.database)
    try {
      // As a worker: the job first, then what came of it.
      await job.query('begin')
      await job.query(
        `update casenote.jobs set status = 'done', leased_until = null, ended_at = now() where job_id = $1`,
        [jobId],
      )
      const id = kind === 'client' ? partner.clientId : partner.sessionId
      const asked = { kind, id, askedBy: 'operator', withSignedNotes: false } as const
      const erasureId = await service.owner.write(tenant, (tx) => requestErasure(tx, operator, asked))
      const erased = runErasure(parts, tenant, erasureId)
      // It holds client and session by now, and waits for the job.
      for (let isWaiting = false; !isWaiting;) {
        const { rows } = await superuser.query(
          `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%erase_rows%' and pid <> pg_backend_pid() limit 1`,
        )
        isWaiting = rows.length > 0
      }
      // What a foreign key asks for.
      await job.query('select from casenote.sessions where session_id = $1 for key share', [
        partner.sessionId,
      ])
      await job.query('select from casenote.clients where client_id = $1 for key share', [partner.clientId])
      await job.query('commit')
      expect(await erased).toMatchObject({ statement: { erasureId, kind } })
      const { rows } = await superuser.query('select from casenote.jobs where job_id = $1', [jobId])
      expect(rows).toEqual([])
    } finally {
      await job.end()
    }
  })
})
