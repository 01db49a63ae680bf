export { Casenote, type WaitOptions } from './casenote.js'
export {
  ApiError,
  CasenoteError,
  ConnectionError,
  GatewayError,
  NoteUnchangedError,
  NotReadyError,
  PartnerApiError,
  SessionFailedError,
  TimeoutError,
} from './errors.js'
export {
  dedupeKeys,
  EVENT_TYPES,
  FURTHER_EVENT_TYPES,
  isUnknownEvent,
  type AssessmentCompletedPayload,
  type EventType,
  type ProgressNoteEventPayload,
  type SessionEventPayload,
  type UnknownEvent,
  type WebhookEvent,
} from './events.js'
export type { HeadersLike } from './headers.js'
export type * from './generated/resources.js'
export type * from './generated/types.js'
export { Pages, type ListOptions, type Page } from './pages.js'
export { headersOf, type CasenoteOptions, type RequestOptions } from './transport.js'
export { verifyWebhook, WebhookVerificationError, type VerifyOptions } from './verify-webhook.js'
