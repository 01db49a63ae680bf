import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { metrics } from '../../src/http/metrics.js'
import { freePort, makeDataFolder, startCasenote, waitUntil } from '../support/casenote-process.js'
import { openCollector } from '../support/otlp-collector.js'
import { makeTestDatabase, type TestDatabase } from '../support/test-database.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (path: string): string => readFileSync(root + path, 'utf8')

let collector: Awaited<ReturnType<typeof openCollector>>
let database: TestDatabase
let data: Awaited<ReturnType<typeof makeDataFolder>>
let service: Awaited<ReturnType<typeof startCasenote>>
let adminPort: number
let receiver: { url: string; received: () => number; close(): Promise<void> }

const collectorKey = `Qzkey${randomBytes(8).toString('hex')}`

beforeAll(async () => {
  collector = await openCollector()
  receiver = await openReceiver()
  database = await makeTestDatabase()
  data = await makeDataFolder()
  adminPort = await freePort()
  const headersFile = `${data.path}-headers`
  await writeFile(headersFile, `x-collector-key=${collectorKey}\n`)
  service = await startCasenote({
    DATABASE_URL: database.databaseUrl,
    CASENOTE_MIGRATE_URL: database.migrateUrl,
    CASENOTE_DATA_DIR: data.path,
    CASENOTE_ADMIN_PORT: String(adminPort),
    CASENOTE_OTLP_URL: collector.url,
    CASENOTE_OTLP_HEADERS_FILE: headersFile,
  })
})
afterAll(async () => {
  await service.process.end('SIGTERM')
  await collector.close()
  await receiver.close()
  await database.drop()
  await data.remove()
})

