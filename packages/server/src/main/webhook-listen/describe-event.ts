import { ALL_EVENT_TYPES } from '@casenote/contract'
import type { Forwarded } from './forward-request.js'
import type { Received } from './open-receiver.js'
import type { SignatureCheck } from './verify-signature.js'

/** What is told of one request, in this order; `--json` prints it as it is. */
export interface DescribedEvent {
  type: 'event'
  at: string
  /** Null: none that we know. */
  eventType: string | null
  webhookId: string | null
  signature: SignatureCheck
  /** How often this `webhook-id` came, this time included; more than once is `again`. */
  timesSeen: number
  ids: Record<string, string | string[]>
  /** Null: the sender had hung up by then. */
  answered: number | null
  /** Null: not forwarded. */
  forwarded: { status: number | null; error: string | null; durationMs: number } | null
  body?: string
}

/** Ids of ours. `sessionExternalId` is not among them: what a partner writes there may be of a person. */
const idFields = [
  'sessionId',
  'clientId',
  'patientId',
  'clinicianId',
  'clinicId',
  'organizationId',
  'progressNoteId',
  'mdmId',
] as const

/** Anybody may post here: only what looks like an id reaches the terminal. */
const idPattern = /^[0-9a-f-]{36}$/i

export function describeEvent({
  received: { at, headers, body },
  signature,
  timesSeen,
  answered,
  forwarded,
  isBodyShown,
}: {
  received: Received
  signature: SignatureCheck
  timesSeen: number
  answered: number | null
  forwarded: Forwarded | null
  isBodyShown: boolean
}): DescribedEvent {
  const envelope = parseEnvelope(body)
  const webhookId = headers['webhook-id']
  return {
    type: 'event',
    at: at.toISOString(),
    eventType: ALL_EVENT_TYPES.find((known) => known === envelope.eventType) ?? null,
    webhookId: typeof webhookId === 'string' && idPattern.test(webhookId) ? webhookId : null,
    signature,
    timesSeen,
    ids: pickIds(envelope.payload),
    answered,
    forwarded:
      forwarded === null
        ? null
        : { status: forwarded.status, error: forwarded.error, durationMs: forwarded.durationMs },
    ...(isBodyShown ? { body: body.toString() } : {}),
  }
}

function parseEnvelope(body: Buffer): { eventType?: unknown; payload: Record<string, unknown> } {
  try {
    const { eventType, payload } = JSON.parse(body.toString()) as Record<string, unknown>
    const isObject = typeof payload === 'object' && payload !== null
    return { eventType, payload: isObject ? (payload as Record<string, unknown>) : {} }
  } catch {
    return { payload: {} }
  }
}

function pickIds(payload: Record<string, unknown>): Record<string, string | string[]> {
  const ids: Record<string, string | string[]> = {}
  for (const name of idFields) {
    const value = payload[name]
    if (isIdText(value)) ids[name] = value
  }
  const { assessmentScores: scores } = payload
  if (Array.isArray(scores)) {
    ids.assessmentScores = scores.map((score: { id?: unknown } | null) => score?.id).filter(isIdText)
  }
  return ids
}

const isIdText = (value: unknown): value is string => typeof value === 'string' && idPattern.test(value)
