import { setTimeout as wait } from 'node:timers/promises'
import { recordChange } from '../../kernel/audit/index.js'
import { deleteBlob, type BlobStore } from '../../kernel/blobs/index.js'
import type { Database } from '../../kernel/db/database.js'
import type { ClientId, ErasureId } from '../../kernel/ids.js'
import type { ClientKeySource } from '../../kernel/secrets/client-key-source.js'
import type { TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  eraseRows,
  finishErasure,
  refuseErasure,
  refuseErasureAsRestore,
  selectErasure,
  selectEventsAbout,
  selectHold,
  selectLeftBlobs,
  selectNow,
  selectSessionsOfClient,
  selectSubject,
  type ErasureRow,
  type EventsFound,
} from './erasure.sql.js'
import { isLockedElsewhere } from './locked-elsewhere.js'
import { signReceipt, type Receipt } from './receipt.js'
import { ErasureDenied, type Denial } from './request-erasure.js'

export interface ErasureParts {
  db: Database
  keys: TenantKeys
  clientKeys: ClientKeySource
  /** Null: the bytes of recordings stay, and so does the erasure under way. For a backup that is only looked at. */
  store: BlobStore | null
  /** It carries out the list, as a restore does. */
  isApplying: boolean
  /** What else must be sealed for its own client before this client's key goes. */
  freeOthers: (tenant: TenantScope, clientId: ClientId) => Promise<void>
}

/** Asked between two steps, each of which is safe to do again: whether somebody else's erasure is to be gone on with now. */
export type IsTurnOver = () => boolean

/** It is not done, and goes on from here when it is run again. */
export class ErasureTurnOver extends Error {
  constructor() {
    super('an erasure is gone on with in its next turn')
    this.name = 'ErasureTurnOver'
  }
}

/** Sessions of one look: each is a transaction. */
const sessionsMost = 100

/** Somebody who goes on recording adds sessions behind us; the last step locks the client, and ends that. */
const looksMax = 1_000

/**
 * On the list, rows, bytes, key or a word on the list, receipt, in this order, each safe to do again: wherever it is killed, a second run ends the same, and
 * two at once end with one receipt. Null: nothing more than the rows, for a store that must stay as it is. Throws `ErasureDenied` where
 * something was signed or held since it was asked for, and `ErasureTurnOver` where its turn is over before it is.
 */
export async function runErasure(
  parts: ErasureParts,
  tenant: TenantScope,
  erasureId: ErasureId,
  isTurnOver: IsTurnOver = () => false,
): Promise<Receipt | null> {
  const { db, keys, clientKeys, store } = parts
  const asked = await getErasure(db, tenant, erasureId)
  if (asked.status !== 'deleting') return readEnd(asked)
  await requireAllowed(parts, tenant, asked, await judge(db, tenant, asked))
  const { kind, subjectId, askedId, clientId, askedAt, withSignedNotes } = asked
  await clientKeys.list(db, {
    erasureId,
    tenantId: tenant.tenantId,
    kind,
    subjectId,
    ...(askedId === null || askedId === subjectId ? {} : { askedId }),
    clientId,
    askedAt: askedAt.toISOString(),
    withSignedNotes,
  })
  // A run that was killed while it refused. No restore would carry it out: so it does not go on here either.
  const isRefused = clientKeys.erasures.some((one) => one.erasureId === erasureId && one.isRefused === true)
  await requireAllowed(parts, tenant, asked, isRefused ? 'refused' : null)
  await requireAllowed(parts, tenant, asked, await deleteRows(db, tenant, asked, isTurnOver))
  const row = await getErasure(db, tenant, erasureId)
  if (row.status !== 'deleting') return readEnd(row)
  if (store === null) return null
  for (const { blobId } of await db.read(tenant, selectLeftBlobs(tenant, row.blobIds))) {
    await deleteBlob({ db, store }, tenant, blobId, 'requested')
    requireTurn(isTurnOver)
  }
  if (kind === 'client') {
    await parts.freeOthers(tenant, clientId)
    await clientKeys.destroy(db, tenant.tenantId, clientId)
  } else {
    await clientKeys.finish(db, [erasureId])
  }
  const ring = await keys.get(tenant)
  await db.write(tenant, async (tx) => {
    const [clock] = await tx.run(selectNow())
    const doneAt = clock?.now ?? new Date()
    const receipt = signReceipt(ring, row, { doneAt, isKeyDestroyed: kind === 'client' })
    const [finished] = await tx.run(
      finishErasure(tenant, { erasureId, doneAt, receipt: JSON.stringify(receipt) }),
    )
    if (finished === undefined) return
    const actor = { kind: 'system', id: null } as const
    const subjects = [...new Set([erasureId, subjectId, clientId, ...row.blobIds])]
    await recordChange(tx, { operation: 'erasure.finish', actor, requestId: null, subjects })
  })
  // Another process may have been faster: there is one receipt.
  return readEnd(await getErasure(db, tenant, erasureId))
}

