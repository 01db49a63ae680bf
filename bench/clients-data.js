// A clinic with a million clients, for measuring lists: set-based, as the owner, some two minutes. Never run in CI.
//   node bench/clients-data.js URL TENANT_ID CLINIC_ID [HOW_MANY]
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** Invented, and as unevenly common as names are: the first ones of each list come up far more often. */
const firstNames =
  'Maria James Anna Robert Linda Michael Susan David Karen Joseph Nancy Thomas Lisa Daniel Betty Mark Helen Paul ' +
  'Sandra Steven Donna Andrew Carol Kenneth Ruth Joshua Sharon Kevin Laura Brian Joanna Edward Amy Ronald Angela'
const lastNames =
  'Smith Johnson Williams Brown Jones Garcia Miller Davis Rodriguez Martinez Hernandez Lopez Gonzalez Wilson ' +
  'Anderson Taylor Moore Jackson Martin Lee Perez Thompson White Harris Sanchez Clark Ramirez Lewis Robinson Walker'

/** Clinicians to spread them over: caseloads of some thousands at a million. */
const clinicianCount = 200

/**
 * Every name gets a syllable of its own number, so that words are rare (one client), selective (tens) and common
 * (tens of thousands). Filters by external id, e-mail, telephone hit one client; by last name some 33.
 */
export async function loadClients(connectionString, { tenantId, clinicId, count }) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('begin')
    await client.query("select set_config('app.tenant', $1, true)", [tenantId])
    await client.query(
      `insert into casenote.clinicians (tenant_id, clinician_id, clinic_id, first_name, last_name, email, email_folded)
       select $1, gen_random_uuid(), $2, 'Load', 'Clinician ' || n, e, e
       from generate_series(1, $3::int) n cross join lateral (select 'load-' || n || '-' || $2::uuid || '@example.com' as e) m
       on conflict do nothing`,
      [tenantId, clinicId, clinicianCount],
    )
    await client.query(
      `with clinician as (
         select array_agg(clinician_id order by seq) as ids from casenote.clinicians
         where tenant_id = $1 and clinic_id = $2 and first_name = 'Load'
       ), name as (select string_to_array($4, ' ') as first, string_to_array($5, ' ') as last)
       insert into casenote.clients (tenant_id, client_id, clinician_id, clinic_id, first_name, last_name, name_folded,
         date_of_birth, email, phone_number, external_id, status, status_before_archive)
       select $1, gen_random_uuid(), clinician.ids[1 + n % array_length(clinician.ids, 1)], $2, f, l,
         lower(f || ' ' || l), date '1930-01-01' + (n::bigint * 7919 % 33000)::int, 'client-' || n || '@example.com',
         '+1202' || lpad(n::text, 7, '0'), 'load-' || n,
         case when n % 10 = 0 then 'archived' when n % 3 = 0 then 'awaiting_invite' else 'active' end,
         case when n % 10 = 0 then 'active' end
       from clinician, name, generate_series(1, $3::int) n
       cross join lateral (select
         name.first[1 + floor(power((n::bigint * 7919 % 100003) / 100003.0, 2) * array_length(name.first, 1))::int]
           || ' ' || left(md5(n::text), 6) as f,
         name.last[1 + floor(power((n::bigint * 104729 % 99991) / 99991.0, 2) * array_length(name.last, 1))::int]
           || '-' || left(md5((n % 30000)::text), 4) as l) m`,
      [tenantId, clinicId, count, firstNames, lastNames],
    )
    await client.query('commit')
    await client.query('vacuum (analyze) casenote.clients, casenote.client_counts, casenote.client_buckets')
  } finally {
    await client.end()
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [url, tenantId, clinicId, count = '1000000'] = process.argv.slice(2)
  await loadClients(url, { tenantId, clinicId, count: Number(count) })
}
