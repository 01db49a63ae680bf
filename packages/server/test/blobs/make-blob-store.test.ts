import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBlobStore } from '../../src/kernel/blobs/index.js'
import { readConfig } from '../../src/kernel/config.js'
import { startS3Server, type S3Server } from './s3-server.js'

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
    const store = makeBlobStore(readConfig({ CASENOTE_DATA_DIR: dataDir }), 'installation')
    await store.check()
    await store.put(name, Buffer.from('x'))
    expect((await readdir(join(dataDir, 'blobs'))).toSorted()).toEqual([tenantId, 'casenote-store'])
  })

  it("is refused where the folder is another installation's, and taken where nobody had said whose it is", async () => {
    const config = readConfig({ CASENOTE_DATA_DIR: dataDir })
    await expect(makeBlobStore(config, 'another').check()).rejects.toThrow('belongs to another installation')
    await writeFile(join(dataDir, 'blobs', 'casenote-store'), 'Parts of recordings, sealed.\n')
    await makeBlobStore(config, 'another').check()
    await expect(makeBlobStore(config, 'installation').check()).rejects.toThrow('another installation')
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
    const store = makeBlobStore(config, 'installation')
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
