import type { SessionFailure } from '@casenote/contract'

/**
 * A refusal is expected and the caller can act on it; its text is shown. Everything else that is thrown is a fault,
 * whose text is not. `http/errors.ts` renders both.
 */
export class Refusal extends Error {
  constructor(
    readonly statusCode: number,
    /** Shown as `error.type`: unstable by contract, so it is the family's name and nothing of ours. */
    readonly type: string,
    message: string,
    /** Field messages; only validation failures have them. */
    readonly fields: readonly string[] | null = null,
    /** When asking again may help; sent as `Retry-After`. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message)
    this.name = 'Refusal'
  }
}

/** An artifact of an existing session that has not been made: its HTTP status is the tenant's choice (decisions 6). */
export class NotReady extends Refusal {
  constructor(
    message: string,
    /** It will never be made, and why. Null: it may still be. */
    readonly failure: SessionFailure | null,
  ) {
    super(404, 'NotFoundException', message)
    this.name = 'NotReady'
  }
}

export const refuse = {
  invalid: (fields: readonly string[]) => new Refusal(400, 'BadRequestException', 'Bad Request', fields),
  rule: (message: string) => new Refusal(400, 'BadRequestException', message),
  unauthorized: (message: string) => new Refusal(401, 'UnauthorizedException', message),
  forbidden: (message: string) => new Refusal(403, 'ForbiddenException', message),
  /** One text for "does not exist", "not yours" and "not an id": the cases must not be told apart. */
  notFound: () => new Refusal(404, 'NotFoundException', 'Not Found'),
  notReady: (message: string, failure: SessionFailure | null = null) => new NotReady(message, failure),
  conflict: (message: string) => new Refusal(409, 'ConflictException', message),
  /** The same call is being done at this moment: soon its answer is there. */
  underWay: (message: string) => new Refusal(409, 'ConflictException', message, null, 2),
  gone: (message: string) => new Refusal(410, 'GoneException', message),
  tooLarge: (message: string) => new Refusal(413, 'PayloadTooLargeException', message),
  tooMany: (message: string, retryAfterSeconds: number) =>
    new Refusal(429, 'TooManyRequestsException', message, null, retryAfterSeconds),
  /** A process that stops is replaced, and a database that fails over is back, within seconds. */
  busy: (message: string) => new Refusal(503, 'ServiceUnavailableException', message, null, 5),
  mediaType: (message: string) => new Refusal(415, 'UnsupportedMediaTypeException', message),
}
