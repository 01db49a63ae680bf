import type { Static, TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { listShapeProblems, parseWritten } from '../../../kernel/written-file.js'
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
  const value = parseWritten(text, InstrumentProblem)
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
  throw new InstrumentProblem(
    listShapeProblems(Errors(schema, value), ({ message, params }) => `${message}${unknownOf(params)}`),
  )
}

function unknownOf(params: object): string {
  const { additionalProperties: names = [] } = params as { additionalProperties?: string[] }
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}
