import type { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'

/** What is read of an answer, whoever gives it. */
export interface FileAnswer {
  statusCode: number
  headers: Dispatcher.ResponseData['headers']
  body: Readable
}