async function openReceiver() {
  let received = 0
  const server = createServer((request, response) => {
    received += 1
    request.resume().on('end', () => response.writeHead(204).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: () => received,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('a traced service', () => {
  it('tells request, statements, jobs, engines and deliveries, and nothing of a person or a secret', async () => {
    const planted: string[] = []
    const plant = (kind: string): string => {
      const word = `Qz${kind}${randomUUID().replaceAll('-', '')}`
      planted.push(word)
      return word
    }
    const text = await readFile(join(data.path, 'sandbox-credentials.json'), 'utf8')
    const given = JSON.parse(text) as Record<'apiKey' | 'clientId' | 'clientSecret' | 'clinicianId', string>
    const { apiKey, clientId, clientSecret } = given
    let token = ''
    const call = async (method: string, path: string, body?: object): Promise<Record<string, string>> => {
      const headers = { 'x-api-key': apiKey, 'access-token': token, 'content-type': 'application/json' }
      const answer = await fetch(`${service.url}/v2${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      expect([path, answer.status < 300]).toEqual([path, true])
      return (await answer.json()) as Record<string, string>
    }
    token = (await call('POST', '/partners/authenticate', { clientId, clientSecret })).accessToken ?? ''
    await call('POST', '/webhook-endpoints', {
      url: `${receiver.url}/${plant('path')}?key=${plant('query')}`,
      eventTypes: ['progress_note_generated'],
    })
    const person = await call('POST', `/clinicians/${given.clinicianId}/clients`, {
      firstName: plant('first'),
      lastName: plant('last'),
      dateOfBirth: '1987-06-05',
      email: `${plant('mail')}@example.com`,
      phoneNumber: '+12025550143',
      externalId: plant('external'),
    })
    await call('GET', `/clinicians/${given.clinicianId}/clients?lastName=${planted[2]}`)
    const session = await call('POST', `/clients/${person.id}/sessions`, {
      text: `Met for 45 minutes. ${plant('said')} sleeps better. She denies thoughts of suicide.`,
      sessionExternalId: plant('sessionexternal'),
    })
    const names = (): Set<string> => new Set(collector.spans.map(({ name }) => name))
    const expected = ['client.create', 'session.create', 'db.read', 'db.write', 'job.take_text']
    expected.push('job.write_note', 'engine.read', 'engine.write_note', 'webhook.deliver')
    await waitUntil(async () => expected.every((name) => names().has(name)), 'all spans came')

    const find = (name: string) => collector.spans.find((span) => span.name === name)
    const created = find('session.create')
    expect(created?.facts).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 201 })
    const inside = collector.spans.filter(({ traceId }) => traceId === created?.traceId)
    expect(inside.map(({ name }) => name)).toEqual(expect.arrayContaining(['db.read', 'db.write']))
    // Who made a job tells what it is about; that is where its trace is.
    const told = inside.flatMap(({ events }) => events.map(({ attributes }) => JSON.stringify(attributes)))
    expect(told.join()).toContain(session.id)
    const step = find('job.take_text')
    expect(step).toMatchObject({ traceId: session.id?.replaceAll('-', ''), status: {} })
    expect(step?.facts).toMatchObject({ 'casenote.subject_id': session.id, 'casenote.end': 'ended' })
    expect(find('engine.write_note')?.facts).toMatchObject({ 'casenote.engine': 'extract' })
    expect(find('webhook.deliver')?.facts).toMatchObject({ 'http.response.status_code': 204 })
    expect(receiver.received()).toBeGreaterThan(0)

    const bytes = collector.bytes()
    // It was sent as the operator said, in a header and nowhere else.
    expect(collector.headers()['x-collector-key']).toBe(collectorKey)
    const secrets = [apiKey, clientSecret, token, '1987-06-05', '5550143', 'select ', 'minutes']
    for (const word of [...planted, ...secrets]) expect([word, bytes.includes(word)]).toEqual([word, false])
    expect(service.process.output).not.toContain(collectorKey)
  })
})

/** Functions and words of PromQL, and metrics that are not the service's own. */
const words = new Set(
  (
    'sum max min count avg by without on rate increase delta abs absent topk histogram_quantile min_over_time unless and or up ' +
    'group_left le'
  ).split(' '),
)

interface Selector {
  name: string
  labels: string[]
}

/** The metrics that an expression names, each with the labels that it is asked for by. */
function readSelectors(expression: string): Selector[] {
  const plain = expression
    .replaceAll(/"[^"]*"/g, '""')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(/\b(?:by|without|on)\s*\([^)]*\)/g, '')
  return [...plain.matchAll(/\b([a-z_][a-z0-9_:]*)\b(?:\{([^}]*)\})?/gi)]
    .map(([, name = '', inside = '']) => ({
      name,
      labels: [...inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }))
    .filter(({ name }) => !words.has(name) && !/^\d|^e\d+$/.test(name))
    .filter(({ name, labels }) => labels.length > 0 || name.includes('_'))
}

/** Labels that an expression groups or joins by. */
const readGroups = (expression: string): string[] =>
  [...expression.matchAll(/\b(?:by|without|on)\s*\(([^)]*)\)/g)].flatMap(([, list = '']) =>
    list.split(',').map((label) => label.trim()),
  )

interface Rule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}

const rules = (
  parse(read('deploy/prometheus/alerts.yaml')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules)

interface Panel {
  id: number
  type: string
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets?: { expr: string; legendFormat: string }[]
}
const { panels } = JSON.parse(read('deploy/grafana/dashboard.json')) as { panels: Panel[] }

const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...panels.flatMap(({ title, targets }) => (targets ?? []).map(({ expr }) => ({ where: title, expr }))),
]

describe('the files for Prometheus and Grafana', () => {
  it('name only metrics that the running service serves', async () => {
    const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    const served = new Set<string>()
    for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
      served.add(name)
      if (type === 'histogram') for (const end of ['_bucket', '_sum', '_count']) served.add(name + end)
    }
    expect(served.size).toBeGreaterThan(40)
    const unknown = expressions.flatMap(({ where, expr }) =>
      readSelectors(expr).flatMap(({ name }) => (served.has(name) ? [] : [`${where}: ${name}`])),
    )
    expect(unknown).toEqual([])
    expect(expressions.filter(({ expr }) => readSelectors(expr).length === 0)).toEqual([])
    // Each role tells how far behind it is, and each process what it stands on.
    for (const line of [
      /^casenote_build_info\{version="\d+\.\d+\.\d+",node="\d[^"]+",commit="",role="start"\} 1$/m,
      /^casenote_database_pool_size\{pool="api"\} \d+$/m,
      /^casenote_database_pool_connections\{pool="worker",state="idle"\} \d+$/m,
      /^casenote_database_pool_waiting\{pool="dispatcher"\} 0$/m,
      /^casenote_disk_free_bytes\{folder="data"\} [1-9]/m,
      /^casenote_disk_size_bytes\{folder="recordings"\} [1-9]/m,
      /^casenote_clock_ahead_seconds -?\d/m,
      /^casenote_vital_age_seconds\{vital="database"\} [0-9]/m,
      /^casenote_vital_age_seconds\{vital="webhooks"\} [0-9]/m,
      /^casenote_duty_age_seconds\{duty="audit.seal"\} \d/m,
      /^casenote_duty_runs_total\{duty="audit.seal",end="well"\} [1-9]/m,
      /^casenote_audit_unsealed_tenants 0$/m,
      /^casenote_job_oldest_due_seconds\{kind="transcribe"\} 0$/m,
      /^casenote_webhook_oldest_due_seconds \d/m,
      /^nodejs_eventloop_lag_p99_seconds \d/m,
    ])
      expect(text).toMatch(line)
  })

  it('ask for labels that these metrics have', async () => {
    // Each makes its own, when it is loaded.
    await import('../../src/pipeline/pipeline-metrics.js')
    await import('../../src/features/client-mail/mail-metrics.js')
    await import('../../src/features/request-logs/request-log.js')
    await import('../../src/http/process-metrics.js')
    /** Prometheus adds the first; `le` is of histograms; those of webhooks are made with a dispatcher. */
    const added = ['instance', 'le']
    const labelsOf = (name: string): readonly string[] | null => {
      const metric = metrics.getSingleMetric(name.replace(/_(?:bucket|sum|count)$/, '')) as unknown as
        { labelNames?: string[] } | undefined
      return metric === undefined ? null : [...(metric.labelNames ?? []), ...added]
    }
    const wrong = expressions.flatMap(({ where, expr }) => {
      const asked = readSelectors(expr)
      const first = asked[0]?.name ?? ''
      const grouped = { name: first, labels: readGroups(expr) }
      return [...asked, grouped].flatMap(({ name, labels }) => {
        const known = name.startsWith('casenote_webhook') ? null : labelsOf(name)
        return labels.flatMap((label) =>
          known?.includes(label) === false ? [`${where}: ${name} ${label}`] : [],
        )
      })
    })
    expect(wrong).toEqual([])
  })

  it('each alert says how bad it is, and docs/watching.md what to do', () => {
    const headings = [...read('docs/watching.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name)
    const named = rules.map(({ alert }) => alert)
    expect(new Set(named).size).toBe(named.length)
    expect(headings).toEqual(named)
    for (const { alert, for: wait, labels, annotations } of rules) {
      expect(annotations.runbook).toBe(`docs/watching.md#${alert.toLowerCase()}`)
      expect(['critical', 'warning', 'info']).toContain(labels.severity)
      expect(annotations.summary.length).toBeGreaterThan(10)
      if (wait !== undefined) expect(wait).toMatch(/^\d+[smh]$/)
    }
  })

  it('the dashboard has one panel in each place', () => {
    const ids = panels.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`),
    )
    expect(new Set(cells).size).toBe(cells.length)
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24)
  })
})
