import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Client, Organization, Page, SandboxClock } from '@casenote/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { settleSandbox } from '../../src/features/partners/index.js'
import { findBlob, purgeBlobs, writeBlob } from '../../src/kernel/blobs/index.js'
import { keptTables, resetSandbox } from '../../src/main/reset-sandbox.js'
import type { SandboxIds } from '../../src/main/sandbox-practices.js'
import { makeDataFolder, runCasenote, startCasenote } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { completeRecordingOf } from '../widget/complete-recording-of.js'
import { openRecording, signIn } from '../widget/widget-fixture.js'

let service: TestService
let partner: TestPartner
let env: Record<string, string>
let folder: { path: string; remove(): Promise<void> }

beforeAll(async () => {
  service = await makeTestService()
  folder = await makeDataFolder()
  env = {
    CASENOTE_MIGRATE_URL: service.database.migrateUrl,
    ...service.settingsFor(folder.path),
  }
})
afterAll(async () => {
  await service.close()
  await folder.remove()
})
beforeEach(async () => {
  partner = await service.addPartner('sandbox')
})

const call = (method: 'GET' | 'POST', path: string, payload?: object, of = partner) =>
  service.ask(of, method, path, payload)

/** How many rows a tenant has in each table, those that stay left out. */
async function countRows({ partnerId }: { partnerId: string }): Promise<Record<string, number>> {
  const tables = await service.owner.throughDoor<{ name: string }>({
    text: `select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where c.relnamespace = 'casenote'::regnamespace and c.relkind = 'r' order by 1`,
    values: [],
  })
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    if (keptTables.has(name)) continue
    const [row] = await service.owner.throughDoor<{ count: number }>({
      text: `select count(*)::int as count from casenote.${name} where tenant_id = $1`,
      values: [partnerId],
    })
    counts[name] = row?.count ?? 0
  }
  return counts
}

/** Something of everything that a sandbox comes to hold. */
async function use(): Promise<string> {
  const tenant = { tenantId: partner.partnerId }
  const clinician = await signIn(service, partner)
  const { sessionId } = await openRecording(clinician, partner.clientId)
  await completeRecordingOf(clinician, sessionId)
  await openRecording(clinician, partner.clientId)
  await call('POST', `/progress-notes/${partner.progressNoteId}/magic-edit`, { userInstructions: 'Shorter.' })
  await call('POST', `/clients/${partner.clientId}/sessions`, { fileUrl: 'casenote://test/success' })
  await call('POST', `/clients/${partner.clientId}/invite`)
  await call('POST', '/sandbox/clock', { advanceSeconds: 60 })
  await call('POST', '/sandbox/faults', { status: 500, count: 5, pathPrefix: '/nothing' })
  const { blobId } = await writeBlob(service.blobs, tenant, 'audio', Readable.from([Buffer.from('sound')]))
  return blobId
}

