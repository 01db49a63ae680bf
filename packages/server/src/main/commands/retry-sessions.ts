import { findNoteOfSession } from '../../features/progress-notes/index.js'
import { listFailedSince, NoRetry, retrySession } from '../../features/sessions/index.js'
import { retryPartsOf } from '../../features/widget/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import { selectDirectoryVersion } from '../../kernel/directory-version.sql.js'
import type { SessionId } from '../../kernel/ids.js'
import { operator } from '../../kernel/operator.js'
import { Refusal } from '../../kernel/refuse.js'
import { readTenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { keepUnfinalizedDays } from '../open-blobs.js'
import type { OperatorSession } from './operator-session.js'

/** Sessions of one call: a few days of a large installation. Who has more calls again, for what was retried is passed over. */
const retriedMost = 10_000

export interface Retry {
  sessionId: SessionId
  /** Null: there is none, for this reason. */
  retryId: string | null
  reason: string | null
}

/** One transaction each: what can be retried is, whatever becomes of the others. */
export async function retryFailedSince(session: OperatorSession, since: Date): Promise<Retry[]> {
  const retries: Retry[] = []
  const failed = await session.owner.throughDoor(listFailedSince(since, retriedMost))
  for (const { tenantId, sessionId } of failed) retries.push(await retryOne(session, { tenantId }, sessionId))
  return retries
}

export async function retryOne(
  session: OperatorSession,
  tenant: TenantScope,
  sessionId: SessionId,
  language?: string,
): Promise<Retry> {
  const { owner, masterKeys, config } = session
  const ring = await readTenantKeys(owner, masterKeys, tenant)
  const note = await findNoteOfSession(owner, tenant, sessionId)
  // This machine may be anybody's, with any clock.
  const [clock] = await owner.throughDoor(selectDirectoryVersion())
  if (clock === undefined) throw new Error('the database does not tell its time')
  const context: ChangeContext = {
    ...operator,
    ring,
    publicUrl: config.publicUrl,
    nowMs: Math.floor(clock.nowMs),
  }
  try {
    const retryId = await owner.write(tenant, (tx) =>
      retrySession(tx, context, {
        ...retryPartsOf(ring, { sessionId, note, keepDays: keepUnfinalizedDays }),
        ...(language === undefined ? {} : { language }),
      }),
    )
    return { sessionId, retryId, reason: null }
  } catch (error) {
    if (error instanceof NoRetry || error instanceof Refusal)
      return { sessionId, retryId: null, reason: error.message }
    throw error
  }
}
