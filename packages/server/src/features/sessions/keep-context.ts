import {
  changeContext,
  noContext,
  type ContextField,
  type KnownContext,
  type SessionContextChange,
} from '@casenote/contract'
import type { Database, Tx } from '../../kernel/db/database.js'
import type { ClientId, SessionId } from '../../kernel/ids.js'
import { sealJson, unsealJson, type JsonPlace } from '../../kernel/secrets/sealed-json.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import {
  deleteContext,
  selectContext,
  upsertContext,
  type SessionContextRow,
} from './session-contexts.sql.js'

const contextPlace = (sessionId: SessionId): JsonPlace<KnownContext> => ({
  table: 'session_contexts',
  row: sessionId,
  column: 'sealed_context',
})

/**
 * What the partner gives takes the place of what was known; the rest stays. The session is locked, or new. `leftOut`: what a new one does
 * without, because it was refused.
 */
export async function keepContext(
  tx: Tx,
  ring: TenantKeyRing,
  {
    sessionId,
    given,
    leftOut = [],
  }: { sessionId: SessionId; given: SessionContextChange; leftOut?: readonly ContextField[] },
): Promise<KnownContext> {
  const context = changeContext(await readContext(tx, ring, sessionId), given)
  const sealedContext = sealJson(ring, contextPlace(sessionId), context)
  const givenFields = Object.keys(given)
  await tx.run(upsertContext(tx.tenant, sessionId, { sealedContext, givenFields, leftOut }))
  return context
}

/** `noContext` where nothing was given. Background alone: what stands only here was not said. */
export async function findContext(
  db: Database,
  ring: TenantKeyRing,
  sessionId: SessionId,
): Promise<{ context: KnownContext; updatedAt: Date | null }> {
  const tenant = { tenantId: ring.tenantId }
  const [row] = await db.read(tenant, selectContext(tenant, sessionId))
  return { context: open(ring, sessionId, row), updatedAt: row?.updatedAt ?? null }
}

/** What is known beside a session, as `findContext` gives it, within a change. */
export async function readContext(tx: Tx, ring: TenantKeyRing, sessionId: SessionId): Promise<KnownContext> {
  const [row] = await tx.run(selectContext(tx.tenant, sessionId))
  return open(ring, sessionId, row)
}

/** A session that takes a recording over takes it, too, unless it is another client's: of whom nothing is known then. */
export async function moveContext(
  tx: Tx,
  ring: TenantKeyRing,
  {
    from,
    to,
  }: { from: { sessionId: SessionId; clientId: ClientId }; to: { sessionId: SessionId; clientId: ClientId } },
): Promise<void> {
  if (from.clientId === to.clientId) {
    const [row] = await tx.run(selectContext(tx.tenant, from.sessionId))
    if (row === undefined) return
    await keepContext(tx, ring.forClient(to.clientId), {
      sessionId: to.sessionId,
      given: await readContext(tx, ring, from.sessionId),
      leftOut: row.leftOut,
    })
  }
  await forgetContext(tx, from.sessionId)
}

export const forgetContext = (tx: Tx, sessionId: SessionId): Promise<unknown> =>
  tx.run(deleteContext(tx.tenant, sessionId))

const open = (
  ring: TenantKeyRing,
  sessionId: SessionId,
  row: Pick<SessionContextRow, 'sealedContext'> | undefined,
): KnownContext =>
  row === undefined
    ? noContext
    : { ...noContext, ...unsealJson(ring, contextPlace(sessionId), row.sealedContext) }