describe('casenote sandbox reset', () => {
  it('deletes what the sandbox holds, fills it anew and keeps its credentials; nobody else notices', async () => {
    const other = await service.addPartner('sandbox')
    const blobId = await use()
    const invited = await runCasenote(['console', 'invite', 'dana', '--partner', partner.partnerId], env)
    expect(invited.code).toBe(0)
    const before = await countRows(other)
    const { code, stdout, stderr } = await runCasenote(
      ['sandbox', 'reset', '--partner', partner.partnerId, '--json'],
      env,
    )
    expect([code, stderr]).toEqual([0, expect.stringContaining('Deleting')])
    const ids = JSON.parse(stdout) as SandboxIds & { partnerId: string }
    expect(ids.partnerId).toBe(partner.partnerId)
    expect(await countRows(other)).toEqual(before)
    expect((await runCasenote(['console', 'list'], env)).stdout).toContain('dana')
    expect((await call('GET', `/clients/${partner.clientId}`)).statusCode).toBe(404)
    expect((await call('GET', `/sessions/${partner.sessionId}`)).statusCode).toBe(404)
    const organizations = (await call('GET', '/organizations')).json<Page<Organization>>()
    expect(organizations.meta.totalItems).toBe(2)
    const clients = (await call('GET', `/clinics/${ids.clinicId}/clients`)).json<Page<Client>>()
    expect([clients.meta.totalItems, clients.data[0]?.id]).toEqual([184, ids.clientIds[0]])
    expect((await call('GET', '/webhook-endpoints')).json<Page<unknown>>().meta.totalItems).toBe(0)
    expect((await call('GET', '/sandbox/clock')).json<SandboxClock>().aheadSeconds).toBe(0)
    expect((await call('GET', '/sandbox/faults')).json()).toEqual({ fault: null })
    const created = await call('POST', `/clients/${ids.clientIds[0]}/sessions`, {
      fileUrl: 'casenote://test/success',
    })
    expect(created.statusCode).toBe(201)
    const tenant = { tenantId: partner.partnerId }
    expect((await findBlob(service.blobs, tenant, blobId))?.status).toBe('deleting')
    await purgeBlobs(service.blobs)
    expect((await findBlob(service.blobs, tenant, blobId))?.status).toBe('deleted')
    const [usage] = await service.owner.throughDoor({
      text: 'select stored_bytes::int as bytes, open_uploads as uploads from casenote.tenant_usage where tenant_id = $1',
      values: [tenant.tenantId],
    })
    expect(usage).toEqual({ bytes: 0, uploads: 0 })
    const again = await runCasenote(['sandbox', 'reset', '--partner', partner.partnerId, '--json'], env)
    expect([again.code, (JSON.parse(again.stdout) as SandboxIds).clinicId]).not.toEqual([0, ids.clinicId])
    expect(again.code).toBe(0)
  })

  it('without --partner is of the sandbox in the file, and the demo that runs goes on with the new ids', async () => {
    const own = await makeDataFolder()
    const started = await startCasenote({ CASENOTE_DATA_DIR: own.path })
    try {
      const readIds = () =>
        JSON.parse(readFileSync(join(own.path, 'sandbox-credentials.json'), 'utf8')) as SandboxIds & {
          partnerId: string
        }
      const listDemo = async (): Promise<[number, string | undefined]> => {
        const headers = { 'sec-fetch-site': 'same-origin', 'x-demo': '1' }
        const answer = await fetch(`${started.url}/demo/clients`, { headers })
        return [answer.status, ((await answer.json()) as Client[])[0]?.id]
      }
      const before = readIds()
      const [status, shown] = await listDemo()
      expect(status).toBe(200)
      const reset = await runCasenote(['sandbox', 'reset', '--json'], { CASENOTE_DATA_DIR: own.path })
      expect([reset.code, reset.stderr]).toEqual([0, expect.stringContaining('Deleting')])
      const after = readIds()
      expect(JSON.parse(reset.stdout)).toMatchObject({
        partnerId: before.partnerId,
        prescriberId: after.prescriberId,
      })
      expect(after.prescriberId).not.toBe(before.prescriberId)
      const [again, shownNow] = await listDemo()
      expect(again).toBe(200)
      expect([shownNow === undefined, shownNow === shown]).toEqual([false, false])
    } finally {
      await started.process.end('SIGTERM')
      await own.remove()
    }
  })

  it('without --partner and without the file deletes nothing, whatever sandboxes there are', async () => {
    const before = await countRows(partner)
    const refused = await runCasenote(['sandbox', 'reset'], env)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--partner')])
    expect(await countRows(partner)).toEqual(before)
  })

  it('has a deletion that was put off by the moved clock done with the next look', async () => {
    const tenant = { tenantId: partner.partnerId }
    const { blobId } = await writeBlob(service.blobs, tenant, 'audio', Readable.from([Buffer.from('sound')]))
    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: `update casenote.blobs set status = 'deleting', deletion_reason = 'expired',
          delete_after = now() + interval '100 days' where tenant_id = $1 and blob_id = $2`,
        values: [tenant.tenantId, blobId],
      }),
    )
    await resetSandbox(service.owner, tenant, { report: () => {}, keep: async () => {} })
    await purgeBlobs(service.blobs)
    expect((await findBlob(service.blobs, tenant, blobId))?.status).toBe('deleted')
  })

  it('killed in the middle, anywhere, it ends the same when it is run again', async () => {
    await use()
    const tenant = { tenantId: partner.partnerId }
    const killed = new Error('killed')
    for (const fraction of [0.3, 0.7, 1]) {
      const report = (done: number): void => {
        if (done >= fraction) throw killed
      }
      await expect(resetSandbox(service.owner, tenant, { report, keep: async () => {} })).rejects.toBe(killed)
    }
    const keep = async (): Promise<void> => {
      throw killed
    }
    await expect(resetSandbox(service.owner, tenant, { report: () => {}, keep })).rejects.toBe(killed)
    expect(Object.values(await countRows(partner)).every((count) => count === 0)).toBe(true)
    await resetSandbox(service.owner, tenant, { report: () => {}, keep: async () => {} })
    const filled = await countRows(partner)
    expect([filled['organizations'], filled['clients']]).toEqual([2, 300])
  })

  it('does nothing to a production partner, nor where the sandbox is not at home', async () => {
    const production = await service.addPartner('production')
    const before = await countRows(production)
    const refused = await runCasenote(['sandbox', 'reset', '--partner', production.partnerId], env)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('is a production partner')])
    expect(await countRows(production)).toEqual(before)
    await service.db.throughDoor(settleSandbox(false))
    try {
      const held = await countRows(partner)
      for (const args of [
        ['reset', '--partner', partner.partnerId],
        ['create', '--name', 'Second'],
      ]) {
        const away = await runCasenote(['sandbox', ...args], env)
        expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('not at home')])
      }
      expect(await countRows(partner)).toEqual(held)
    } finally {
      await service.db.throughDoor(settleSandbox(true))
      await service.watch.poll()
    }
  })
})

describe('casenote sandbox create', () => {
  it('makes a further sandbox, filled as the first, and prints its credentials once', async () => {
    const { code, stdout } = await runCasenote(['sandbox', 'create', '--name', 'Second', '--json'], env)
    expect(code).toBe(0)
    const made = JSON.parse(stdout) as SandboxIds & Record<string, string>
    const answer = await service.call({
      method: 'POST',
      url: '/v2/partners/authenticate',
      headers: { 'x-api-key': made['apiKey'] ?? '' },
      payload: { clientId: made['clientId'], clientSecret: made['clientSecret'] },
    })
    expect(answer.statusCode).toBe(200)
    const filled = await countRows({ partnerId: made['partnerId'] ?? '' })
    expect([filled['organizations'], filled['clinics'], filled['clients']]).toEqual([2, 3, 300])
    // It goes away and comes home with the first.
    const homeOnly = await service.owner.throughDoor<{ homeOnly: boolean }>({
      text: 'select home_only as "homeOnly" from casenote.tenants where tenant_id = $1',
      values: [made['partnerId']],
    })
    expect(homeOnly).toEqual([{ homeOnly: true }])
  })
})
