import { ALL_EVENT_TYPES, type EventType } from '@casenote/contract'
import type { SessionId } from '../../kernel/ids.js'
import { isTimeLeft } from '../terminal/wait-for-signal.js'
import { signatureTexts } from '../webhook-listen/listen-printer.js'
import { newMark } from '../webhook-listen/listener-mark.js'
import { openReceiver, type Received, type Receiver } from '../webhook-listen/open-receiver.js'
import type { PartnerClient } from '../webhook-listen/partner-client.js'
import { TemporaryEndpoint } from '../webhook-listen/temporary-endpoint.js'
import { verifySignature } from '../webhook-listen/verify-signature.js'
import type { TourScreen } from './tour-screen.js'

interface Envelope {
  eventType: EventType
  payload: { sessionId?: SessionId; error?: string }
}

/** Deliveries follow within a second; this long only when the machine is very busy. */
const arriveWithinMs = 30_000
const lookEveryMs = 100

/** A temporary webhook endpoint, and what it received with a right signature. */
export class EventInbox {
  readonly #client: PartnerClient
  readonly #screen: TourScreen
  readonly #events: Envelope[] = []
  #open: { receiver: Receiver; endpoint: TemporaryEndpoint } | null = null

  constructor(client: PartnerClient, screen: TourScreen) {
    this.#client = client
    this.#screen = screen
  }

  async open(): Promise<void> {
    const receiver = await openReceiver({
      port: 0,
      take: async (received) => {
        this.#take(received)
        return { status: 204, headers: {}, body: Buffer.alloc(0) }
      },
      refuse: (reason) => this.#screen.line(reason),
    })
    const url = `http://127.0.0.1:${receiver.port}/${newMark()}`
    const endpoint = new TemporaryEndpoint(this.#client, { url, eventTypes: null })
    this.#open = { receiver, endpoint }
    await endpoint.removeLeftBehind()
    await endpoint.register()
  }

  /** Null: it did not come in time, or the tour was stopped. */
  async waitFor(eventType: EventType, sessionId: SessionId, stopped: AbortSignal): Promise<Envelope | null> {
    const deadlineMs = performance.now() + arriveWithinMs
    do {
      const found = this.#events.find(
        (event) => event.eventType === eventType && event.payload.sessionId === sessionId,
      )
      if (found !== undefined) return found
    } while (performance.now() < deadlineMs && (await isTimeLeft(stopped, lookEveryMs)))
    return null
  }

  async close(): Promise<void> {
    await this.#open?.endpoint.remove().catch((error: unknown) => {
      // The error that ended the tour is the one to show; the next tour removes what stays.
      this.#screen.line(`the endpoint was not removed: ${(error as Error).message}`)
    })
    await this.#open?.receiver.close()
  }

  #take(received: Received): void {
    const { paint } = this.#screen
    const check = verifySignature(received, this.#client.clientSecret, received.at.getTime())
    const envelope = check === 'ok' ? (JSON.parse(received.body.toString()) as Envelope) : null
    if (envelope !== null) this.#events.push(envelope)
    const name = ALL_EVENT_TYPES.find((known) => known === envelope?.eventType) ?? 'unknown event'
    const verdict = paint(check === 'ok' ? 'green' : 'red', signatureTexts[check])
    this.#screen.line(`webhook  ${name.padEnd(26)}${verdict}`)
  }
}
