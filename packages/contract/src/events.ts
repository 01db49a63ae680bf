import type { ConsentMethod, ConsentRelation, ConsentState } from './consents.js'
import type { SessionFailure } from './session-failure.js'
import type { PlanStatus } from './treatment-plans.js'

/** Webhook events, exactly as contract part 6 writes them: `timeStamp` with a capital S. */
export const EVENT_TYPES = [
  'progress_note_generated',
  'progress_note_regenerated',
  'progress_note_finalized',
  'transcript_ready',
  'session_transcript_error',
  'mdm_elements_identified',
  'assessment_completed',
] as const

/** Sent only to endpoints that name them in `eventTypes`: who integrated with the seven never meets another. */
export const FURTHER_EVENT_TYPES = [
  'session_failed',
  'treatment_plan_changed',
  'consent_given',
  'consent_withdrawn',
] as const

export const ALL_EVENT_TYPES = [...EVENT_TYPES, ...FURTHER_EVENT_TYPES] as const
export type EventType = (typeof ALL_EVENT_TYPES)[number]

/** `sessionExternalId` is left out when none was given (ruling 8). */
export interface SessionEventPayload {
  sessionId: string
  sessionExternalId?: string
  clientId: string
  clinicianId: string
  clinicId: string
  organizationId: string
}

export interface ProgressNoteEventPayload extends SessionEventPayload {
  progressNoteId: string
  progressNoteUrl: string
  /** Deprecated duplicate of `organizationId`. */
  organization: string
}

/** Client-scoped: nothing of the common fields but the client, under its other name. */
export interface AssessmentCompletedPayload {
  patientId: string
  assessmentScores: { id: string; assessmentId: string; assessmentScoreUrl: string }[]
}

/** Client-scoped, too; ids and a state, and nothing that the plan says. */
export interface TreatmentPlanPayload {
  clientId: string
  treatmentPlanId: string
  version: number
  status: PlanStatus
  treatmentPlanUrl: string
}

/** Client-scoped, too; no names. */
export interface ConsentPayload {
  clientId: string
  consentId: string
  relation: ConsentRelation
  method: ConsentMethod
  /** What holds for the client from now on. */
  recordingConsent: ConsentState
  consentsUrl: string
}

interface Envelope<Type extends EventType, Payload> {
  eventType: Type
  timeStamp: string
  payload: Payload
}

export type WebhookEvent =
  | Envelope<'progress_note_generated', ProgressNoteEventPayload>
  | Envelope<'progress_note_regenerated', ProgressNoteEventPayload>
  | Envelope<'progress_note_finalized', ProgressNoteEventPayload>
  | Envelope<'transcript_ready', SessionEventPayload & { transcriptUrl: string }>
  | Envelope<'session_transcript_error', SessionEventPayload & { error: string; failure: SessionFailure }>
  | Envelope<'mdm_elements_identified', SessionEventPayload & { mdmId: string; mdmUrl: string }>
  | Envelope<'assessment_completed', AssessmentCompletedPayload>
  | Envelope<'session_failed', SessionEventPayload & { error: string; failure: SessionFailure }>
  | Envelope<'treatment_plan_changed', TreatmentPlanPayload>
  | Envelope<'consent_given', ConsentPayload>
  | Envelope<'consent_withdrawn', ConsentPayload>
