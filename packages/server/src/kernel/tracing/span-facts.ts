/**
 * All that a span may tell: ids, names that stand in our code, and numbers. A closed list, so that nobody adds a URL, a text or a
 * statement's values in passing. The right side is what a collector sees; those of OpenTelemetry's own conventions where there are such.
 */
export const FACT_NAMES = {
  operation: 'casenote.operation',
  tenantId: 'casenote.tenant_id',
  requestId: 'casenote.request_id',
  method: 'http.request.method',
  status: 'http.response.status_code',
  statements: 'db.operation.batch.size',
  /** Names of statements, separated by commas. */
  statementNames: 'casenote.statement_names',
  jobId: 'casenote.job_id',
  jobKind: 'casenote.job_kind',
  /** What a job is about: a session, a generation, a mail. */
  subjectId: 'casenote.subject_id',
  attempt: 'casenote.attempt',
  end: 'casenote.end',
  engine: 'casenote.engine',
  /** How much an engine was given, in pieces of its own kind. */
  pieces: 'casenote.pieces',
  eventId: 'casenote.event_id',
  deliveryId: 'casenote.delivery_id',
  endpointId: 'casenote.endpoint_id',
  /** The class of an error, never its message. */
  errorType: 'error.type',
} as const

export type SpanFacts = { readonly [Name in keyof typeof FACT_NAMES]?: string | number | undefined }

/** Ids, operations, names of statements and classes of errors have no other characters; a name, an address or a sentence has. */
const plainFact = /^[\w.,:-]{1,512}$/

/** The facts of a span with the names that a collector sees. What does not look like a fact of ours is left out. */
export function listFacts(facts: SpanFacts): [name: string, value: string | number][] {
  return Object.entries(facts).flatMap(([key, value]): [string, string | number][] => {
    const name = FACT_NAMES[key as keyof typeof FACT_NAMES]
    if (typeof value === 'number') return Number.isFinite(value) ? [[name, value]] : []
    return value !== undefined && plainFact.test(value) ? [[name, value]] : []
  })
}
