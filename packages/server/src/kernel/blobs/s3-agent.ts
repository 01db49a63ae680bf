import { Agent } from 'undici'

/** A connection that is being opened cannot be given up before, and would hold a process that stops. */
const connectWithinMs = 5_000

/** By itself, to be loaded where there is such a store: with a folder, commands start faster without. */
export const makeS3Agent = (timeoutMs: number): Agent =>
  new Agent({ headersTimeout: timeoutMs, bodyTimeout: timeoutMs, connect: { timeout: connectWithinMs } })
