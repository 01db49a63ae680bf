import type { Static, TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { checkInstrument, checkTextPack } from './check-instrument.js'
import { InstrumentFile, TextPackFile } from './instrument-file.js'

/** A file that cannot be used: every problem with its place in it. */
export class InstrumentProblem extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'InstrumentProblem'
  }
}

export type InstrumentSource =
  { kind: 'instrument'; file: InstrumentFile } | { kind: 'textPack'; file: TextPackFile }

/** Bigger than the longest questionnaire in ten languages. */
export const instrumentFileBytesMax = 1_000_000

/** A text pack is told from a whole instrument by `completes`. It is checked against its instrument when it is applied. */
export function readInstrumentFile(text: string): InstrumentSource {
  if (text.length > instrumentFileBytesMax) throw new InstrumentProblem(['the file is longer than 1 MB'])
  const value = parseJson(text)
  if (typeof value === 'object' && value !== null && 'completes' in value) {
    const file = requireShape(TextPackFile, value)
    requireNone(checkTextPack(file))
    return { kind: 'textPack', file }
  }
  const file = requireShape(InstrumentFile, value)
  requireNone(checkInstrument(file))
  return { kind: 'instrument', file }
}

export function requireNone(problems: readonly string[]): void {
  if (problems.length > 0) throw new InstrumentProblem(problems)
}

function requireShape<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (Check(schema, value)) return value
  const problems = Errors(schema, value)
    // A union repeats what each of its members misses; the members say it better.
    .filter(({ keyword }) => keyword !== 'anyOf')
    .map(({ instancePath, message, params }) => `${placeOf(instancePath)}: ${message}${unknownOf(params)}`)
  throw new InstrumentProblem([...new Set(problems)].slice(0, problemsMost))
}

/** One wrong bracket makes hundreds; nobody reads beyond the first screen. */
const problemsMost = 20

const placeOf = (pointer: string): string =>
  pointer === ''
    ? 'the file'
    : pointer
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce(
          (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
          '',
        )

function unknownOf(params: object): string {
  const { additionalProperties: names = [] } = params as { additionalProperties?: string[] }
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    const position = /at position (\d+)/.exec(message)?.[1]
    if (position === undefined) throw new InstrumentProblem([`the file is not JSON: ${message}`])
    const before = text.slice(0, Number(position)).split('\n')
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
    throw new InstrumentProblem([`${place}: this is not JSON`])
  }
}
