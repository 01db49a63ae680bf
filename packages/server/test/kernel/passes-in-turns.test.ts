import type pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openSuperuser } from '../support/test-database.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

/** Of the one who has the oldest: more than a pass takes. */
const backlogRows = 6

let service: TestService
let superuser: pg.Client
let busy: TestPartner
let other: TestPartner

beforeAll(async () => {
  service = await makeTestService()
  superuser = await openSuperuser(service.database)
  busy = await service.addPartner('production')
  other = await service.addPartner('production')
  await addDue(busy, backlogRows, '50 days')
  await addDue(other, 1, '40 days')
})
afterAll(async () => {
  await superuser.end()
  await service.close()
})

/** Of everything that a pass looks for. */
async function addDue(partner: TestPartner, rows: number, age: string): Promise<void> {
  const { partnerId, sessionId, clientId } = partner
  const copySessions = (status: string) =>
    superuser.query<{ session_id: string }>(
      `insert into casenote.sessions
         (tenant_id, session_id, client_id, clinician_id, clinic_id, organization_id, note_type, status, created_at)
       select tenant_id, gen_random_uuid(), client_id, clinician_id, clinic_id, organization_id, note_type, $4,
         now() - $5::interval
       from casenote.sessions, generate_series(1, $3::int) where tenant_id = $1 and session_id = $2 returning session_id`,
      [partnerId, sessionId, rows, status, age],
    )
  await copySessions('awaiting_audio')
  const ended = await copySessions('transcribing')
  await superuser.query(
    `insert into casenote.recording_downloads (tenant_id, session_id, sealed_state) select $1, unnest($2::uuid[]), ''`,
    [partnerId, ended.rows.map((row) => row.session_id)],
  )
  await superuser.query(
    `insert into casenote.blobs (tenant_id, blob_id, kind, delete_after)
     select $1, gen_random_uuid(), 'audio', now() - $3::interval from generate_series(1, $2::int)`,
    [partnerId, rows, age],
  )
  for (let row = 0; row < rows; row += 1) {
    const { rows: added } = await superuser.query<{ client_id: string }>(
      `insert into casenote.clients overriding user value select c.* from jsonb_populate_record(null::casenote.clients,
         (select to_jsonb(k) || jsonb_build_object('client_id', gen_random_uuid())
          from casenote.clients k where k.tenant_id = $1 and k.client_id = $2)) c returning client_id`,
      [partnerId, clientId],
    )
    await superuser.query(
      `insert into casenote.client_sittings (tenant_id, sitting_id, client_id, due_at)
       values ($1, gen_random_uuid(), $2, now() - $3::interval)`,
      [partnerId, added[0]?.client_id, age],
    )
  }
}

it.each([
  'list_tenants_with_due_blobs(2)',
  'list_abandoned_recordings(30, 2)',
  'list_due_sittings(2)',
  'list_left_downloads(2)',
])('what one tenant has due, and what of it cannot be done, keeps %s from no other', async (door) => {
  const column = door.startsWith('list_tenants') ? 'd' : 'd.tenant_id'
  const { rows } = await superuser.query<{ tenant_id: string }>(
    `select ${column} as tenant_id from casenote.${door} d`,
  )
  expect(new Set(rows.map((row) => row.tenant_id))).toEqual(new Set([busy.partnerId, other.partnerId]))
})
