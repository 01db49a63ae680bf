import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  reportAudit,
  chainAudit,
  type ReportedEntry,
  type ReportFilter,
} from '../../src/kernel/audit/index.js'
import { systemClock } from '../../src/kernel/clock.js'
import {
  makeReportWriter,
  REPORT_FORMATS,
  type ReportFormat,
} from '../../src/main/audit-report/format-report.js'
import { hasWords, wordOperation } from '../../src/main/audit-report/operation-words.js'
import { printReport } from '../../src/main/audit-report/run-report.js'
import { writeResult } from '../../src/main/commands/write-result.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { addColleague, signIn, type SignedIn } from '../widget/widget-fixture.js'

let service: TestService
let partner: TestPartner
let clinician: SignedIn
let colleague: { clinicianId: string; clientId: string }

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  clinician = await signIn(service, partner)
  colleague = await addColleague(service, partner)
})
afterAll(() => service.close())

const everything: ReportFilter = { clientId: null, clinicianId: null, since: null, until: null }

async function report(filter: Partial<ReportFilter>, of = partner): Promise<ReportedEntry[]> {
  const ring = await service.keys.get({ tenantId: of.partnerId })
  const entries: ReportedEntry[] = []
  const parts = { db: service.owner, ring, filter: { ...everything, ...filter }, onProgress: () => {} }
  for await (const entry of reportAudit(parts)) entries.push(entry)
  return entries
}

const tell = ({ operation, actor, status, address }: ReportedEntry): unknown[] => [
  operation,
  actor.kind,
  actor.id,
  status ?? null,
  address,
]

