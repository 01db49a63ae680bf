import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { requestErasure, runErasure } from '../../src/features/erasure/index.js'
import {
  chainAudit,
  recordChange,
  reportAudit,
  sealAddress,
  verifyAudit,
  type ReportedEntry,
} from '../../src/kernel/audit/index.js'
import { systemClock } from '../../src/kernel/clock.js'
import { newId } from '../../src/kernel/ids.js'
import { establishClientKeys } from '../../src/kernel/key-store/index.js'
import { operator } from '../../src/kernel/operator.js'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import { makeReportWriter } from '../../src/main/audit-report/format-report.js'
import { makeErasureParts } from '../../src/main/erasure/finish-erasures.js'
import { answer, birthDate, makePagesFixture } from '../client-pages/pages-fixture.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

let service: TestService
let folder: string

beforeAll(async () => {
  service = await makeTestService()
  folder = await mkdtemp(join(tmpdir(), 'casenote-keys-'))
  const { owner, masterKeys } = service
  const config = { keyStore: { kind: 'folder', path: folder } as const, s3: null }
  masterKeys.clientKeys = await establishClientKeys(config, owner, masterKeys)
})
afterAll(async () => {
  await service.close()
  await rm(folder, { recursive: true, force: true })
})

const home = '192.0.2.77'

/** As `casenote audit report` reads them, past every cache. */
async function reported(partner: TestPartner, clientId: string): Promise<ReportedEntry[]> {
  const { db, keys, owner, masterKeys } = service
  await chainAudit({ db, keys, clock: systemClock, writerId: newId(), anchors: null })
  const ring = await readTenantKeys(owner, masterKeys, { tenantId: partner.partnerId })
  const filter = { clientId, clinicianId: null, since: null, until: null }
  const entries: ReportedEntry[] = []
  for await (const entry of reportAudit({ db: owner, ring, filter, onProgress: () => {} }))
    entries.push(entry)
  return entries
}

const addressesOf = (entries: readonly ReportedEntry[]) =>
  new Map(
    entries
      .filter(({ actor }) => actor.kind === 'client')
      .map(({ operation, address }) => [operation, address]),
  )

async function erase(partner: TestPartner, clientId: string): Promise<void> {
  const tenant = { tenantId: partner.partnerId }
  const { db, keys, masterKeys, blobs, owner } = service
  const clientKeys = masterKeys.clientKeys as NonNullable<typeof masterKeys.clientKeys>
  const erasureId = await owner.write(tenant, (tx) =>
    requestErasure(tx, operator, {
      kind: 'client',
      id: clientId,
      askedBy: 'operator',
      withSignedNotes: true,
    }),
  )
  const parts = makeErasureParts({ db, keys, clientKeys, store: blobs.store })
  expect(await runErasure(parts, tenant, erasureId)).not.toBeNull()
}

/** All that a client does on pages, and what is refused there: the last three answers are refusals. */
async function visitPages(partner: TestPartner): Promise<{ clientId: string; bearer: string }> {
  const pages = makePagesFixture(service, partner)
  const { clientId, tokens, assignmentIds } = await pages.administer(['phq9'])
  const at = { address: home }
  const from = (method: 'GET' | 'POST', url: string, bearer: string, payload?: object) =>
    service.call({
      method,
      url: `/pages/v1${url}`,
      headers: { authorization: `Bearer ${bearer}` },
      remoteAddress: home,
      ...(payload === undefined ? {} : { payload }),
    })
  const open = async (token: string, kind: 'assessments' | 'invitation' | 'consent') =>
    (await pages.open(token, birthDate, { kind, ...at })).json<{ bearer: string }>().bearer
  await pages.open(tokens[0] as string, '1990-03-02', at)
  const bearer = await open(tokens[0] as string, 'assessments')
  const sitting = (await from('GET', '/sitting', bearer)).json<{
    assessments: { questions: { key: string }[] }[]
  }>()
  const key = sitting.assessments[0]?.questions[0]?.key as string
  await from('POST', '/answers', bearer, { answers: [answer(assignmentIds[0] as string, key, 1)] })
  await from('POST', '/send', bearer)
  await from('GET', '/invitation', await open(await pages.invite(clientId), 'invitation'))
  await from('GET', '/consent', await open(await pages.linkToConsent(clientId), 'consent'))
  const [locked = ''] = (await pages.administer(['gad7'], clientId)).tokens
  for (let wrong = 0; wrong < 6; wrong += 1) await pages.open(locked, '1990-03-02', at)
  await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
    tx.run({ text: `update casenote.client_openings set expires_at = now()`, values: [] }),
  )
  expect((await from('GET', '/sitting', bearer)).statusCode).toBe(401)
  return { clientId, bearer }
}

