import type { FinishedSitting } from '@casenote/contract'
import type { ChangeSource } from '../../kernel/audit/index.js'
import type { SittingId } from '../../kernel/ids.js'
import type { Log } from '../../kernel/log.js'
import { tryEach, type PassOptions } from '../../kernel/try-each.js'
import { selectOutstanding } from './assignments.sql.js'
import type { ClientPagesParts } from './client-pages-parts.js'
import { finishSitting, type FinishContext } from './finish-sitting.js'
import type { Opening } from './opening.js'
import { listDueSittings, lockDueSitting, lockSitting, postponeSitting } from './sittings.sql.js'

type EndingParts = Omit<ClientPagesParts, 'reads'>

/** The client sends what they answered. A second time there is no sitting left, and nothing happens. */
export async function sendAnswers(
  parts: EndingParts,
  { tenant, clientId }: Opening,
  { actor, requestId }: ChangeSource,
): Promise<FinishedSitting> {
  const context = await openContext(parts, tenant, actor, requestId)
  return parts.db.write(tenant, async (tx) => {
    const [sitting] = await tx.run(lockSitting(tenant, clientId))
    if (sitting !== undefined) return finishSitting(tx, context, sitting)
    return { remaining: (await tx.run(selectOutstanding(tenant, clientId))).length }
  })
}

/**
 * For a worker: ends the sittings in which nothing was answered for half an hour, so that no score waits for a client who
 * closed the page before the last button. Gives how many it ended.
 */
export async function endDueSittings(
  parts: EndingParts & { log: Log },
  most: number,
  { list = listDueSittings, signal }: PassOptions & { list?: typeof listDueSittings } = {},
): Promise<number> {
  const due = await parts.db.throughDoor(list(most))
  let ended = 0
  const end = async ({ tenantId, sittingId }: (typeof due)[number]): Promise<void> => {
    try {
      ended += await endDueSitting(parts, { tenantId }, sittingId)
    } catch (error) {
      parts.log.error({ tenantId, sittingId, err: error }, 'a sitting could not be ended')
      const tenant = { tenantId }
      await parts.db.writeAtOnce(tenant, postponeSitting(tenant, sittingId))
    }
  }
  await tryEach(due, end, { signal })
  return ended
}

async function endDueSitting(
  parts: EndingParts,
  tenant: Opening['tenant'],
  sittingId: SittingId,
): Promise<number> {
  const context = await openContext(parts, tenant, { kind: 'system', id: null }, null)
  return parts.db.write(tenant, async (tx) => {
    const [sitting] = await tx.run(lockDueSitting(tenant, sittingId))
    if (sitting === undefined) return 0
    await finishSitting(tx, context, sitting)
    return 1
  })
}

const openContext = async (
  { keys, clock, publicUrl, instruments }: EndingParts,
  tenant: Opening['tenant'],
  actor: FinishContext['actor'],
  requestId: string | null,
): Promise<FinishContext> => ({
  ring: await keys.get(tenant),
  catalogue: await instruments.get(),
  publicUrl,
  nowMs: clock.nowMs(),
  actor,
  requestId,
})
