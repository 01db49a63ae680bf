import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../src/kernel/clock.js'
import type { Database } from '../../src/kernel/db/database.js'
import { ClientKeys } from '../../src/kernel/key-store/client-keys.js'
import { makeFolderKeyStore } from '../../src/kernel/key-store/folder-key-store.js'
import {
  newDocument,
  writeDocument,
  type KeyStoreDocument,
} from '../../src/kernel/key-store/key-store-document.js'
import type { KeyStore } from '../../src/kernel/key-store/key-store.js'
import { openKeyStore } from '../../src/kernel/key-store/open-key-store.js'
import { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'

const tenantId = '11111111-1111-4111-8111-111111111111'
const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const listed = (number: number) =>
  ({
    erasureId: idOf(number),
    tenantId,
    kind: 'client',
    subjectId: idOf(number),
    clientId: idOf(number),
    askedAt: '2026-11-17T00:00:00.000Z',
    withSignedNotes: true,
  }) as const

/** Some seven megabytes. */
const erasedCount = 2_000

const masterKeys = new MasterKeys(() => [Buffer.alloc(32, 7)])
/** One process: nobody else waits for the lock. */
const db = {
  write: (_tenant: unknown, work: (tx: unknown) => unknown) => work({ run: async () => [] }),
} as unknown as Database

let folder: string
let store: KeyStore
let reads = 0
let begun: KeyStoreDocument
let keys: ClientKeys

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'casenote-store-'))
  const inFolder = makeFolderKeyStore(folder)
  store = {
    ...inFolder,
    read: async () => {
      reads += 1
      return inFolder.read()
    },
  }
  begun = newDocument()
  let { tree } = begun
  for (let number = 0; number < erasedCount; number += 1) tree = tree.without(tenantId, idOf(number))
  const erasures = Array.from({ length: erasedCount }, (_, number) => listed(number))
  await store.write(writeDocument({ ...begun, tree, erasures }, masterKeys))
  keys = new ClientKeys(store, masterKeys, begun)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a key store of thousands of erased clients', () => {
  it('is read in a thread and in turns, and gives what is written in it', async () => {
    const prepareNext = async () => {
      keys = new ClientKeys(store, masterKeys, begun)
    }
    expect(await findDelayMs(loopDelayMaxMs, () => keys.refresh(), prepareNext)).toBeLessThan(loopDelayMaxMs)
    expect(keys.erasures).toHaveLength(erasedCount)
    expect(keys.erasures.at(-1)).toEqual(listed(erasedCount - 1))
    expect(keys.find(tenantId, idOf(0))).toBeNull()
    expect(keys.find(tenantId, idOf(erasedCount - 1))).toBeNull()
    expect(keys.find(tenantId, idOf(erasedCount))).toEqual(begun.tree.find(tenantId, idOf(erasedCount)))
    expect(keys.fullness).toBeGreaterThan(0.01)
  })

  it('is not read again while it is the same file', async () => {
    const known = keys.erasures
    reads = 0
    await keys.refresh()
    expect(reads).toBe(0)
    // Written anew by somebody, with nothing else in it.
    await store.write((await store.read()) as Buffer)
    await keys.refresh()
    expect(keys.erasures).toBe(known)
  })

  it('is written in a thread, too, by whoever erases one more', async () => {
    let number = erasedCount
    const erase = async () => {
      await keys.list(db, listed(number))
      await keys.finish(db, [idOf(number)])
      await keys.destroy(db, tenantId, idOf(number))
    }
    const prepareNext = async () => void (number += 1)
    expect(await findDelayMs(loopDelayMaxMs, erase, prepareNext)).toBeLessThan(loopDelayMaxMs)
    expect(keys.find(tenantId, idOf(number))).toBeNull()
    const next = begun.tree.find(tenantId, idOf(number + 1))
    expect(keys.find(tenantId, idOf(number + 1))).toEqual(next)
    // As another process reads it.
    const other = new ClientKeys(store, masterKeys, begun)
    await other.refresh()
    expect(other.erasures.at(-1)).toEqual({ ...listed(number), isDone: true })
    expect(other.find(tenantId, idOf(number))).toBeNull()
    expect(other.find(tenantId, idOf(number + 1))).toEqual(next)
  })

  it('that two looks were at, the slower one of before a change, is as it was changed', async () => {
    const number = erasedCount + 100
    const look = keys.refresh()
    await keys.destroy(db, tenantId, idOf(number))
    await look
    expect(keys.find(tenantId, idOf(number))).toBeNull()
  })
})

/** Keeps one object, in a thread: what a store far away does costs this one nothing. */
const storeSource = `
  const { createServer } = require('node:http')
  const { parentPort } = require('node:worker_threads')
  let kept = Buffer.alloc(0)
  createServer(async (request, response) => {
    const pieces = []
    for await (const piece of request) pieces.push(piece)
    if (request.method === 'PUT') kept = Buffer.concat(pieces)
    response.end(request.method === 'GET' ? kept : '')
  }).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port) })
`

describe('a key store of sixty-four megabytes', () => {
  const document = randomBytes(64 * 1024 * 1024)

  async function takesTurns(config: Parameters<typeof openKeyStore>[0]): Promise<void> {
    const far = openKeyStore(config, systemClock)
    if (far === null) throw new Error('a key store is configured')
    const act = async () => {
      await far.write(document)
      expect((await far.read())?.equals(document)).toBe(true)
    }
    expect(await findDelayMs(loopDelayMaxMs, act)).toBeLessThan(loopDelayMaxMs)
  }

  it('in a bucket is hashed once, sent and read in turns', async () => {
    const worker = new Worker(storeSource, { eval: true })
    const [port] = (await once(worker, 'message')) as [number]
    try {
      const credentials = { region: 'us-east-1', accessKeyId: 'id', secretAccessKey: 'secret' }
      const place = { endpoint: `http://127.0.0.1:${port}`, bucket: 'recordings', isPathStyle: true }
      await takesTurns({ keyStore: { kind: 's3', bucket: 'keys' }, s3: { ...credentials, ...place } })
    } finally {
      await worker.terminate()
    }
  })

  it('behind a command is read in turns', async () => {
    const file = join(folder, 'far.json')
    const script = `case "$1" in read) cat '${file}' ;; write) cat > '${file}' ;; esac`
    const words = ['sh', '-c', script, 'sh'] as const
    await takesTurns({ keyStore: { kind: 'command', words, env: { PATH: process.env['PATH'] } }, s3: null })
  })
})
