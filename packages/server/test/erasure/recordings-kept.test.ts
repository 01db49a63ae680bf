import { Readable } from 'node:stream'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  liftLegalHold,
  placeLegalHold,
  setRetention,
  type Retention,
} from '../../src/features/erasure/index.js'
import { deleteBlob, findBlob, writeBlob } from '../../src/kernel/blobs/index.js'
import { systemClock } from '../../src/kernel/clock.js'
import { readConfig } from '../../src/kernel/config.js'
import { operator } from '../../src/kernel/operator.js'
import type { Environment } from '../../src/kernel/tenant.js'
import { makePurges } from '../../src/main/worker.js'
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

/** A partner's session with its recording and an unsigned note, all of today. */
class Kept {
  private constructor(
    readonly partner: TestPartner,
    readonly blobId: string,
  ) {}

  static async make(days: Partial<Retention>, environment: Environment = 'production'): Promise<Kept> {
    const partner = await service.addPartner(environment)
    const sound = Readable.from([Buffer.from('sound')])
    const { blobId } = await writeBlob(service.blobs, tenantOf(partner), 'audio', sound)
    await superuser.query(
      `update casenote.sessions set audio_blob_id = $2, status = 'completed', progress = 1 where session_id = $1`,
      [partner.sessionId, blobId],
    )
    const kept = new Kept(partner, blobId)
    if (Object.keys(days).length > 0) await kept.keepFor(days)
    return kept
  }

  keepFor(days: Partial<Retention>): Promise<unknown> {
    return service.owner.write(tenantOf(this.partner), (tx) => setRetention(tx, operator, days))
  }

  async sign(): Promise<void> {
    const { progressNoteId } = this.partner
    const answer = await service.ask(this.partner, 'POST', `/progress-notes/${progressNoteId}/finalize`)
    if (answer.statusCode !== 200) throw new Error(`it was not signed: ${answer.body}`)
  }

  /** So many days later, and everything that a worker purges was purged. */
  async pass(days: number, installationDays = 7): Promise<void> {
    for (const [table, ...columns] of [
      ['sessions', 'created_at'],
      ['session_status_history', 'changed_at'],
      ['blobs', 'created_at', 'completed_at', 'delete_after'],
      ['progress_notes', 'updated_at', 'finalized_at'],
    ])
      await superuser.query(
        `update casenote.${table} set ${columns.map((one) => `${one} = ${one} - $2 * interval '1 day'`).join()}
         where tenant_id = $1`,
        [this.partner.partnerId, days],
      )
    await purge(installationDays)
  }

  async isThere(): Promise<boolean> {
    return (await findBlob(service.blobs, tenantOf(this.partner), this.blobId))?.status === 'complete'
  }
}

/** Twice: what the first shortens, the second removes. */
async function purge(installationDays = 7): Promise<void> {
  const { db, keys } = service
  const config = readConfig({ CASENOTE_AUDIO_RETENTION_DAYS: String(installationDays) })
  const blobs = { ...service.blobs, endedDays: installationDays }
  const parts = { db, keys, blobs, clock: systemClock, publicUrl: 'http://localhost' }
  for (let pass = 0; pass < 2; pass += 1)
    for (const duty of makePurges({ db, config }, parts)) await duty.run(new AbortController().signal)
}

describe('a recording whose note is signed', () => {
  it.each([7, 30, 1_825])("stays for its tenant's %d days, whatever the installation's are", async (days) => {
    const kept = await Kept.make({ recordingDays: days })
    await kept.pass(3)
    await kept.sign()
    await kept.pass(days - 1, 90)
    expect(await kept.isThere()).toBe(true)
    await kept.pass(2, 90)
    expect(await kept.isThere()).toBe(false)
  })

  it('stays for the installation’s days where its tenant has set none, beyond a year, too', async () => {
    const kept = await Kept.make({})
    await kept.sign()
    await kept.pass(399, 400)
    expect(await kept.isThere()).toBe(true)
    await kept.pass(2, 400)
    expect(await kept.isThere()).toBe(false)
  })

  it('is counted from the signature, also where it would have gone without one', async () => {
    const kept = await Kept.make({ recordingDays: 30 })
    await kept.pass(29)
    await kept.sign()
    await kept.pass(29)
    expect(await kept.isThere()).toBe(true)
    await kept.pass(2)
    expect(await kept.isThere()).toBe(false)
  })
})

