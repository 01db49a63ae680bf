import { Readable } from 'node:stream'
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
      .send(Readable.from(inPieces(this.stream), { objectMode: false, highWaterMark: pieceBytes }))
  }
}

/** So that the connection tells how fast it is taken (`slow-readers.ts`): a part of megabytes is given to it as one. */
const pieceBytes = 64 * 1_024

async function* inPieces(stream: Readable): AsyncGenerator<Buffer> {
  for await (const bytes of stream as AsyncIterable<Buffer>)
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
