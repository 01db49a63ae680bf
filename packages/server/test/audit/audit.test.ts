import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordChange } from '../../src/kernel/audit/index.js'
import { DatabaseFault } from '../../src/kernel/db/db-errors.js'
import { aChange, aRead, listMessages, makeAuditFixture, type AuditFixture } from './audit-fixture.js'

let fixture: AuditFixture
beforeAll(async () => {
  fixture = await makeAuditFixture()
})
afterAll(() => fixture.tearDown())

interface StoredEntry {
  writer_id: string
  seq: string
  key_version: number
  subject_ids: string
  body: string
}

const listEntries = async (tenantId: string): Promise<StoredEntry[]> =>
  (
    await fixture.intruder.query<StoredEntry>(
      `select writer_id, seq, key_version, subject_ids::text, body from casenote.audit_entries
        where tenant_id = $1 order by writer_id, seq`,
      [tenantId],
    )
  ).rows

it('a read is in the log when its record resolves', async () => {
  const tenant = await fixture.addTenant()
  const audit = fixture.openReadAudit()
  const subjects = [randomUUID(), randomUUID()]
  const read = { ...aRead(subjects), actor: { kind: 'partner' as const, id: 'key "1"\n' } }

  await audit.record(tenant, read)

  const [entry] = await listEntries(tenant.tenantId)
  expect(entry).toMatchObject({ seq: '1', key_version: 1, subject_ids: `{${subjects.join(',')}}` })
  const { at, ...rest } = JSON.parse(entry?.body ?? '') as Record<string, unknown>
  expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(rest).toEqual({ operation: read.operation, actor: read.actor, requestId: read.requestId })
})

it('a change is chained by the next pass of the chainer, and a rolled back change is not', async () => {
  const tenant = await fixture.addTenant()
  const change = aChange()
  await fixture.db.write(tenant, (tx) => recordChange(tx, change))
  await expect(
    fixture.db.write(tenant, async (tx) => {
      await recordChange(tx, aChange())
      throw new Error('the change failed')
    }),
  ).rejects.toThrow('the change failed')
  const before = await fixture.verify([tenant])
  expect(before.tenants[0]).toMatchObject({ entries: 0, pendingChanges: 1, newestCheckpointAt: null })

  await fixture.chain()

  const entries = await listEntries(tenant.tenantId)
  expect(entries).toHaveLength(1)
  expect(JSON.parse(entries[0]?.body ?? '')).toMatchObject({
    operation: change.operation,
    actor: change.actor,
    requestId: change.requestId,
  })
  const after = await fixture.verify([tenant])
  expect(listMessages(after)).toEqual([])
  expect(after.tenants[0]).toMatchObject({
    entries: 1,
    checkpoints: 1,
    uncoveredEntries: 0,
    pendingChanges: 0,
  })
})

it('an operator records a change on the owner’s connection', async () => {
  const tenant = await fixture.addTenant()
  const change = { ...aChange(), actor: { kind: 'operator' as const, id: null }, requestId: null }
  await fixture.owner.write(tenant, (tx) => recordChange(tx, change))
  await fixture.chain()
  expect((await fixture.verify([tenant])).tenants[0]).toMatchObject({ entries: 1, findingCount: 0 })
})

it('one statement takes the reads of several tenants, and each has a chain of its own', async () => {
  const tenants = await Promise.all([1, 2, 3].map(() => fixture.addTenant()))
  const db = fixture.openDatabase()
  let statements = 0
  const throughDoor = db.throughDoor.bind(db)
  db.throughDoor = (statement) => {
    statements += 1
    return throughDoor(statement)
  }
  const audit = fixture.openReadAudit(db)

  await Promise.all(Array.from({ length: 90 }, (_, index) => audit.record(tenants[index % 3]!, aRead())))

  expect(statements).toBe(1)
  const report = await fixture.verify(tenants)
  expect(listMessages(report)).toEqual([])
  expect(report.tenants.map(({ entries }) => entries)).toEqual([30, 30, 30])
})

it('reads of 5,000 callers, more than a batch holds, are all written in their order', async () => {
  const tenant = await fixture.addTenant()
  const audit = fixture.openReadAudit()
  const requestIds = Array.from({ length: 5_000 }, () => randomUUID())
  await Promise.all(requestIds.map((requestId) => audit.record(tenant, { ...aRead(), requestId })))
  const entries = await listEntries(tenant.tenantId)
  expect(entries.map(({ body }) => (JSON.parse(body) as { requestId: string }).requestId)).toEqual(requestIds)
  expect(listMessages(await fixture.verify([tenant]))).toEqual([])
})

it('refuses a read beyond 20,000 that wait, and writes those', async () => {
  const tenant = await fixture.addTenant()
  const audit = fixture.openReadAudit()
  const read = aRead([])
  const waiting = Array.from({ length: 20_000 }, () => audit.record(tenant, read))
  await expect(audit.record(tenant, read)).rejects.toThrow('The audit log cannot keep up')
  await Promise.all(waiting)
  expect((await fixture.verify([tenant])).tenants[0]).toMatchObject({ entries: 20_000, findingCount: 0 })
})

