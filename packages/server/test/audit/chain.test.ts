import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { recordChange } from '../../src/kernel/audit/index.js'
import type { TenantScope } from '../../src/kernel/tenant.js'
import {
  aChange,
  aRead,
  findBlockedBackend,
  killBlockedBackend,
  listMessages,
  makeAuditFixture,
  type AuditFixture,
} from './audit-fixture.js'

let fixture: AuditFixture
beforeAll(async () => {
  fixture = await makeAuditFixture()
})
afterAll(() => fixture.tearDown())

const change = (tenant: TenantScope): Promise<void> =>
  fixture.db.write(tenant, (tx) => recordChange(tx, aChange()))

it('checkpoints cover the chains of all writers, also of processes that are gone', async () => {
  const tenant = await fixture.addTenant()
  await fixture.openReadAudit().record(tenant, aRead())
  await fixture.openReadAudit().record(tenant, aRead())
  await change(tenant)
  expect(await fixture.chain()).toMatchObject({ changes: 1, checkpoints: 1, diverged: [], failures: [] })
  const [report] = (await fixture.verify([tenant])).tenants
  expect(report).toMatchObject({ entries: 3, checkpoints: 1, uncoveredEntries: 0, findingCount: 0 })
})

it('a pass without news writes nothing', async () => {
  await fixture.chain()
  expect(await fixture.chain()).toMatchObject({ changes: 0, checkpoints: 0 })
})

it('eight chainers at once chain each change once and number the checkpoints without holes', async () => {
  const tenants = await Promise.all([1, 2, 3].map(() => fixture.addTenant()))
  const workers = Array.from({ length: 8 }, () => ({ db: fixture.openDatabase(), writerId: randomUUID() }))
  let chained = 0
  for (let round = 0; round < 5; round += 1) {
    await Promise.all(tenants.flatMap((tenant) => [change(tenant), change(tenant)]))
    const reports = await Promise.all(workers.map((worker) => fixture.chain(worker)))
    for (const { changes, failures } of reports) {
      expect(failures).toEqual([])
      chained += changes
    }
  }
  expect(chained).toBe(30)
  const report = await fixture.verify(tenants)
  expect(listMessages(report)).toEqual([])
  expect(report.tenants.map(({ entries }) => entries)).toEqual([10, 10, 10])
})

it('a chainer passes by a tenant that another one is chaining', async () => {
  const [busy, free] = [await fixture.addTenant(), await fixture.addTenant()]
  await change(busy)
  const letGo = await fixture.obstruct('lock table casenote.audit_checkpoints in share mode')
  const first = fixture.chain()
  await findBlockedBackend(fixture.intruder)
  await change(busy)
  const second = fixture.chain({ writerId: randomUUID(), db: fixture.openDatabase() })
  expect(await second).toMatchObject({ changes: 0, checkpoints: 0, failures: [] })
  await letGo()
  expect(await first).toMatchObject({ changes: 1, checkpoints: 1 })
  await change(free)
  expect(await fixture.chain()).toMatchObject({ changes: 2, checkpoints: 2 })
  expect(listMessages(await fixture.verify([busy, free]))).toEqual([])
})

it.each([
  ['chaining the changes', 'lock table casenote.audit_entries in share mode'],
  ['writing the checkpoint', 'lock table casenote.audit_checkpoints in share mode'],
  ['marking the heads', 'select from casenote.audit_heads where not is_covered for update'],
])('killed while %s, a pass leaves everything to the next one', async (_, obstacle) => {
  const tenant = await fixture.addTenant()
  await fixture.openReadAudit().record(tenant, aRead())
  await change(tenant)

  const letGo = await fixture.obstruct(obstacle)
  const killed = fixture.chain()
  await killBlockedBackend(fixture.intruder)
  expect(await killed).toMatchObject({
    changes: 0,
    checkpoints: 0,
    failures: [{ tenantId: tenant.tenantId }],
  })
  await letGo()
  expect((await fixture.verify([tenant])).tenants[0]).toMatchObject({
    entries: 1,
    checkpoints: 0,
    pendingChanges: 1,
    findingCount: 0,
  })

  expect(await fixture.chain()).toMatchObject({ changes: 1, checkpoints: 1, failures: [] })
  expect((await fixture.verify([tenant])).tenants[0]).toMatchObject({
    entries: 2,
    checkpoints: 1,
    uncoveredEntries: 0,
    findingCount: 0,
  })
})