describe('a report', () => {
  it('by client has what was read and changed of theirs, whichever record it was, and who was refused', async () => {
    const get = (path: string) => service.ask(partner, 'GET', path)
    const { clientId, sessionId, progressNoteId, summaryId, scoreId } = partner
    for (const path of [
      `/clients/${clientId}`,
      `/clients/${clientId}/sessions`,
      `/sessions/${sessionId}/transcript`,
      `/progress-notes/${progressNoteId}`,
      `/progress-notes/${progressNoteId}/versions`,
      `/summaries/${summaryId}`,
      `/assessment-scores/${scoreId}`,
      `/clinics/${partner.clinicId}/clients`,
    ])
      expect((await get(path)).statusCode).toBe(200)
    await clinician.call('GET', `/sessions/${sessionId}/progress-note`)
    await service.call({
      method: 'PATCH',
      url: `/v2/clients/${clientId}`,
      headers: partner.headers,
      payload: { firstName: 'Max' },
    })
    const stranger = await signIn(service, partner, colleague.clinicianId)
    await stranger.call('GET', `/clients/${clientId}`)
    const isRefused = async (): Promise<boolean> =>
      (await report({ clientId })).some(({ status }) => status === 404)
    await waitUntil(isRefused, 'the refusal is recorded')
    const told = (await report({ clientId })).map(tell)
    const byPartner = ['partner', partner.partnerId, null, '127.0.0.1']
    for (const operation of [
      'client.read',
      'session.list',
      'session.readTranscript',
      'progressNote.read',
      'progressNote.listVersions',
      'summary.read',
      'assessmentScore.read',
      'client.list',
      'client.change',
    ])
      expect(told).toContainEqual([operation, ...byPartner])
    expect(told).toContainEqual([
      'widget.readProgressNote',
      'clinician',
      partner.clinicianId,
      null,
      '127.0.0.1',
    ])
    expect(told).toContainEqual(['widget.readClient', 'clinician', colleague.clinicianId, 404, '127.0.0.1'])
    expect(told.map(([operation]) => operation)).not.toContain('organization.create')
  })

  it('by clinician has what they did and what was done about them; with a client, what is both', async () => {
    const { clinicianId, clientId } = partner
    const of = await report({ clinicianId })
    expect(of.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['clinician.create', 'clinician.authenticate', 'widget.readProgressNote']),
    )
    expect(
      of.every(({ actor, subjects }) => actor.id === clinicianId || subjects.includes(clinicianId)),
    ).toBe(true)
    const both = await report({ clinicianId, clientId })
    expect(both.map(({ operation }) => operation)).toContain('widget.readProgressNote')
    expect(both.map(({ operation }) => operation)).not.toContain('client.read')
  })

  it('by time has neither what was before nor what came at its end', async () => {
    const all = await report({})
    const [since, until] = [all[2]?.at ?? '', all.at(-2)?.at ?? '']
    const some = await report({ since, until })
    expect(some.length).toBeGreaterThan(0)
    expect(some.every(({ at }) => at >= since && at < until)).toBe(true)
    expect(some).toEqual(all.filter(({ at }) => at >= since && at < until))
  })

  it('tells a change before and after it is chained, once, and nothing of another partner', async () => {
    const before = await report({ clientId: partner.clientId })
    expect(before.some(({ isChained }) => !isChained)).toBe(true)
    const { db, keys } = service
    await chainAudit({ db, keys, clock: systemClock, writerId: randomUUID(), anchors: null })
    const after = await report({ clientId: partner.clientId })
    expect(after.every(({ isChained }) => isChained)).toBe(true)
    const toKey = (entry: ReportedEntry): string => JSON.stringify({ ...entry, isChained: true })
    expect(after.map(toKey).toSorted()).toEqual(before.map(toKey).toSorted())
    const other = await service.addPartner()
    expect(await report({ clientId: partner.clientId }, other)).toEqual([])
  })

  it('of many chains and pages is in the order of time and complete', async () => {
    const other = await service.addPartner()
    // One of whom there is more than the index is asked for, and one of two pages.
    const [listedId, clientId] = [randomUUID(), randomUUID()]
    const count = 24_000
    await service.owner.throughDoor({
      text: `with made as (
          select n, ('00000000-0000-4000-8000-00000000000' || n % 3)::uuid as writer_id, n / 3 + 1 as seq,
            '{"at":"' || to_char(timestamp '2026-01-01' + n * interval '7 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') ||
            '","operation":"client.read","actor":{"kind":"partner","id":"' || $1 || '"},"requestId":"' || n || '"}' as body
          from generate_series(0, $3::int - 1) n
        ), entries as (
          insert into casenote.audit_entries (tenant_id, writer_id, seq, key_version, subject_ids, body, hash)
          select $1::uuid, writer_id, seq, 1,
            array[$2::uuid] || case when n % 2 = 0 then array[$4::uuid] else '{}' end, body, sha256('') from made
        )
        insert into casenote.audit_heads (tenant_id, writer_id, seq, hash)
        select $1::uuid, writer_id, max(seq), sha256('') from made group by writer_id`,
      values: [other.partnerId, listedId, count, clientId],
    })
    const expected = Array.from({ length: count }, (_, index) => String(index))
    const until = '2026-02-01T00:00:00.000Z'
    for (const filter of [{ clientId: listedId }, { until }]) {
      const told = await report(filter, other)
      expect(told.map(({ requestId }) => requestId)).toEqual(expected)
    }
    const told = await report({ clientId }, other)
    expect(told.map(({ requestId }) => requestId)).toEqual(expected.filter((_, index) => index % 2 === 0))
  })
})

describe('the words of a report', () => {
  const src = fileURLToPath(new URL('../../src/', import.meta.url))

  it('there are some for every operation that is recorded', async () => {
    const { partnerApi, widgetApi } = service.api
    const operations = new Set([...partnerApi.routes, ...widgetApi.routes].map(({ operation }) => operation))
    const files = (await readdir(src, { recursive: true })).filter((name) => name.endsWith('.ts'))
    for (const name of files) {
      const text = await readFile(join(src, name), 'utf8')
      if (
        !/recordChange|changeRecord|recordedInEveryLog|reads\.record|recordNoteChange|RefusalAudit/.test(text)
      )
        continue
      for (const [, operation = ''] of text.matchAll(/'([a-z][A-Za-z]+\.[a-z][A-Za-z]+)'/g))
        operations.add(operation)
    }
    expect(operations.size).toBeGreaterThan(100)
    expect([...operations].filter((operation) => !hasWords(operation))).toEqual([])
    expect((await report({})).filter(({ operation }) => !hasWords(operation))).toEqual([])
  })

  it('an operation of another version is called by its name', () => {
    expect(wordOperation('client.dance')).toBe('client.dance')
  })
})

