import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe } from 'vitest'
import { createPartner, newPartnerSecrets } from '../../src/features/partners/index.js'
import {
  makeFolderStore,
  makeS3Store,
  openBlob,
  type BlobParts,
  type BlobStore,
} from '../../src/kernel/blobs/index.js'
import { Database } from '../../src/kernel/db/database.js'
import { insertInstallation } from '../../src/kernel/secrets/installation.sql.js'
import { MasterKeys } from '../../src/kernel/secrets/master-keys.js'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../src/kernel/tenant.js'
import { makeTestDatabase, type TestDatabase } from '../support/test-database.js'
import { startS3Server } from './s3-server.js'

export interface BlobFixture {
  kind: StoreKind
  database: TestDatabase
  owner: Database
  masterKey: Buffer
  masterKeys: MasterKeys
  parts: BlobParts
  tenant: TenantScope
  other: TenantScope
  close(): Promise<void>
}

export type StoreKind = 'folder' | 's3'

/** A store of this kind on its real server, and what its objects can be tampered with. */
export async function makeStore(
  kind: StoreKind,
): Promise<{ store: BlobStore; root: string | null; close: () => Promise<void> }> {
  if (kind === 'folder') {
    const root = await mkdtemp(join(tmpdir(), 'casenote-blobs-'))
    return {
      store: makeFolderStore(root, 'installation'),
      root,
      close: () => rm(root, { recursive: true, force: true }),
    }
  }
  const server = await startS3Server()
  const { endpoint, bucket, credentials } = server
  const store = makeS3Store({ endpoint, bucket, ...credentials, isPathStyle: true, prefix: 'installation-a' })
  const close = async (): Promise<void> => {
    await store.close()
    await server.stop()
  }
  return { store, root: null, close }
}

export async function makeBlobFixture(kind: StoreKind, store: BlobStore): Promise<BlobFixture> {
  const database = await makeTestDatabase()
  const open = (url: string): Database =>
    new Database({ url, poolSize: 8, applicationName: 'test', onConnectionError: () => {} })
  const db = open(database.databaseUrl)
  const owner = open(database.migrateUrl)
  const masterKey = randomBytes(32)
  const masterKeys = new MasterKeys(() => [masterKey])
  await owner.throughDoor(insertInstallation(masterKeys.currentId))
  const addTenant = async (): Promise<TenantScope> => {
    const secrets = newPartnerSecrets()
    await createPartner(
      owner,
      masterKeys,
      { ...secrets, name: 'Test', environment: 'sandbox' },
      async () => {},
    )
    return { tenantId: secrets.partnerId }
  }
  const keys = { get: (tenant: TenantScope) => readTenantKeys(db, masterKeys, tenant) }
  return {
    kind,
    database,
    owner,
    masterKey,
    masterKeys,
    parts: { db, keys, store, keepDays: 7, endedDays: 7 },
    tenant: await addTenant(),
    other: await addTenant(),
    close: async () => {
      await db.end()
      await owner.end()
      await database.drop()
    },
  }
}

export const hash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** One suite for both stores: what holds in one must hold in the other. */
export function describeStores(suite: (use: () => BlobFixture) => void): void {
  describe.each(['folder', 's3'] as const)('in the %s store', (kind) => {
    let fixture: BlobFixture
    let closeStore: () => Promise<void>
    beforeAll(async () => {
      const { store, close } = await makeStore(kind)
      closeStore = close
      fixture = await makeBlobFixture(kind, store)
    })
    afterAll(async () => {
      await fixture.close()
      await closeStore()
    })
    suite(() => fixture)
  })
}

export async function listNames({ parts }: BlobFixture, containing = ''): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of parts.store.list()) if (name.includes(containing)) names.push(name)
  return names.toSorted()
}

export const readAll = async (
  { parts, tenant }: BlobFixture,
  blobId: string,
  fromByte = 0,
): Promise<Buffer> => buffer(await openBlob(parts, tenant, blobId, fromByte))

/** Around the application, as the owner. */
export const asOwner = (
  { owner, tenant }: BlobFixture,
  text: string,
  ...values: unknown[]
): Promise<Record<string, unknown>[]> =>
  owner.write(tenant, (tx) => tx.run({ text, values: [tenant.tenantId, ...values] }))
