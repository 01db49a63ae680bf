import {
  ErasureDenied,
  insertErasure,
  runErasure,
  selectErasure,
  selectSubject,
  takeOverErasure,
  whileLeased,
} from '../../features/erasure/index.js'
import { recordChange } from '../../kernel/audit/index.js'
import type { BlobStore } from '../../kernel/blobs/index.js'
import type { Clock } from '../../kernel/clock.js'
import type { Config } from '../../kernel/config.js'
import type { Database } from '../../kernel/db/database.js'
import type { TenantId } from '../../kernel/ids.js'
import { readClientKeys } from '../../kernel/key-store/index.js'
import { operator } from '../../kernel/operator.js'
import type { ClientKeySource, ListedErasure } from '../../kernel/secrets/client-key-source.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import { readTenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { Manifest } from '../backup/manifest.js'
import { lockApplying } from './erasure.sql.js'
import { makeErasureParts } from './finish-erasures.js'

/**
 * Before anything of a backup is touched. A backup of an installation with a key store needs that one, with all that was on its list
 * then; what came on it since is why it is needed. Null: the backup is of before there was one, and there is none here.
 */
export async function requireKeyStore(
  config: Config,
  masterKeys: MasterKeys,
  { keyStore: needed = null }: Pick<Manifest, 'keyStore'>,
  clock: Clock,
): Promise<ClientKeySource | null> {
  const found = await readClientKeys(config, masterKeys, clock)
  if (needed === null) return found
  const where = 'CASENOTE_KEY_STORE, else the folder key-store in the data folder'
  if (found === null)
    throw new Error(
      `this backup needs key store ${needed.id}, and there is none (${where}): without its keys nothing of a client opens, and ` +
        'without its list the backup would bring back people who were erased since. Bring it back from its own copy',
    )
  if (found.storeId !== needed.id)
    throw new Error(`this backup needs key store ${needed.id}, and another one is there (${where})`)
  if (found.erasures.length < needed.erasures)
    throw new Error(
      `the list of key store ${needed.id} has ${found.erasures.length} erasures, and had ${needed.erasures} when the backup was made: ` +
        'it is an older copy. Bring back a newer one',
    )
  return found
}

/** What is still there of what is on the list. */
export type RefusedErasure = Pick<ListedErasure, 'erasureId' | 'tenantId' | 'kind' | 'subjectId'>

export interface Applied {
  applied: number
  /** What is signed or held in this database, and of which nobody can say that it had been carried out. */
  refused: RefusedErasure[]
  /** Another process is at them. */
  left: number
}

/**
 * What was erased since the database was as it is goes again, before anybody can see it. Wherever it is killed, the next run goes on.
 * `isAlone`: no other process uses the database, as in a restore; else an erasure is leased, as by a worker.
 */
export async function applyErasures(
  { db, masterKeys, store }: { db: Database; masterKeys: MasterKeys; store: BlobStore | null },
  clientKeys: ClientKeySource,
  { isAlone } = { isAlone: true },
): Promise<Applied> {
  const keys = { get: (tenant: { tenantId: TenantId }) => readTenantKeys(db, masterKeys, tenant) }
  const parts = makeErasureParts({ db, keys, clientKeys, store, isApplying: true })
  const refused = new Set(
    clientKeys.erasures.flatMap(({ erasureId, isRefused }) => (isRefused === true ? [erasureId] : [])),
  )
  const done: Applied = { applied: 0, refused: [], left: 0 }
  for (const listed of clientKeys.erasures) {
    const { tenantId, erasureId, kind, subjectId } = listed
    const isRefused = refused.has(erasureId)
    const isDone = !isRefused && wasCarriedOut(clientKeys, listed)
    if (!(await isToBeApplied(db, listed, { isRefused, isDone }))) continue
    const tenant = { tenantId }
    const run = () => runErasure(parts, tenant, erasureId)
    try {
      const ran = isAlone ? await run() : await whileLeased(db, { tenant, erasureId }, run)
      // Alone, null is what is only looked at.
      if (ran === null && !isAlone) done.left += 1
      else done.applied += 1
    } catch (error) {
      if (!(error instanceof ErasureDenied)) throw error
      // It was refused then, and is under way in the backup: so it is here.
      if (!isRefused) done.refused.push({ erasureId, tenantId, kind, subjectId })
    }
  }
  return { ...done, refused: await findStillThere(db, done.refused) }
}

/**
 * Whatever this database says is signed or held: it was not any more when its rows went. An entry that does not say so may be of an erasure
 * that was killed before it could be refused, or of an earlier version.
 */
const wasCarriedOut = (clientKeys: ClientKeySource, { tenantId, clientId, isDone }: ListedErasure): boolean =>
  isDone === true || clientKeys.find(tenantId, clientId) === null

/** A later entry may have taken it along. */
async function findStillThere(db: Database, refused: readonly RefusedErasure[]): Promise<RefusedErasure[]> {
  const there: RefusedErasure[] = []
  for (const one of refused) {
    const tenant = { tenantId: one.tenantId }
    const [subject] = await db.read(tenant, selectSubject(tenant, one.kind, one.subjectId))
    if (subject !== undefined) there.push(one)
  }
  return there
}

/** Not one that was done before the backup, nor of what the backup does not know, nor one that was refused. */
async function isToBeApplied(
  db: Database,
  listed: ListedErasure,
  { isRefused, isDone }: { isRefused: boolean; isDone: boolean },
): Promise<boolean> {
  const tenant = { tenantId: listed.tenantId }
  const [known] = await db.read(tenant, selectErasure(tenant, listed.erasureId))
  if (known !== undefined) {
    if (known.status === 'deleting' && isDone)
      await db.write(tenant, (tx) => tx.run(takeOverErasure(tenant, listed.erasureId)))
    return known.status === 'deleting'
  }
  if (isRefused) return false
  const [subject] = await db.read(tenant, selectSubject(tenant, listed.kind, listed.subjectId))
  if (subject === undefined) return false
  const { erasureId, kind, subjectId, askedId = null, clientId } = listed
  await db.write(tenant, async (tx) => {
    // Somebody may have called the command twice.
    await tx.run(lockApplying(erasureId))
    if ((await tx.run(selectErasure(tenant, erasureId))).length > 0) return
    // Entries of before do not say: what was signed was judged when it was asked for; a draft is never signed.
    const withSignedNotes = isDone || (listed.withSignedNotes ?? kind !== 'draft')
    await tx.run(
      insertErasure(tenant, {
        erasureId,
        kind,
        subjectId,
        askedId,
        clientId,
        askedBy: 'restore',
        withSignedNotes,
        wasCarriedOut: isDone,
      }),
    )
    await recordChange(tx, {
      ...operator,
      operation: 'erasure.apply',
      subjects: [...new Set([erasureId, subjectId, clientId])],
    })
  })
  return true
}
