import { afterAll, beforeAll, expect, it } from 'vitest'
import {
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

it('a batch whose connection is killed rejects its reads, and the log goes on soundly', async () => {
  const tenants = [await fixture.addTenant(), await fixture.addTenant()]
  const audit = fixture.openReadAudit()
  const recordSome = (): Promise<unknown>[] => tenants.flatMap((tenant) => [audit.record(tenant, aRead())])
  await Promise.all(recordSome())
  await fixture.chain()

  const letGo = await fixture.obstruct('lock table casenote.audit_entries in share mode')
  const lost = Promise.allSettled(recordSome())
  await killBlockedBackend(fixture.intruder)
  expect((await lost).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await letGo()

  await Promise.all(recordSome())
  await fixture.chain()
  const report = await fixture.verify(tenants)
  expect(listMessages(report)).toEqual([])
  expect(report.tenants.map(({ entries }) => entries)).toEqual([2, 2])
})

it('a batch that was committed though its answer was lost leaves a sound chain behind', async () => {
  const tenant = await fixture.addTenant()
  const db = fixture.openDatabase()
  const throughDoor = db.throughDoor.bind(db)
  let isAnswerLost = false
  db.throughDoor = async (statement) => {
    const rows = await throughDoor(statement)
    if (isAnswerLost) throw new Error('the connection broke')
    return rows
  }
  const audit = fixture.openReadAudit(db)

  await audit.record(tenant, aRead())
  isAnswerLost = true
  await expect(audit.record(tenant, aRead())).rejects.toThrow('the connection broke')
  isAnswerLost = false
  await audit.record(tenant, aRead())

  await fixture.chain()
  const report = await fixture.verify([tenant])
  expect(listMessages(report)).toEqual([])
  expect(report.tenants[0]?.entries).toBe(3)
})

it('reads that gather behind a failing batch are written by the next one', async () => {
  const tenant = await fixture.addTenant()
  const audit = fixture.openReadAudit()
  const letGo = await fixture.obstruct('lock table casenote.audit_entries in share mode')
  const lost = Promise.allSettled([audit.record(tenant, aRead())])
  await findBlockedBackend(fixture.intruder)
  const gathered = audit.record(tenant, aRead())
  await killBlockedBackend(fixture.intruder)
  expect(await lost).toMatchObject([{ status: 'rejected' }])
  await letGo()
  await gathered
  expect(listMessages(await fixture.verify([tenant]))).toEqual([])
})

it('a live writer shows a cut of its newest entries by the gap that the next ones leave', async () => {
  const tenant = await fixture.addTenant()
  const audit = fixture.openReadAudit()
  await Promise.all(Array.from({ length: 5 }, () => audit.record(tenant, aRead())))
  await fixture.intruder.query('delete from casenote.audit_entries where tenant_id = $1 and seq > 3', [
    tenant.tenantId,
  ])
  await fixture.intruder.query(
    `update casenote.audit_heads h set seq = e.seq, hash = e.hash from casenote.audit_entries e
      where h.tenant_id = $1 and e.tenant_id = $1 and e.seq = 3`,
    [tenant.tenantId],
  )
  await audit.record(tenant, aRead())
  expect((await fixture.verify([tenant])).tenants[0]?.findings).toMatchObject([
    { kind: 'entry_missing', seq: 4 },
  ])
})
