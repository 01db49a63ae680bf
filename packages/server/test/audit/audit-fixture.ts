import { randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { systemClock } from '../../src/kernel/clock.js'
import { Database } from '../../src/kernel/db/database.js'
import { makeLog } from '../../src/kernel/log.js'
import { TenantKeyRing, type TenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../src/kernel/tenant.js'
import {
  ReadAudit,
  chainAudit,
  verifyAudit,
  type Anchors,
  type AuditEntry,
  type ChainReport,
  type VerifyReport,
} from '../../src/kernel/audit/index.js'
import { openSuperuser, makeTestDatabase } from '../support/test-database.js'

export interface AuditFixture {
  /** As the application. */
  db: Database
  /** As the operator. */
  owner: Database
  /** As someone with full access to the database. */
  intruder: pg.Client
  /** Takes a lock that the service will run into; call the result to let go of it. */
  obstruct(statement: string): Promise<() => Promise<void>>
  keys: TenantKeys
  addTenant(): Promise<TenantScope>
  addKeyVersion(tenant: TenantScope): void
  openDatabase(): Database
  openReadAudit(db?: Database): ReadAudit
  chain(options?: { writerId?: string; anchors?: Anchors | null; db?: Database }): Promise<ChainReport>
  verify(tenants: readonly TenantScope[], anchors?: Anchors | null): Promise<VerifyReport>
  tearDown(): Promise<void>
}

export async function makeAuditFixture(): Promise<AuditFixture> {
  const database = await makeTestDatabase()
  const opened: Database[] = []
  const obstacles: pg.Client[] = []
  const open = (url: string): Database => {
    const db = new Database({ url, poolSize: 8, applicationName: 'audit test', onConnectionError: () => {} })
    opened.push(db)
    return db
  }
  const db = open(database.databaseUrl)
  const owner = open(database.migrateUrl)
  const intruder = await openSuperuser(database)

  const auditKeys = new Map<
    string,
    { purpose: 'audit'; version: number; bytes: Buffer; isRetired: boolean }[]
  >()
  const rings = new Map<string, TenantKeyRing>()
  const addKeyVersion = ({ tenantId }: TenantScope): void => {
    const known = auditKeys.get(tenantId) ?? []
    known.push({ purpose: 'audit', version: known.length + 1, bytes: randomBytes(32), isRetired: false })
    auditKeys.set(tenantId, known)
    rings.set(tenantId, new TenantKeyRing(tenantId, known))
  }
  const keys: TenantKeys = {
    get: async ({ tenantId }) => rings.get(tenantId) ?? new TenantKeyRing(tenantId, []),
  }
  const workerId = randomUUID()

  return {
    db,
    owner,
    intruder,
    obstruct: async (statement) => {
      const client = await openSuperuser(database)
      obstacles.push(client)
      await client.query('begin')
      await client.query(statement)
      return () => client.end()
    },
    keys,
    addKeyVersion,
    addTenant: async () => {
      const tenantId = randomUUID()
      await owner.throughDoor({
        text: `insert into casenote.tenants (tenant_id, name, environment, client_id, embedding_origins)
          values ($1, 'Audited', 'production', 'client', '{}')`,
        values: [tenantId],
      })
      addKeyVersion({ tenantId })
      return { tenantId }
    },
    openDatabase: () => open(database.databaseUrl),
    openReadAudit: (on = db) =>
      new ReadAudit({ db: on, keys, clock: systemClock, log: makeLog('silent', 'test') }),
    chain: ({ writerId = workerId, anchors = null, db: on = db } = {}) =>
      chainAudit({ db: on, keys, clock: systemClock, writerId, anchors }),
    verify: (tenants, anchors = null) =>
      verifyAudit({
        db: owner,
        keys,
        anchors,
        tenantIds: tenants.map(({ tenantId }) => tenantId),
        onProgress: () => {},
      }),
    tearDown: async () => {
      await Promise.all(obstacles.map((client) => client.end()))
      await Promise.all(opened.map((each) => each.end()))
      await intruder.end()
      await database.drop()
    },
  }
}

export const aRead = (subjects: readonly string[] = [randomUUID()]): AuditEntry => ({
  operation: 'client.get',
  actor: { kind: 'partner', id: null },
  requestId: randomUUID(),
  subjects,
})

export const aChange = (subjects: readonly string[] = [randomUUID()]): AuditEntry => ({
  operation: 'progressNote.finalize',
  actor: { kind: 'clinician', id: randomUUID() },
  requestId: randomUUID(),
  subjects,
})

/** Findings of all tenants, as one list of sentences: what a failed expectation should print. */
export const listMessages = ({ tenants }: VerifyReport): string[] =>
  tenants.flatMap(({ findings }) => findings.map(({ message }) => message))

/** Resolves when a backend of the service waits for a lock, with its process id. */
export async function findBlockedBackend(intruder: pg.Client): Promise<number> {
  for (;;) {
    const { rows } = await intruder.query<{ pid: number }>(
      `select pid from pg_stat_activity
        where datname = current_database() and application_name = 'audit test' and wait_event_type = 'Lock'`,
    )
    if (rows[0] !== undefined) return rows[0].pid
  }
}

/** As a crash would: the server rolls back, the service sees its connection end. */
export async function killBlockedBackend(intruder: pg.Client): Promise<void> {
  await intruder.query('select pg_terminate_backend($1)', [await findBlockedBackend(intruder)])
}