it('of what a client did on pages no address opens once the client is erased, and the report says so', async () => {
  const partner = await service.addPartner()
  const tenant = { tenantId: partner.partnerId }
  const { clientId, bearer } = await visitPages(partner)
  // What an older version wrote.
  const ring = await service.keys.get(tenant)
  await service.owner.write(tenant, (tx) =>
    recordChange(tx, {
      operation: 'assessment.retired',
      actor: { kind: 'client', id: clientId, from: sealAddress(ring, home) },
      requestId: null,
      subjects: [clientId],
    }),
  )
  const operations = [
    'clientLink.refuse',
    'clientLink.open',
    'clientLink.lock',
    'assessment.resume',
    'assessment.answer',
    'invitation.read',
    'consent.view',
  ]
  let before: ReportedEntry[] = []
  // Who is turned away is recorded beside the answer.
  await waitUntil(async () => {
    before = await reported(partner, clientId)
    return before.some(({ status }) => status === 401) && before.some(({ status }) => status === 403)
  }, 'the refusals are on record')
  const known = addressesOf(before)
  expect([...known.keys()]).toEqual(expect.arrayContaining([...operations, 'assessment.retired']))
  expect(new Set(known.values())).toEqual(new Set([home]))
  await erase(partner, clientId)
  const after = (await reported(partner, clientId)).filter(({ actor }) => actor.kind === 'client')
  expect(after).toHaveLength(before.filter(({ actor }) => actor.kind === 'client').length)
  expect(after.filter(({ address }) => address === home).map(({ operation }) => operation)).toEqual([
    'assessment.retired',
  ])
  const erased = after.filter(({ operation }) => operation !== 'assessment.retired')
  expect(new Set(erased.map(({ address }) => address))).toEqual(new Set(['erased']))
  expect(makeReportWriter('csv').entry(erased[0] as ReportedEntry)).toContain(',erased,')

  // A browser that was left open: whose it was nobody knows any more, and nothing of where it is stays.
  const late = await service.call({
    method: 'GET',
    url: '/pages/v1/sitting',
    headers: { authorization: `Bearer ${bearer}` },
    remoteAddress: home,
  })
  expect(late.statusCode).toBe(401)
  const lastOf = () =>
    service.owner.read<{ body: string }>(tenant, {
      text: `select body from casenote.audit_entries where tenant_id = $1 and body like $2`,
      values: [partner.partnerId, `%${String(late.headers['x-request-id'])}%`],
    })
  await waitUntil(async () => (await lastOf()).length === 1, 'it is recorded')
  expect(JSON.parse((await lastOf())[0]?.body as string).actor).toEqual({ kind: 'client', id: null })

  const { owner, keys } = service
  const report = await verifyAudit({
    db: owner,
    keys,
    anchors: null,
    tenantIds: [partner.partnerId],
    onProgress: () => {},
  })
  expect(report.tenants.flatMap(({ findings }) => findings)).toEqual([])
})

it('of one erased client, another’s address at the same place stays', async () => {
  const partner = await service.addPartner()
  const [gone, stays] = [await visitPages(partner), await visitPages(partner)]
  await erase(partner, gone.clientId)
  expect(addressesOf(await reported(partner, stays.clientId)).get('assessment.answer')).toBe(home)
})
