import { Agent } from 'undici'

/** By itself, to be loaded where there is such a store: with a folder, commands start faster without. */
export const makeS3Agent = (timeoutMs: number): Agent =>
  new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs })
