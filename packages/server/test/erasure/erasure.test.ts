import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  ErasureDenied,
  expireOld,
  insertErasure,
  isReceiptGenuine,
  liftLegalHold,
  placeLegalHold,
  purgeOldEvents,
  readReceiptKey,
  requestErasure,
  runErasure,
  setRetention,
  type ErasureParts,
  type Receipt,
} from '../../src/features/erasure/index.js'
import type { ChunkResult } from '../../src/engines/speech/chunk-result.js'
import { eraseRows, selectEventsAbout } from '../../src/features/erasure/erasure.sql.js'
import { setNothingTwice } from '../../src/features/partners/index.js'
import { rememberBegunBlob } from '../../src/features/session-gaps/index.js'
import { keepPad, movePad, readPad } from '../../src/features/session-pads/index.js'
import { createSession, findDownload, recordDownload } from '../../src/features/sessions/index.js'
import { makeCheckpoints } from '../../src/features/transcripts/index.js'
import { enqueueJob } from '../../src/jobs/enqueue-job.js'
import { claimJob, type JobOf } from '../../src/jobs/jobs.sql.js'
import { makeFolderStore, writeBlob } from '../../src/kernel/blobs/index.js'
import { readConfig } from '../../src/kernel/config.js'
import { establishClientKeys } from '../../src/kernel/key-store/index.js'
import { newId } from '../../src/kernel/ids.js'
import { operator } from '../../src/kernel/operator.js'
import type { ErasureKind } from '../../src/kernel/secrets/client-key-source.js'
import { readSealedFor } from '../../src/kernel/secrets/sealing.js'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import { applyErasures } from '../../src/main/erasure/apply-erasures.js'
import { finishErasures, makeErasureParts } from '../../src/main/erasure/finish-erasures.js'
import { sealAllForOwners } from '../../src/main/erasure/seal-all-for-owners.js'
import { makeListAgain } from '../../src/main/erasure/list-again.js'
import { requireApplied } from '../../src/main/erasure/require-applied.js'
import { selectUnopened } from '../../src/main/erasure/erasure.sql.js'
import {
  describeUnopened,
  freeOthers,
  makeFindOwner,
  sealForOwners,
  Unopened,
} from '../../src/main/erasure/seal-for-owners.js'
import { asPipeline } from '../support/clinical-record.js'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let folder: string
let superuser: pg.Client
let parts: ErasureParts

