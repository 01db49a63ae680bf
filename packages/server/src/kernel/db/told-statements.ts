import type { SpanFacts } from '../tracing/span-facts.js'
import type { Span } from '../tracing/trace.js'
import type { Statement } from './tenant-read.js'

/** How many statements of one batch are named; a transaction of more is known by its first ones. */
const namesMost = 12

const nameOf = ({ name }: Pick<Statement, 'name'>): string => name ?? 'unnamed'

/** Names alone: neither the text of a statement nor its values are told to anybody. */
export const factsOf = (statements: readonly Statement[]) => (): SpanFacts => ({
  statements: statements.length,
  statementNames: statements.slice(0, namesMost).map(nameOf).join(','),
})

/** The statements of a transaction, as they come. */
export class ToldStatements {
  readonly #span: Span
  readonly #names: string[] = []
  #count = 0

  constructor(span: Span) {
    this.#span = span
  }

  tell(statement: Statement): void {
    this.#count += 1
    if (this.#names.length < namesMost) this.#names.push(nameOf(statement))
    this.#span.add({ statements: this.#count, statementNames: this.#names.join(',') })
  }
}
