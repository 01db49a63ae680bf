import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeBlob, createBlob, findBlob, readPart, sweepOrphans } from '../../src/kernel/blobs/index.js'
import { hash, listNames, makeBlobFixture, makeStore, readAll, type BlobFixture } from './blobs-fixture.js'

const program = fileURLToPath(new URL('write-parts.mjs', import.meta.url))
const kills = 20

let fixture: BlobFixture
let root: string
let closeStore: () => Promise<void>
let blobId: string

beforeAll(async () => {
  const made = await makeStore('folder')
  root = made.root ?? ''
  closeStore = made.close
  fixture = await makeBlobFixture('folder', made.store)
  blobId = await createBlob(fixture.parts, fixture.tenant, 'audio')
})
afterAll(async () => {
  await fixture.close()
  await closeStore()
})

/** As `write-parts.mjs` makes it. */
function makePart(number: number): Buffer {
  const seed = createHash('sha256').update(`${blobId}/${number}`).digest()
  return Buffer.alloc(20_000 + seed.readUInt16BE(0) * 8, seed)
}

/** Writes parts until it is killed, or to the end; gives the numbers that were acknowledged. */
function runWriter(first: number, last: number, killAfterMs: number | null): Promise<number[]> {
  const { database, masterKey, tenant } = fixture
  const order = {
    root,
    databaseUrl: database.databaseUrl,
    masterKey: masterKey.toString('hex'),
    blobId,
    first,
    last,
  }
  const child = spawn(process.execPath, [program, JSON.stringify({ ...order, ...tenant })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const isFirst = output === ''
    output += chunk.toString()
    if (isFirst && killAfterMs !== null) setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  })
  return new Promise((resolve) => {
    child.once('close', () =>
      resolve(
        output
          .trimEnd()
          .split('\n')
          .map(Number)
          .filter((number) => number > 0),
      ),
    )
  })
}

describe('a writer that is killed', () => {
  it(`at random ${kills} times loses nothing that it acknowledged, and nothing half-written is ever read`, async () => {
    const acknowledged = new Set<number>()
    // On a slow machine some rounds end before anything was acknowledged: others take their place.
    const isEnough = (): boolean => acknowledged.size > kills
    for (let round = 0; round < kills || (!isEnough() && round < kills * 5); round += 1) {
      // Begins again below what is there, as a resumed upload that does not know how far it came.
      const first = Math.max(1, acknowledged.size - 3)
      for (const number of await runWriter(first, 100_000, Math.random() * 250)) acknowledged.add(number)
      const { parts = [] } = (await findBlob(fixture.parts, fixture.tenant, blobId)) ?? {}
      const numbers = new Set(parts.map(({ partNumber }) => partNumber))
      for (const number of acknowledged) expect(numbers).toContain(number)
      for (const number of numbers) {
        const bytes = await readPart(fixture.parts, fixture.tenant, blobId, number)
        expect([number, hash(bytes)]).toEqual([number, hash(makePart(number))])
      }
    }
    expect(isEnough()).toBe(true)
    const last = Math.max(...acknowledged) + 2
    await runWriter(1, last, null)
    await completeBlob(fixture.parts, fixture.tenant, blobId)
    const whole = Buffer.concat(Array.from({ length: last }, (_, index) => makePart(index + 1)))
    expect(hash(await readAll(fixture, blobId))).toBe(hash(whole))
    await sweepOrphans(fixture.parts, Date.now() + 2 * 86_400_000)
    expect(await listNames(fixture)).toHaveLength(last)
    expect(hash(await readAll(fixture, blobId))).toBe(hash(whole))
  })

  it('left files and folders that only their owner can open', async () => {
    for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name))
      expect([entry.name, (mode & 0o777).toString(8)]).toEqual([
        entry.name,
        entry.isDirectory() ? '700' : '600',
      ])
    }
  })
})
