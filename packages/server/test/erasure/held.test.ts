import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteOldExports } from '../../src/features/client-exports/client-exports.sql.js'
import { liftLegalHold, placeLegalHold, setRetention } from '../../src/features/erasure/index.js'
import { discardRecording, terminateUpload } from '../../src/features/widget/recordings/end-recording.js'
import { lockUploadsOfSession } from '../../src/features/widget/recordings/uploads.sql.js'
import { deleteBlob, openBlob, writeBlob } from '../../src/kernel/blobs/index.js'
import { openChange } from '../../src/kernel/change-context.js'
import { systemClock } from '../../src/kernel/clock.js'
import { readConfig } from '../../src/kernel/config.js'
import { operator } from '../../src/kernel/operator.js'
import type { Environment } from '../../src/kernel/tenant.js'
import { resetSandbox } from '../../src/main/reset-sandbox.js'
import { makePurges } from '../../src/main/worker.js'
import { cutAudio } from '../../src/pipeline/cut-audio.js'
import type { PipelineParts } from '../../src/pipeline/pipeline-parts.js'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let superuser: pg.Client

beforeAll(async () => {
  service = await makeTestService()
  superuser = await openSuperuser(service.database)
})
afterAll(async () => {
  await superuser.end()
  await service.close()
})

const tenantOf = ({ partnerId }: TestPartner) => ({ tenantId: partnerId })

const partsOf = () => {
  const { db, keys, blobs } = service
  return { db, keys, blobs, clock: systemClock, publicUrl: 'http://localhost' }
}

const contextOf = (partner: TestPartner) =>
  openChange(partsOf(), tenantOf(partner), { actor: { kind: 'system', id: null }, requestId: null })

async function addBlob(partner: TestPartner, kind: 'audio' | 'export' = 'audio'): Promise<string> {
  const bytes = Readable.from([Buffer.from(`bytes ${randomUUID()}`)])
  return (await writeBlob(service.blobs, tenantOf(partner), kind, bytes)).blobId
}

/** Another session of the client, as far as the columns say. */
async function addSession(partner: TestPartner, set: string, ...values: unknown[]): Promise<string> {
  const sessionId = randomUUID()
  await superuser.query(
    `insert into casenote.sessions
       (tenant_id, session_id, client_id, clinician_id, clinic_id, organization_id, note_type, status)
     select tenant_id, $3, client_id, clinician_id, clinic_id, organization_id, note_type, 'awaiting_audio'
     from casenote.sessions where tenant_id = $1 and session_id = $2`,
    [partner.partnerId, partner.sessionId, sessionId],
  )
  await superuser.query(`update casenote.sessions set ${set} where session_id = $1`, [sessionId, ...values])
  await superuser.query(
    `insert into casenote.progress_notes (tenant_id, note_id, progress_note_id, session_id)
     values ($1, gen_random_uuid(), gen_random_uuid(), $2)`,
    [partner.partnerId, sessionId],
  )
  return sessionId
}

/** What a widget has sent of a recording, and what was written and heard beside it. */
async function addUnfinished(partner: TestPartner): Promise<string> {
  const sessionId = await addSession(partner, `status = 'awaiting_audio'`)
  const named = [partner.partnerId, sessionId]
  for (const segment of [0, 1])
    await superuser.query(
      `insert into casenote.uploads (tenant_id, upload_id, session_id, blob_id, segment, mime_type, length_bytes)
       values ($1, gen_random_uuid(), $2, $3, $4, 'audio/webm', 10)`,
      [...named, await addBlob(partner), segment],
    )
  await superuser.query(
    `insert into casenote.session_pads (tenant_id, session_id, sealed_pad) values ($1, $2, '')`,
    named,
  )
  await superuser.query(
    `insert into casenote.session_contexts (tenant_id, session_id, sealed_context) values ($1, $2, '')`,
    named,
  )
  await superuser.query(
    `insert into casenote.live_transcripts (tenant_id, session_id, fed_bytes, heard_ms) values ($1, $2, 0, 0)`,
    named,
  )
  await superuser.query(
    `insert into casenote.transcription_chunks (tenant_id, session_id, chunk, sealed_chunk) values ($1, $2, 0, '')`,
    named,
  )
  return sessionId
}

interface Made {
  discarded: string
  terminated: string
  struck: string
}

