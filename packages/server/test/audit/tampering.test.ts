import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { recordChange, type Anchors } from '../../src/kernel/audit/index.js'
import type { TenantScope } from '../../src/kernel/tenant.js'
import { aChange, aRead, listMessages, makeAuditFixture, type AuditFixture } from './audit-fixture.js'
import { headsAt, Random, readTenantLog, TAMPERINGS, type TenantLog } from './tamperings.js'

const tables = ['audit_entries', 'audit_heads', 'audit_checkpoints']
const seed = 20_260_101

let fixture: AuditFixture
let tenants: readonly [TenantScope, TenantScope]
let logs: [TenantLog, TenantLog]
let anchors: Anchors

/** Two tenants, three readers and a chainer, six checkpoints over a change of keys, and a tail that none covers yet. */
beforeAll(async () => {
  fixture = await makeAuditFixture()
  tenants = [await fixture.addTenant(), await fixture.addTenant()]
  const audits = [1, 2, 3].map(() => fixture.openReadAudit())
  const random = new Random(seed)
  const read = (): ReturnType<typeof aRead> =>
    aRead(Array.from({ length: random.below(4) }, () => random.id()))
  for (let round = 0; round < 6; round += 1) {
    for (const tenant of tenants) {
      await Promise.all(audits.map((audit) => audit.record(tenant, read())))
      await Promise.all(audits.slice(round % 2).map((audit) => audit.record(tenant, read())))
      await fixture.db.write(tenant, async (tx) => {
        await recordChange(tx, aChange())
        await recordChange(tx, aChange([random.id(), random.id()]))
      })
      if (round === 2) fixture.addKeyVersion(tenant)
    }
    anchors = (await fixture.chain()).anchors
  }
  for (const tenant of tenants)
    await Promise.all(audits.slice(1).map((audit) => audit.record(tenant, read())))
  logs = [
    await readTenantLog(fixture.intruder, tenants[0].tenantId),
    await readTenantLog(fixture.intruder, tenants[1].tenantId),
  ]
  await fixture.intruder.query("set session_replication_role = 'replica'; create schema kept")
  for (const table of tables) {
    await fixture.intruder.query(`create table kept.${table} as table casenote.${table}`)
  }
})
afterAll(() => fixture.tearDown())

const putBack = async (changed: readonly string[]): Promise<void> => {
  const replace = (table: string): string =>
    `delete from casenote.${table}; insert into casenote.${table} table kept.${table};`
  await fixture.intruder.query(changed.map(replace).join(''))
}
afterEach(() => putBack(tables))

/** What was put back a hundred times would be read past in every statement. */
const sweep = async (): Promise<void> => {
  await fixture.intruder.query(`vacuum ${tables.map((table) => `casenote.${table}`).join(', ')}`)
}

async function tamper(steps: readonly [string, unknown[]][]): Promise<number> {
  let changed = 0
  for (const [text, values] of steps) changed += (await fixture.intruder.query(text, values)).rowCount ?? 0
  return changed
}

it('the untouched log is intact', async () => {
  const report = await fixture.verify(tenants, anchors)
  expect(listMessages(report)).toEqual([])
  expect(report.tenants).toMatchObject([
    { checkpoints: 6, uncoveredEntries: 2 },
    { checkpoints: 6, uncoveredEntries: 2 },
  ])
})

it('each of 1,000 random tamperings is found', async () => {
  const missed: string[] = []
  for (let index = 0; index < 1_000; index += 1) {
    const random = new Random(seed + index)
    const { name, plan } = TAMPERINGS[index % TAMPERINGS.length]!
    const [log, other] = random.below(2) === 0 ? logs : [logs[1], logs[0]]
    const steps = plan(log, random, other)
    expect(await tamper(steps), `${name} (${index}) changes something`).toBeGreaterThan(0)
    const report = await fixture.verify(tenants, anchors)
    if (report.isIntact) missed.push(`${name} (${index}): ${JSON.stringify(steps)}`)
    await putBack(tables.filter((table) => steps.some(([text]) => text.includes(table))))
    if (index % 100 === 99) await sweep()
  }
  expect(missed).toEqual([])
  expect(listMessages(await fixture.verify(tenants, anchors))).toEqual([])
})

