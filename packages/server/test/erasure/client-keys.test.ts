import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDocument, newDocument, writeDocument } from '../../src/kernel/key-store/key-store-document.js'
import type { Database } from '../../src/kernel/db/database.js'
import { ClientKeys } from '../../src/kernel/key-store/client-keys.js'
import { makeCommandKeyStore } from '../../src/kernel/key-store/command-key-store.js'
import { makeFolderKeyStore } from '../../src/kernel/key-store/folder-key-store.js'
import { ClientKeyTree } from '../../src/kernel/secrets/client-key-tree.js'
import { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import { seal, unseal } from '../../src/kernel/secrets/sealing.js'

const tenant = '11111111-1111-4111-8111-111111111111'
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

describe('the tree of keys', () => {
  it('gives each client a key of its own, and every other one stays when one is destroyed', () => {
    const whole = ClientKeyTree.grow()
    const ids = Array.from({ length: 50 }, (_, index) => idOf(index))
    const keys = new Map(ids.map((id) => [id, whole.find(tenant, id)?.toString('hex')]))
    expect(new Set(keys.values()).size).toBe(50)
    let left = whole
    for (const id of ids.slice(0, 10)) left = left.without(tenant, id)
    // As another process reads it.
    const read = ClientKeyTree.read(left.write())
    for (const id of ids.slice(0, 10)) expect(read.find(tenant, id)).toBeNull()
    for (const id of ids.slice(10)) expect(read.find(tenant, id)?.toString('hex')).toBe(keys.get(id))
    expect(read.without(tenant, ids[0] as string).write()).toEqual(read.write())
  })

  it('a destroyed key leaves the other child of each level, and nothing above it', () => {
    const ways = ClientKeyTree.grow()
      .without(tenant, idOf(1))
      .write()
      .map((line) => line.split(':')[0] as string)
    expect(ways.map((way) => way.length).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 64 }, (_, level) => level + 1),
    )
  })
})

describe('what is sealed for a client', () => {
  const place = { tenantId: tenant, table: 'transcripts', row: idOf(2), column: 'sealed_items' }
  const key = { version: 3, bytes: randomBytes(32) }

  it("needs the tenant's key and the client's, and says whose it is", () => {
    const clientKey = { clientId: idOf(7), bytes: randomBytes(32) }
    const sealed = seal(key, place, Buffer.from('said'), clientKey)
    const open = (find: (id: string) => Buffer | null) => unseal(() => key, place, sealed, find)
    expect(open((id) => (id === idOf(7) ? clientKey.bytes : null)).toString()).toBe('said')
    expect(() => open(() => null)).toThrow("needs a client's key")
    expect(() => open(() => randomBytes(32))).toThrow()
    expect(() =>
      unseal(
        () => ({ version: 3, bytes: randomBytes(32) }),
        place,
        sealed,
        () => clientKey.bytes,
      ),
    ).toThrow()
    const tenants = seal(key, place, Buffer.from('old'))
    expect(unseal(() => key, place, tenants).toString()).toBe('old')
  })
})

describe('the store', () => {
  let folder: string
  const masterKeys = new MasterKeys(() => [Buffer.alloc(32, 7)])
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'casenote-store-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it.each(['a folder', 'a command'])('%s gives back what was written, and nothing before', async (kind) => {
    const script = join(folder, 'store.sh')
    await writeFile(
      script,
      `if [ "$1" = read ]; then cat "${folder}/of-command" 2>/dev/null || true; else cat > "${folder}/of-command"; fi\n`,
    )
    const store =
      kind === 'a folder'
        ? makeFolderKeyStore(join(folder, 'new'))
        : makeCommandKeyStore(['/bin/sh', script], { PATH: process.env.PATH })
    expect(await store.read()).toBeNull()
    const document = newDocument()
    await store.write(writeDocument(document, masterKeys))
    const read = await readDocument((await store.read()) as string, store.name, masterKeys)
    expect(read).toMatchObject({ storeId: document.storeId, erasures: [] })
    expect(read.tree.find(tenant, idOf(3))).toEqual(document.tree.find(tenant, idOf(3)))
  })

  it('a write removes what a kill in the middle of another has left, and nothing else', async () => {
    const store = makeFolderKeyStore(join(folder, 'killed'))
    const document = newDocument()
    await store.write(writeDocument(document, masterKeys))
    const stray = `key-store.json.${'ab'.repeat(8)}.new`
    for (const name of [stray, 'other.new']) await writeFile(join(folder, 'killed', name), 'keys')
    await store.write(writeDocument(document, masterKeys))
    expect((await readdir(join(folder, 'killed'))).toSorted()).toEqual(['key-store.json', 'other.new'])
  })

  it('does not grow past what can be read again', async () => {
    const store = makeFolderKeyStore(join(folder, 'full'))
    const document = newDocument()
    const text = writeDocument(document, masterKeys)
    await store.write(text)
    const db = { write: (_tenant: unknown, work: (tx: unknown) => unknown) => work({ run: async () => [] }) }
    const keys = new ClientKeys(store, masterKeys, document, text.length + 100)
    await expect(keys.destroy(db as unknown as Database, tenant, idOf(4))).rejects.toThrow('would be larger')
    expect(await store.read()).toBe(text)
    expect(keys.find(tenant, idOf(4))).toHaveLength(32)
  })

  it('is refused when somebody took an entry off its list, or has another master key', async () => {
    const erasure = {
      erasureId: idOf(1),
      tenantId: tenant,
      kind: 'client',
      subjectId: idOf(2),
      clientId: idOf(2),
      askedAt: '2026-11-17T00:00:00.000Z',
    } as const
    const text = writeDocument({ ...newDocument(), erasures: [erasure] }, masterKeys)
    const changed = JSON.stringify({ ...(JSON.parse(text) as object), erasures: [] })
    await expect(readDocument(changed, 'it', masterKeys)).rejects.toThrow('was changed')
    const others = new MasterKeys(() => [Buffer.alloc(32, 8)])
    await expect(readDocument(text, 'it', others)).rejects.toThrow('not configured')
    await writeFile(join(folder, 'kept'), text)
    expect(
      (await readDocument(await readFile(join(folder, 'kept'), 'utf8'), 'it', masterKeys)).erasures,
    ).toEqual([erasure])
  })
})