/** One of everything that some duty deletes. */
async function addEverything(partner: TestPartner): Promise<Made> {
  const { partnerId, sessionId, clientId } = partner
  await superuser.query(
    `update casenote.sessions set audio_blob_id = $2, status = 'completed', progress = 1 where session_id = $1`,
    [sessionId, await addBlob(partner)],
  )
  const struck = await addSession(partner, `status = 'completed', progress = 1`)
  await superuser.query(
    `insert into casenote.session_gaps (tenant_id, session_id, gap_id, kind, start_ms, end_ms, lasted_ms, by_kind, by_id,
       began_at, is_cut, blob_id, begun_blob_id)
     values ($1, $2, gen_random_uuid(), 'struck', 0, 1000, 1000, 'partner', $1, now(), false, $3, $4)`,
    [partnerId, struck, await addBlob(partner), await addBlob(partner)],
  )
  const fetched = await addSession(partner, `status = 'failed', failure_code = 'transcription_failed'`)
  await superuser.query(
    `insert into casenote.recording_downloads (tenant_id, session_id, blob_id, sealed_state) values ($1, $2, $3, '')`,
    [partnerId, fetched, await addBlob(partner)],
  )
  await superuser.query(
    `insert into casenote.client_exports (tenant_id, export_id, client_id, status, blob_id, size_bytes, created_at, ended_at, expires_at)
     values ($1, gen_random_uuid(), $2, 'ready', $3, 10, now(), now(), now())`,
    [partnerId, clientId, await addBlob(partner, 'export')],
  )
  await superuser.query(
    `insert into casenote.client_mails (tenant_id, mail_id, client_id, kind, status, link_expires_at, ended_at)
     values ($1, gen_random_uuid(), $2, 'invitation', 'sent', now(), now())`,
    [partnerId, clientId],
  )
  await superuser.query(
    `insert into casenote.webhook_deliveries
       (tenant_id, delivery_id, endpoint_id, event_id, event_type, trigger, status, next_attempt_at)
     select e.tenant_id, gen_random_uuid(), $2, e.event_id, e.event_type, 'test', 'succeeded', null
     from casenote.events e where e.tenant_id = $1`,
    [partnerId, partner.endpointId],
  )
  await superuser.query(
    `update casenote.webhook_deliveries set status = 'succeeded', next_attempt_at = null where tenant_id = $1`,
    [partnerId],
  )
  await superuser.query(
    `insert into casenote.webhook_attempts (tenant_id, delivery_id, attempt, fence, started_at, duration_ms, status)
     select tenant_id, delivery_id, 1, 1, now(), 1, 200 from casenote.webhook_deliveries where tenant_id = $1`,
    [partnerId],
  )
  await superuser.query('update casenote.events set fanned_out_at = now() where tenant_id = $1', [partnerId])
  // Nobody comes back to this one.
  await addUnfinished(partner)
  return { discarded: await addUnfinished(partner), terminated: await addUnfinished(partner), struck }
}

/** All of it is as old as retention asks for, by the clock of its tenant. */
async function age(partner: TestPartner): Promise<void> {
  await service.owner.write(tenantOf(partner), (tx) =>
    setRetention(tx, operator, { recordingDays: 1, transcriptDays: 1, draftDays: 1, eventDays: 5 }),
  )
  if (partner.environment === 'sandbox') {
    const moved = await service.ask(partner, 'POST', '/sandbox/clock', { advanceSeconds: 399 * 86_400 })
    expect(moved.statusCode).toBe(200)
    return
  }
  for (const [table, column] of [
    ['sessions', 'created_at'],
    ['session_status_history', 'changed_at'],
    ['blobs', 'delete_after'],
    ['events', 'created_at'],
    ['webhook_deliveries', 'created_at'],
    ['client_mails', 'ended_at'],
    ['client_exports', 'created_at'],
    ['transcripts', 'created_at'],
    ['progress_notes', 'updated_at'],
  ])
    await superuser.query(
      `update casenote.${table} set ${column} = ${column} - interval '400 days' where tenant_id = $1`,
      [partner.partnerId],
    )
}

/** Of no client: tokens, and what tells that something happened. What it told of stays. */
const told = new Set(['audit_pending', 'audit_heads', 'jobs', 'limit_buckets', 'usage_days', 'tenant_usage'])

/** The keys of all rows of a tenant; of events with what hangs on them only what names the client. */
async function listRows({ partnerId, clientId }: TestPartner): Promise<string[]> {
  const { rows: tables } = await superuser.query<{ name: string; key: string }>(
    `select c.relname as name, string_agg(format('t.%I::text', a.attname), ' || ''/'' || ' order by a.attname) as key
     from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
     where c.relnamespace = 'casenote'::regnamespace and c.relkind = 'r'
       and exists (select from pg_attribute n where n.attrelid = c.oid and n.attname = 'tenant_id') group by 1`,
  )
  const naming = `select e.event_id from casenote.events e where e.tenant_id = $1 and encode(e.body, 'escape') like $2`
  const narrowed: Record<string, string> = {
    events: `t.event_id in (${naming})`,
    webhook_deliveries: `t.event_id in (${naming})`,
    webhook_attempts: `t.delivery_id in (select d.delivery_id from casenote.webhook_deliveries d where d.event_id in (${naming}))`,
  }
  const found: string[] = []
  for (const { name, key } of tables) {
    if (told.has(name)) continue
    const text = `select '${name} ' || ${key} as key from casenote.${name} t
      where t.tenant_id = $1 and ${narrowed[name] ?? '$2::text is not null'}`
    const { rows } = await superuser.query<{ key: string }>(text, [partnerId, `%${clientId}%`])
    found.push(...rows.map((row) => row.key))
  }
  return found.toSorted()
}