it('stop writes what was taken and takes no more', async () => {
  const tenant = await fixture.addTenant()
  const audit = fixture.openReadAudit()
  const waiting = Array.from({ length: 10 }, () => audit.record(tenant, aRead()))
  await audit.stop()
  await expect(audit.record(tenant, aRead())).rejects.toThrow('the audit log is closed')
  await Promise.all(waiting)
  expect(await listEntries(tenant.tenantId)).toHaveLength(10)
})

it('a subject that is no id, or a tenant without a key, fails alone', async () => {
  const tenant = await fixture.addTenant()
  const audit = fixture.openReadAudit()
  const outcomes = await Promise.allSettled([
    audit.record(tenant, aRead()),
    audit.record(tenant, aRead(['Jane Doe'])),
    audit.record({ tenantId: randomUUID() }, aRead()),
    audit.record(tenant, aRead()),
  ])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  expect((await fixture.verify([tenant])).tenants[0]).toMatchObject({ entries: 2, findingCount: 0 })
})

it('chains go on under a new key version and still verify', async () => {
  const tenant = await fixture.addTenant()
  const audit = fixture.openReadAudit()
  await audit.record(tenant, aRead())
  await fixture.chain()
  fixture.addKeyVersion(tenant)
  await audit.record(tenant, aRead())
  await fixture.chain()
  const entries = await listEntries(tenant.tenantId)
  expect(entries.map(({ key_version }) => key_version)).toEqual([1, 2])
  expect((await fixture.verify([tenant])).tenants[0]).toMatchObject({ checkpoints: 2, findingCount: 0 })
})

it('the log verifies at any moment beside writers and chainers at work', async () => {
  const tenants = await Promise.all([1, 2, 3].map(() => fixture.addTenant()))
  // As the making of a partner is recorded with it.
  for (const tenant of tenants) await fixture.db.write(tenant, (tx) => recordChange(tx, aChange()))
  const audits = [1, 2].map(() => fixture.openReadAudit(fixture.openDatabase()))
  const workers = [1, 2, 3].map(() => ({ db: fixture.openDatabase(), writerId: randomUUID() }))
  const over = new AbortController()
  const whileOn = async (act: (index: number) => Promise<unknown>): Promise<void> => {
    for (let index = 0; !over.signal.aborted; index += 1) await act(index)
  }
  const activities = [
    ...audits.flatMap((audit) =>
      Array.from({ length: 8 }, () => whileOn((index) => audit.record(tenants[index % 3]!, aRead()))),
    ),
    whileOn((index) => fixture.db.write(tenants[index % 3]!, (tx) => recordChange(tx, aChange()))),
    ...workers.map((worker) =>
      whileOn(async () => expect((await fixture.chain(worker)).failures).toEqual([])),
    ),
  ]
  try {
    for (let round = 0; round < 12; round += 1)
      expect(listMessages(await fixture.verify(tenants))).toEqual([])
  } finally {
    over.abort()
    await Promise.all(activities)
  }
  await fixture.chain()
  for (const report of (await fixture.verify(tenants)).tenants) {
    expect(report).toMatchObject({ findingCount: 0, uncoveredEntries: 0, pendingChanges: 0 })
    expect(report.checkpoints).toBeGreaterThan(3)
  }
})

it('another tenant’s entries and checkpoints are out of the application’s sight', async () => {
  const [mine, other] = [await fixture.addTenant(), await fixture.addTenant()]
  await fixture.openReadAudit().record(other, aRead())
  await fixture.chain()
  for (const table of ['audit_entries', 'audit_heads', 'audit_checkpoints', 'audit_pending']) {
    expect(await fixture.db.read(mine, { text: `select 1 from casenote.${table}`, values: [] })).toEqual([])
  }
})

it.each([
  'update casenote.audit_entries set body = body',
  'delete from casenote.audit_entries',
  'truncate casenote.audit_entries',
  `insert into casenote.audit_entries (tenant_id, writer_id, seq, key_version, subject_ids, body, hash)
    select tenant_id, gen_random_uuid(), seq, key_version, subject_ids, body, hash from casenote.audit_entries`,
  'update casenote.audit_checkpoints set body = body',
  'delete from casenote.audit_checkpoints',
  'update casenote.audit_heads set seq = seq',
  'update casenote.audit_heads set hash = hash',
  'delete from casenote.audit_heads',
  'update casenote.audit_pending set operation = operation',
])('the application may not: %s', async (text) => {
  const tenant = await fixture.addTenant()
  await fixture.openReadAudit().record(tenant, aRead())
  await fixture.chain()
  const attempt = fixture.db.write(tenant, (tx) => tx.run({ text, values: [] }))
  await expect(attempt).rejects.toThrow(DatabaseFault)
  await expect(attempt).rejects.toMatchObject({ code: '42501' })
})

it('the operator finds who saw a client through the index', async () => {
  const tenant = await fixture.addTenant()
  const audit = fixture.openReadAudit()
  const clientId = randomUUID()
  await Promise.all(
    Array.from({ length: 2_000 }, (_, index) =>
      audit.record(tenant, aRead(index === 7 ? [clientId] : undefined)),
    ),
  )
  await fixture.intruder.query('analyze casenote.audit_entries')
  const question = {
    text: `explain (format json) select body from casenote.audit_entries
      where tenant_id = $1 and subject_ids @> array[$2::uuid]`,
    values: [tenant.tenantId, clientId],
  }
  const plan = JSON.stringify(await fixture.owner.throughDoor(question))
  expect(plan).toContain('audit_entries_by_subject')
})
