import type { SessionFailure } from './generated/types.js'

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
export type EventType = (typeof EVENT_TYPES)[number]

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

/** Of a client, and of nothing else. */
export interface AssessmentCompletedPayload {
  /** The client's id. */
  patientId: string
  assessmentScores: { id: string; assessmentId: string; assessmentScoreUrl: string }[]
}

interface Envelope<Type extends EventType, Payload> {
  eventType: Type
  /** ISO 8601. */
  timeStamp: string
  payload: Payload
}

/** `switch (event.eventType)` narrows the payload. Types that are not here may come: ignore those you do not know. */
export type WebhookEvent =
  | Envelope<'progress_note_generated', ProgressNoteEventPayload>
  | Envelope<'progress_note_regenerated', ProgressNoteEventPayload>
  | Envelope<'progress_note_finalized', ProgressNoteEventPayload>
  | Envelope<'transcript_ready', SessionEventPayload & { transcriptUrl: string }>
  | Envelope<'session_transcript_error', SessionEventPayload & { error: string; failure: SessionFailure }>
  | Envelope<'mdm_elements_identified', SessionEventPayload & { mdmId: string; mdmUrl: string }>
  | Envelope<'assessment_completed', AssessmentCompletedPayload>

/** What to remember of an event, so that it is not worked on twice: it may come again. One key, or one for each score. */
export function dedupeKeys({ eventType, payload }: WebhookEvent): string[] {
  const ids =
    'assessmentScores' in payload
      ? payload.assessmentScores.map(({ id }) => id)
      : ['progressNoteId' in payload ? payload.progressNoteId : payload.sessionId]
  return ids.map((id) => `${eventType} ${id}`)
}
