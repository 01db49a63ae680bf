import type { EndpointId } from '../../kernel/ids.js'
import { escapeControls, makePaint, type Paint } from '../terminal/paint.js'
import type { DescribedEvent } from './describe-event.js'
import type { SignatureCheck } from './verify-signature.js'

export interface Listening {
  endpointId: EndpointId
  url: string
  baseUrl: string
  forwardTo: string | null
}

/** What the developer sees. */
export interface ListenPrinter {
  listening(listening: Listening): void
  event(event: DescribedEvent): void
  notice(message: string): void
}

export const signatureTexts: Record<SignatureCheck, string> = {
  ok: 'signature ok',
  wrong: 'signature WRONG',
  missing: 'signature MISSING',
  too_old: 'timestamp too old',
  too_new: 'timestamp in the future',
}

/** One JSON object a line, for scripts. */
export function makeJsonPrinter(write: (text: string) => void): ListenPrinter {
  const writeLine = (document: object): void => write(`${JSON.stringify(document)}\n`)
  return {
    listening: (listening) => writeLine({ type: 'listening', ...listening }),
    event: writeLine,
    notice: (message) => writeLine({ type: 'notice', at: new Date().toISOString(), message }),
  }
}

export function makeTextPrinter(write: (text: string) => void, isColoured: boolean): ListenPrinter {
  const paint = makePaint(isColoured)
  return {
    listening: (listening) => write(`${formatListening(listening).join('\n')}\n\n`),
    event: (event) => write(`${formatEvent(event, paint).join('\n')}\n`),
    notice: (message) => write(`${paint('yellow', `${formatTime(new Date())}  ${message}`)}\n`),
  }
}

function formatListening({ endpointId, url, baseUrl, forwardTo }: Listening): string[] {
  return [
    `Listening for events of ${baseUrl}`,
    `  endpoint  ${endpointId}`,
    `  url       ${url}`,
    `  forward   ${forwardTo ?? 'to nobody; answered with 204'}`,
    '',
    'Send the newest event of a type again ($KEY is your apiKey, $TOKEN a partner token):',
    `  curl -X POST ${baseUrl}/webhook-endpoints/${endpointId}/test \\`,
    `    -H "X-API-Key: $KEY" -H "Access-Token: $TOKEN" \\`,
    `    -H 'Content-Type: application/json' -d '{"eventType":"transcript_ready"}'`,
    'Ctrl-C ends it and removes the endpoint.',
  ]
}

function formatEvent(event: DescribedEvent, paint: Paint): string[] {
  const { at, eventType, webhookId, signature, timesSeen, ids } = event
  const head = [
    paint('dim', formatTime(new Date(at))),
    eventType ?? 'no known event',
    paint(signature === 'ok' ? 'green' : 'red', signatureTexts[signature]),
    formatAnswer(event, paint),
    ...(timesSeen > 1 ? [paint('yellow', `again (${timesSeen})`)] : []),
  ]
  const lines = [['webhook-id', webhookId ?? '–'] as const, ...Object.entries(ids)].map(([name, value]) =>
    paint('dim', `    ${name} ${typeof value === 'string' ? value : value.join(' ')}`),
  )
  return [
    head.join('  '),
    ...lines,
    ...(event.body === undefined ? [] : [`    ${escapeControls(event.body)}`]),
  ]
}

function formatAnswer({ answered, forwarded }: DescribedEvent, paint: Paint): string {
  if (forwarded === null) return `answered ${answered}`
  const { status, error, durationMs } = forwarded
  const reply = answered === null ? '' : `, answered ${answered}`
  const text =
    status === null
      ? `forward failed after ${durationMs} ms: ${error}${reply}`
      : `forwarded: ${status} in ${durationMs} ms`
  const isSuccess = status !== null && status >= 200 && status < 300
  return paint(isSuccess ? 'green' : 'red', text)
}

/** Local, as the developer's own logs are. */
const formatTime = (at: Date): string =>
  [at.getHours(), at.getMinutes(), at.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':') +
  `.${String(at.getMilliseconds()).padStart(3, '0')}`