/** Recordings and files whose every byte opens. */
async function listOpened(partner: TestPartner): Promise<string[]> {
  const { rows } = await superuser.query<{ blobId: string }>(
    `select blob_id as "blobId" from casenote.blobs where tenant_id = $1 order by blob_id`,
    [partner.partnerId],
  )
  const opened: string[] = []
  for (const { blobId } of rows) {
    try {
      await buffer(await openBlob(service.blobs, tenantOf(partner), blobId))
      opened.push(blobId)
    } catch {
      // Its bytes are gone: the list is shorter.
    }
  }
  return opened
}

const runPurges = async (): Promise<void> => {
  for (const duty of makePurges({ db: service.db, config: readConfig({}) }, partsOf()))
    await duty.run(new AbortController().signal)
}

/** Twice: what the first marks, the second removes. */
async function runAll(partner: TestPartner, made: Made): Promise<void> {
  const { db } = service
  const tenant = tenantOf(partner)
  const context = await contextOf(partner)
  await db.write(tenant, (tx) => discardRecording(tx, context, made.discarded))
  await db.write(tenant, async (tx) => {
    for (const upload of await tx.run(lockUploadsOfSession(tenant, made.terminated)))
      await terminateUpload(tx, context, upload)
  })
  await db.writeAtOnce(tenant, deleteOldExports(tenant, partner.clientId))
  await runPurges()
  await runPurges()
}

describe.each<Environment>(['production', 'sandbox'])('a client under a legal hold, in %s', (environment) => {
  it('keeps every row and every byte, whatever is due, discarded or waits to be cut', async () => {
    const partner = await service.addPartner(environment)
    const made = await addEverything(partner)
    await service.owner.write(tenantOf(partner), (tx) => placeLegalHold(tx, operator, partner.clientId))
    await age(partner)
    const [rows, bytes] = [await listRows(partner), await listOpened(partner)]
    expect(bytes).toHaveLength(11)
    await runAll(partner, made)
    const job = {
      jobId: randomUUID(),
      kind: 'cut_audio',
      subjectId: made.struck,
      tenantId: partner.partnerId,
      fence: 1,
      attempts: 1,
    }
    await superuser.query(
      `insert into casenote.jobs (tenant_id, job_id, kind, subject_id, status, due_at, fence, leased_until)
       values ($1, $2, 'cut_audio', $3, 'running', null, 1, now() + interval '1 hour')`,
      [partner.partnerId, job.jobId, made.struck],
    )
    await cutAudio.run(partsOf() as unknown as PipelineParts, job as never, new AbortController().signal)
    for (const blobId of bytes) await deleteBlob(partsOf().blobs, tenantOf(partner), blobId, 'requested')
    const left = new Set(await listRows(partner))
    expect(rows.filter((row) => !left.has(row))).toEqual([])
    expect(await listOpened(partner)).toEqual(bytes)
    if (environment === 'sandbox')
      await expect(
        resetSandbox(service.owner, tenantOf(partner), { keep: async () => {}, report: () => {} }),
      ).rejects.toThrow('legal hold')

    // Lifted, what was given up goes, and what was struck is cut.
    await service.owner.write(tenantOf(partner), (tx) => liftLegalHold(tx, operator, partner.clientId))
    const { rows: jobs } = await superuser.query(
      `select subject_id from casenote.jobs where tenant_id = $1 and kind = 'cut_audio' and status = 'waiting'`,
      [partner.partnerId],
    )
    expect(jobs).toEqual([{ subject_id: made.struck }])
    await superuser.query(`update casenote.blobs set delete_after = now() where tenant_id = $1`, [
      partner.partnerId,
    ])
    await runPurges()
    expect(await listOpened(partner)).toEqual([])
    const after = new Set(await listRows(partner))
    const gone = [
      'events',
      'webhook_deliveries',
      'webhook_attempts',
      'session_pads',
      'session_contexts',
      'transcription_chunks',
    ]
    // Mails go by the real time everywhere.
    if (environment === 'production') gone.push('client_mails', 'transcripts')
    for (const table of gone) {
      const ofTable = rows.filter((row) => row.startsWith(`${table} `))
      expect([table, ofTable.length > 0, ofTable.filter((row) => after.has(row))]).toEqual([table, true, []])
    }
  })
})

