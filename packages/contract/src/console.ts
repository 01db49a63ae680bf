import { Type, type Static, type TSchema } from 'typebox'
import { ALL_EVENT_TYPES } from './events.js'
import { Id, Nullable, oneOf, Timestamp } from './fields.js'
import { RequestLog } from './request-logs.js'
import { SESSION_STATUSES, type SessionStatus } from './sessions.js'
import { SessionFailure } from './session-failure.js'
import { DELIVERY_STATUSES, type DeliveryStatus } from './webhooks.js'

/**
 * What the service answers to its own console: ids, states, counts and times; no names and no text of sessions. Unpublished, one
 * version at both ends.
 */

const Count = Type.Integer({ minimum: 0 })

/** `YYYY-MM-DD`, of UTC. */
const Day = Type.String()

const ListOf = <Row extends TSchema>(row: Row) =>
  Type.Object({
    data: Type.Array(row),
    /** The cursor of the next page; null: there is none. */
    next: Nullable(Type.String()),
  })

export interface ConsoleList<Row> {
  data: Row[]
  next: string | null
}

/** How many there are of each status; one of which there is none may be left out. */
const countsOf = <const Status extends string>(statuses: readonly Status[]) =>
  Type.Unsafe<Partial<Record<Status, number>>>(
    Type.Object(Object.fromEntries(statuses.map((status) => [status, Type.Optional(Count)]))),
  )

const tenantFields = {
  id: Id,
  kind: oneOf(['production', 'sandbox']),
  isSuspended: Type.Boolean(),
}

export const ConsoleMe = Type.Object({
  kind: oneOf(['operator', 'partner']),
  userName: Type.String(),
  /** Null: an operator, who is of none. */
  tenantId: Nullable(Id),
  tenants: Type.Array(Type.Object(tenantFields)),
  hasPasskey: Type.Boolean(),
  hasPassword: Type.Boolean(),
})
export type ConsoleMe = Static<typeof ConsoleMe>

/** Whose link was opened. */
export const ConsoleLinkOpened = Type.Object({ userName: Type.String() })
export type ConsoleLinkOpened = Static<typeof ConsoleLinkOpened>

/** For the app on somebody's phone that makes the codes. */
export const ConsoleAuthenticatorKey = Type.Object({ secret: Type.String(), otpauthUri: Type.String() })
export type ConsoleAuthenticatorKey = Static<typeof ConsoleAuthenticatorKey>

const Credentials = Type.Array(Type.Object({ type: Type.Literal('public-key'), id: Type.String() }))

/** What the browser makes a passkey by: `PublicKeyCredentialCreationOptionsJSON` of WebAuthn Level 3. */
export const ConsolePasskeyOffer = Type.Object({
  challenge: Type.String(),
  rp: Type.Object({ id: Type.String(), name: Type.String() }),
  user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
  timeout: Type.Integer(),
  attestation: oneOf(['none']),
  authenticatorSelection: Type.Object({
    residentKey: oneOf(['required']),
    requireResidentKey: Type.Boolean(),
    userVerification: oneOf(['required']),
  }),
  excludeCredentials: Credentials,
})
export type ConsolePasskeyOffer = Static<typeof ConsolePasskeyOffer>

/** What it is asked for one by: `PublicKeyCredentialRequestOptionsJSON`. */
export const ConsolePasskeyQuestion = Type.Object({
  challenge: Type.String(),
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: oneOf(['required']),
  allowCredentials: Credentials,
})
export type ConsolePasskeyQuestion = Static<typeof ConsolePasskeyQuestion>

export const ConsolePasskey = Type.Object({
  id: Type.String(),
  /** Where it signs in. */
  origin: Type.String(),
  createdAt: Timestamp,
  usedAt: Nullable(Timestamp),
})
export type ConsolePasskey = Static<typeof ConsolePasskey>
export const ConsolePasskeys = ListOf(ConsolePasskey)

export const ConsoleTenant = Type.Object({ ...tenantFields, createdAt: Timestamp, storedBytes: Count })
export type ConsoleTenant = Static<typeof ConsoleTenant>
export const ConsoleTenants = ListOf(ConsoleTenant)

export const ConsoleClinic = Type.Object({
  id: Id,
  organizationId: Id,
  clinicians: Count,
  createdAt: Timestamp,
})
export type ConsoleClinic = Static<typeof ConsoleClinic>
export const ConsoleClinics = ListOf(ConsoleClinic)

