import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Attribute {
  key: string
  value: { stringValue?: string; intValue?: string; doubleValue?: number }
}

/** As OTLP's JSON has it. */
interface WireSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  events: { name: string; attributes: Attribute[] }[]
  status: { code?: number }
}

interface WireTraces {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: WireSpan[] }[] }[]
}

export interface WireMetric {
  name: string
  gauge?: { dataPoints: { asDouble: number; attributes: Attribute[] }[] }
  sum?: { dataPoints: { asDouble: number; attributes: Attribute[] }[]; isMonotonic: boolean }
  histogram?: { dataPoints: { explicitBounds: number[]; bucketCounts: string[]; count: string }[] }
}

interface WireMetrics {
  resourceMetrics: { scopeMetrics: { metrics: WireMetric[] }[] }[]
}

export interface ReceivedSpan extends Omit<WireSpan, 'attributes'> {
  /** With those of the process that sent it. */
  facts: Record<string, string | number>
}

const valueOf = ({ stringValue, intValue, doubleValue }: Attribute['value']): string | number =>
  stringValue ?? (intValue === undefined ? (doubleValue ?? Number.NaN) : Number(intValue))

const toFacts = (attributes: readonly Attribute[]): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]))

/** What an OpenTelemetry collector takes over HTTP, decoded; and every byte of it, for what must not be there. */
export async function openCollector() {
  const spans: ReceivedSpan[] = []
  const metrics: WireMetric[][] = []
  let bytes = ''
  let headers: IncomingHttpHeaders = {}
  let status = 200
  let requests = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      requests += 1
      headers = request.headers
      const body = Buffer.concat(chunks).toString()
      bytes += `${request.method} ${request.url} ${JSON.stringify(request.headers)}\n${body}\n`
      if (status === 200 && request.url === '/otlp/v1/traces') spans.push(...readSpans(body))
      if (status === 200 && request.url === '/otlp/v1/metrics') metrics.push(readMetrics(body))
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/otlp`,
    spans,
    metrics,
    bytes: () => bytes,
    headers: () => headers,
    requests: () => requests,
    answerWith: (code: number) => {
      status = code
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const readSpans = (body: string): ReceivedSpan[] =>
  (JSON.parse(body) as WireTraces).resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map(({ attributes, ...span }) => ({
        ...span,
        facts: { ...toFacts(resource.attributes), ...toFacts(attributes) },
      })),
    ),
  )

const readMetrics = (body: string): WireMetric[] =>
  (JSON.parse(body) as WireMetrics).resourceMetrics.flatMap(({ scopeMetrics }) =>
    scopeMetrics.flatMap((scope) => scope.metrics),
  )