describe('10,000 events of a client under a legal hold', () => {
  const heldCount = 10_000

  /** Copies of an event of the client's, each with a delivery and an attempt; and one of nobody's. */
  async function addOldEvents(partner: TestPartner): Promise<string> {
    const { partnerId, clientId, endpointId } = partner
    await superuser.query(
      `with copied as (
         insert into casenote.events (tenant_id, event_id, event_type, body, created_at, fanned_out_at)
         select $1, gen_random_uuid(), 'progress_note_generated', convert_to('{"data":{"clientId":"' || $2::text || '"}}', 'UTF8'),
           now() - interval '400 days', now() from generate_series(1, $4::int)
         returning tenant_id, event_id, event_type
       ), sent as (
         insert into casenote.webhook_deliveries
           (tenant_id, delivery_id, endpoint_id, event_id, event_type, trigger, status, next_attempt_at, created_at)
         select tenant_id, gen_random_uuid(), $3, event_id, event_type, 'test', 'succeeded', null, now() - interval '400 days' from copied
         returning tenant_id, delivery_id
       ) insert into casenote.webhook_attempts (tenant_id, delivery_id, attempt, fence, started_at, duration_ms, status)
         select tenant_id, delivery_id, 1, 1, now(), 1, 200 from sent`,
      [partnerId, clientId, endpointId, heldCount],
    )
    const { rows } = await superuser.query<{ eventId: string }>(
      `insert into casenote.events (tenant_id, event_id, event_type, body, created_at, fanned_out_at)
       values ($1, 'ffffffff-ffff-4fff-bfff-ffffffffffff', 'progress_note_generated', convert_to($2, 'UTF8'), now() - interval '400 days', now())
       returning event_id as "eventId"`,
      [partnerId, JSON.stringify({ data: { clientId: randomUUID() } })],
    )
    return rows[0]?.eventId ?? ''
  }

  const countOf = async (table: string, { partnerId }: TestPartner): Promise<number> =>
    (await superuser.query(`select from casenote.${table} where tenant_id = $1`, [partnerId])).rows.length

  it('stay with all that was sent of them, and are looked at a page in a statement', async () => {
    const partner = await service.addPartner()
    const other = await addOldEvents(partner)
    await service.owner.write(tenantOf(partner), (tx) => placeLegalHold(tx, operator, partner.clientId))
    await service.owner.write(tenantOf(partner), (tx) => setRetention(tx, operator, { eventDays: 5 }))
    const tables = ['events', 'webhook_deliveries', 'webhook_attempts']
    const countAll = async (): Promise<number[]> => {
      const counts: number[] = []
      for (const table of tables) counts.push(await countOf(table, partner))
      return counts
    }
    const [events, ...rest] = await countAll()
    let statements = 0
    const db = new Proxy(service.db, {
      get: (target, name) => {
        if (name === 'throughDoor') statements += 1
        const value: unknown = Reflect.get(target, name)
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    const purging = new Set(['webhookDelivery.purge', 'event.purge'])
    const duties = makePurges({ db, config: readConfig({}) }, partsOf()).filter(
      ({ name }) => purging.has(name) || name.endsWith('.purgeBesideHolds'),
    )
    for (const duty of duties) await duty.run(new AbortController().signal)
    expect(await countAll()).toEqual([(events ?? 0) - 1, ...rest])
    const { rows } = await superuser.query('select from casenote.events where event_id = $1', [other])
    expect(rows).toEqual([])
    // Of each kind one for all without a hold, and two pages of 10,000: the tenant has some more.
    expect(statements).toBe(2 + 2 + 2)
  })

  it('cost no function for each', async () => {
    await superuser.query(`set track_functions = 'all'`)
    await superuser.query('begin')
    await superuser.query(`select casenote.purge_old_events(10000)`)
    await superuser.query(`select casenote.purge_webhook_deliveries(now() - interval '30 days', 10000)`)
    const noId = '00000000-0000-0000-0000-000000000000'
    await superuser.query(`select casenote.purge_events_beside_holds($1, $1, 10000)`, [noId])
    await superuser.query(`select casenote.purge_deliveries_beside_holds(30, $1, $1, 10000)`, [noId])
    const { rows } = await superuser.query<{ calls: number }>(
      `select coalesce(sum(calls), 0)::int as calls from pg_stat_xact_user_functions where schemaname = 'casenote'`,
    )
    await superuser.query('rollback')
    expect(rows[0]?.calls).toBeLessThan(100)
  })
})
