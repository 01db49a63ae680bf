import type {
  ConsoleAuditEntry,
  ConsoleClinic,
  ConsoleClinician,
  ConsoleDeliveryTries,
  ConsoleEndpoint,
  ConsoleHealth,
  ConsoleKey,
  ConsoleLimit,
  ConsoleMe,
  ConsoleOverview,
  ConsolePasskey,
  ConsoleRates,
  ConsoleRefusal,
  ConsoleSession,
  ConsoleSessionCourse,
  ConsoleTenant,
  ConsoleUsageDay,
  RequestLog,
} from '@casenote/contract'

/** A day at an invented clinic, on which something failed. */
const startMs = Date.UTC(2026, 10, 17, 9, 0)
export const at = (minutes: number): string => new Date(startMs + minutes * 60_000).toISOString()
export const idOf = (number: number): string => `019a8f00-0000-7000-8000-${String(number).padStart(12, '0')}`

export const tenantId = idOf(1)
const otherTenantId = idOf(2)

export const operator: ConsoleMe = {
  kind: 'operator',
  userName: 'ops-anna',
  tenantId: null,
  tenants: [
    { id: tenantId, kind: 'production', isSuspended: false },
    { id: otherTenantId, kind: 'sandbox', isSuspended: true },
  ],
  hasPasskey: true,
  hasPassword: true,
}

export const partner: ConsoleMe = {
  ...operator,
  kind: 'partner',
  userName: 'dev-ben',
  tenantId,
  tenants: operator.tenants.slice(0, 1),
}

export const overview: ConsoleOverview = {
  sessionsByStatus: {
    awaiting_audio: 1,
    fetching: 2,
    transcribing: 3,
    generating: 1,
    completed: 1_284,
    failed: 4,
  },
  oldestWaitingAt: at(-12),
  deliveriesByStatus: { pending: 3, delivering: 1, succeeded: 5_120, failed: 7, cancelled: 0 },
  requests: { last24h: 18_204, errors4xx: 312, errors5xx: 2 },
  failing: [{ endpointId: idOf(31), since: at(-190) }],
}

const session: ConsoleSession = {
  id: idOf(100),
  status: 'completed',
  createdAt: at(-60),
  updatedAt: at(-52),
  clinicianId: idOf(11),
  clientId: idOf(12),
  organizationId: idOf(13),
  noteId: idOf(14),
  failure: null,
  retryOf: null,
  progress: 1,
}

const unfetched = {
  code: 'fetch_refused',
  message: 'The recording could not be fetched: its server refused it',
  retryable: true,
}

export const sessions: ConsoleSession[] = [
  {
    ...session,
    id: idOf(104),
    status: 'transcribing',
    createdAt: at(-3),
    updatedAt: at(-1),
    noteId: null,
    progress: 0.42,
  },
  {
    ...session,
    id: idOf(103),
    status: 'failed',
    createdAt: at(-30),
    updatedAt: at(-24),
    noteId: null,
    failure: unfetched,
  },
  {
    ...session,
    id: idOf(102),
    status: 'awaiting_audio',
    createdAt: at(-40),
    updatedAt: at(-40),
    noteId: null,
  },
  ...Array.from({ length: 30 }, (_, index) => ({
    ...session,
    id: idOf(199 - index),
    createdAt: at(-60 - index),
  })),
]

export const failedSession: ConsoleSessionCourse = {
  ...session,
  id: idOf(103),
  status: 'failed',
  noteId: null,
  failure: unfetched,
  createdAt: at(-30),
  updatedAt: at(-24),
  steps: [
    { name: 'fetch_audio', state: 'done', attempts: 5, startedAt: at(-30), endedAt: at(-24) },
    { name: 'transcribe', state: 'waiting', attempts: 0, startedAt: null, endedAt: null },
    { name: 'write_note', state: 'waiting', attempts: 0, startedAt: null, endedAt: null },
  ],
  history: [
    { at: at(-30), status: 'fetching' },
    { at: at(-24), status: 'failed' },
  ],
}

export const goodSession: ConsoleSessionCourse = {
  ...session,
  retryOf: idOf(103),
  steps: [
    { name: 'fetch_audio', state: 'done', attempts: 1, startedAt: at(-60), endedAt: at(-59.5) },
    { name: 'transcribe', state: 'done', attempts: 1, startedAt: at(-59.5), endedAt: at(-54) },
    { name: 'write_note', state: 'done', attempts: 2, startedAt: at(-54), endedAt: at(-52.5) },
    { name: 'derive_mdm', state: 'done', attempts: 1, startedAt: at(-52.5), endedAt: at(-52.2) },
    { name: 'summarize', state: 'done', attempts: 1, startedAt: at(-52.2), endedAt: at(-52) },
  ],
  history: [
    { at: at(-60), status: 'fetching' },
    { at: at(-59.5), status: 'transcribing' },
    { at: at(-54), status: 'generating' },
    { at: at(-52), status: 'completed' },
  ],
}