beforeAll(async () => {
  service = await makeTestService()
  folder = await mkdtemp(join(tmpdir(), 'casenote-keys-'))
  const { owner, masterKeys } = service
  const config = { keyStore: { kind: 'folder', path: folder } as const, s3: null }
  masterKeys.clientKeys = await establishClientKeys(config, owner, masterKeys)
  // As a worker has it: bound by row security.
  parts = makeErasureParts({
    db: service.db,
    keys: service.keys,
    clientKeys: masterKeys.clientKeys as NonNullable<typeof masterKeys.clientKeys>,
    store: service.blobs.store,
  })
  superuser = await openSuperuser(service.database)
})
afterAll(async () => {
  await superuser.end()
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const tenantOf = ({ partnerId }: TestPartner) => ({ tenantId: partnerId })

const ask = (partner: TestPartner, kind: ErasureKind, id: string, withSignedNotes = false) =>
  service.owner.write(tenantOf(partner), (tx) =>
    requestErasure(tx, operator, { kind, id, askedBy: 'operator', withSignedNotes }),
  )

const erase = async (...args: Parameters<typeof ask>): Promise<Receipt> =>
  (await runErasure(parts, tenantOf(args[0]), await ask(...args))) as Receipt

/** Names of tables in which a text stands, whoever's row it is; bytes as what they say. */
async function findText(text: string): Promise<string[]> {
  const { rows } = await superuser.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'casenote'::regnamespace and c.relkind = 'r'`,
  )
  const found: string[] = []
  for (const { name } of rows) {
    const { rows: hits } = await superuser.query(
      `select 1 from casenote.${name} t where t::text ilike $1 or t::text ilike $2 limit 1`,
      [`%${text}%`, `%${Buffer.from(text).toString('hex')}%`],
    )
    if (hits.length > 0) found.push(name)
  }
  return found.toSorted()
}

/** Its session's note is there, and nothing more is made of it. */
async function addDone(): Promise<TestPartner> {
  const partner = await service.addPartner()
  await superuser.query(
    `update casenote.sessions set status = 'completed', progress = 1 where session_id = $1`,
    [partner.sessionId],
  )
  return partner
}

/** A second client of the clinician's. */
async function addClient(partner: TestPartner): Promise<string> {
  const answer = await service.call({
    method: 'POST',
    url: `/v2/clinicians/${partner.clinicianId}/clients`,
    headers: partner.headers,
    payload: {
      firstName: 'Second',
      lastName: 'Client',
      email: 'second@example.com',
      dateOfBirth: '1980-01-01',
    },
  })
  return answer.json<{ id: string }>().id
}

const finalize = (partner: TestPartner) =>
  service.call({
    method: 'POST',
    url: `/v2/progress-notes/${partner.progressNoteId}/finalize`,
    headers: partner.headers,
  })

/** As the services may. What it says. */
async function eraseRowsOf(
  partner: TestPartner,
  ...[erasureId, root, subjectId]: [string, ErasureKind, string]
): Promise<unknown> {
  const tenant = tenantOf(partner)
  const rows = eraseRows(tenant, { erasureId, root, subjectId }, null)
  const [row] = await service.db.write(tenant, (tx) => tx.run(rows))
  return row?.denial
}

const get = (partner: TestPartner, url: string) => service.ask(partner, 'GET', url)

describe('what the events say of a session', () => {
  it('goes, whether it was found before anything was locked or came since', async () => {
    const partner = await addDone()
    const tenant = tenantOf(partner)
    const { sessionId } = partner
    // So old that nobody looks for them once more.
    await superuser.query(
      `update casenote.events set created_at = created_at - interval '2 hours' where tenant_id = $1`,
      [partner.partnerId],
    )
    const [found] = await service.db.read(tenant, selectEventsAbout(tenant, sessionId))
    expect(found?.eventIds.length).toBeGreaterThan(0)
    await superuser.query(
      `insert into casenote.events (tenant_id, event_id, event_type, body)
        values ($1, $2, 'session_transcript_ready', convert_to($3, 'UTF8'))`,
      [partner.partnerId, newId(), JSON.stringify({ sessionId })],
    )
    const of = {
      erasureId: await ask(partner, 'session', sessionId, true),
      root: 'session',
      subjectId: sessionId,
    } as const
    await service.db.write(tenant, (tx) => tx.run(eraseRows(tenant, of, found ?? null)))
    expect((await service.db.read(tenant, selectEventsAbout(tenant, sessionId)))[0]?.eventIds).toEqual([])
    await runErasure(parts, tenant, of.erasureId)
  })
})

describe('erasing a client', () => {
  it('of one of two who were recorded together leaves the other’s own session, with what is to be done for it', async () => {
    const partner = await addDone()
    const otherId = await addClient(partner)
    await service.call({
      method: 'PATCH',
      url: `/v2/sessions/${partner.sessionId}/speakers`,
      headers: partner.headers,
      payload: {
        speakers: [
          { voice: 1, role: 'clinician' },
          { voice: 2, role: 'partner' },
        ],
      },
    })
    const linked = await service.call({
      method: 'POST',
      url: `/v2/sessions/${partner.sessionId}/linked-sessions`,
      headers: partner.headers,
      payload: { clientId: otherId, voices: [2] },
    })
    expect(linked.statusCode).toBe(201)
    const { sessionId } = linked.json<{ sessionId: string }>()
    const kept = async (): Promise<unknown[]> =>
      (
        await superuser.query(
          `select (select count(*)::int from casenote.transcripts where session_id = $1) as transcripts,
            (select count(*)::int from casenote.session_links where session_id = $1) as links,
            (select count(*)::int from casenote.jobs j join casenote.note_generations g on g.generation_id = j.subject_id
              join casenote.progress_notes n on n.note_id = g.note_id where n.session_id = $1) as jobs`,
          [sessionId],
        )
      ).rows
    expect(await kept()).toEqual([{ transcripts: 1, links: 1, jobs: 1 }])
    await erase(partner, 'client', partner.clientId)
    expect(await kept()).toEqual([{ transcripts: 1, links: 0, jobs: 1 }])
    const read = await service.call({
      method: 'GET',
      url: `/v2/sessions/${sessionId}`,
      headers: partner.headers,
    })
    expect(read.json()).toMatchObject({ clientId: otherId, status: 'generating' })
    expect(read.json()).not.toHaveProperty('sharedFrom')
  })

  it('leaves ids in the audit log, the request log and the erasure alone, and nothing of anybody else', async () => {
    const partner = await service.addPartner()
    const other = await service.addPartner()
    const total = async () =>
      (await get(partner, `/clinics/${partner.clinicId}/clients`)).json<{ meta: { totalItems: number } }>()
        .meta.totalItems
    await superuser.query(
      `update casenote.clients set last_name = 'Canaryson', email = 'canary@example.com' where client_id = $1`,
      [partner.clientId],
    )
    const before = await total()
    expect(await findText('Canaryson')).toEqual(['clients'])
    expect(await findText(partner.clientId)).toEqual(
      expect.arrayContaining(['events', 'sessions', 'clients']),
    )
    const receipt = await erase(partner, 'client', partner.clientId)
    expect(await findText('Canaryson')).toEqual([])
    expect(await findText('canary@example.com')).toEqual([])
    const kept = new Set(['audit_entries', 'audit_pending', 'erasures', 'request_logs'])
    for (const id of [partner.clientId, partner.sessionId, partner.assignmentId, partner.scoreId])
      expect((await findText(id)).filter((name) => !kept.has(name))).toEqual([])
    expect((await get(partner, `/clients/${partner.clientId}`)).statusCode).toBe(404)
    expect((await get(partner, `/sessions/${partner.sessionId}`)).statusCode).toBe(404)
    expect(await total()).toBe(before - 1)
    expect((await get(other, `/sessions/${other.sessionId}/transcript`)).statusCode).toBe(200)
    expect(receipt.statement).toMatchObject({
      kind: 'client',
      subjectId: partner.clientId,
      isKeyDestroyed: true,
    })
    expect(service.masterKeys.clientKeys?.find(partner.partnerId, partner.clientId)).toBeNull()
    expect(service.masterKeys.clientKeys?.find(other.partnerId, other.clientId)).toHaveLength(32)
  })

  it('is refused under a legal hold, with all that is theirs, until it is lifted', async () => {
    const partner = await service.addPartner()
    const { owner } = service
    await owner.write(tenantOf(partner), (tx) => placeLegalHold(tx, operator, partner.clientId))
    for (const [kind, id] of [
      ['client', partner.clientId],
      ['session', partner.sessionId],
      ['transcript', partner.sessionId],
      ['draft', partner.progressNoteId],
    ] as const)
      await expect(ask(partner, kind, id)).rejects.toMatchObject({ denial: 'legal_hold' })
    await owner.write(tenantOf(partner), (tx) => liftLegalHold(tx, operator, partner.clientId))
    await erase(partner, 'client', partner.clientId)
    await expect(ask(partner, 'client', partner.clientId)).rejects.toMatchObject({ denial: 'not_found' })
  })

  it('needs a confirmation of its own for signed notes', async () => {
    const partner = await service.addPartner()
    const signed = await service.call({
      method: 'POST',
      url: `/v2/progress-notes/${partner.progressNoteId}/finalize`,
      headers: partner.headers,
    })
    expect(signed.statusCode).toBe(200)
    await expect(ask(partner, 'session', partner.sessionId)).rejects.toMatchObject({ denial: 'signed' })
    await expect(ask(partner, 'draft', partner.progressNoteId, true)).rejects.toMatchObject({
      denial: 'signed',
    })
    await erase(partner, 'session', partner.sessionId, true)
    expect((await get(partner, `/sessions/${partner.sessionId}`)).statusCode).toBe(404)
    expect((await get(partner, `/clients/${partner.clientId}`)).statusCode).toBe(200)
  })

  it('goes on after a kill, as whoever finds it, and asked again it is the same one', async () => {
    const partner = await service.addPartner()
    const erasureId = await ask(partner, 'client', partner.clientId)
    expect(await ask(partner, 'client', partner.clientId)).toBe(erasureId)
    expect((await get(partner, `/clients/${partner.clientId}`)).statusCode).toBe(200)
    expect(await finishErasures(parts)).toBe(1)
    expect((await get(partner, `/clients/${partner.clientId}`)).statusCode).toBe(404)
    expect(await finishErasures(parts)).toBe(0)
  })

  it("404 for another tenant's client, and no row without an erasure", async () => {
    const [one, two] = [await service.addPartner(), await service.addPartner()]
    await expect(ask(one, 'client', two.clientId)).rejects.toBeInstanceOf(ErasureDenied)
    const other = await addClient(one)
    const erasureId = await ask(one, 'client', other)
    await eraseRowsOf(one, erasureId, 'session', two.sessionId)
    await expect(eraseRowsOf(one, erasureId, 'session', one.sessionId)).rejects.toMatchObject({
      code: 'P0001',
    })
    await expect(eraseRowsOf(one, newId(), 'client', other)).rejects.toMatchObject({ code: 'P0001' })
    await finishErasures(parts)
    expect((await get(one, `/clients/${other}`)).statusCode).toBe(404)
    expect((await get(one, `/sessions/${one.sessionId}`)).statusCode).toBe(200)
    expect((await get(two, `/sessions/${two.sessionId}`)).statusCode).toBe(200)
  })

  it('the services can neither ask for one nor change one that has ended', async () => {
    const partner = await addDone()
    const tenant = tenantOf(partner)
    const row = {
      erasureId: newId(),
      kind: 'client',
      subjectId: partner.clientId,
      clientId: partner.clientId,
      askedBy: 'operator',
      withSignedNotes: true,
    } as const
    const insert = service.db.write(tenant, (tx) => tx.run(insertErasure(tenant, row)))
    await expect(insert).rejects.toMatchObject({ code: '42501' })
    const { statement } = await erase(partner, 'transcript', partner.sessionId)
    const reopen = service.db.write(tenant, (tx) =>
      tx.run({
        text: `update casenote.erasures set status = 'deleting', done_at = null, receipt = null where erasure_id = $1`,
        values: [statement.erasureId],
      }),
    )
    await expect(reopen).rejects.toMatchObject({ code: 'P0001' })
  })

  it('that is held by the time it runs is refused, whoever placed the hold', async () => {
    const partner = await service.addPartner()
    const erasureId = await ask(partner, 'session', partner.sessionId)
    const place = service.owner.write(tenantOf(partner), (tx) =>
      placeLegalHold(tx, operator, partner.clientId),
    )
    await expect(place).rejects.toThrow('too late for a hold')
    await superuser.query(
      'insert into casenote.legal_holds (tenant_id, hold_id, client_id) values ($1, $2, $3)',
      [partner.partnerId, newId(), partner.clientId],
    )
    expect(await eraseRowsOf(partner, erasureId, 'session', partner.sessionId)).toBe('legal_hold')
    await expect(runErasure(parts, tenantOf(partner), erasureId)).rejects.toMatchObject({
      denial: 'legal_hold',
    })
    expect((await get(partner, `/sessions/${partner.sessionId}`)).statusCode).toBe(200)
  })

  it('of what was signed since it was asked for is refused, and nothing of it is on the list', async () => {
    const partner = await addDone()
    const tenant = tenantOf(partner)
    const asked = [
      ['draft', partner.progressNoteId],
      ['session', partner.sessionId],
      ['client', partner.clientId],
    ] as const
    const ids: string[] = []
    for (const [kind, id] of asked) ids.push(await ask(partner, kind, id))
    await finalize(partner)
    for (const [index, [kind]] of asked.entries()) {
      const erasureId = ids[index] as string
      const { rows } = await superuser.query<{ subject: string }>(
        'select subject_id as subject from casenote.erasures where erasure_id = $1',
        [erasureId],
      )
      // As where it was signed between the two looks.
      expect(await eraseRowsOf(partner, erasureId, kind, rows[0]?.subject as string)).toBe('signed')
      await expect(runErasure(parts, tenant, erasureId)).rejects.toMatchObject({ denial: 'signed' })
      await expect(runErasure(parts, tenant, erasureId)).rejects.toMatchObject({ denial: 'refused' })
      expect(parts.clientKeys.erasures.map((one) => one.erasureId)).not.toContain(erasureId)
    }
    expect(await finishErasures(parts)).toBe(0)
    const note = await get(partner, `/sessions/${partner.sessionId}/progress-note`)
    expect(note.json()).toMatchObject({ status: 'finalized' })
    await erase(partner, 'session', partner.sessionId, true)
  })

  it('that is refused once it is on the list is refused there too, also after a kill, and no restore carries it out', async () => {
    const partner = await addDone()
    const tenant = tenantOf(partner)
    const { clientKeys } = parts
    const { owner, masterKeys } = service
    const entriesOf = (erasureId: string) =>
      clientKeys.erasures.filter((one) => one.erasureId === erasureId).map((one) => one.isRefused === true)
    const older = await readFile(join(folder, 'key-store.json'))
    const erasureId = await ask(partner, 'session', partner.sessionId)
    // Signed between the two looks: the list has it by then.
    await clientKeys.list(owner, {
      erasureId,
      ...tenant,
      kind: 'session',
      subjectId: partner.sessionId,
      clientId: partner.clientId,
      askedAt: new Date().toISOString(),
      withSignedNotes: false,
    })
    const listed = await readFile(join(folder, 'key-store.json'))
    expect(listed.equals(older)).toBe(false)
    await finalize(partner)
    await expect(runErasure(parts, tenant, erasureId)).rejects.toMatchObject({ denial: 'signed' })
    expect(entriesOf(erasureId)).toEqual([false, true])
    // An older copy, which does not say so yet.
    await writeFile(join(folder, 'key-store.json'), listed)
    await clientKeys.refresh()
    expect(entriesOf(erasureId)).toEqual([false])
    await makeListAgain(service.db, clientKeys)()
    expect(entriesOf(erasureId)).toEqual([false, true])
    // A backup of before it was asked for, with what is signed and without a hold.
    const forget = () => superuser.query('delete from casenote.erasures where erasure_id = $1', [erasureId])
    await forget()
    await applyErasures({ db: owner, masterKeys, store: service.blobs.store }, clientKeys)
    expect((await get(partner, `/sessions/${partner.sessionId}`)).statusCode).toBe(200)
    // One of between.
    await owner.write(tenant, (tx) =>
      tx.run(
        insertErasure(tenant, {
          erasureId,
          kind: 'session',
          subjectId: partner.sessionId,
          clientId: partner.clientId,
          askedBy: 'operator',
          withSignedNotes: true,
        }),
      ),
    )
    await applyErasures({ db: owner, masterKeys, store: service.blobs.store }, clientKeys)
    expect((await get(partner, `/sessions/${partner.sessionId}`)).statusCode).toBe(200)
    await expect(runErasure(parts, tenant, erasureId)).rejects.toMatchObject({ denial: 'refused' })
    // Without the refusal, and where signed notes must stay, they stay; an entry of before does not say.
    await forget()
    await writeFile(join(folder, 'key-store.json'), listed)
    await clientKeys.refresh()
    await applyErasures({ db: owner, masterKeys, store: service.blobs.store }, clientKeys)
    expect((await get(partner, `/sessions/${partner.sessionId}`)).statusCode).toBe(200)
    expect(entriesOf(erasureId)).toEqual([false])
  })

  it('two at once end with one receipt, wherever the other is faster', async () => {
    for (const step of ['list', 'freeOthers', 'destroy'] as const) {
      const partner = await service.addPartner()
      const tenant = tenantOf(partner)
      const erasureId = await ask(partner, 'client', partner.clientId)
      let first: Receipt | null = null
      const beforeThat = async (name: string): Promise<void> => {
        if (name === step) first = await runErasure(parts, tenant, erasureId)
      }
      const { clientKeys } = parts
      const slower: ErasureParts = {
        ...parts,
        freeOthers: async (...args) => {
          await beforeThat('freeOthers')
          await parts.freeOthers(...args)
        },
        clientKeys: {
          storeId: clientKeys.storeId,
          erasures: clientKeys.erasures,
          fullness: clientKeys.fullness,
          find: (...args) => clientKeys.find(...args),
          signAnew: (...args) => clientKeys.signAnew(...args),
          refresh: () => clientKeys.refresh(),
          copy: () => clientKeys.copy(),
          refuse: (...args) => clientKeys.refuse(...args),
          finish: (...args) => clientKeys.finish(...args),
          list: async (...args) => {
            await clientKeys.list(...args)
            await beforeThat('list')
          },
          destroy: async (...args) => {
            await beforeThat('destroy')
            await clientKeys.destroy(...args)
          },
        },
      }
      const second = await runErasure(slower, tenant, erasureId)
      expect(first).not.toBeNull()
      expect(second).toEqual(first)
    }
  })

  it('is not held up by another client of the tenant whose key is gone and whose rows are still there', async () => {
    // As in a backup of before there was a key store, once both were erased.
    const partner = await service.addPartner()
    const tenant = tenantOf(partner)
    const { owner, masterKeys } = service
    const later = await addClient(partner)
    const ring = await readTenantKeys(owner, masterKeys, tenant)
    const itemId = newId()
    const sealed = ring.seal({ table: 'danger_items', row: itemId, column: 'sealed_item' }, Buffer.from('{}'))
    await superuser.query(
      `insert into casenote.danger_items (tenant_id, item_id, client_id, session_id, sealed_item, occurred_at)
       values ($1, $2, $3, $4, $5, now())`,
      [partner.partnerId, itemId, later, partner.sessionId, sealed],
    )
    await superuser.query('update casenote.sessions set client_id = $2 where session_id = $1', [
      partner.sessionId,
      later,
    ])
    await parts.clientKeys.destroy(owner, partner.partnerId, later)
    expect((await erase(partner, 'client', partner.clientId)).statement.isKeyDestroyed).toBe(true)
    expect((await erase(partner, 'client', later)).statement.isKeyDestroyed).toBe(true)
  })
})

describe('erasing a part', () => {
  it('a transcript goes and the note stays; a draft goes and the session stays', async () => {
    const partner = await addDone()
    await erase(partner, 'transcript', partner.sessionId)
    expect((await get(partner, `/sessions/${partner.sessionId}/transcript`)).body).not.toContain(
      'transcriptItems',
    )
    expect((await get(partner, `/sessions/${partner.sessionId}/progress-note`)).statusCode).toBe(200)
    await erase(partner, 'draft', partner.progressNoteId)
    const note = await get(partner, `/sessions/${partner.sessionId}/progress-note`)
    expect([note.statusCode, note.body.includes('sections')]).toEqual([404, false])
    expect((await get(partner, `/sessions/${partner.sessionId}`)).statusCode).toBe(200)
  })
})

describe("a client's data", () => {
  it('is sealed for the client alone; what is not is before the next backup, and is read all the same', async () => {
    const partner = await service.addPartner()
    const tenant = tenantOf(partner)
    const readSealed = async () => {
      const { rows } = await superuser.query<{ sealed: Buffer }>(
        'select sealed_items as sealed from casenote.transcripts where session_id = $1',
        [partner.sessionId],
      )
      return rows[0]?.sealed as Buffer
    }
    const shown = await get(partner, `/sessions/${partner.sessionId}/transcript`)
    expect(readSealedFor(await readSealed())).toBe(partner.clientId)
    // As a version without such keys wrote it.
    const ring = await readTenantKeys(service.owner, service.masterKeys, tenant)
    const place = { table: 'transcripts', row: partner.sessionId, column: 'sealed_items' }
    const old = ring.seal(place, ring.unseal(place, await readSealed()))
    await superuser.query('update casenote.transcripts set sealed_items = $2 where session_id = $1', [
      partner.sessionId,
      old,
    ])
    expect(readSealedFor(await readSealed())).toBeNull()
    const { owner, masterKeys, blobs } = service
    const sealed = await sealAllForOwners({ db: owner, masterKeys, store: blobs.store })
    expect(sealed.values).toBeGreaterThan(0)
    expect(readSealedFor(await readSealed())).toBe(partner.clientId)
    expect(await sealAllForOwners({ db: owner, masterKeys, store: blobs.store })).toMatchObject({
      values: 0,
      parts: 0,
    })
    expect((await get(partner, `/sessions/${partner.sessionId}/transcript`)).json()).toEqual(shown.json())
  })
})

describe('what is kept of a client for a while', () => {
  it('is sealed for the client from its first writing on: backups of the files hold older versions of rows', async () => {
    const partner = await service.addPartner()
    const tenant = tenantOf(partner)
    const { db, owner, keys, masterKeys, blobs } = service
    await setNothingTwice(owner, tenant, { idempotency: true })
    await service.watch.poll()
    const { clientId } = partner
    const context = asPipeline(await keys.get(tenant))
    const addSession = () =>
      db.write(tenant, (tx) =>
        createSession(tx, context, 'sandbox', {
          clientId,
          given: { fileUrl: 'https://recordings.example.com/a.mp3' },
        }),
      )
    const { sessionId } = await addSession()
    const next = await addSession()
    // What was heard of it.
    await owner.write(tenant, (tx) => enqueueJob(tx, 'transcribe', sessionId))
    const job = (await db.throughDoor(claimJob(['transcribe'], 600_000)))[0] as JobOf<'transcribe'>
    const checkpoints = makeCheckpoints(service, job, { sessionId, clientId })
    await checkpoints.save({ index: 0, model: 'said' } as ChunkResult)
    // What was jotted down in it, before and after it was retried.
    const pad = { text: 'jotted down', markers: [] }
    await db.write(tenant, (tx) => keepPad(tx, context, { sessionId, clientId, pad }))
    await db.write(tenant, (tx) => movePad(tx, context, sessionId, { sessionId: next.sessionId, clientId }))
    // How it is fetched, and from where.
    const state = { receivedBytes: 0, spentMs: 1, delayMs: 2 } as never
    await db.write(tenant, (tx) =>
      recordDownload(tx, context.ring, { sessionId, clientId, blobId: null, state }),
    )
    // What is answered again.
    const answer = await service.call({
      method: 'POST',
      url: `/v2/clients/${clientId}/sessions`,
      headers: { ...partner.headers, 'idempotency-key': newId() },
      payload: { text: 'Clinician: Hello.\nClient: Hello.' },
    })
    expect(answer.statusCode).toBe(201)
    const { rows } = await superuser.query('select from casenote.kept_answers where tenant_id = $1', [
      partner.partnerId,
    ])
    expect(rows).toHaveLength(1)

    const ring = await readTenantKeys(owner, masterKeys, tenant)
    const unopened = new Unopened()
    const sealed = await sealForOwners({ db: owner, store: blobs.store }, ring, unopened)
    expect([sealed, unopened.count]).toEqual([{ values: 0, parts: 0 }, 0])
    expect(await checkpoints.load()).toEqual([{ index: 0, model: 'said' }])
    expect(await readPad(db, tenant, ring, next.sessionId)).toEqual(pad)
    expect((await findDownload(db, ring, sessionId))?.kept).toEqual({ spentMs: 1, delayMs: 2 })
    // What an earlier version sealed for the partner alone opens as well.
    const place = { table: 'transcription_chunks', row: `${sessionId}/0`, column: 'sealed_chunk' }
    await superuser.query(
      'update casenote.transcription_chunks set sealed_chunk = $2 where session_id = $1',
      [sessionId, ring.seal(place, Buffer.from(JSON.stringify({ index: 0, model: 'older' })))],
    )
    expect(await checkpoints.load()).toEqual([{ index: 0, model: 'older' }])
  })
})

describe('what was moved to another client by hand', () => {
  it('and whose key is gone is told with its id, and stops neither a backup nor what else is to be sealed', async () => {
    const partner = await addDone()
    const { owner, masterKeys, blobs } = service
    const other = await addClient(partner)
    await superuser.query('update casenote.sessions set client_id = $2 where session_id = $1', [
      partner.sessionId,
      other,
    ])
    await erase(partner, 'client', partner.clientId)
    // Of another table, behind it: as an older version wrote it.
    const tenant = tenantOf(partner)
    const ring = await readTenantKeys(owner, masterKeys, tenant)
    const place = { table: 'session_texts', row: partner.sessionId, column: 'sealed_text' }
    await superuser.query(
      'insert into casenote.session_texts (tenant_id, session_id, sealed_text) values ($1, $2, $3)',
      [partner.partnerId, partner.sessionId, ring.seal(place, Buffer.from('typed'))],
    )
    const { values, unopened } = await sealAllForOwners({ db: owner, masterKeys, store: blobs.store })
    expect(values).toBeGreaterThan(0)
    const { rows } = await superuser.query<{ sealed: Buffer }>(
      'select sealed_text as sealed from casenote.session_texts where session_id = $1',
      [partner.sessionId],
    )
    expect(readSealedFor(rows[0]?.sealed as Buffer)).toBe(other)
    expect(unopened.named).toContain(`transcripts ${partner.sessionId} of partner ${partner.partnerId}`)
    expect(describeUnopened(unopened)[0]).toContain(`${unopened.count} sealed values of clients do NOT OPEN`)
    const [row] = await owner.throughDoor(selectUnopened())
    expect(row).toEqual({ unopenedValues: unopened.count })
    await erase(partner, 'client', other)
    const after = await sealAllForOwners({ db: owner, masterKeys, store: blobs.store })
    expect(after.unopened.count).toBeLessThan(unopened.count)
  })
})

describe('a value whose key of the tenant is not there', () => {
  it('stops what begins a backup; one that is damaged does not', async () => {
    const partner = await addDone()
    const { owner, masterKeys, blobs } = service
    const ring = await readTenantKeys(owner, masterKeys, tenantOf(partner))
    const place = { table: 'session_texts', row: partner.sessionId, column: 'sealed_text' }
    const damaged = ring.seal(place, Buffer.from('typed'))
    damaged.writeUInt8(damaged.readUInt8(damaged.length - 1) ^ 1, damaged.length - 1)
    await superuser.query(
      'insert into casenote.session_texts (tenant_id, session_id, sealed_text) values ($1, $2, $3)',
      [partner.partnerId, partner.sessionId, damaged],
    )
    const sealAll = () => sealAllForOwners({ db: owner, masterKeys, store: blobs.store })
    const { unopened } = await sealAll()
    expect(unopened.named).toContain(`session_texts ${partner.sessionId} of partner ${partner.partnerId}`)
    const keyless = Buffer.from(damaged)
    keyless.writeUInt32BE(77, 1)
    const put = 'update casenote.session_texts set sealed_text = $2 where session_id = $1'
    await superuser.query(put, [partner.sessionId, keyless])
    await expect(sealAll()).rejects.toThrow('needs key version 77, which is not there')
    await erase(partner, 'session', partner.sessionId)
  })
})

describe('an older copy of the key store', () => {
  it('gets on its list again what was erased since, and loses the keys again', async () => {
    const path = join(folder, 'key-store.json')
    const [partner, other] = [await service.addPartner(), await addDone()]
    const older = await readFile(path)
    await erase(partner, 'client', partner.clientId)
    const { erasureId } = (await erase(other, 'transcript', other.sessionId)).statement
    const { clientKeys } = parts
    const listAgain = makeListAgain(service.db, clientKeys)
    await listAgain()
    const before = clientKeys.erasures
    await writeFile(path, older)
    await clientKeys.refresh()
    expect(clientKeys.find(partner.partnerId, partner.clientId)).toHaveLength(32)
    await listAgain()
    expect(clientKeys.find(partner.partnerId, partner.clientId)).toBeNull()
    expect(clientKeys.erasures).toEqual(before)
    expect(clientKeys.erasures.at(-1)).toMatchObject({ erasureId, kind: 'transcript' })
    // Nothing is read again while it stays as it is.
    const known = clientKeys.erasures
    await clientKeys.refresh()
    expect(clientKeys.erasures).toBe(known)
  })
})

describe('a database that is older than the list', () => {
  it('starts nothing until the list is applied, also where the command was killed in the middle', async () => {
    const partner = await addDone()
    const tenant = tenantOf(partner)
    const { owner, masterKeys, blobs } = service
    const { blobId } = await writeBlob(blobs, tenant, 'audio', Readable.from([Buffer.from('sound')]))
    await superuser.query('update casenote.sessions set audio_blob_id = $2 where session_id = $1', [
      partner.sessionId,
      blobId,
    ])
    const apply = (store: typeof blobs.store) =>
      applyErasures({ db: owner, masterKeys, store }, parts.clientKeys, { isAlone: false })
    // As each role looks, bound by row security.
    const start = () => requireApplied(readConfig({}), service.db, masterKeys)
    await apply(blobs.store)
    await start()
    await parts.clientKeys.list(owner, {
      erasureId: newId(),
      ...tenant,
      kind: 'session',
      subjectId: partner.sessionId,
      clientId: partner.clientId,
      askedAt: new Date().toISOString(),
      withSignedNotes: false,
    })
    await expect(start()).rejects.toThrow('casenote erase apply')
    const killed = {
      ...blobs.store,
      delete: () => Promise.reject(new Error('killed')),
    }
    await expect(apply(killed)).rejects.toThrow('killed')
    await expect(start()).rejects.toThrow('casenote erase apply')
    expect(await apply(blobs.store)).toEqual({ applied: 1, refused: [], left: 0 })
    await start()
    expect(await apply(blobs.store)).toEqual({ applied: 0, refused: [], left: 0 })
    expect((await get(partner, `/sessions/${partner.sessionId}`)).statusCode).toBe(404)
  })
})

describe('a backup of when a client was under a legal hold', () => {
  /** As it brings them back: the client is there and held, and of the erasure only the list knows, unless it was under way. */
  async function addHeld(
    kind: 'session' | 'client',
    { wasDone, wasUnderway }: { wasDone: boolean; wasUnderway: boolean },
  ): Promise<{ partner: TestPartner; erasureId: string; subjectId: string }> {
    const partner = await addDone()
    const tenant = tenantOf(partner)
    const { owner } = service
    const { clientKeys } = parts
    const subjectId = kind === 'session' ? partner.sessionId : partner.clientId
    const erasureId = wasUnderway ? await ask(partner, kind, subjectId) : newId()
    const askedAt = new Date().toISOString()
    const { clientId } = partner
    await clientKeys.list(owner, {
      erasureId,
      ...tenant,
      kind,
      subjectId,
      clientId,
      askedAt,
      withSignedNotes: false,
    })
    if (wasDone && kind === 'session') await clientKeys.finish(owner, [erasureId])
    if (wasDone && kind === 'client') await clientKeys.destroy(owner, tenant.tenantId, clientId)
    await hold(partner)
    return { partner, erasureId, subjectId }
  }

  const hold = ({ partnerId, clientId }: TestPartner) =>
    superuser.query('insert into casenote.legal_holds (tenant_id, hold_id, client_id) values ($1, $2, $3)', [
      partnerId,
      newId(),
      clientId,
    ])

  const apply = () =>
    applyErasures(
      { db: service.owner, masterKeys: service.masterKeys, store: service.blobs.store },
      parts.clientKeys,
    )
  const isThere = async ({ sessionId }: TestPartner): Promise<boolean> => {
    const { rows } = await superuser.query('select from casenote.sessions where session_id = $1', [sessionId])
    return rows.length > 0
  }

  for (const kind of ['session', 'client'] as const)
    for (const wasUnderway of [false, true])
      it(`loses a ${kind} that was erased since${wasUnderway ? ', also where that was under way in it' : ''}; one whose erasure nobody knows to have ended stays, and is named`, async () => {
        await apply()
        const done = await addHeld(kind, { wasDone: true, wasUnderway })
        expect(await apply()).toEqual({ applied: 1, refused: [], left: 0 })
        expect(await isThere(done.partner)).toBe(false)
        const { partner, erasureId, subjectId } = await addHeld(kind, { wasDone: false, wasUnderway })
        const { partnerId: tenantId } = partner
        expect(await apply()).toEqual({
          applied: 0,
          refused: [{ erasureId, tenantId, kind, subjectId }],
          left: 0,
        })
        expect(await isThere(partner)).toBe(true)
        // A restore says nothing of what became of it after the backup.
        const entries = parts.clientKeys.erasures.filter((one) => one.erasureId === erasureId)
        expect(entries.map((one) => one.isRefused === true)).toEqual([false])
      })

  it('has its rows protected by the database, too', async () => {
    for (const wasCarriedOut of [false, true]) {
      const partner = await addDone()
      const tenant = tenantOf(partner)
      await hold(partner)
      const erasureId = newId()
      const { clientId, sessionId: subjectId } = partner
      const asked = { kind: 'session', askedBy: 'restore', withSignedNotes: true } as const
      await service.owner.write(tenant, (tx) =>
        tx.run(insertErasure(tenant, { erasureId, subjectId, clientId, ...asked, wasCarriedOut })),
      )
      expect(await eraseRowsOf(partner, erasureId, 'session', subjectId)).toBe(
        wasCarriedOut ? null : 'legal_hold',
      )
      await superuser.query(
        "update casenote.erasures set status = 'refused', done_at = now() where erasure_id = $1",
        [erasureId],
      )
    }
  })
})

describe('recordings', () => {
  const namesOf = async ({ partnerId }: TestPartner): Promise<{ name: string; sealedFor: string | null }[]> =>
    (
      await superuser.query<{ name: string; sealedFor: string | null }>(
        `select stored_name as name, sealed_for as "sealedFor" from casenote.blob_parts where tenant_id = $1`,
        [partnerId],
      )
    ).rows

  it('whose bytes the store does not have keep their names: it may be the wrong store', async () => {
    const partner = await service.addPartner()
    const tenant = tenantOf(partner)
    const { blobId } = await writeBlob(service.blobs, tenant, 'audio', Readable.from([Buffer.from('sound')]))
    await superuser.query('update casenote.sessions set audio_blob_id = $2 where session_id = $1', [
      partner.sessionId,
      blobId,
    ])
    const before = await namesOf(partner)
    expect(before).toMatchObject([{ sealedFor: null }])
    const { owner, masterKeys, blobs } = service
    const empty = makeFolderStore(join(folder, 'not-mounted'), 'installation')
    expect((await sealAllForOwners({ db: owner, masterKeys, store: empty })).parts).toBe(0)
    expect(await namesOf(partner)).toEqual(before)
    expect((await sealAllForOwners({ db: owner, masterKeys, store: blobs.store })).parts).toBe(1)
    const sealed = await namesOf(partner)
    expect(sealed).toMatchObject([{ sealedFor: partner.clientId }])
    // Recorded under the wrong client: the session is another's by now.
    const other = await addClient(partner)
    await superuser.query('update casenote.sessions set client_id = $2 where session_id = $1', [
      partner.sessionId,
      other,
    ])
    const ring = await readTenantKeys(owner, masterKeys, tenant)
    await freeOthers({ db: owner, store: empty }, ring, partner.clientId)
    expect(await namesOf(partner)).toEqual(sealed)
    await freeOthers({ db: owner, store: blobs.store }, ring, partner.clientId)
    expect(await namesOf(partner)).toMatchObject([{ sealedFor: other }])
  })

  it('that wait to be cut, and what is begun in their place, are sealed for the client whose they are', async () => {
    const partner = await service.addPartner()
    const tenant = tenantOf(partner)
    const { owner, masterKeys, blobs } = service
    const addBlob = async () =>
      (await writeBlob(blobs, tenant, 'audio', Readable.from([Buffer.from('sound')]))).blobId
    await superuser.query(
      `insert into casenote.session_gaps (tenant_id, session_id, gap_id, kind, start_ms, end_ms, lasted_ms, by_kind, by_id,
         began_at, is_cut, blob_id, begun_blob_id)
       values ($1, $2, gen_random_uuid(), 'struck', 0, 1000, 1000, 'partner', $1, now(), false, $3, $4)`,
      [partner.partnerId, partner.sessionId, await addBlob(), await addBlob()],
    )
    expect(await namesOf(partner)).toMatchObject([{ sealedFor: null }, { sealedFor: null }])
    expect((await sealAllForOwners({ db: owner, masterKeys, store: blobs.store })).parts).toBe(2)
    const { clientId } = partner
    const sealed = await namesOf(partner)
    expect(sealed).toMatchObject([{ sealedFor: clientId }, { sealedFor: clientId }])
    // Nor does the client's own erasure take the key off them before they are gone.
    const ring = await readTenantKeys(owner, masterKeys, tenant)
    await freeOthers({ db: owner, store: blobs.store }, ring, clientId)
    expect(await namesOf(partner)).toEqual(sealed)
  })

  it('that are written anew without what was struck are sealed for the client from their first byte', async () => {
    const partner = await service.addPartner()
    const blobs = { ...service.blobs, findOwner: makeFindOwner(service.db) }
    await superuser.query(
      `insert into casenote.session_gaps (tenant_id, session_id, gap_id, kind, start_ms, end_ms, lasted_ms, by_kind, by_id,
         began_at, is_cut)
       values ($1, $2, gen_random_uuid(), 'struck', 0, 1000, 1000, 'partner', $1, now(), false)`,
      [partner.partnerId, partner.sessionId],
    )
    await writeBlob(blobs, tenantOf(partner), 'audio', Readable.from([Buffer.from('silence')]), {
      onCreate: async (tx, blobId) => {
        await tx.run(rememberBegunBlob(tx.tenant, partner.sessionId, blobId))
      },
    })
    expect(await namesOf(partner)).toMatchObject([{ sealedFor: partner.clientId }])
  })
})

describe('retention', () => {
  it('what cannot be deleted holds up neither the rest of its tenant nor another one, and is told', async () => {
    const [first, second] = [await addDone(), await addDone()]
    for (const { partnerId } of [first, second]) {
      await service.owner.write({ tenantId: partnerId }, (tx) =>
        setRetention(tx, operator, { transcriptDays: 30, draftDays: 30 }),
      )
      for (const [table, column] of [
        ['transcripts', 'created_at'],
        ['progress_notes', 'updated_at'],
      ] as const)
        await superuser.query(
          `update casenote.${table} set ${column} = ${column} - interval '31 days' where tenant_id = $1`,
          [partnerId],
        )
    }
    // Whoever comes first: the transcript of each of them cannot go, the draft of each can.
    await superuser.query(`
      create function public.refuse_deletion() returns trigger language plpgsql as
        $$ begin raise exception 'not this one' using errcode = '57014'; end $$;
      create trigger refuse before delete on casenote.transcripts for each row execute function public.refuse_deletion()`)
    await expect(expireOld(service.db)).rejects.toThrow('57014')
    await superuser.query('drop trigger refuse on casenote.transcripts')
    const { rows } = await superuser.query<{ transcripts: number; drafts: number }>(
      `select (select count(*)::int from casenote.transcripts where tenant_id = any($1)) as transcripts,
         (select count(*)::int from casenote.progress_notes where tenant_id = any($1)) as drafts`,
      [[first.partnerId, second.partnerId]],
    )
    expect(rows).toEqual([{ transcripts: 2, drafts: 0 }])
    expect(await expireOld(service.db)).toBe(2)
  })

  it("what is past a tenant's days goes by itself, held, signed and younger things do not", async () => {
    const [due, held, signed, young] = [await addDone(), await addDone(), await addDone(), await addDone()]
    const { owner } = service
    await owner.write(tenantOf(held), (tx) => placeLegalHold(tx, operator, held.clientId))
    await service.call({
      method: 'POST',
      url: `/v2/progress-notes/${signed.progressNoteId}/finalize`,
      headers: signed.headers,
    })
    const age = async (table: string, column: string, { partnerId }: TestPartner) =>
      superuser.query(
        `update casenote.${table} set ${column} = ${column} - interval '31 days' where tenant_id = $1`,
        [partnerId],
      )
    for (const partner of [due, held, signed, young])
      await owner.write(tenantOf(partner), (tx) =>
        setRetention(tx, operator, { transcriptDays: 30, draftDays: 30, eventDays: 30 }),
      )
    for (const partner of [due, held, signed]) {
      await age('transcripts', 'created_at', partner)
      await age('progress_notes', 'updated_at', partner)
    }
    await age('events', 'created_at', due)
    await superuser.query('update casenote.events set fanned_out_at = now() where tenant_id = $1', [
      due.partnerId,
    ])
    await superuser.query(
      `update casenote.webhook_deliveries set status = 'succeeded', next_attempt_at = null where tenant_id = $1`,
      [due.partnerId],
    )
    // A worker that stops begins nothing.
    expect(await expireOld(service.db, { signal: AbortSignal.abort() })).toBe(0)
    // Both of the first, the transcript alone of the signed one.
    expect(await expireOld(service.db)).toBe(3)
    expect(await expireOld(service.db)).toBe(0)
    const rowsOf = async (table: string, { partnerId }: TestPartner): Promise<number> =>
      (await superuser.query(`select from casenote.${table} where tenant_id = $1`, [partnerId])).rows.length
    const countEach = async (table: string): Promise<number[]> => {
      const counts: number[] = []
      for (const one of [due, held, signed, young]) counts.push(await rowsOf(table, one))
      return counts
    }
    expect(await countEach('transcripts')).toEqual([0, 1, 0, 1])
    expect(await countEach('progress_notes')).toEqual([0, 1, 1, 1])
    const before = await rowsOf('events', young)
    const expired = await rowsOf('events', due)
    await service.db.throughDoor(purgeOldEvents(100))
    // Nothing is left of them, so nothing more is told.
    await service.db.throughDoor(purgeOldEvents(100))
    expect([await rowsOf('events', due), await rowsOf('events', young)]).toEqual([0, before])
    expect(before).toBeGreaterThan(0)
    const { rows: told } = await superuser.query(
      `select subject_ids::text[] as subjects, entry_count as count from casenote.audit_pending where tenant_id = any($1)
         and operation = 'event.expire'`,
      [[due.partnerId, young.partnerId]],
    )
    expect(told).toEqual([{ subjects: [due.partnerId], count: expired }])
  })
})

describe('a draft that is past its days', () => {
  it('stays when it is signed at the last moment', async () => {
    const partner = await addDone()
    await service.owner.write(tenantOf(partner), (tx) => setRetention(tx, operator, { draftDays: 30 }))
    await superuser.query(
      `update casenote.progress_notes set updated_at = updated_at - interval '31 days' where tenant_id = $1`,
      [partner.partnerId],
    )
    await superuser.query('begin')
    await superuser.query('select from casenote.clients where client_id = $1 for update', [partner.clientId])
    const expired = expireOld(service.db)
    for (let isWaiting = false; !isWaiting;) {
      const { rows } = await superuser.query('select from pg_locks where not granted limit 1')
      isWaiting = rows.length > 0
    }
    await superuser.query(
      `update casenote.progress_notes set signed_by_kind = 'clinician', signed_by_id = $2, signed_at = now() where tenant_id = $1`,
      [partner.partnerId, partner.clinicianId],
    )
    await superuser.query('commit')
    expect(await expired).toBe(0)
    const { rows } = await superuser.query('select from casenote.progress_notes where tenant_id = $1', [
      partner.partnerId,
    ])
    expect(rows).toHaveLength(1)
  })
})

describe('a receipt', () => {
  it("is genuine by the partner's key, without a database, and not after a change of one letter", async () => {
    const partner = await addDone()
    const receipt = await erase(partner, 'transcript', partner.sessionId)
    const ring = await readTenantKeys(service.owner, service.masterKeys, tenantOf(partner))
    expect(isReceiptGenuine(receipt, readReceiptKey(ring))).toBe(true)
    const changed = { ...receipt, statement: { ...receipt.statement, kind: 'client' } }
    expect(isReceiptGenuine(changed)).toBe(false)
    const other = await service.addPartner()
    const otherRing = await readTenantKeys(service.owner, service.masterKeys, tenantOf(other))
    expect(isReceiptGenuine(receipt, readReceiptKey(otherRing))).toBe(false)
  })
})
