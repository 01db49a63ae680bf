import type { EventType } from '@casenote/contract'
import { isColourWanted } from '../terminal/paint.js'
import { isTimeLeft, waitForSignal } from '../terminal/wait-for-signal.js'
import { describeEvent } from './describe-event.js'
import { forwardRequest } from './forward-request.js'
import { makeJsonPrinter, makeTextPrinter, type ListenPrinter } from './listen-printer.js'
import { markUrl, newMark } from './listener-mark.js'
import { openReceiver, type Received, type Reply } from './open-receiver.js'
import { PartnerClient } from './partner-client.js'
import { readCredentials } from './read-credentials.js'
import { TemporaryEndpoint } from './temporary-endpoint.js'
import { verifySignature } from './verify-signature.js'

export interface ListenOptions {
  credentialsFile: string
  /** Null: the credentials' own. */
  baseUrl: string | null
  /** 0: any that is free. */
  port: number
  /** Null: the loopback address, which only a service on this machine reaches. */
  publicUrl: string | null
  /** Null: nobody; every request is answered with 204. */
  forwardTo: string | null
  /** Null: all. */
  eventTypes: readonly EventType[] | null
  isJson: boolean
  isBodyShown: boolean
}

/** How soon it is noticed that the endpoint is gone. Every look is a read in the service's audit log. */
const lookEveryMs = 5_000

/** Enough for a day of development; the oldest are forgotten. */
const seenMost = 10_000

/** Prints and forwards what the service delivers until the process is told to stop. */
export async function listenForWebhooks(options: ListenOptions): Promise<void> {
  const stopped = waitForSignal()
  const printer = makePrinter(options)
  const client = await PartnerClient.open(() => readCredentials(options.credentialsFile, options.baseUrl))
  const receiver = await openReceiver({
    port: options.port,
    take: makeTaker(options, client, printer),
    refuse: (reason) => printer.notice(reason),
  })
  const mark = newMark()
  const { publicUrl, eventTypes, forwardTo } = options
  const url = publicUrl === null ? `http://127.0.0.1:${receiver.port}/${mark}` : markUrl(publicUrl, mark)
  const endpoint = new TemporaryEndpoint(client, { url, eventTypes })
  try {
    const leftBehind = await endpoint.removeLeftBehind()
    if (leftBehind > 0) printer.notice(`removed what a killed run had left: ${leftBehind}`)
    if (publicUrl === null && !isLoopback(client.baseUrl)) {
      printer.notice(
        'the service is elsewhere and cannot reach this machine: open a tunnel, name it with --public-url',
      )
    }
    const announce = (): void =>
      printer.listening({ endpointId: endpoint.id, url, baseUrl: client.baseUrl, forwardTo })
    await keepRegistered(endpoint, { stopped, printer, announce })
  } finally {
    await receiver.close()
  }
}

/** Registers, looks after the endpoint until the signal, and removes it whatever happens. */
async function keepRegistered(
  endpoint: TemporaryEndpoint,
  { stopped, printer, announce }: { stopped: AbortSignal; printer: ListenPrinter; announce: () => void },
): Promise<void> {
  try {
    if (!stopped.aborted) await endpoint.register()
    if (!stopped.aborted) announce()
    const watch = makeWatch(endpoint, printer, announce)
    while (await isTimeLeft(stopped, lookEveryMs)) await watch()
  } finally {
    await endpoint.remove().catch((error: unknown) => {
      // The error that ended it is the one to show; the next run removes what stays.
      printer.notice(`the endpoint was not removed: ${(error as Error).message}`)
    })
  }
}

/** One look at the endpoint. Whatever is wrong is told once, not at every look. */
function makeWatch(endpoint: TemporaryEndpoint, printer: ListenPrinter, announce: () => void) {
  let told: string | null = null
  return async (): Promise<void> => {
    const problem = await findProblem(endpoint, printer, announce).catch(
      (error: unknown) => `${error instanceof Error ? error.message : String(error)}; trying again`,
    )
    if (problem !== told) printer.notice(problem ?? 'all is well again')
    told = problem
  }
}

async function findProblem(
  endpoint: TemporaryEndpoint,
  printer: ListenPrinter,
  announce: () => void,
): Promise<string | null> {
  const found = await endpoint.find()
  if (found === null) {
    printer.notice('the endpoint is gone; registering another')
    await endpoint.register()
    announce()
    return null
  }
  if (found.enabled) return null
  const reason = found.disabledReason ?? 'by a call'
  return `the endpoint is disabled (${reason}) and gets nothing: PATCH /webhook-endpoints/${found.id} {"enabled":true}`
}

function makeTaker(
  { forwardTo, isBodyShown }: ListenOptions,
  client: PartnerClient,
  printer: ListenPrinter,
): (received: Received, signal: AbortSignal) => Promise<Reply> {
  const seen = new Map<string, number>()
  return async (received, signal) => {
    const signature = verifySignature(received, client.clientSecret, received.at.getTime())
    // Only what the service has sent counts: others may write any id.
    const timesSeen = signature === 'ok' ? countSeen(seen, String(received.headers['webhook-id'])) : 1
    const forwarded = forwardTo === null ? null : await forwardRequest(forwardTo, received, signal)
    const status = forwarded === null ? 204 : (forwarded.status ?? 502)
    const answered = signal.aborted ? null : status
    printer.event(describeEvent({ received, signature, timesSeen, answered, forwarded, isBodyShown }))
    return { status, headers: forwarded?.headers ?? {}, body: forwarded?.body ?? Buffer.alloc(0) }
  }
}

function countSeen(seen: Map<string, number>, webhookId: string): number {
  const times = (seen.get(webhookId) ?? 0) + 1
  seen.delete(webhookId)
  seen.set(webhookId, times)
  for (const oldest of seen.keys()) {
    if (seen.size <= seenMost) break
    seen.delete(oldest)
  }
  return times
}

function makePrinter({ isJson }: ListenOptions): ListenPrinter {
  const write = (text: string): void => void process.stdout.write(text)
  return isJson
    ? makeJsonPrinter(write)
    : makeTextPrinter(write, isColourWanted(process.stdout.isTTY, process.env))
}

const isLoopback = (url: string): boolean =>
  /^(localhost|127(\.\d+){3}|\[::1\]|.*\.localhost)$/.test(new URL(url).hostname)
