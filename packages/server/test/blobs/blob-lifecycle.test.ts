import { randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import {
  appendPart,
  BlobStateFault,
  BlobStoreFault,
  completeBlob,
  createBlob,
  deleteBlob,
  findBlob,
  makeBlobWriter,
  partSizeBytesMax,
  purgeBlobs,
  readPart,
  sweepOrphans,
  writeBlob,
  type BlobStore,
} from '../../src/kernel/blobs/index.js'
import { makeGuardedAgent } from '../../src/kernel/guarded-fetch/guarded-agent.js'
import { downloadFile, serve, serveInPieces } from '../guarded-fetch/download-fixture.js'
import { asOwner, describeStores, hash, listNames, readAll } from './blobs-fixture.js'

const dayMs = 86_400_000

describeStores((use) => {
  const writeText = async (text: string): Promise<string> => {
    const { parts, tenant } = use()
    return (await writeBlob(parts, tenant, 'audio', Readable.from([Buffer.from(text)]))).blobId
  }

  describe('an upload', () => {
    it('takes its parts in any order and resumes from what is there', async () => {
      const { parts, tenant } = use()
      const blobId = await createBlob(parts, tenant, 'audio')
      for (const number of [3, 1]) await appendPart(parts, tenant, blobId, number, Buffer.from(`<${number}>`))
      expect((await findBlob(parts, tenant, blobId))?.parts).toEqual([
        { partNumber: 1, sizeBytes: 3 },
        { partNumber: 3, sizeBytes: 3 },
      ])
      await expect(completeBlob(parts, tenant, blobId)).rejects.toThrow('part 2 of the blob is missing')
      await expect(readAll(use(), blobId)).rejects.toThrow('not complete')
      await appendPart(parts, tenant, blobId, 2, Buffer.from('<2>'))
      expect(await completeBlob(parts, tenant, blobId)).toEqual({ sizeBytes: 9, partCount: 3 })
      expect(await completeBlob(parts, tenant, blobId)).toEqual({ sizeBytes: 9, partCount: 3 })
      expect((await readAll(use(), blobId)).toString()).toBe('<1><2><3>')
    })

    it('takes a part once, however often and at once it is sent', async () => {
      const { parts, tenant } = use()
      const blobId = await createBlob(parts, tenant, 'audio')
      const bytes = randomBytes(100_000)
      const send = (): Promise<void> => appendPart(parts, tenant, blobId, 1, bytes)
      await Promise.all([send(), send(), send(), send(), send(), send()])
      await send()
      expect(await listNames(use(), blobId)).toHaveLength(1)
      expect(hash(await readPart(parts, tenant, blobId, 1))).toBe(hash(bytes))
      const other = appendPart(parts, tenant, blobId, 1, randomBytes(5))
      await expect(other).rejects.toThrow('part 1 is there already, with another size')
    })

    it.each([0, partSizeBytesMax + 1])('takes no part of %i bytes', async (size) => {
      const { parts, tenant } = use()
      const blobId = await createBlob(parts, tenant, 'audio')
      await expect(appendPart(parts, tenant, blobId, 1, Buffer.alloc(size))).rejects.toThrow(BlobStateFault)
    })

    it('takes nothing more once it is complete', async () => {
      const { parts, tenant } = use()
      const blobId = await writeText('whole')
      await expect(appendPart(parts, tenant, blobId, 2, Buffer.from('x'))).rejects.toThrow(BlobStateFault)
      expect(await listNames(use(), blobId)).toHaveLength(1)
    })

    it('that begins again leaves only the new blob', async () => {
      const { parts, tenant } = use()
      const before = await listNames(use())
      const writer = makeBlobWriter(parts, tenant, 'audio')
      await writer.restart()
      await writer.write(randomBytes(partSizeBytesMax + 10))
      await writer.restart()
      await writer.write(Buffer.from('second'))
      const { blobId } = await writer.finish()
      expect((await readAll(use(), blobId)).toString()).toBe('second')
      expect((await listNames(use())).length).toBe(before.length + 1)
    })
  })

  describe('a download', () => {
    it('into a blob is the file, though the connection broke and the file changed on the way', async () => {
      const { parts, tenant } = use()
      const [old, file] = [randomBytes(5_000_000), randomBytes(9_000_000)]
      let times = 0
      const url = await serve((request, response) => {
        times += 1
        if (times === 1) serveInPieces(old, 4_500_000, { etag: '"old"' })(request, response)
        else serveInPieces(file, 5_000_000, { etag: '"new"' })(request, response)
      })
      const before = await listNames(use())
      const writer = makeBlobWriter(parts, tenant, 'audio')
      const dispatcher = makeGuardedAgent({ environment: 'sandbox' })
      const { outcome } = await downloadFile(url, writer, {
        dispatcher,
        environment: 'sandbox',
      })
      await dispatcher.close()
      const { blobId, sizeBytes } = await writer.finish()
      expect(outcome).toMatchObject({ status: 'complete', sizeBytes })
      expect(hash(await readAll(use(), blobId))).toBe(hash(file))
      expect(await listNames(use())).toHaveLength(before.length + 3)
    })
  })

  describe('deleting', () => {
    it('removes the bytes, keeps the record, is audited once and may be repeated', async () => {
      const { parts, tenant } = use()
      const blobId = await writeText('gone')
      await deleteBlob(parts, tenant, blobId, 'requested')
      await deleteBlob(parts, tenant, blobId, 'requested')
      expect(await listNames(use(), blobId)).toEqual([])
      expect(await findBlob(parts, tenant, blobId)).toMatchObject({
        status: 'deleted',
        deletedAt: expect.any(Date) as Date,
        parts: [],
      })
      await expect(readAll(use(), blobId)).rejects.toThrow(BlobStateFault)
      const text =
        'select operation from casenote.audit_pending where tenant_id = $1 and $2 = any(subject_ids)'
      expect(await asOwner(use(), text, blobId)).toEqual([{ operation: 'blob.delete' }])
    })

    it('that was cut short is finished by the purge', async () => {
      const { parts, tenant } = use()
      const blobId = await createBlob(parts, tenant, 'audio')
      for (const number of [1, 2, 3]) await appendPart(parts, tenant, blobId, number, Buffer.from('x'))
      let deletions = 0
      const failing: BlobStore = {
        ...parts.store,
        delete: (name) => {
          deletions += 1
          return deletions === 2 ? Promise.reject(new Error('killed')) : parts.store.delete(name)
        },
      }
      await expect(deleteBlob({ ...parts, store: failing }, tenant, blobId, 'requested')).rejects.toThrow(
        'killed',
      )
      expect((await findBlob(parts, tenant, blobId))?.status).toBe('deleting')
      expect(await listNames(use(), blobId)).toHaveLength(2)
      await purgeBlobs(parts)
      expect((await findBlob(parts, tenant, blobId))?.status).toBe('deleted')
      expect(await listNames(use(), blobId)).toEqual([])
    })

    it('during an upload leaves nothing of it, whoever is faster', async () => {
      const { parts, tenant, kind } = use()
      for (let round = 0; round < 10; round += 1) {
        const blobId = await createBlob(parts, tenant, 'audio')
        const anchor = `${tenant.tenantId}/${blobId}/9-0000000000000000`
        // The S3 server of these tests falls over when it removes the last object of a folder while another arrives.
        if (kind === 's3') await parts.store.put(anchor, Buffer.from('x'))
        await Promise.allSettled([
          ...[1, 2, 3].map((number) => appendPart(parts, tenant, blobId, number, randomBytes(1_000))),
          deleteBlob(parts, tenant, blobId, 'requested'),
        ])
        await deleteBlob(parts, tenant, blobId, 'requested')
        expect((await findBlob(parts, tenant, blobId))?.parts).toEqual([])
        const left = await listNames(use(), blobId)
        expect(left.filter((name) => name !== anchor)).toEqual([])
      }
    })

    it('comes by itself when the days are over, also for an upload that nobody finished, and not before', async () => {
      const { parts, tenant } = use()
      const [complete, kept] = [await writeText('old'), await writeText('young')]
      const open = await createBlob(parts, tenant, 'audio')
      await appendPart(parts, tenant, open, 1, Buffer.from('half'))
      const week = `select bool_and(delete_after - now() between interval '6 days 23 hours' and interval '7 days') as yes
        from casenote.blobs where tenant_id = $1 and blob_id = any($2)`
      expect(await asOwner(use(), week, [complete, kept, open])).toEqual([{ yes: true }])
      const age = `update casenote.blobs set delete_after = now() where tenant_id = $1 and blob_id = any($2)`
      await asOwner(use(), age, [complete, open])
      await purgeBlobs(parts)
      const statuses = await Promise.all(
        [complete, open, kept].map(async (blobId) => (await findBlob(parts, tenant, blobId))?.status),
      )
      expect(statuses).toEqual(['deleted', 'deleted', 'complete'])
    })
  })

  describe('of objects that cannot be deleted', () => {
    const makeDue = (blobIds: readonly string[], age: string) =>
      asOwner(
        use(),
        'update casenote.blobs set delete_after = now() - $3::interval where tenant_id = $1 and blob_id = any($2)',
        blobIds,
        age,
      )
    const statusOf = async (blobId: string) =>
      (await findBlob(use().parts, use().tenant, blobId))?.status ?? null
    /** Rows alone: to delete what is not there is to have deleted it. */
    const writeSome = async (count: number): Promise<string[]> => {
      const rows = await asOwner(
        use(),
        `with blob as (
          insert into casenote.blobs (tenant_id, blob_id, kind, delete_after)
          select $1, gen_random_uuid(), 'audio', now() + interval '7 days' from generate_series(1, $2::int)
          returning blob_id
        )
        insert into casenote.blob_parts (tenant_id, blob_id, part_number, size_bytes, key_version, stored_name)
        select $1, blob_id, 1, 1, 1, concat_ws('/', $1, blob_id, '1-0123456789abcdef') from blob
        returning blob_id`,
        count,
      )
      return rows.map((row) => row['blob_id'] as string)
    }

    it.each([1, 3, 120])('%i hold up nothing behind them, are told, and come again', async (count) => {
      const { parts } = use()
      const stuck = await writeSome(count)
      const [behind = ''] = await writeSome(1)
      await makeDue(stuck, '1 day')
      await makeDue([behind], '1 hour')
      const tried: string[] = []
      const refusing: BlobStore = {
        ...parts.store,
        delete: async (name) => {
          const blobId = name.split('/')[1] ?? ''
          tried.push(blobId)
          if (stuck.includes(blobId)) throw new BlobStoreFault('access denied')
          await parts.store.delete(name)
        },
      }
      const purge = (): Promise<number> => purgeBlobs({ ...parts, store: refusing })
      await expect(purge()).rejects.toThrow('access denied')
      // A pass has a hundred of a tenant's.
      if (count > 100) await expect(purge()).rejects.toThrow('access denied')
      expect(await statusOf(behind)).toBe('deleted')
      expect(tried.filter((blobId) => blobId !== behind).toSorted()).toEqual(stuck.toSorted())
      await purge()
      await makeDue(stuck, '0 s')
      for (let passes = 0; passes * 100 < count; passes += 1) await purgeBlobs(parts)
      expect(new Set(await Promise.all(stuck.map(statusOf)))).toEqual(new Set(['deleted']))
    })

    it('a backlog of one tenant holds up no other: they are deleted in turns, until nothing is due', async () => {
      const { parts, tenant, other } = use()
      const backlog = await writeSome(120)
      const blobId = await createBlob(parts, other, 'audio')
      await appendPart(parts, other, blobId, 1, Buffer.from('due'))
      await makeDue(backlog, '2 days')
      await asOwner(
        { ...use(), tenant: other },
        `update casenote.blobs set delete_after = now() - interval '1 day' where tenant_id = $1 and blob_id = $2`,
        blobId,
      )
      const deleted: string[] = []
      const counting: BlobStore = {
        ...parts.store,
        delete: async (name) => {
          deleted.push(name.split('/')[0] ?? '')
          await parts.store.delete(name)
        },
      }
      await purgeBlobs({ ...parts, store: counting })
      // Whoever of the two began: not behind more than one turn of the other.
      expect(deleted.indexOf(other.tenantId)).toBeLessThanOrEqual(100)
      expect(deleted.indexOf(other.tenantId)).toBeGreaterThanOrEqual(0)
      expect(deleted.filter((tenantId) => tenantId === tenant.tenantId)).toHaveLength(backlog.length)
    })

    it('a pass ends after its time and with its worker, and the next one goes on', async () => {
      const { parts } = use()
      const due = await writeSome(3)
      await makeDue(due, '1 day')
      expect(await purgeBlobs(parts, { mostMs: 0 })).toBe(0)
      const stopping = new AbortController()
      const store: BlobStore = {
        ...parts.store,
        delete: async (name) => {
          await parts.store.delete(name)
          stopping.abort()
        },
      }
      expect(await purgeBlobs({ ...parts, store }, { signal: stopping.signal })).toBe(1)
      expect(await purgeBlobs(parts)).toBe(2)
    })

    it('because the store is away, few are tried, and all of them come later', async () => {
      const { parts } = use()
      const due = await writeSome(5)
      await makeDue(due, '1 day')
      let tries = 0
      const fail = async (): Promise<never> => {
        tries += 1
        throw new BlobStoreFault('away')
      }
      const away: BlobStore = { ...parts.store, delete: fail, probe: () => Promise.reject(new Error('away')) }
      await expect(purgeBlobs({ ...parts, store: away })).rejects.toThrow('away')
      expect(tries).toBe(3)
      await makeDue(due, '0 s')
      await purgeBlobs(parts)
      expect(await Promise.all(due.map(statusOf))).toEqual(due.map(() => 'deleted'))
    })
  })

  describe('the sweep', () => {
    const nameIn = (tenantId: string, blobId: string): string =>
      `${tenantId}/${blobId}/1-${randomBytes(8).toString('hex')}`

    it('passes over what cannot be deleted, and tells it', async () => {
      const { parts, tenant } = use()
      const settled = await writeText('settled')
      const makeOrphan = async (): Promise<string> => {
        const name = nameIn(tenant.tenantId, settled)
        await parts.store.put(name, Buffer.from('never committed'))
        return name
      }
      const names = [
        await makeOrphan(),
        await makeOrphan(),
        await makeOrphan(),
        await makeOrphan(),
      ].toSorted()
      const stuck = names.slice(0, 3)
      const refusing: BlobStore = {
        ...parts.store,
        delete: async (name) => {
          if (stuck.includes(name)) throw new BlobStoreFault('access denied')
          await parts.store.delete(name)
        },
      }
      const later = Date.now() + dayMs + 60_000
      await expect(sweepOrphans({ ...parts, store: refusing }, later)).rejects.toThrow('access denied')
      expect((await listNames(use())).filter((name) => names.includes(name))).toEqual(stuck)
      await sweepOrphans(parts, later)
    })

    it('ends with its worker, in the middle of a list or of what it removes', async () => {
      const { parts, tenant } = use()
      const names = [1, 2, 3].map(() => nameIn(tenant.tenantId, randomUUID()))
      for (const name of names) await parts.store.put(name, Buffer.from('never committed'))
      const later = Date.now() + 30 * dayMs + 60_000
      const listing = new AbortController()
      let listed = 0
      async function* listWithoutEnd() {
        for (;;) {
          listed += 1
          if (listed === 3) listing.abort()
          yield { name: names[0] ?? '', storedAtMs: 0 }
        }
      }
      const endless: BlobStore = { ...parts.store, list: listWithoutEnd }
      expect(await sweepOrphans({ ...parts, store: endless }, later, { signal: listing.signal })).toBe(0)
      expect(listed).toBe(3)
      const removing = new AbortController()
      const store: BlobStore = {
        ...parts.store,
        delete: async (name) => {
          await parts.store.delete(name)
          removing.abort()
        },
      }
      expect(await sweepOrphans({ ...parts, store }, later, { signal: removing.signal })).toBe(1)
      expect(await sweepOrphans(parts, later)).toBeGreaterThanOrEqual(2)
    })

    it('removes what has no row and is older than a day, and nothing else', async () => {
      const { parts, tenant, other } = use()
      const kept = await writeText('kept')
      const ofOther = (await writeBlob(parts, other, 'audio', Readable.from([Buffer.from('kept')]))).blobId
      const orphan = nameIn(tenant.tenantId, kept)
      await parts.store.put(orphan, Buffer.from('never committed'))
      const before = await listNames(use())
      expect(await sweepOrphans(parts, Date.now() + dayMs - 60_000)).toBe(0)
      expect(await listNames(use())).toEqual(before)
      expect(await sweepOrphans(parts, Date.now() + dayMs + 60_000)).toBeGreaterThanOrEqual(1)
      expect(await listNames(use(), orphan)).toEqual([])
      expect((await readAll(use(), kept)).toString()).toBe('kept')
      expect(await listNames(use(), ofOther)).toHaveLength(1)
    })

    it('keeps for a month what a restored database may not know yet, and for good what is of an unknown tenant', async () => {
      const { parts, tenant } = use()
      const open = await createBlob(parts, tenant, 'audio')
      const names = [
        nameIn(tenant.tenantId, open),
        nameIn(tenant.tenantId, randomUUID()),
        nameIn(randomUUID(), randomUUID()),
      ]
      for (const name of names) await parts.store.put(name, Buffer.from('after the backup'))
      const left = async (): Promise<string[]> =>
        (await listNames(use())).filter((name) => names.includes(name))
      await sweepOrphans(parts, Date.now() + 30 * dayMs - 60_000)
      expect(await left()).toEqual(names.toSorted())
      await sweepOrphans(parts, Date.now() + 30 * dayMs + 60_000)
      expect(await left()).toEqual(names.slice(2))
      await parts.store.delete(names[2] ?? '')
    })
  })
})