describe('formats', () => {
  const entry: ReportedEntry = {
    at: '2026-11-16T10:00:00.000Z',
    operation: 'partner.suspend',
    actor: { kind: 'operator', id: '=cmd', as: '+1, "A"\n' },
    address: null,
    requestId: null,
    subjects: ['0b1f5a52-3c55-4d0e-8a3e-5d0c5a2f6f10'],
    isChained: true,
  }
  const refused: ReportedEntry = {
    ...entry,
    operation: 'client.read',
    actor: { kind: 'clinician', id: 'c' },
    address: '192.0.2.1',
    status: 404,
  }
  const write = (format: ReportFormat): string => {
    const writer = makeReportWriter(format)
    return [writer.begin(), writer.entry(entry), writer.entry(refused), writer.end(2)].join('')
  }

  it('a table says it in words, a line each, whatever a name contains', () => {
    const lines = write('table').trimEnd().split('\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toMatch(
      /^2026-11-16T10:00:00.000Z {2}operator =cmd as \+1, "A" .*done +suspended the partner/,
    )
    expect(lines[2]).toMatch(/clinician c +192\.0\.2\.1 +refused 404 +read a client {2}0b1f5a52/)
    expect(lines[3]).toBe('End of the report: 2 entries')
  })

  it('JSON is one list', () => {
    expect(JSON.parse(write('json'))).toMatchObject([
      { who: 'operator =cmd as +1, "A"\n', what: 'suspended the partner', outcome: 'done', status: null },
      { kind: 'clinician', outcome: 'refused 404', status: 404, from: '192.0.2.1' },
    ])
    expect(JSON.parse(makeReportWriter('json').begin() + makeReportWriter('json').end(0))).toEqual([])
  })

  it('CSV is quoted, and nothing in it is a formula', () => {
    const [, first] = write('csv').split('\r\n')
    expect(first).toContain(`,'=cmd,"'+1, ""A""\n",suspended the partner,`)
  })

  it('CSV ends with a line of as many columns that says how many entries came before it', () => {
    const lines = write('csv').trimEnd().split('\r\n')
    expect(lines.at(-1)).toBe('end,,,,,2 entries,,,,,')
    expect(lines.at(-1)?.split(',').length).toBe(lines[0]?.split(',').length)
  })

  it('one whose database goes away in the middle says that it is not whole, and has no end', async () => {
    const entries = async function* () {
      yield entry
      throw new Error('the database is away')
    }
    for (const format of REPORT_FORMATS) {
      let text = ''
      const put = async (piece: string) => void (text += piece)
      await expect(printReport(entries(), format, put)).rejects.toThrow(
        'the report is NOT whole, it was cut short after 1 entry: the database is away',
      )
      expect(text).not.toMatch(/^end,|End of|\]\n$/m)
    }
  })
})

describe('a result in a file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'casenote-test-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('has its name when it is whole, and clears what a killed one left', async () => {
    const file = join(folder, 'report.csv')
    const left = `${file}.0123456789abcdef.new`
    await writeFile(left, 'half of')
    await expect(
      writeResult(file, async (write) => {
        await write('half of')
        throw new Error('the database is away')
      }),
    ).rejects.toThrow('away')
    expect(await readdir(folder)).toEqual([])
    await writeResult(file, async (write) => {
      await write('one')
      expect(await readdir(folder)).toEqual([expect.stringMatching(/^report\.csv\.[0-9a-f]{16}\.new$/)])
      await expect(
        writeResult(file, () => write('another')),
        'what a living one is at',
      ).rejects.toThrow(`another process writes ${file}`)
      await write('two')
    })
    expect(await readdir(folder)).toEqual(['report.csv'])
    expect([await readFile(file, 'utf8'), (await stat(file)).mode & 0o777]).toEqual(['onetwo', 0o600])
  })

  it('is never written over what is there', async () => {
    const file = join(folder, 'master.key')
    await writeFile(file, 'a key')
    await expect(writeResult(file, (write) => write('a report'))).rejects.toThrow('is there already')
    expect(await readFile(file, 'utf8')).toBe('a key')
  })
})
