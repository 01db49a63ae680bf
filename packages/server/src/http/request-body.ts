import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GatheredBytes } from '../kernel/gathered-bytes.js'
import { refuse } from '../kernel/refuse.js'
import { BodyTurns } from './body-turns.js'
import { isTooMuchJson } from './count-json.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What `Content-Type` said. */
    givenMediaType: string | undefined
  }
}

/** 1 MiB (ruling 1). */
const bodyBytesMax = 1_048_576

/** The media type of bodies that a route reads piece by piece, whatever their length (tus 1.0.0). */
const streamMediaType = 'application/offset+octet-stream'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The body of a route that takes it piece by piece (`takesStream`). */
export function streamOf({ body }: FastifyRequest): Readable {
  if (!(body instanceof Readable)) throw new Error('the route does not take its body piece by piece')
  return body
}

/**
 * Replaces fastify's parsers: an empty body is no body whatever `Content-Type` says, calls that take none look at no
 * media type, and the rest must be JSON. Runs after steps 1 to 6, because `onRequest` comes before.
 */
export function installBodyReader(app: FastifyInstance): void {
  app.decorateRequest('givenMediaType', undefined)
  // Before fastify judges the header: an odd one must not stop a call that takes no body.
  app.addHook('onRequest', async (request) => {
    request.givenMediaType = request.headers['content-type']
    const { takesStream } = request.routeOptions.config
    request.headers['content-type'] = takesStream === true ? streamMediaType : 'application/octet-stream'
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(streamMediaType, (_request, payload, done) => done(null, payload))
  const turns = new BodyTurns()
  app.addContentTypeParser('*', async (request: FastifyRequest, payload: Readable) => {
    const body = await gatherBody(request, payload)
    if (body.length >= largeBytesLeast) await turns.take(ownerOf(request))
    return readJson(request, body)
  })
}

/** A body of fewer takes a millisecond at most, whatever is in it. */
const largeBytesLeast = 32_768

/** Whose turn it is to have a large body read. */
const ownerOf = ({ call, tenant, ip }: FastifyRequest): string =>
  call?.caller.clinicianId ?? tenant?.tenantId ?? ip

/** What is too long, or was not read to its end, is let run out: nobody would read its answer before. */
async function gatherBody({ headers }: FastifyRequest, payload: Readable): Promise<Buffer> {
  const announced = headers['content-length'] === undefined ? null : Number(headers['content-length'])
  if (announced !== null && announced > bodyBytesMax) throw tooLarge()
  if (payload.destroyed) throw notRead()
  const gathered = new GatheredBytes()
  await new Promise<void>((resolve, reject) => {
    const take = (piece: Buffer): void => {
      if (gathered.length + piece.length <= bodyBytesMax) return gathered.add(piece)
      payload.off('data', take).resume()
      reject(tooLarge())
    }
    payload
      .on('data', take)
      .once('end', resolve)
      .once('error', () => reject(notRead()))
  })
  if (announced !== null && announced !== gathered.length) throw notRead()
  return gathered.take()
}

const tooLarge = () => refuse.tooLarge('body_too_large', 'Request body is too large')
const notRead = () => refuse.rule('body_not_read', 'Request body could not be read')

function readJson(request: FastifyRequest, body: Buffer): unknown {
  if (body.length === 0 || !request.routeOptions.config.takesBody) return undefined
  requireJson(request.givenMediaType)
  if (isTooMuchJson(body)) throw refuse.rule('body_too_complex', 'Request body has too many values')
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw refuse.rule('invalid_json', 'Request body is not valid JSON')
  }
}

/** A body without a media type is taken for JSON: contract part 4 knows no other. */
function requireJson(contentType: string | undefined): void {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (mediaType === '' || mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType))
    return
  throw refuse.mediaType('Content-Type must be application/json')
}
