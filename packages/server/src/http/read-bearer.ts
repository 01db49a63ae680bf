import type { FastifyRequest } from 'fastify'

/** The token of `Authorization: Bearer …`, unverified; null where there is none. */
export const readBearer = (request: FastifyRequest): string | null =>
  /^Bearer ([\w.-]+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null