describe('a recording whose note nobody signs', () => {
  it.each([30, 1_825])("stays for its tenant's %d days after it was recorded", async (days) => {
    const kept = await Kept.make({ recordingDays: days })
    await kept.pass(days - 1)
    expect(await kept.isThere()).toBe(true)
    await kept.pass(2)
    expect(await kept.isThere()).toBe(false)
  })

  it('goes by its own days, not by those of the draft, which may be gone before it', async () => {
    const kept = await Kept.make({ recordingDays: 30, draftDays: 5 })
    await kept.pass(29)
    const { rows } = await superuser.query('select from casenote.progress_notes where tenant_id = $1', [
      kept.partner.partnerId,
    ])
    expect([rows.length, await kept.isThere()]).toEqual([0, true])
    await kept.pass(2)
    expect(await kept.isThere()).toBe(false)
  })

  it('stays a year where its tenant has set no days, and longer where the installation keeps signed ones longer', async () => {
    const kept = await Kept.make({})
    await kept.pass(364)
    expect(await kept.isThere()).toBe(true)
    await kept.pass(10, 400)
    expect(await kept.isThere()).toBe(true)
    await kept.pass(0)
    // A month at a time.
    await kept.pass(27)
    expect(await kept.isThere()).toBe(false)
  })

  it('stays while it is still to be heard', async () => {
    const kept = await Kept.make({ recordingDays: 1 })
    await superuser.query(
      `update casenote.sessions set status = 'transcribing', progress = 0.1 where session_id = $1`,
      [kept.partner.sessionId],
    )
    await kept.pass(40)
    expect(await kept.isThere()).toBe(true)
  })

  it('has its year again when its tenant’s days are undone, and is there', async () => {
    const kept = await Kept.make({ recordingDays: 30 })
    await kept.pass(20)
    await kept.keepFor({ recordingDays: null })
    await kept.pass(20)
    expect(await kept.isThere()).toBe(true)
  })

  it('goes by what the moved clock of a sandbox shows', async () => {
    const kept = await Kept.make({ recordingDays: 30 }, 'sandbox')
    const advance = async (days: number): Promise<void> => {
      const body = { advanceSeconds: days * 86_400 }
      expect((await service.ask(kept.partner, 'POST', '/sandbox/clock', body)).statusCode).toBe(200)
      await purge()
    }
    await advance(29)
    expect(await kept.isThere()).toBe(true)
    await advance(2)
    expect(await kept.isThere()).toBe(false)
  })
})

describe('a recording of a client under a legal hold', () => {
  it("stays whatever its tenant's days, and goes when the hold is lifted", async () => {
    const kept = await Kept.make({ recordingDays: 30 })
    await service.owner.write(tenantOf(kept.partner), (tx) =>
      placeLegalHold(tx, operator, kept.partner.clientId),
    )
    await kept.pass(400)
    expect(await kept.isThere()).toBe(true)
    await service.owner.write(tenantOf(kept.partner), (tx) =>
      liftLegalHold(tx, operator, kept.partner.clientId),
    )
    await kept.pass(0)
    expect(await kept.isThere()).toBe(false)
  })

  it('that was given up meanwhile goes with the first purge after it, and not after its tenant’s days', async () => {
    const kept = await Kept.make({ recordingDays: 1_825 })
    await service.owner.write(tenantOf(kept.partner), (tx) =>
      placeLegalHold(tx, operator, kept.partner.clientId),
    )
    await deleteBlob(service.blobs, tenantOf(kept.partner), kept.blobId, 'requested')
    await kept.pass(1)
    expect(await kept.isThere()).toBe(true)
    await service.owner.write(tenantOf(kept.partner), (tx) =>
      liftLegalHold(tx, operator, kept.partner.clientId),
    )
    await kept.pass(1)
    expect(await kept.isThere()).toBe(false)
  })
})
