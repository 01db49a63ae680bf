import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { TenantId } from '../kernel/ids.js'
import type { Log } from '../kernel/log.js'
import { observeSlowReader } from './metrics.js'

/** What a system keeps in its own buffers is out at once, whoever reads it. */
const watchedFromBytes = 256 * 1_024

export interface ReadingLimits {
  /** Half of what anybody may count on: a system with large buffers takes more at once, and then nothing for long. */
  leastBytesASecond: number
  /** For so long anybody may be slower: a tunnel, a browser in the background. */
  graceMs: number
  lookEveryMs: number
}

const usualLimits: ReadingLimits = { leastBytesASecond: 8_192, graceMs: 120_000, lookEveryMs: 5_000 }

interface Reading {
  response: ServerResponse
  operation: string
  requestId: string
  tenantId: TenantId | undefined
  /** Given to the connection whole; a file comes in pieces, each when the one before is out. */
  isWhole: boolean
  sizeBytes: number
  /** Null until it has the connection: who asks ahead is not slow while an answer before is read. */
  since: { atMs: number; writtenBytes: number } | null
}

/**
 * A connection that stands still is closed after a minute; who reads a byte now and then would keep its answer in memory, and its place among
 * those who download, for as long as it likes. So a large answer has the time that a poor line takes for it, and a file is read at a least
 * speed, two minutes by two minutes. A stream of events has neither: it is bounded by what is unread.
 */
export function endSlowReaders(
  app: FastifyInstance,
  {
    log,
    limits: { leastBytesASecond, graceMs, lookEveryMs } = usualLimits,
  }: { log: Log; limits?: ReadingLimits },
): void {
  const open = new Set<Reading>()
  let timer: NodeJS.Timeout | null = null
  const end = (reading: Reading): void => {
    const { response, operation, requestId, tenantId } = reading
    open.delete(reading)
    observeSlowReader(operation)
    log.info({ operation, requestId, tenantId }, 'an answer was read too slowly, and was broken off')
    response.destroy()
  }
  const look = (): void => {
    const nowMs = performance.now()
    for (const reading of open) {
      const { socket } = reading.response
      if (socket === null) continue
      const writtenBytes = socket.bytesWritten
      reading.since ??= { atMs: nowMs, writtenBytes }
      const { since, isWhole, sizeBytes } = reading
      const elapsedMs = nowMs - since.atMs
      if (isWhole) {
        if (elapsedMs > graceMs + (sizeBytes / leastBytesASecond) * 1_000) end(reading)
      } else if (elapsedMs > graceMs) {
        if ((writtenBytes - since.writtenBytes) * 1_000 < leastBytesASecond * elapsedMs) end(reading)
        else reading.since = { atMs: nowMs, writtenBytes }
      }
    }
    if (open.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
  app.addHook('onSend', (request, reply, payload, done) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload)
    const sizeBytes = isWhole ? payload.length : Number(reply.getHeader('content-length') ?? 0)
    if (sizeBytes > watchedFromBytes && !reply.raw.destroyed) {
      const operation = request.routeOptions.config.operation ?? 'unknown'
      const tenantId = request.tenant?.tenantId
      const reading = {
        response: reply.raw,
        operation,
        requestId: request.id,
        tenantId,
        isWhole,
        sizeBytes,
        since: null,
      }
      open.add(reading)
      const remove = (): void => void open.delete(reading)
      reply.raw.once('close', remove).once('finish', remove)
      timer ??= setInterval(look, lookEveryMs).unref()
    }
    done(null, payload)
  })
  app.addHook('onClose', async () => {
    if (timer !== null) clearInterval(timer)
  })
}