export const ConsoleClinician = Type.Object({
  id: Id,
  clinicId: Id,
  active: Type.Boolean(),
  sessions: Count,
  createdAt: Timestamp,
})
export type ConsoleClinician = Static<typeof ConsoleClinician>
export const ConsoleClinicians = ListOf(ConsoleClinician)

export const ConsoleOverview = Type.Object({
  sessionsByStatus: countsOf<SessionStatus>(SESSION_STATUSES),
  oldestWaitingAt: Nullable(Timestamp),
  deliveriesByStatus: countsOf<DeliveryStatus>(DELIVERY_STATUSES),
  requests: Type.Object({ last24h: Count, errors4xx: Count, errors5xx: Count }),
  failing: Type.Array(Type.Object({ endpointId: Id, since: Timestamp })),
})
export type ConsoleOverview = Static<typeof ConsoleOverview>

export const ConsoleSession = Type.Object({
  id: Id,
  status: oneOf(SESSION_STATUSES),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  clinicianId: Id,
  clientId: Id,
  organizationId: Id,
  noteId: Nullable(Id),
  failure: Nullable(SessionFailure),
  retryOf: Nullable(Id),
  progress: Type.Number(),
})
export type ConsoleSession = Static<typeof ConsoleSession>
export const ConsoleSessions = ListOf(ConsoleSession)

export const ConsoleSessionCourse = Type.Object({
  ...ConsoleSession.properties,
  steps: Type.Array(
    Type.Object({
      name: Type.String(),
      state: Type.String(),
      attempts: Count,
      startedAt: Nullable(Timestamp),
      endedAt: Nullable(Timestamp),
    }),
  ),
  history: Type.Array(Type.Object({ at: Timestamp, status: oneOf(SESSION_STATUSES) })),
})
export type ConsoleSessionCourse = Static<typeof ConsoleSessionCourse>

/** The session that a failed one became. */
export const ConsoleRetried = Type.Object({ id: Id })
export type ConsoleRetried = Static<typeof ConsoleRetried>

export const ConsoleEndpoint = Type.Object({
  id: Id,
  /** The rest of the URL may hold a secret. */
  host: Type.String(),
  isActive: Type.Boolean(),
  isPaused: Type.Boolean(),
  failingSince: Nullable(Timestamp),
  eventTypes: Type.Array(oneOf(ALL_EVENT_TYPES)),
  digestHeader: Nullable(Type.String()),
  createdAt: Timestamp,
  pending: Count,
  failed24h: Count,
})
export type ConsoleEndpoint = Static<typeof ConsoleEndpoint>
export const ConsoleEndpoints = ListOf(ConsoleEndpoint)

/** How many deliveries are sent once more. */
export const ConsoleRecovered = Type.Object({ count: Count })
export type ConsoleRecovered = Static<typeof ConsoleRecovered>

export const ConsoleDelivery = Type.Object({
  id: Id,
  eventId: Id,
  eventType: oneOf(ALL_EVENT_TYPES),
  endpointId: Id,
  status: oneOf(DELIVERY_STATUSES),
  createdAt: Timestamp,
  nextAttemptAt: Nullable(Timestamp),
  attempts: Count,
})
export type ConsoleDelivery = Static<typeof ConsoleDelivery>
export const ConsoleDeliveries = ListOf(ConsoleDelivery)

export const ConsoleDeliveryTries = Type.Object({
  ...ConsoleDelivery.properties,
  /** The status, or why there was none. */
  tries: Type.Array(
    Type.Object({
      at: Timestamp,
      status: Nullable(Type.Integer()),
      fault: Nullable(Type.String()),
      latencyMs: Nullable(Type.Number()),
    }),
  ),
})
export type ConsoleDeliveryTries = Static<typeof ConsoleDeliveryTries>

export const ConsoleRequestLogs = ListOf(RequestLog)

/** Webhooks are signed with the client secret. */
export const KEY_KINDS = ['api_key', 'client_secret', 'token_key', 'data_key'] as const
export type KeyKind = (typeof KEY_KINDS)[number]

export const ConsoleKey = Type.Object({
  id: Type.String(),
  kind: oneOf(KEY_KINDS),
  createdAt: Timestamp,
  endsAt: Nullable(Timestamp),
  endedAt: Nullable(Timestamp),
})
export type ConsoleKey = Static<typeof ConsoleKey>

export const ConsoleKeys = Type.Object({ keys: Type.Array(ConsoleKey) })
export type ConsoleKeys = Static<typeof ConsoleKeys>

/** Null: nobody outside needs it. */
export const ConsoleRotated = Type.Object({ secret: Nullable(Type.String()) })
export type ConsoleRotated = Static<typeof ConsoleRotated>

