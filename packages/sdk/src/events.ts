import type { SessionFailure } from './generated/types.js'
import { findHeader, type HeadersLike } from './headers.js'

/** The events that every endpoint gets unless it names others. */
export const EVENT_TYPES = [
  'progress_note_generated',
  'progress_note_regenerated',
  'progress_note_finalized',
  'transcript_ready',
  'session_transcript_error',
  'mdm_elements_identified',
  'assessment_completed',
] as const

/** Sent only to endpoints that name them in `eventTypes`. */
export const FURTHER_EVENT_TYPES = [
  'session_failed',
  'treatment_plan_changed',
  'consent_given',
  'consent_withdrawn',
] as const

export type EventType = (typeof EVENT_TYPES | typeof FURTHER_EVENT_TYPES)[number]

export interface SessionEventPayload {
  sessionId: string
  /** Yours; absent if you gave none. */
  sessionExternalId?: string
  clientId: string
  clinicianId: string
  clinicId: string
  organizationId: string
}

export interface ProgressNoteEventPayload extends SessionEventPayload {
  progressNoteId: string
  progressNoteUrl: string
  /** @deprecated The same as `organizationId`. */
  organization: string
}

/** About a client, not about a session. */
export interface AssessmentCompletedPayload {
  /** The client's id. */
  patientId: string
  assessmentScores: { id: string; assessmentId: string; assessmentScoreUrl: string }[]
}

/** About a client, not about a session. */
export interface TreatmentPlanChangedPayload {
  clientId: string
  treatmentPlanId: string
  version: number
  status: 'draft' | 'active' | 'ended'
  treatmentPlanUrl: string
}

/** About a client, not about a session. */
export interface ConsentPayload {
  clientId: string
  consentId: string
  relation: 'self' | 'guardian' | 'participant'
  method: 'signed_on_page' | 'signed_in_room' | 'by_word'
  /** What holds for the client from now on. */
  recordingConsent: 'given' | 'withdrawn' | 'none'
  consentsUrl: string
}

interface Envelope<Type extends EventType, Payload> {
  eventType: Type
  /** ISO 8601. */
  timeStamp: string
  payload: Payload
}

/** `switch (event.eventType)` narrows the payload. Others may come one day: `isUnknownEvent` tells, and they are answered 2xx. */
export type WebhookEvent =
  | Envelope<'progress_note_generated', ProgressNoteEventPayload>
  | Envelope<'progress_note_regenerated', ProgressNoteEventPayload>
  | Envelope<'progress_note_finalized', ProgressNoteEventPayload>
  | Envelope<'transcript_ready', SessionEventPayload & { transcriptUrl: string }>
  | Envelope<'session_transcript_error', SessionEventPayload & { error: string; failure: SessionFailure }>
  | Envelope<'mdm_elements_identified', SessionEventPayload & { mdmId: string; mdmUrl: string }>
  | Envelope<'assessment_completed', AssessmentCompletedPayload>
  | Envelope<'session_failed', SessionEventPayload & { error: string; failure: SessionFailure }>
  | Envelope<'treatment_plan_changed', TreatmentPlanChangedPayload>
  | Envelope<'consent_given', ConsentPayload>
  | Envelope<'consent_withdrawn', ConsentPayload>

/** An event that this version of the SDK does not know. Not a part of `WebhookEvent`: a type that is any text would undo its narrowing. */
export interface UnknownEvent {
  eventType: string
  timeStamp: string
  payload: Record<string, unknown>
}

const knownEventTypes: ReadonlySet<string> = new Set([...EVENT_TYPES, ...FURTHER_EVENT_TYPES])

export const isUnknownEvent = (event: WebhookEvent | UnknownEvent): event is UnknownEvent =>
  !knownEventTypes.has(event.eventType)

/**
 * What to remember of an event, so that it is not worked on twice: it may come again. One key, or one for each score. By what
 * an unknown event is told apart nobody knows: its key is the `webhook-id` of the headers, and without them it has none.
 */
export function dedupeKeys(event: WebhookEvent | UnknownEvent, headers?: HeadersLike): string[] {
  const found = isUnknownEvent(event) ? [] : readIds(event.payload)
  const webhookId = headers === undefined ? null : findHeader(headers, 'webhook-id')
  const ids = found.length > 0 || webhookId === null ? found : [webhookId]
  return ids.map((id) => `${event.eventType} ${id}`)
}

/** Optional all of them: what was sent is what it is, whatever the types say. */
interface Identified {
  progressNoteId?: string
  sessionId?: string
  assessmentScores?: { id: string }[]
  treatmentPlanId?: string
  version?: number
  status?: string
  consentId?: string
}

function readIds(payload: Identified = {}): string[] {
  const { assessmentScores, progressNoteId, sessionId, treatmentPlanId, version, status, consentId } = payload
  if (Array.isArray(assessmentScores)) return assessmentScores.map(({ id }) => id)
  if (treatmentPlanId !== undefined) return [`${treatmentPlanId}/${version}/${status}`]
  const id = progressNoteId ?? sessionId ?? consentId
  return id === undefined ? [] : [id]
}
