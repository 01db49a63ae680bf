import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBlobStore, makeFolderStore } from '../../src/kernel/blobs/index.js'
import { systemClock } from '../../src/kernel/clock.js'
import { readConfig } from '../../src/kernel/config.js'
import { waitUntil } from '../support/casenote-process.js'
import { startS3Server, type S3Server } from './s3-server.js'

/** Of the system, not of a package. */
const makePipes = '/usr/bin/mkfifo'

const tenantId = '00000000-0000-4000-8000-000000000001'
const name = `${tenantId}/${tenantId}/1-0123456789abcdef`

let server: S3Server
let dataDir: string
beforeAll(async () => {
  server = await startS3Server()
  dataDir = await mkdtemp(join(tmpdir(), 'casenote-choice-'))
})
afterAll(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true })
})

describe('the configured blob store', () => {
  it('is a folder below the data folder by default', async () => {
    const store = makeBlobStore(readConfig({ CASENOTE_DATA_DIR: dataDir }), 'installation', systemClock)
    await store.check()
    await store.put(name, Buffer.from('x'))
    expect((await readdir(join(dataDir, 'blobs'))).toSorted()).toEqual([tenantId, 'casenote-store'])
  })

  it("is refused where the folder is another installation's, and taken where nobody had said whose it is", async () => {
    const config = readConfig({ CASENOTE_DATA_DIR: dataDir })
    await expect(makeBlobStore(config, 'another', systemClock).check()).rejects.toThrow(
      'belongs to another installation',
    )
    await writeFile(join(dataDir, 'blobs', 'casenote-store'), 'Parts of recordings, sealed.\n')
    await makeBlobStore(config, 'another', systemClock).check()
    await expect(makeBlobStore(config, 'installation', systemClock).check()).rejects.toThrow(
      'another installation',
    )
  })

  it('a folder that hangs is away: told in time, refused at once then, and others have threads', async () => {
    const root = join(dataDir, 'hanging')
    const store = makeFolderStore(root, 'installation', { atOnceMost: 3, withinMs: 300 })
    await store.check()
    await store.put(name, Buffer.from('x'))
    const folder = join(root, tenantId, tenantId)
    const names = Array.from(
      { length: 3 },
      (_one, at) => `${tenantId}/${tenantId}/${at + 2}-0123456789abcdef`,
    )
    // Opening a pipe that nobody writes to waits in the system, as a file of a server that is gone.
    const pipes = names.map((one) => join(root, one))
    execFileSync(makePipes, pipes)
    try {
      const away = { code: 'blob_store_fault' }
      await Promise.all([...names, name].map((one) => expect(store.get(one)).rejects.toMatchObject(away)))
      await expect(store.put(names[0] ?? '', Buffer.from('y'))).rejects.toMatchObject(away)
      await expect(store.probe()).rejects.toMatchObject(away)
      expect((await promisify(gzip)(Buffer.from('others'))).length).toBeGreaterThan(0)
    } finally {
      // Whoever opens them to write lets the readers go.
      for (const pipe of pipes) closeSync(openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK))
    }
    await waitUntil(async () => (await store.get(name)).toString() === 'x', 'the folder answers again')
    await rm(folder, { recursive: true })
  })

  it('two roles of a process leave others a thread where the folder of both hangs', async () => {
    const root = join(dataDir, 'shared')
    const limits = { atOnceMost: 3, withinMs: 300 }
    const stores = [
      makeFolderStore(root, 'installation', limits),
      makeFolderStore(root, 'installation', limits),
    ]
    for (const store of stores) await store.check()
    await stores[0]?.put(name, Buffer.from('x'))
    const names = [2, 3, 4].map((part) => `${tenantId}/${tenantId}/${part}-0123456789abcdef`)
    const pipes = names.map((one) => join(root, one))
    execFileSync(makePipes, pipes)
    try {
      const away = { code: 'blob_store_fault' }
      const gets = stores.flatMap((store) => names.map((one) => store.get(one)))
      await Promise.all(gets.map((got) => expect(got).rejects.toMatchObject(away)))
      expect((await promisify(gzip)(Buffer.from('others'))).length).toBeGreaterThan(0)
    } finally {
      for (const pipe of pipes) closeSync(openSync(pipe, constants.O_RDWR))
    }
    for (const store of stores)
      await waitUntil(async () => (await store.get(name)).toString() === 'x', 'the folder answers again')
  })

  it('is the S3 store that the variables name', async () => {
    const { endpoint, bucket, credentials } = server
    const config = readConfig({
      CASENOTE_DATA_DIR: join(dataDir, 'unused'),
      CASENOTE_BLOB_STORE: 's3',
      CASENOTE_S3_ENDPOINT: endpoint,
      CASENOTE_S3_BUCKET: bucket,
      CASENOTE_S3_ACCESS_KEY_ID: credentials.accessKeyId,
      CASENOTE_S3_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    })
    const store = makeBlobStore(config, 'installation', systemClock)
    await store.check()
    await store.put(name, Buffer.from('x'))
    expect((await store.get(name)).toString()).toBe('x')
    await store.close()
    expect(await readdir(dataDir)).not.toContain('unused')
  })

  it('needs every one of them, and says which are missing', () => {
    const read = () => readConfig({ CASENOTE_BLOB_STORE: 's3', CASENOTE_S3_BUCKET: 'recordings' })
    for (const missing of ['ENDPOINT', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY']) {
      expect(read).toThrow(`CASENOTE_S3_${missing} must be set when CASENOTE_BLOB_STORE is s3`)
    }
    expect(read).not.toThrow('CASENOTE_S3_BUCKET')
  })
})