function readEnd({ receipt }: ErasureRow): Receipt {
  if (receipt === null) throw new ErasureDenied('refused')
  return JSON.parse(receipt) as Receipt
}

/** Before it is on the list, from which nothing is taken. The rows are judged once more when they go, and locked. */
async function judge(db: Database, tenant: TenantScope, asked: ErasureRow): Promise<Denial | null> {
  const [subjects, holds] = await db.read(
    tenant,
    selectSubject(tenant, asked.kind, asked.subjectId),
    selectHold(tenant, asked.clientId),
  )
  if (!asked.wasCarriedOut && holds?.[0] !== undefined) return 'legal_hold'
  const subject = subjects?.[0]
  return subject?.isSigned === true && !asked.withSignedNotes ? 'signed' : null
}

async function requireAllowed(
  { db, clientKeys, store, isApplying }: ErasureParts,
  tenant: TenantScope,
  { erasureId, subjectId, clientId, askedBy }: ErasureRow,
  denial: Denial | null,
): Promise<void> {
  if (denial === null) return
  await db.write(tenant, async (tx) => {
    const isRestore = askedBy === 'restore' || isApplying
    const refuse = isApplying ? refuseErasureAsRestore : refuseErasure
    const [refused] = await tx.run(refuse(tenant, erasureId))
    if (refused === undefined) return
    // While the row is locked: nobody finishes it meanwhile. What a restore cannot apply may have been done, with a receipt; a backup that
    // is only looked at says nothing of today.
    if (!isRestore && store !== null) await clientKeys.refuse(db, erasureId)
    const actor = { kind: 'system', id: null } as const
    const subjects = [...new Set([erasureId, subjectId, clientId])]
    await recordChange(tx, { operation: 'erasure.refuse', actor, requestId: null, subjects })
  })
  throw new ErasureDenied(denial)
}

function requireTurn(isTurnOver: IsTurnOver): void {
  if (isTurnOver()) throw new ErasureTurnOver()
}

async function deleteRows(
  db: Database,
  tenant: TenantScope,
  asked: ErasureRow,
  isTurnOver: IsTurnOver,
): Promise<Denial | null> {
  const { erasureId, kind, subjectId, hasBegun } = asked
  // A turn that comes after the last row went does not read all of the tenant's events once more.
  const isGone = async (): Promise<boolean> =>
    (await db.read(tenant, selectSubject(tenant, kind, subjectId))).length === 0
  if (kind === 'client' && hasBegun && (await isGone())) return null
  const denial = kind === 'client' ? await deleteSessions(db, tenant, asked, isTurnOver) : null
  if (denial !== null) return denial
  const [found] =
    kind === 'client' || kind === 'session' ? await db.read(tenant, selectEventsAbout(tenant, subjectId)) : []
  return deleteBelow(db, tenant, { erasureId, root: kind, subjectId }, found)
}

/** How often somebody else may have what is to go, and how long apart: some ten seconds, then the next run of the worker goes on. */
const lockTriesMax = 20
const lockPauseMs = 200

/** `erase_rows` gives up what it has rather than wait for a job that is being ended. */
async function withPatience<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (!isLockedElsewhere(error) || tries === lockTriesMax) throw error
      await wait(lockPauseMs)
    }
  }
}

async function deleteBelow(
  db: Database,
  tenant: TenantScope,
  of: Parameters<typeof eraseRows>[1],
  found: EventsFound | null = null,
): Promise<Denial | null> {
  const [row] = await withPatience(() => db.write(tenant, (tx) => tx.run(eraseRows(tenant, of, found))))
  const denial = row?.denial ?? null
  return denial === 'over' ? null : denial
}

/** One by one: a client of years has more rows than one transaction should hold. */
async function deleteSessions(
  db: Database,
  tenant: TenantScope,
  { erasureId, clientId }: ErasureRow,
  isTurnOver: IsTurnOver,
): Promise<Denial | null> {
  for (let look = 0; look < looksMax; look += 1) {
    const sessions = await db.read(tenant, selectSessionsOfClient(tenant, clientId, sessionsMost))
    if (sessions.length === 0) return null
    for (const { sessionId } of sessions) {
      const denial = await deleteBelow(db, tenant, { erasureId, root: 'session', subjectId: sessionId })
      if (denial !== null) return denial
      requireTurn(isTurnOver)
    }
  }
  return null
}

async function getErasure(db: Database, tenant: TenantScope, erasureId: ErasureId): Promise<ErasureRow> {
  const [row] = await db.read(tenant, selectErasure(tenant, erasureId))
  if (row === undefined) throw new Error('an erasure does not exist')
  return row
}