it('a cut of everything together is seen only with the anchor', async () => {
  const cut = TAMPERINGS.find(({ name }) => name === 'cuts entries, heads and checkpoints back together')!
  await tamper(cut.plan(logs[0], new Random(seed), logs[1]))
  const unanchored = await fixture.verify(tenants, null)
  expect(unanchored).toMatchObject({
    isIntact: true,
    verdict: 'intact',
    tenants: [{ isAnchored: false }, {}],
  })
  const report = await fixture.verify(tenants, anchors)
  // A restore of an older backup looks the same: what there is, is sound.
  expect(report).toMatchObject({ isIntact: false, verdict: 'set_back' })
  expect(report.tenants[0]).toMatchObject({ isAnchored: true })
  expect(report.tenants[0]?.findings).toMatchObject([{ kind: 'log_set_back' }])
})

it('a log that is gone as a whole is seen without any anchor', async () => {
  const [{ tenantId }] = logs
  await tamper(tables.map((table) => [`delete from casenote.${table} where tenant_id = $1`, [tenantId]]))
  const report = await fixture.verify(tenants, null)
  expect(report).toMatchObject({ isIntact: false, verdict: 'tampered' })
  expect(report.tenants[0]?.findings).toMatchObject([{ kind: 'log_missing' }])
  expect(report.tenants[1]?.findings).toEqual([])
})

it('what no checkpoint covers yet can be cut unseen, and nothing older', async () => {
  const [log] = logs
  const covered = headsAt(log, log.checkpoints.length)
  for (const [writerId, { seq, hash }] of covered) {
    await tamper([
      [
        'delete from casenote.audit_entries where tenant_id = $1 and writer_id = $2 and seq > $3',
        [log.tenantId, writerId, seq],
      ],
      [
        `update casenote.audit_heads set seq = $3, hash = decode($4, 'hex'), is_covered = true
          where tenant_id = $1 and writer_id = $2`,
        [log.tenantId, writerId, seq, hash],
      ],
    ])
  }
  expect((await fixture.verify(tenants, anchors)).isIntact).toBe(true)
  const [writerId, { seq }] = [...covered][0]!
  await tamper([
    [
      'delete from casenote.audit_entries where tenant_id = $1 and writer_id = $2 and seq = $3',
      [log.tenantId, writerId, seq],
    ],
  ])
  expect((await fixture.verify(tenants, anchors)).isIntact).toBe(false)
})

it('one change is one finding, in a sentence with its place', async () => {
  const [log] = logs
  const entry = log.entries.find(({ seq, subjects }) => seq === 3 && subjects.length > 0)!
  const where = 'where tenant_id = $1 and writer_id = $2 and seq = $3'
  const place = [log.tenantId, entry.writerId, entry.seq]
  for (const set of ["body = body || ' '", "subject_ids = '{}'", "hash = decode(repeat('00', 32), 'hex')"]) {
    await tamper([[`update casenote.audit_entries set ${set} ${where}`, place]])
    expect((await fixture.verify(tenants, anchors)).tenants[0]?.findings).toEqual([
      {
        kind: 'entry_changed',
        writerId: entry.writerId,
        seq: 3,
        message: `Entry 3 of chain ${entry.writerId} does not match its hash: it was changed, moved or forged.`,
      },
    ])
    await putBack(tables)
  }
  await tamper([[`delete from casenote.audit_entries ${where}`, place]])
  expect(listMessages(await fixture.verify(tenants, anchors))).toEqual([
    `Entry 3 is missing in chain ${entry.writerId}.`,
  ])
})

it('an entry that is there twice, after the primary key was dropped, is found', async () => {
  await fixture.intruder.query('alter table casenote.audit_entries drop constraint audit_entries_pkey')
  await tamper([
    [
      'insert into casenote.audit_entries select * from casenote.audit_entries where tenant_id = $1 limit 1',
      [logs[0].tenantId],
    ],
  ])
  expect((await fixture.verify(tenants, anchors)).tenants[0]?.findings).toMatchObject([
    { kind: 'entry_extra' },
  ])
})

it('lists a thousand findings and counts the rest', async () => {
  const tenant = await fixture.addTenant()
  const audit = fixture.openReadAudit()
  await Promise.all(Array.from({ length: 1_500 }, () => audit.record(tenant, aRead())))
  await tamper([
    ["update casenote.audit_entries set body = body || ' ' where tenant_id = $1", [tenant.tenantId]],
  ])
  const [report] = (await fixture.verify([tenant])).tenants
  expect(report).toMatchObject({ findingCount: 1_500 })
  expect(report?.findings).toHaveLength(1_000)
})