export const endpoints: ConsoleEndpoint[] = [
  {
    id: idOf(30),
    host: 'hooks.ehr.example',
    isActive: true,
    isPaused: false,
    failingSince: null,
    eventTypes: ['session_transcript_error', 'progress_note_generated'],
    digestHeader: null,
    createdAt: at(-90_000),
    pending: 3,
    failed24h: 0,
  },
  {
    id: idOf(31),
    host: 'a-rather-long-name-of-a-host.integration.staging.ehr.example',
    isActive: true,
    isPaused: true,
    failingSince: at(-190),
    eventTypes: [
      'transcript_ready',
      'session_transcript_error',
      'progress_note_generated',
      'progress_note_finalized',
      'assessment_completed',
    ],
    digestHeader: 'X-Digest',
    createdAt: at(-80_000),
    pending: 0,
    failed24h: 7,
  },
]

export const delivery: ConsoleDeliveryTries = {
  id: idOf(301),
  eventId: idOf(401),
  eventType: 'progress_note_generated',
  endpointId: idOf(31),
  status: 'failed',
  createdAt: at(-190),
  nextAttemptAt: null,
  attempts: 3,
  tries: [
    { at: at(-190), status: null, fault: 'connection_refused', latencyMs: 12 },
    { at: at(-189), status: 503, fault: null, latencyMs: 640 },
    { at: at(-180), status: null, fault: 'timed_out', latencyMs: 15_000 },
  ],
}

const { tries: _, ...deliveryRow } = delivery
export const deliveries = [
  deliveryRow,
  {
    ...deliveryRow,
    id: idOf(302),
    endpointId: idOf(30),
    status: 'pending' as const,
    attempts: 1,
    nextAttemptAt: at(4),
  },
  { ...deliveryRow, id: idOf(303), endpointId: idOf(30), status: 'succeeded' as const, attempts: 1 },
]

const request: RequestLog = {
  at: at(-1),
  requestId: idOf(501),
  method: 'GET',
  path: '/progress-notes/{progressNoteId}',
  operation: 'progressNote.read',
  status: 200,
  code: null,
  latencyMs: 14,
  ids: [{ kind: 'progressNote', id: idOf(14) }],
}

export const requests: RequestLog[] = [
  request,
  {
    ...request,
    requestId: idOf(502),
    method: 'POST',
    operation: 'session.create',
    status: 400,
    code: 'invalid_body',
    ids: [],
  },
  { ...request, requestId: idOf(503), operation: 'clinician.read', status: 500, latencyMs: 2_140 },
]

export const keys: ConsoleKey[] = [
  { id: 'api-key-1', kind: 'api_key', createdAt: at(-9_000), endsAt: null, endedAt: null },
  { id: idOf(602), kind: 'client_secret', createdAt: at(-90_000), endsAt: at(900), endedAt: null },
  { id: 'data-key-1', kind: 'data_key', createdAt: at(-90_000), endsAt: null, endedAt: null },
  { id: 'token-key-3', kind: 'token_key', createdAt: at(-9_000), endsAt: null, endedAt: null },
  { id: 'token-key-2', kind: 'token_key', createdAt: at(-90_000), endsAt: null, endedAt: null },
  { id: 'token-key-1', kind: 'token_key', createdAt: at(-95_000), endsAt: null, endedAt: at(-90_000) },
]

export const limits: ConsoleLimit[] = [
  { name: 'ratePerSecond', limit: 50, window: 'second', used: null },
  { name: 'perDay', limit: 100_000, window: 'UTC day', used: 18_204 },
  { name: 'storedBytes', limit: 500 * 1_024 ** 3, window: null, used: 473 * 1_024 ** 3 },
  { name: 'openUploads', limit: 200, window: null, used: 3 },
]

export const days: ConsoleUsageDay[] = Array.from({ length: 30 }, (_day, index) => {
  const isWeekend = index % 7 > 4
  const requestCount = isWeekend ? 220 : 1_400 + ((index * 337) % 600)
  return {
    day: new Date(startMs - (29 - index) * 86_400_000).toISOString().slice(0, 10),
    requests: requestCount,
    errors: index === 22 ? 410 : Math.round(requestCount / 80),
    sessions: Math.round(requestCount / 20),
    limited: index === 22 ? 390 : 0,
    audioMinutes: requestCount * 2,
    deliveries: Math.round(requestCount / 4),
    storedBytes: index < 3 ? null : (440 + index) * 1_024 ** 3,
  }
})

