import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appendPart,
  BlobStateFault,
  completeBlob,
  createBlob,
  deleteBlob,
  findBlob,
  partSizeBytesMax,
  readPart,
  writeBlob,
} from '../../src/kernel/blobs/index.js'
import { rotateTenantKey } from '../../src/kernel/secrets/make-tenant-keys.js'
import { asOwner, describeStores, hash, listNames, readAll } from './blobs-fixture.js'

describeStores((use) => {
  describe('an object', () => {
    const newName = (): string =>
      `${use().tenant.tenantId}/${use().tenant.tenantId}/1-${randomBytes(8).toString('hex')}`

    it('can be written at all', () => use().parts.store.check())

    it('comes back as it was put, is listed with its time, and is gone once it is deleted', async () => {
      const { store } = use().parts
      for (const size of [1, 33, 65_536, partSizeBytesMax + 33]) {
        const bytes = randomBytes(size)
        const name = newName()
        await store.put(name, bytes)
        expect(hash(await store.get(name))).toBe(hash(bytes))
        const times: number[] = []
        for await (const object of store.list()) if (object.name === name) times.push(object.storedAtMs)
        expect(times).toHaveLength(1)
        expect(Math.abs((times[0] ?? 0) - Date.now())).toBeLessThan(60_000)
        await store.delete(name)
        await store.delete(name)
        await expect(store.get(name)).rejects.toMatchObject({ code: 'blob_missing' })
        expect(await listNames(use(), name)).toEqual([])
      }
    })

    it.each(['../x', '/etc/passwd', 'a/b/1-0000000000000000', '', 'x/../../y'])(
      'is never called "%s"',
      async (name) => {
        const { store } = use().parts
        for (const attempt of [
          async () => store.put(name, Buffer.from('x')),
          async () => store.get(name),
          async () => store.delete(name),
        ]) {
          await expect(attempt()).rejects.toMatchObject({ code: 'blob_store_fault' })
        }
      },
    )
  })

  describe('a blob', () => {
    it('reads back as it was written, whatever its size, its pieces and the byte it is read from', async () => {
      const size = fc.oneof(
        fc.integer({ min: 0, max: 300_000 }),
        fc.integer({ min: partSizeBytesMax - 2, max: partSizeBytesMax + 2 }),
        fc.integer({ min: 2 * partSizeBytesMax - 1, max: 2 * partSizeBytesMax + 1 }),
      )
      const piece = fc.integer({ min: 1_000, max: 3_000_000 })
      await fc.assert(
        fc.asyncProperty(size, piece, fc.nat(), async (sizeBytes, pieceBytes, at) => {
          const bytes = randomBytes(sizeBytes)
          const pieces = function* (): Generator<Buffer> {
            for (let from = 0; from < sizeBytes; from += pieceBytes)
              yield bytes.subarray(from, from + pieceBytes)
          }
          const { parts, tenant } = use()
          const written = await writeBlob(parts, tenant, 'audio', Readable.from(pieces()))
          expect(written.sizeBytes).toBe(sizeBytes)
          expect(hash(await readAll(use(), written.blobId))).toBe(hash(bytes))
          const fromByte = at % (sizeBytes + 1)
          expect(hash(await readAll(use(), written.blobId, fromByte))).toBe(hash(bytes.subarray(fromByte)))
        }),
        { numRuns: 15 },
      )
    })

    it('is sealed: nothing of it can be read in the store', async () => {
      const { parts, tenant } = use()
      const text = Buffer.from('The client says. '.repeat(5_000))
      const { blobId } = await writeBlob(parts, tenant, 'audio', Readable.from([text]))
      const names = await listNames(use(), blobId)
      expect(names).toHaveLength(1)
      for (const name of names) expect((await parts.store.get(name)).includes('client says')).toBe(false)
    })

    it('of another tenant does not exist', async () => {
      const { parts, tenant, other } = use()
      const { blobId } = await writeBlob(parts, other, 'audio', Readable.from([Buffer.from('x')]))
      await expect(readAll(use(), blobId)).rejects.toThrow(BlobStateFault)
      await expect(appendPart(parts, tenant, blobId, 2, Buffer.from('y'))).rejects.toThrow(BlobStateFault)
      expect(await findBlob(parts, tenant, blobId)).toBeNull()
      await deleteBlob(parts, tenant, blobId, 'requested')
      expect((await findBlob(parts, other, blobId))?.status).toBe('complete')
    })

    it('opens no part that was changed, exchanged, cut or taken from another blob', async () => {
      const { parts, tenant } = use()
      const blobIds = [
        await createBlob(parts, tenant, 'audio'),
        await createBlob(parts, tenant, 'audio'),
      ] as const
      for (const blobId of blobIds) {
        for (const number of [1, 2])
          await appendPart(parts, tenant, blobId, number, Buffer.from(`part ${number}`))
      }
      const [first = '', second = ''] = await listNames(use(), blobIds[0])
      const [elsewhere = ''] = await listNames(use(), blobIds[1])
      const original = await parts.store.get(first)
      const changed = Buffer.from(original)
      changed.writeUInt8(changed.readUInt8(20) ^ 1, 20)
      const forgeries = [
        changed,
        await parts.store.get(second),
        await parts.store.get(elsewhere),
        original.subarray(0, -1),
        Buffer.alloc(0),
      ]
      for (const forgery of forgeries) {
        await parts.store.delete(first)
        await parts.store.put(first, forgery)
        await expect(readPart(parts, tenant, blobIds[0], 1)).rejects.toThrow(/does not open|format/)
      }
      await parts.store.delete(first)
      await parts.store.put(first, original)
      expect((await readPart(parts, tenant, blobIds[0], 1)).toString()).toBe('part 1')
    })

    it('does not open when its manifest has lost a row, and fails in mid-stream when a part is gone', async () => {
      const { parts, tenant } = use()
      const bytes = randomBytes(2 * partSizeBytesMax)
      const { blobId } = await writeBlob(parts, tenant, 'audio', Readable.from([bytes]))
      const [, second = ''] = await listNames(use(), blobId)
      await parts.store.delete(second)
      await expect(readAll(use(), blobId)).rejects.toMatchObject({ code: 'blob_missing' })
      await asOwner(
        use(),
        'delete from casenote.blob_parts where tenant_id = $1 and stored_name = $2',
        second,
      )
      await expect(readAll(use(), blobId)).rejects.toMatchObject({ code: 'blob_missing' })
    })

    it('keeps opening after its key was replaced, and says which key sealed which part', async () => {
      const { parts, tenant, owner, masterKeys } = use()
      const blobId = await createBlob(parts, tenant, 'audio')
      await appendPart(parts, tenant, blobId, 1, Buffer.from('old '))
      const version = await rotateTenantKey(owner, masterKeys, tenant, 'data')
      await appendPart(parts, tenant, blobId, 2, Buffer.from('new'))
      await completeBlob(parts, tenant, blobId)
      expect((await readAll(use(), blobId)).toString()).toBe('old new')
      const rows = await asOwner(
        use(),
        `select key_version as version from casenote.blob_parts
          where tenant_id = $1 and blob_id = $2 order by part_number`,
        blobId,
      )
      expect(rows).toEqual([{ version: version - 1 }, { version }])
    })

    it('whose stream fails leaves nothing behind', async () => {
      const { parts, tenant } = use()
      const before = await listNames(use())
      const broken = async function* (): AsyncGenerator<Buffer> {
        yield randomBytes(partSizeBytesMax + 1)
        yield await Promise.reject(new Error('connection lost'))
      }
      await expect(writeBlob(parts, tenant, 'audio', broken())).rejects.toThrow('connection lost')
      expect(await listNames(use())).toEqual(before)
    })
  })
})
