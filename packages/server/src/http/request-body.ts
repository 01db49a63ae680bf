import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '../kernel/refuse.js'
import { isTooMuchJson } from './count-json.js'

declare module 'fastify' {
  interface FastifyRequest {
    /** What `Content-Type` said. */
    givenMediaType: string | undefined
  }
}

/** 1 MiB (decisions 1). */
const bodyBytesMax = 1_048_576

/** Of bodies that a route reads piece by piece, whatever their length (tus 1.0.0). */
const streamMediaType = 'application/offset+octet-stream'

const utf8 = new TextDecoder('utf-8', { fatal: true })

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
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: bodyBytesMax }, (request, body, done) => {
    try {
      done(null, readJson(request, body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function readJson(request: FastifyRequest, body: Buffer): unknown {
  if (body.length === 0 || !request.routeOptions.config.takesBody) return undefined
  requireJson(request.givenMediaType)
  if (isTooMuchJson(body)) throw refuse.rule('Request body has too many values')
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    throw refuse.rule('Request body is not valid JSON')
  }
}

/** A body without a media type is taken for JSON: contract part 4 knows no other. */
function requireJson(contentType: string | undefined): void {
  const mediaType = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (mediaType === '' || mediaType === 'application/json' || /^application\/[\w.-]+\+json$/.test(mediaType))
    return
  throw refuse.mediaType('Content-Type must be application/json')
}
