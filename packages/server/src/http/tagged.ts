/** What is answered, with its version for the `ETag` header. */
export class Tagged<Answer = unknown> {
  constructor(
    readonly answer: Answer,
    readonly etag: string,
  ) {}
}
