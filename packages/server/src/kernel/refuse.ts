import type { ErrorCode, ErrorCodeOf, SessionFailure } from '@casenote/contract'

/**
 * A refusal is expected and the caller can act on it; its text is shown. Everything else that is thrown is a fault,
 * whose text is not. `http/errors.ts` renders both.
 */
export class Refusal extends Error {
  constructor(
    readonly statusCode: number,
    /** What the caller may branch on; tells no more than the text does. */
    readonly code: ErrorCode,
    /** Shown as `error.type`: unstable by contract, so it is the family's name and nothing of ours. */
    readonly type: string,
    message: string,
    /** Field messages; only validation failures have them. */
    readonly fields: readonly string[] | null = null,
    /** The seconds after which asking again may help; sent as `Retry-After`. */
    readonly retryAfterSeconds: number | null = null,
    /** What it tells of ends by itself in a moment: an `Idempotency-Key` does not hold the caller to it. */
    readonly isPassing: boolean = false,
  ) {
    super(message)
    this.name = 'Refusal'
  }
}

/** An artifact of an existing session that has not been made: its HTTP status is the tenant's choice (ruling 6). */
export class NotReady extends Refusal {
  constructor(
    message: string,
    /** Why what is asked for will never be made. Null: it may still be. */
    readonly failure: SessionFailure | null,
  ) {
    super(404, failure === null ? 'not_ready' : 'session_failed', 'NotFoundException', message)
    this.name = 'NotReady'
  }
}

/** Where a status has several reasons, whoever refuses names theirs; the code's status is the refusal's. */
export const refuse = {
  invalid: (fields: readonly string[]) =>
    new Refusal(400, 'validation_failed', 'BadRequestException', 'Bad Request', fields),
  rule: (code: ErrorCodeOf<400>, message: string) => new Refusal(400, code, 'BadRequestException', message),
  unauthorized: (code: ErrorCodeOf<401>, message: string) =>
    new Refusal(401, code, 'UnauthorizedException', message),
  forbidden: (code: ErrorCodeOf<403>, message: string) =>
    new Refusal(403, code, 'ForbiddenException', message),
  /** One text for "does not exist", "not yours" and "not an id": the cases must not be told apart. */
  notFound: () => new Refusal(404, 'not_found', 'NotFoundException', 'Not Found'),
  notReady: (message: string, failure: SessionFailure | null = null) => new NotReady(message, failure),
  conflict: (code: ErrorCodeOf<409>, message: string) => new Refusal(409, code, 'ConflictException', message),
  conflictForNow: (code: ErrorCodeOf<409>, message: string) =>
    new Refusal(409, code, 'ConflictException', message, null, null, true),
  gone: (code: ErrorCodeOf<410>, message: string) => new Refusal(410, code, 'GoneException', message),
  tooLarge: (code: ErrorCodeOf<413>, message: string) =>
    new Refusal(413, code, 'PayloadTooLargeException', message),
  tooMany: (code: ErrorCodeOf<429>, message: string, retryAfterSeconds: number) =>
    new Refusal(429, code, 'TooManyRequestsException', message, null, retryAfterSeconds),
  /** A process that stops is replaced, and a database that fails over is back, within seconds. */
  busy: (code: ErrorCodeOf<503>, message: string, retryAfterSeconds = 5) =>
    new Refusal(503, code, 'ServiceUnavailableException', message, null, retryAfterSeconds),
  mediaType: (message: string) =>
    new Refusal(415, 'unsupported_media_type', 'UnsupportedMediaTypeException', message),
}
