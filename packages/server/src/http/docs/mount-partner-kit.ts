import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { ownFile } from '../../kernel/own-files.js'
import { makePostman } from './make-postman.js'
import { renderLlms } from './render-llms.js'
import type { OpenApiDocument } from './open-api-document.js'

/**
 * What a partner's developer takes away: the SDKs as packages that npm and pip install from here, a Postman collection, and
 * `/llms.txt`. All from the same document as openapi.json; no other host is needed.
 */
export function mountPartnerKit(
  app: FastifyInstance,
  describe: () => Record<string, unknown>,
  { publicUrl }: { publicUrl: string },
): void {
  const sdks = readSdks()
  const config = { operation: 'docs.read' }
  const send = (reply: FastifyReply, type: string, content: string | Buffer): FastifyReply =>
    reply.type(type).send(content)
  const sdkFiles = sdks.map(({ file }) => file).filter(isPackage)
  let made: { llms: string; postman: string } | null = null
  const make = (document: OpenApiDocument) => ({
    llms: renderLlms(document, { publicUrl, sdkFiles }),
    postman: JSON.stringify(makePostman(document, publicUrl)),
  })
  // With the first who asks: a service starts more often than anybody takes these.
  const kit = () => (made ??= make(describe() as unknown as OpenApiDocument))
  app.get('/llms.txt', { config }, (_request, reply) => send(reply, 'text/plain; charset=utf-8', kit().llms))
  app.get('/docs/postman.json', { config }, (_request, reply) =>
    send(
      reply.header('content-disposition', 'attachment; filename="casenote.postman_collection.json"'),
      'application/json',
      kit().postman,
    ),
  )
  for (const { file, content } of sdks) {
    app.get(`/docs/sdk/${file}`, { config }, (_request, reply) => send(reply, mediaTypeOf(file), content))
  }
}

const isPackage = (file: string): boolean => file.endsWith('.tgz') || file.endsWith('.whl')

function mediaTypeOf(file: string): string {
  if (!isPackage(file)) return 'text/plain; charset=utf-8'
  return file.endsWith('.tgz') ? 'application/gzip' : 'application/zip'
}

/** The tarball, the wheel and the two examples that `bin/pack-sdks.js` put there; small, so they are kept in memory. */
function readSdks(): { file: string; content: Buffer }[] {
  const folder = ownFile('dist/sdk')
  return readdirSync(folder)
    .toSorted()
    .map((file) => ({ file, content: readFileSync(join(folder, file)) }))
}