it('killed before the anchor was written, the next pass anchors the newer checkpoint', async () => {
  const tenant = await fixture.addTenant()
  await change(tenant)
  const { anchors } = await fixture.chain()
  await change(tenant)
  await fixture.chain({ anchors }) // Its report is lost with the process.
  await change(tenant)
  const report = await fixture.chain({ anchors })
  expect(report.anchors.get(tenant.tenantId)?.number).toBe(3)
  expect(listMessages(await fixture.verify([tenant], report.anchors))).toEqual([])
})

it('reads are not held up by a pass that waits', async () => {
  const tenant = await fixture.addTenant()
  const audit = fixture.openReadAudit()
  await audit.record(tenant, aRead())
  const letGo = await fixture.obstruct('lock table casenote.audit_checkpoints in share mode')
  const chaining = fixture.chain()
  await findBlockedBackend(fixture.intruder)
  await audit.record(tenant, aRead())
  await letGo()
  await chaining
  // The checkpoint names entry 1; the head has moved on and stays uncovered until the next pass.
  expect((await fixture.verify([tenant])).tenants[0]).toMatchObject({ uncoveredEntries: 1, findingCount: 0 })
  await fixture.chain()
  expect((await fixture.verify([tenant])).tenants[0]).toMatchObject({ uncoveredEntries: 0, findingCount: 0 })
})

it('a tenant whose key is missing does not keep the others from being chained', async () => {
  const [keyless, sound] = [{ tenantId: randomUUID() }, await fixture.addTenant()]
  await fixture.owner.throughDoor({
    text: `insert into casenote.tenants (tenant_id, name, environment, client_id)
      values ($1, 'Keyless', 'sandbox', 'client')`,
    values: [keyless.tenantId],
  })
  await change(keyless)
  await change(sound)
  const report = await fixture.chain()
  expect(report).toMatchObject({ changes: 1, checkpoints: 1, failures: [{ tenantId: keyless.tenantId }] })
  await fixture.owner.throughDoor({
    text: 'delete from casenote.audit_pending where tenant_id = $1',
    values: [keyless.tenantId],
  })
})

it('one pass takes more changes than fit into one transaction', async () => {
  const tenant = await fixture.addTenant()
  await fixture.intruder.query(
    `insert into casenote.audit_pending (tenant_id, operation, actor_kind, subject_ids)
      select $1, 'client.update', 'system', '{}' from generate_series(1, 5001)`,
    [tenant.tenantId],
  )
  expect(await fixture.chain()).toMatchObject({ changes: 5_001, checkpoints: 2 })
  expect((await fixture.verify([tenant])).tenants[0]).toMatchObject({ entries: 5_001, findingCount: 0 })
})

it('the anchor of a log that was cut is not moved on, and goes on telling', async () => {
  const tenant = await fixture.addTenant()
  await change(tenant)
  await fixture.chain()
  await change(tenant)
  const { anchors } = await fixture.chain()
  for (const table of ['entries', 'heads', 'checkpoints']) {
    await fixture.intruder.query(`delete from casenote.audit_${table} where tenant_id = $1`, [
      tenant.tenantId,
    ])
  }
  // Long enough for the new checkpoints to pass the anchor's number.
  for (let round = 0; round < 3; round += 1) {
    await change(tenant)
    const report = await fixture.chain({ anchors })
    expect(report.diverged).toEqual([tenant.tenantId])
    expect(report.anchors.has(tenant.tenantId)).toBe(false)
  }
  expect((await fixture.verify([tenant])).isIntact).toBe(true)
  expect((await fixture.verify([tenant], anchors)).tenants[0]?.findings).toMatchObject([
    { kind: 'anchor_disagrees' },
  ])
})
