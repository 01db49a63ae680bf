import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ERROR_CODES, errorHeadersOf, type ErrorCode } from '@casenote/contract'
import type { FastifyReply } from 'fastify'

interface RawError {
  code: ErrorCode
  message: string
}

/** What the parser says about what is no request; the texts are fastify's. */
const RAW_ERRORS: Readonly<Record<string, RawError>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request_timeout', message: 'Client Timeout' },
  HPE_HEADER_OVERFLOW: {
    code: 'headers_too_large',
    message: 'Exceeded maximum allowed HTTP header size',
  },
}
const malformed: RawError = { code: 'malformed_request', message: 'Client Error' }

/** No request reached the application: the answer is written to the connection, which ends with it. */
export function answerRawError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const { code, message } = RAW_ERRORS[error.code ?? ''] ?? malformed
  const { status } = ERROR_CODES[code]
  const label = STATUS_CODES[status] as string
  const body = JSON.stringify({ error: label, message, statusCode: status })
  const headers = {
    'content-length': body.length,
    'content-type': 'application/json',
    'x-request-id': randomUUID(),
    ...errorHeadersOf(code),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (socket.writable) socket.write([`HTTP/1.1 ${status} ${label}`, ...lines, '', body].join('\r\n'))
  socket.destroy(error)
}

/** Answers in the envelope where Node would answer by itself, bare: an `Expect` that nobody knows. */
export function answerExpectations(server: Server): void {
  server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417, { 'x-request-id': randomUUID(), ...errorHeadersOf('expectation_failed') }).end()
  })
}

/** RFC 9112, 3.2: a request of HTTP/1.1 names its host. */
export const isWithoutHost = ({ httpVersion, headers }: IncomingMessage): boolean =>
  httpVersion === '1.1' && headers.host === undefined

export const answerWithoutHost = (reply: FastifyReply): FastifyReply =>
  reply.code(400).headers(errorHeadersOf('malformed_request')).header('connection', 'close').send()
