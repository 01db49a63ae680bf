import type { ConsoleAuditEntry } from '@casenote/contract'
import type { ReportedEntry } from '../../kernel/audit/index.js'
import { wordOperation } from './operation-words.js'

export const REPORT_FORMATS = ['table', 'json', 'csv'] as const
export type ReportFormat = (typeof REPORT_FORMATS)[number]

export const countEntries = (count: number): string => `${count} ${count === 1 ? 'entry' : 'entries'}`

/** The report as pieces of text, each written when it is made. What has no end, as each format marks it, was cut short. */
export interface ReportWriter {
  begin(): string
  entry(entry: ReportedEntry): string
  end(count: number): string
}

export const makeReportWriter = (format: ReportFormat): ReportWriter => writers[format]()

const writers: Record<ReportFormat, () => ReportWriter> = {
  table: () => ({
    begin: () => `${padded(['when', 'who', 'from', 'outcome', 'what'])}\n`,
    entry: (entry) =>
      `${padded([entry.at, wordActor(entry), entry.address ?? '-', wordOutcome(entry), wordWhat(entry)])}\n`,
    end: (count) => `End of the report: ${countEntries(count)}\n`,
  }),
  json: () => {
    let isFirst = true
    return {
      begin: () => '[',
      entry: (entry) => {
        const before = isFirst ? '\n' : ',\n'
        isFirst = false
        return before + JSON.stringify(toReportRow(entry))
      },
      end: () => (isFirst ? ']\n' : '\n]\n'),
    }
  },
  csv: () => ({
    begin: () => toCsvLine(csvColumns),
    entry: (entry) => {
      const { at, who, kind, id, as, what, operation, outcome, from, records, requestId } = toReportRow(entry)
      return toCsvLine([at, who, kind, id, as, what, operation, outcome, from, records.join(' '), requestId])
    },
    end: (count) => toCsvLine(csvColumns.map((column) => csvEnd(count)[column] ?? '')),
  }),
}

/** Every other line has a time where this one says that it is the last. */
const csvEnd = (count: number): Partial<Record<string, string>> => ({ at: 'end', what: countEntries(count) })

const csvColumns = [
  'at',
  'who',
  'kind',
  'id',
  'as',
  'what',
  'operation',
  'outcome',
  'from',
  'records',
  'requestId',
]

/** One entry in words and ids, for whoever reads it. */
export const toReportRow = (entry: ReportedEntry): ConsoleAuditEntry => ({
  at: entry.at,
  who: wordActor(entry),
  kind: entry.actor.kind,
  id: entry.actor.id,
  as: entry.actor.as ?? null,
  what: wordOperation(entry.operation),
  operation: entry.operation,
  outcome: wordOutcome(entry),
  status: entry.status ?? null,
  count: entry.count ?? 1,
  from: entry.address,
  records: [...entry.subjects],
  requestId: entry.requestId,
  isChained: entry.isChained,
})

function wordActor({ actor: { kind, id, as } }: ReportedEntry): string {
  if (kind === 'system') return 'the service'
  const named = `${kind} ${id ?? 'unknown'}`
  return as === undefined ? named : `${named} as ${as}`
}

const isRefusal: ReadonlySet<string> = new Set([
  'clientLink.refuse',
  'clientLink.lock',
  'console.refuse',
  'console.lock',
])

function wordOutcome({ status, count, operation }: ReportedEntry): string {
  if (count !== undefined) return `${operation === 'audit.moreRefusals' ? 'refused' : 'done'} ${count}×`
  if (status !== undefined) return `refused ${status}`
  return isRefusal.has(operation) ? 'refused' : 'done'
}

const wordWhat = (entry: ReportedEntry): string =>
  `${wordOperation(entry.operation)}  ${entry.subjects.join(' ')}`

/** Columns of a table that is written before its last line is known: as wide as what they hold as a rule. */
const widths = [24, 46, 15, 11, 0]
const padded = (cells: readonly string[]): string =>
  cells
    // A name with a line break, or one that moves a terminal's cursor, must not look like another entry.
    .map((cell, index) => cell.replaceAll(/\p{Cc}/gu, ' ').padEnd(widths[index] ?? 0))
    .join('  ')
    .trimEnd()

const toCsvLine = (cells: readonly (string | null)[]): string => `${cells.map(toCsvCell).join(',')}\r\n`

/** RFC 4180. What a spreadsheet would take for a formula begins with an apostrophe: names come from outside. */
function toCsvCell(cell: string | null): string {
  const text = cell ?? ''
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
