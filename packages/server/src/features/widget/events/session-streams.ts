import { PassThrough, type Readable } from 'node:stream'
import { widgetSessionEvent, type WidgetSession } from '@casenote/contract'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { Bell } from '../../../jobs/bell.js'
import type { Clock } from '../../../kernel/clock.js'
import { Listener } from '../../../kernel/db/announcements.js'
import type { SessionId, TenantId } from '../../../kernel/ids.js'
import { tolerateFailure, type Log } from '../../../kernel/log.js'
import { Places } from '../../../kernel/places.js'
import { refuse } from '../../../kernel/refuse.js'
import { pause } from '../../../kernel/pause.js'
import { getWidgetSession, type ReadParts } from '../sessions/read-widget-sessions.js'
import { selectMarks } from './session-marks.sql.js'
import { takePlace } from '../take-place.js'

export interface StreamParts extends ReadParts {
  clock: Clock
  log: Log
  /** Where announcements are heard. */
  listenUrl: string
  closing: AbortSignal
}

/** Announcements say when to look; this is the net under one that is lost. */
const pollMs = 10_000

/** However many changes there are, the database is asked no more often, once for each tenant that is watched. */
const restMs = 200

/** Proxies close what is silent for half a minute. */
const heartbeatMs = 15_000

/** A stream ends when its screen is left: who has all of theirs open asks again after a while. */
const fullSeconds = 5

/** Browsers open six connections to a host; a clinician with several of them has fewer streams than this. */
const ofClinicianMost = 20
const ofProcessMost = 2_000

/** A session's event is under 2 KB: a reader that is this far behind does not read any more. */
const unreadBytesMax = 262_144

interface Stream {
  caller: WidgetCaller
  sessionId: SessionId
  out: PassThrough
  mark: string
  sent: string
}

/** Tells every open widget what its session has become. One loop serves all streams of a process. */
export class SessionStreams {
  readonly #parts: StreamParts
  readonly #streams = new Set<Stream>()
  readonly #places = new Places(ofProcessMost, ofClinicianMost)
  readonly #bell = new Bell()
  #listener: Listener | null = null
  #loop: Promise<void> | null = null

  constructor(parts: StreamParts) {
    this.#parts = parts
    parts.closing.addEventListener('abort', () => this.#endAll(), { once: true })
  }

  /** Begins with the session as it is. Ends with the access token, when the caller is cut off, or the process stops. */
  open(caller: WidgetCaller, session: WidgetSession, cutOff: AbortSignal): Readable {
    const release = this.#takePlace(caller)
    const out = new PassThrough({ highWaterMark: unreadBytesMax })
    const stream: Stream = { caller, sessionId: session.sessionId, out, mark: '', sent: '' }
    const lifeMs = Math.max(0, caller.expiresAtMs - this.#parts.clock.nowMs())
    const expiry = setTimeout(() => out.end(), lifeMs)
    cutOff.addEventListener('abort', () => out.end(), { once: true })
    const heartbeat = setInterval(() => write(stream, ': still here\n\n'), heartbeatMs)
    out.once('close', () => {
      clearTimeout(expiry)
      clearInterval(heartbeat)
      this.#streams.delete(stream)
      release()
    })
    this.#streams.add(stream)
    tell(stream, session)
    this.#start()
    this.#bell.ring()
    return out
  }

  async close(): Promise<void> {
    this.#endAll()
    await this.#loop
    await this.#listener?.close()
  }

  #takePlace(caller: WidgetCaller): () => void {
    if (this.#parts.closing.aborted)
      throw refuse.busy('service_stopping', 'The service is stopping; ask again in a moment')
    return takePlace(this.#places, caller, 'streams', fullSeconds)
  }

  #endAll(): void {
    for (const { out } of this.#streams) out.end()
    this.#bell.ring()
  }

  #start(): void {
    if (this.#listener === null) {
      const { listenUrl: url, log } = this.#parts
      this.#listener = new Listener({
        url,
        channel: 'casenote_sessions',
        onRing: () => this.#bell.ring(),
        log,
      })
      this.#listener.start()
    }
    this.#loop ??= this.#run()
  }

  async #run(): Promise<void> {
    const { closing, log } = this.#parts
    while (this.#streams.size > 0 && !closing.aborted) {
      await tolerateFailure(log, 'sessions are looked at again', () => this.#look())
      await pause(restMs, closing)
      if (this.#streams.size > 0) await this.#bell.wait(pollMs)
    }
    // At once with the last look at the set: a stream that opens next starts a loop of its own.
    this.#loop = null
  }

  async #look(): Promise<void> {
    const byTenant = new Map<TenantId, Stream[]>()
    for (const stream of this.#streams) {
      const { tenantId } = stream.caller.tenant
      const streams = byTenant.get(tenantId)
      if (streams === undefined) byTenant.set(tenantId, [stream])
      else streams.push(stream)
    }
    for (const [tenantId, streams] of byTenant) await this.#lookAt(tenantId, streams)
  }

  async #lookAt(tenantId: TenantId, streams: readonly Stream[]): Promise<void> {
    const tenant = { tenantId }
    const watches = streams.map(({ sessionId, caller }) => ({ ...caller, sessionId }))
    const rows = await this.#parts.db.read(tenant, selectMarks(tenant, watches))
    const marks = new Map(rows.map(({ number, mark }) => [number, mark]))
    for (const [index, stream] of streams.entries()) {
      const mark = marks.get(index + 1)
      // Logged out, revoked, or no longer a clinician of this client.
      if (mark === undefined) stream.out.end()
      else if (mark !== stream.mark)
        // One that cannot be shown keeps nobody else waiting.
        await tolerateFailure(this.#parts.log, 'a session is looked at again', async () => {
          tell(stream, await getWidgetSession(this.#parts, stream.caller, stream.sessionId))
          stream.mark = mark
        })
    }
  }
}

function tell(stream: Stream, session: WidgetSession): void {
  const data = JSON.stringify(session)
  if (data === stream.sent) return
  stream.sent = data
  write(stream, `event: ${widgetSessionEvent}\ndata: ${data}\n\n`)
}

function write({ out }: Stream, text: string): void {
  if (out.writableEnded || out.destroyed) return
  if (out.writableLength + out.readableLength > unreadBytesMax) out.destroy()
  else out.write(text)
}
