import type { EventType, WebhookEvent } from '@casenote/contract'
import type { Tx } from '../db/database.js'
import { newId } from '../ids.js'
import { insertEvent } from './outbox.sql.js'

export interface NewEvent<Type extends EventType> {
  eventType: Type
  payload: Extract<WebhookEvent, { eventType: Type }>['payload']
  /** Where there must be only one such event ever, what of: `transcript_ready/SESSION`. A second one is dropped. */
  onceKey?: string
  nowMs: number
}

/** Records an event in the transaction of the change that it tells of: both are committed, or neither is. */
export async function recordEvent<Type extends EventType>(tx: Tx, event: NewEvent<Type>): Promise<void> {
  const { eventType, payload, onceKey = null, nowMs } = event
  const envelope = { eventType, timeStamp: new Date(nowMs).toISOString(), payload }
  const body = Buffer.from(JSON.stringify(envelope))
  await tx.run(insertEvent(tx.tenant, { eventId: newId(), eventType, onceKey, body }))
  tx.announce('casenote_webhooks')
}
