import type { DeliveryStatus, SessionFailure, SessionStatus } from '@casenote/contract'

/** What `/console/api` answers: ids, states, counts and times; no names and no text of sessions. */
export interface Me {
  kind: 'operator' | 'partner'
  userName: string
  tenantId: string | null
  tenants: Tenant[]
  hasPasskey: boolean
  hasPassword: boolean
}

export interface Tenant {
  id: string
  kind: 'production' | 'sandbox'
  isSuspended: boolean
}

export interface TenantRow extends Tenant {
  createdAt: string
  storedBytes: number
}

export interface ClinicRow {
  id: string
  organizationId: string
  clinicians: number
  createdAt: string
}

export interface ClinicianRow {
  id: string
  clinicId: string
  active: boolean
  sessions: number
  createdAt: string
}

export interface Listed<Row> {
  data: Row[]
  next: string | null
}

export interface Overview {
  sessionsByStatus: Partial<Record<SessionStatus, number>>
  oldestWaitingAt: string | null
  deliveriesByStatus: Partial<Record<DeliveryStatus, number>>
  requests: { last24h: number; errors4xx: number; errors5xx: number }
  failing: { endpointId: string; since: string }[]
}

export interface SessionRow {
  id: string
  status: SessionStatus
  createdAt: string
  updatedAt: string
  clinicianId: string
  clientId: string
  organizationId: string
  noteId: string | null
  failure: SessionFailure | null
  retryOf: string | null
  progress: number | null
}

export interface Step {
  name: string
  state: string
  attempts: number
  startedAt: string | null
  endedAt: string | null
}

export interface SessionDetail extends SessionRow {
  steps: Step[]
  history: { at: string; status: SessionStatus }[]
}

export interface Endpoint {
  id: string
  host: string
  isActive: boolean
  isPaused: boolean
  eventTypes: string[]
  digestHeader: string | null
  createdAt: string
  pending: number
  failed24h: number
}

export interface DeliveryRow {
  id: string
  eventId: string
  eventType: string
  endpointId: string
  status: DeliveryStatus
  createdAt: string
  nextAttemptAt: string | null
  attempts: number
}

export interface DeliveryDetail extends DeliveryRow {
  tries: { at: string; status: number | null; fault: string | null; latencyMs: number | null }[]
}

export interface LoggedRequest {
  at: string
  requestId: string
  /** Null: this version has no such operation any more. */
  method: string | null
  /** The route's template: ids stand in `ids`. */
  path: string | null
  operation: string
  status: number
  code: string | null
  latencyMs: number
  ids: { kind: string; id: string }[]
}

/** Webhooks are signed with the client secret. */
export type KeyKind = 'api_key' | 'client_secret' | 'token_key' | 'data_key'

export interface KeyRow {
  id: string
  kind: KeyKind
  createdAt: string
  endsAt: string | null
  endedAt: string | null
}

export interface Limit {
  name: string
  limit: number
  window: string | null
  used: number | null
}

export interface UsageDay {
  day: string
  requests: number
  errors: number
  /** Refused by a limit. */
  limited: number
  /** Null, here and below: not all of that day was looked at, or it was not written down yet. */
  sessions: number | null
  audioMinutes: number | null
  deliveries: number | null
  storedBytes: number | null
}

export interface Rates {
  ratePerSecond: number
  burst: number
  perDay: number
  /** Null: not all calls of that minute were looked at. */
  minutes: { at: string; requests: number | null; limited: number | null }[]
}

export interface Passkey {
  id: string
  origin: string
  createdAt: string
  usedAt: string | null
}

/** Ids, states and counts, whichever the service tells. */
export type Facts = Record<string, unknown>

export interface AuditRow {
  at: string
  who: string
  what: string
  outcome: string
  from: string | null
  records: string[]
  requestId: string | null
}

export interface HealthReport {
  processes: Process[]
  failing: string[]
  engines: Engine[]
  queue: QueuedKind[]
  deliveries: Facts
  database: Facts
  blobs: Facts
}

export interface Process {
  role: string
  /** Null, as the lag: of a version that does not tell. */
  version: string | null
  lagMs: number | null
  seenAt: string
  isSilent: boolean
}

export interface Engine {
  name: string
  chosen: string
  lastUsed: string | null
  answeredAt: string | null
  gaveUpAt: string | null
  waitingForIt: number
}

export interface QueuedKind {
  kind: string
  due: number
  running: number
  later: number
  away: number
  oldestDueMs: number | null
}

export interface OperatorRefusal {
  at: string
  userName: string | null
  isLock: boolean
}
