import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readDocument, newDocument, writeDocument } from '../../src/kernel/key-store/key-store-document.js'
import { systemClock } from '../../src/kernel/clock.js'
import type { Database } from '../../src/kernel/db/database.js'
import { ClientKeys } from '../../src/kernel/key-store/client-keys.js'
import { makeCommandKeyStore } from '../../src/kernel/key-store/command-key-store.js'
import { makeFolderKeyStore } from '../../src/kernel/key-store/folder-key-store.js'
import type { KeyStore } from '../../src/kernel/key-store/key-store.js'
import { openKeyStore } from '../../src/kernel/key-store/open-key-store.js'
import { ClientKeyTree } from '../../src/kernel/secrets/client-key-tree.js'
import { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import { seal, unseal } from '../../src/kernel/secrets/sealing.js'
import { startS3Server, type S3Server } from '../blobs/s3-server.js'

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
  let server: S3Server
  const masterKeys = new MasterKeys(() => [Buffer.alloc(32, 7)])
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'casenote-store-'))
    server = await startS3Server()
  })
  afterAll(async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const inBucket = (changes: object = {}) => {
    const { endpoint, bucket, credentials } = server
    const s3 = {
      endpoint,
      bucket: 'recordings-are-elsewhere',
      ...credentials,
      isPathStyle: true,
      retryDelayMs: 1,
    }
    const setting = { kind: 's3', bucket } as const
    return openKeyStore({ keyStore: setting, s3: { ...s3, ...changes } }, systemClock) as KeyStore
  }

  it.each(['a folder', 'a command', 'a bucket'])(
    '%s gives back what was written, and nothing before',
    async (kind) => {
      const script = join(folder, 'store.sh')
      await writeFile(
        script,
        `if [ "$1" = read ]; then cat "${folder}/of-command" 2>/dev/null || true; else cat > "${folder}/of-command"; fi\n`,
      )
      const stores: Record<string, () => KeyStore> = {
        'a folder': () => makeFolderKeyStore(join(folder, 'new')),
        'a command': () =>
          makeCommandKeyStore({ words: ['/bin/sh', script], env: { PATH: process.env.PATH } }),
        'a bucket': () => inBucket(),
      }
      const store = stores[kind]?.() as KeyStore
      expect(await store.read()).toBeNull()
      const document = newDocument()
      await store.write(writeDocument(document, masterKeys))
      const read = await readDocument((await store.read()) as Buffer, store.name, masterKeys)
      expect(read).toMatchObject({ storeId: document.storeId, erasures: [] })
      expect(read.tree.find(tenant, idOf(3))).toEqual(document.tree.find(tenant, idOf(3)))
    },
  )

  it('of a bucket, one process destroys a key and another sees it', async () => {
    const [one, two] = [inBucket(), inBucket()]
    const document = newDocument()
    await one.write(writeDocument(document, masterKeys))
    const db = { write: (_tenant: unknown, work: (tx: unknown) => unknown) => work({ run: async () => [] }) }
    const first = new ClientKeys(one, masterKeys, document)
    const second = new ClientKeys(two, masterKeys, document)
    await first.destroy(db as unknown as Database, tenant, idOf(5))
    expect(second.find(tenant, idOf(5))).toHaveLength(32)
    await second.refresh()
    expect(second.find(tenant, idOf(5))).toBeNull()
    expect(second.find(tenant, idOf(6))).toEqual(document.tree.find(tenant, idOf(6)))
  })

  it('a bucket that is not there, or lets nobody in, is no empty one', async () => {
    const { endpoint, credentials } = server
    const s3 = { endpoint, bucket: 'none', ...credentials, isPathStyle: true }
    const elsewhere = openKeyStore(
      { keyStore: { kind: 's3', bucket: 'not-there' }, s3 },
      systemClock,
    ) as KeyStore
    await expect(elsewhere.read()).rejects.toThrow('NoSuchBucket')
    await expect(inBucket({ secretAccessKey: 'wrong' }).read()).rejects.toThrow('403')
    await expect(inBucket({ secretAccessKey: 'wrong' }).write(Buffer.from('x'))).rejects.toThrow('403')
  })

  it('a command that fails, or is none, is no empty one', async () => {
    const env = { PATH: process.env.PATH }
    const failing = makeCommandKeyStore({ words: ['/bin/sh', '-c', 'echo secret; exit 3'], env })
    await expect(failing.read()).rejects.toThrow('which was to read, ended with 3')
    await expect(failing.write(Buffer.from('x'))).rejects.toThrow('which was to write, ended with 3')
    const none = makeCommandKeyStore({ words: ['/not/there'], env })
    await expect(none.read()).rejects.toThrow('cannot be run (ENOENT)')
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
    expect(await store.read()).toEqual(text)
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
    const changed = Buffer.from(JSON.stringify({ ...(JSON.parse(text.toString()) as object), erasures: [] }))
    await expect(readDocument(changed, 'it', masterKeys)).rejects.toThrow('was changed')
    const others = new MasterKeys(() => [Buffer.alloc(32, 8)])
    await expect(readDocument(text, 'it', others)).rejects.toThrow('not configured')
    await writeFile(join(folder, 'kept'), text)
    expect((await readDocument(await readFile(join(folder, 'kept')), 'it', masterKeys)).erasures).toEqual([
      erasure,
    ])
  })
})
