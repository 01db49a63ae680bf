import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from '../../src/kernel/db/database.js'
import { ClientKeys } from '../../src/kernel/key-store/client-keys.js'
import { makeFolderKeyStore } from '../../src/kernel/key-store/folder-key-store.js'
import {
  newDocument,
  writeDocument,
  type KeyStoreDocument,
} from '../../src/kernel/key-store/key-store-document.js'
import type { KeyStore } from '../../src/kernel/key-store/key-store.js'
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