export const ConsoleLimit = Type.Object({
  name: Type.String(),
  limit: Type.Number(),
  window: Nullable(Type.String()),
  used: Nullable(Type.Number()),
})
export type ConsoleLimit = Static<typeof ConsoleLimit>
export const ConsoleLimits = Type.Array(ConsoleLimit)

export const ConsoleUsageDay = Type.Object({
  day: Day,
  requests: Count,
  errors: Count,
  /** Refused by a limit. */
  limited: Count,
  /** Null, here and below: not all of that day was looked at, or it was not written down yet. */
  sessions: Nullable(Count),
  audioMinutes: Nullable(Count),
  deliveries: Nullable(Count),
  storedBytes: Nullable(Count),
})
export type ConsoleUsageDay = Static<typeof ConsoleUsageDay>

export const ConsoleUsage = Type.Object({ days: Type.Array(ConsoleUsageDay) })
export type ConsoleUsage = Static<typeof ConsoleUsage>

export const ConsoleRates = Type.Object({
  ratePerSecond: Type.Number(),
  burst: Type.Number(),
  perDay: Type.Number(),
  /** Null: not all calls of that minute were looked at. */
  minutes: Type.Array(Type.Object({ at: Timestamp, requests: Nullable(Count), limited: Nullable(Count) })),
})
export type ConsoleRates = Static<typeof ConsoleRates>

/** One entry of the audit log in words and ids, as `casenote audit report` writes it. */
export const ConsoleAuditEntry = Type.Object({
  at: Timestamp,
  who: Type.String(),
  kind: Type.String(),
  id: Nullable(Type.String()),
  as: Nullable(Type.String()),
  what: Type.String(),
  operation: Type.String(),
  outcome: Type.String(),
  status: Nullable(Type.Integer()),
  count: Type.Integer(),
  from: Nullable(Type.String()),
  records: Type.Array(Type.String()),
  requestId: Nullable(Type.String()),
  isChained: Type.Boolean(),
})
export type ConsoleAuditEntry = Static<typeof ConsoleAuditEntry>
export const ConsoleAudit = ListOf(ConsoleAuditEntry)

export const ConsoleProcess = Type.Object({
  role: Type.String(),
  /** Null, as the lag: of a version that does not tell. */
  version: Nullable(Type.String()),
  lagMs: Nullable(Type.Number()),
  seenAt: Timestamp,
  isSilent: Type.Boolean(),
})
export type ConsoleProcess = Static<typeof ConsoleProcess>

export const ConsoleEngine = Type.Object({
  name: Type.String(),
  chosen: Type.String(),
  /** What made the newest result: an engine may be chosen otherwise for a worker than for the process that answers. */
  lastUsed: Nullable(Type.String()),
  answeredAt: Nullable(Timestamp),
  gaveUpAt: Nullable(Timestamp),
  waitingForIt: Count,
})
export type ConsoleEngine = Static<typeof ConsoleEngine>

export const ConsoleQueue = Type.Object({
  kind: Type.String(),
  due: Count,
  running: Count,
  later: Count,
  /** Waits for an engine that is away. */
  away: Count,
  oldestDueMs: Nullable(Type.Number()),
})
export type ConsoleQueue = Static<typeof ConsoleQueue>

/** A kind of job, or `webhooks`. */
export const ConsoleLate = Type.Object({ kind: Type.String(), oldestDueMs: Type.Number() })
export type ConsoleLate = Static<typeof ConsoleLate>

export const ConsoleHealth = Type.Object({
  processes: Type.Array(ConsoleProcess),
  failing: Type.Array(Type.String()),
  /** What could be done and waits for longer than it should. */
  late: Type.Array(ConsoleLate),
  engines: Type.Array(ConsoleEngine),
  queue: Type.Array(ConsoleQueue),
  deliveries: Type.Object({
    waiting: Count,
    due: Count,
    underWay: Count,
    oldestDueMs: Type.Number(),
    endpointsNotWell: Count,
  }),
  database: Type.Object({
    version: Type.String(),
    sizeBytes: Count,
    isEmbedded: Type.Boolean(),
  }),
  blobs: Type.Object({ store: oneOf(['folder', 's3']), storedBytes: Count, openUploads: Count }),
})
export type ConsoleHealth = Static<typeof ConsoleHealth>

export const ConsoleRefusal = Type.Object({
  at: Timestamp,
  /** Null: they were removed since. */
  userName: Nullable(Type.String()),
  isLock: Type.Boolean(),
})
export type ConsoleRefusal = Static<typeof ConsoleRefusal>
export const ConsoleRefusals = ListOf(ConsoleRefusal)
