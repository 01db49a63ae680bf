import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** An answer that is a file: piece by piece, as fast as it is taken. */
export class SentFile {
  constructor(
    readonly stream: Readable,
    readonly about: { sizeBytes: number; name: string },
  ) {}

  /** `mediaType`: as the route documents it. */
  send(reply: FastifyReply, mediaType: string): FastifyReply {
    return reply
      .type(mediaType)
      .header('content-length', this.about.sizeBytes)
      .header('content-disposition', `attachment; filename="${this.about.name}"`)
      .send(this.stream)
  }
}
