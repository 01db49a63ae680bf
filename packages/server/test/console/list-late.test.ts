import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { JOB_KINDS } from '../../src/jobs/jobs.sql.js'
import { lateAfterMs, listLate } from '../../src/main/console/list-late.js'

const rules = readFileSync(new URL('../../../../deploy/prometheus/alerts.yaml', import.meta.url), 'utf8')

const expressionOf = (alert: string): string =>
  new RegExp(`- alert: ${alert}\\n\\s+expr: (.+)`).exec(rules)?.[1] ?? ''
const secondsOf = (alert: string): number => Number(/> (\d+)$/.exec(expressionOf(alert))?.[1])
const kindsOf = (alert: string): string[] =>
  /kind[=!]~"([^"]+)"/.exec(expressionOf(alert))?.[1]?.split('|') ?? []

it('what the console calls late is what the alert rules call so', () => {
  const slow = kindsOf('CasenoteTranscribingLate')
  const patient = kindsOf('CasenoteJobsLate').filter((kind) => !slow.includes(kind))
  expect([slow.length, patient.length]).toEqual([2, 2])
  for (const kind of JOB_KINDS) {
    const rule = slow.includes(kind) ? 'CasenoteTranscribingLate' : 'CasenoteJobsLate'
    expect([kind, lateAfterMs(kind)]).toEqual([
      kind,
      patient.includes(kind) ? Infinity : secondsOf(rule) * 1_000,
    ])
  }
  expect(lateAfterMs('webhooks')).toBe(secondsOf('CasenoteWebhooksLate') * 1_000)
})

it('the longest comes first, and what is in time or not due is left out', () => {
  const late = listLate({
    queue: [
      { kind: 'write_note', oldestDueMs: 400_000 },
      { kind: 'transcribe', oldestDueMs: 400_000 },
      { kind: 'summarize', oldestDueMs: null },
      { kind: 'hear_live', oldestDueMs: 9_000_000 },
    ],
    deliveries: { oldestDueMs: 500_000 },
  })
  expect(late).toEqual([
    { kind: 'webhooks', oldestDueMs: 500_000 },
    { kind: 'write_note', oldestDueMs: 400_000 },
  ])
})