export const clinics: ConsoleClinic[] = [
  { id: idOf(701), organizationId: idOf(13), clinicians: 12, createdAt: at(-90_000) },
  { id: idOf(702), organizationId: idOf(13), clinicians: 0, createdAt: at(-80_000) },
]

const clinician: ConsoleClinician = {
  id: idOf(711),
  clinicId: idOf(701),
  active: true,
  sessions: 412,
  createdAt: at(-90_000),
}

export const clinicians: ConsoleClinician[] = [
  clinician,
  { ...clinician, id: idOf(712), active: false, sessions: 1_000 },
  { ...clinician, id: idOf(713) },
]

export const tenants: ConsoleTenant[] = operator.tenants.map((tenant) => ({
  ...tenant,
  createdAt: at(-90_000),
  storedBytes: 473 * 1_024 ** 3,
}))

export const audit: ConsoleAuditEntry[] = [
  {
    at: at(-400),
    who: `clinician ${idOf(711)}`,
    kind: 'clinician',
    id: idOf(711),
    as: null,
    what: 'read a progress note',
    operation: 'progressNote.read',
    outcome: 'done',
    status: null,
    count: 1,
    from: '192.0.2.14',
    records: [idOf(12), idOf(14)],
    requestId: idOf(505),
    isChained: true,
  },
  {
    at: at(-390),
    who: 'the service',
    kind: 'system',
    id: null,
    as: null,
    what: 'deleted a recording',
    operation: 'recording.delete',
    outcome: 'done',
    status: null,
    count: 1,
    from: null,
    records: [],
    requestId: null,
    isChained: true,
  },
]

export const rates: ConsoleRates = {
  ratePerSecond: 2,
  burst: 4,
  perDay: 100_000,
  minutes: Array.from({ length: 60 }, (_minute, index) => ({
    at: at(index - 59),
    requests: index === 41 ? 160 : 30 + ((index * 7) % 40),
    limited: index === 41 ? 44 : 0,
  })),
}

export const passkeys: ConsolePasskey[] = [
  { id: 'a2V5LTE', origin: 'https://console.test', createdAt: at(-9_000), usedAt: at(-60) },
  { id: 'a2V5LTI', origin: 'http://localhost:9464', createdAt: at(-90), usedAt: null },
]

export const refusals: ConsoleRefusal[] = [
  { at: at(-20), userName: 'ops-anna', isLock: true },
  { at: at(-21), userName: null, isLock: false },
]

export const health: ConsoleHealth = {
  processes: [
    { role: 'api', seenAt: at(0), version: '0.2.0', lagMs: 4, isSilent: false },
    { role: 'worker', seenAt: at(0), version: '0.2.0', lagMs: 31, isSilent: false },
    { role: 'dispatcher', seenAt: at(-1), version: null, lagMs: null, isSilent: true },
  ],
  failing: ['blob store'],
  late: [{ kind: 'transcribe', oldestDueMs: 2_520_000 }],
  engines: [
    {
      name: 'speech',
      chosen: 'embedded',
      lastUsed: 'moonshine base',
      answeredAt: at(-4),
      gaveUpAt: at(-900),
      waitingForIt: 0,
    },
    {
      name: 'reader',
      chosen: 'embedded',
      lastUsed: null,
      answeredAt: null,
      gaveUpAt: null,
      waitingForIt: 0,
    },
    {
      name: 'writer',
      chosen: 'openai',
      lastUsed: 'openai a-rather-long-name-of-a-model',
      answeredAt: at(-40),
      gaveUpAt: at(-10),
      waitingForIt: 3,
    },
  ],
  queue: [
    { kind: 'transcribe', due: 4, running: 2, later: 0, away: 0, oldestDueMs: 2_520_000 },
    { kind: 'write_note', due: 0, running: 0, later: 1, away: 3, oldestDueMs: null },
  ],
  deliveries: { waiting: 12, due: 3, underWay: 1, oldestDueMs: 2_400, endpointsNotWell: 1 },
  database: { version: '18.1', sizeBytes: 3 * 1_024 ** 3, isEmbedded: true },
  blobs: { store: 's3', storedBytes: 473 * 1_024 ** 3, openUploads: 2 },
}
