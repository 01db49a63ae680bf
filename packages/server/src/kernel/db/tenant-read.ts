import pg from 'pg'
import type { TenantId } from '../ids.js'

/**
 * A named statement is prepared once per connection. Searches with patterns stay unnamed: a generic plan ruins them. `Row` is what its
 * rows look like, said once, where the columns stand; a statement whose rows nobody reads says nothing, and they can only be
 * counted.
 */
export interface Statement<Row = unknown> {
  name?: string
  text: string
  values: unknown[]
  /**
   * A read that ends within milliseconds whatever its values, and changes and locks nothing, settings included: `Database.read`
   * may run it in one transaction with others of the tenant.
   */
  isShort?: true
  /** For the compiler alone: no statement has it. */
  readonly rowsAre?: Row
}

export interface ReadOutcome {
  error: Error | null
  /** Whether the connection may go back to the pool. */
  isReusable: boolean
  results: pg.QueryResultRow[][]
}

const setTenant = { name: 'set_tenant', text: "select set_config('app.tenant', $1, true)" }

type Connection = pg.Connection & {
  /** pg's own register of what is prepared on this connection; shared, so that names never clash with it. */
  parsedStatements: Record<string, string>
  bind(config: object): void
  parse(config: object): void
  describe(config: object): void
  execute(config: object): void
  sync(): void
}

/** pg's own row builder; its types leave these two out. */
interface RowShape {
  addFields(fields: pg.FieldDef[]): void
  parseRow(fields: (string | null)[]): pg.QueryResultRow
}
const Result = pg.Result as unknown as new (rowMode: string, types: pg.CustomTypesConfig) => RowShape

/**
 * What the rows of each prepared statement look like, by connection: PostgreSQL refuses to run one whose columns have
 * changed since ("cached plan must not change result type"), so describing it once is enough.
 */
const knownShapes = new WeakMap<pg.Connection, Map<string, RowShape>>()

function shapesOf(connection: pg.Connection): Map<string, RowShape> {
  let shapes = knownShapes.get(connection)
  if (shapes === undefined) {
    shapes = new Map()
    knownShapes.set(connection, shapes)
  }
  return shapes
}

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils

/**
 * `set_config` and the reads as several Binds under one Sync: one round trip, one implicit transaction. Measured
 * against a plain pool without row security: 0.73, where BEGIN, SET, query and COMMIT one by one reach 0.35.
 * pg calls the `handle*` methods, as it does for pg-cursor.
 */
export class TenantRead implements pg.Submittable {
  readonly #tenantId: TenantId
  readonly #statements: readonly Statement[]
  readonly #types: pg.CustomTypesConfig
  readonly #done: (outcome: ReadOutcome) => void
  readonly #results: pg.QueryResultRow[][]
  readonly #shapes: (RowShape | undefined)[] = []
  #known: Map<string, RowShape> | null = null
  /** −1 while the answer to `set_config` is on its way. */
  #current = -1
  #hasParsed = false
  #isDone = false

  constructor(
    tenantId: TenantId,
    statements: readonly Statement[],
    types: pg.CustomTypesConfig,
    done: (outcome: ReadOutcome) => void,
  ) {
    this.#tenantId = tenantId
    this.#statements = statements
    this.#types = types
    this.#done = done
    this.#results = statements.map(() => [])
  }

  submit(plainConnection: pg.Connection): void {
    const connection = plainConnection as Connection
    const known = shapesOf(connection)
    this.#known = known
    connection.stream.cork()
    try {
      this.#prepare(connection, setTenant)
      connection.bind({ statement: setTenant.name, values: [this.#tenantId] })
      connection.execute({})
      for (const statement of this.#statements) {
        this.#prepare(connection, statement)
        connection.bind({
          statement: statement.name ?? '',
          values: statement.values,
          valueMapper: prepareValue,
        })
        const shape = statement.name === undefined ? undefined : known.get(statement.name)
        this.#shapes.push(shape)
        if (shape === undefined) connection.describe({ type: 'P', name: '' })
        connection.execute({})
      }
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  #prepare(connection: Connection, statement: { name?: string; text: string }): void {
    const { name, text } = statement
    if (name !== undefined && connection.parsedStatements[name] !== undefined) {
      if (connection.parsedStatements[name] !== text) {
        throw new Error(`two statements are named ${name}`)
      }
      return
    }
    connection.parse({ name: name ?? '', text, types: [] })
    if (name !== undefined) {
      connection.parsedStatements[name] = text
      this.#hasParsed = true
    }
  }

  handleRowDescription(message: { fields: pg.FieldDef[] }): void {
    const shape = new Result('', this.#types)
    shape.addFields(message.fields)
    this.#shapes[this.#current] = shape
    const name = this.#statements[this.#current]?.name
    if (name !== undefined) this.#known?.set(name, shape)
  }

  handleDataRow(message: { fields: (string | null)[] }): void {
    if (this.#current < 0) return
    const shape = this.#shapes[this.#current]
    if (shape !== undefined) this.#results[this.#current]?.push(shape.parseRow(message.fields))
  }

  handleCommandComplete(): void {
    this.#current += 1
  }

  handleEmptyQuery(): void {
    this.#current += 1
  }

  handlePortalSuspended(): void {
    // Never happens: no row limit is asked for.
  }

  /** pg forgets the active query before it calls this: no `handleReadyForQuery` follows. */
  handleError(error: Error): void {
    this.#finish(error)
  }

  handleReadyForQuery(): void {
    this.#finish(null)
  }

  #finish(error: Error | null): void {
    if (this.#isDone) return
    this.#isDone = true
    // After a failure nobody knows which of the newly sent Parse messages the server still executed; after a fatal one
    // the server ends the connection.
    const isReusable =
      error === null || (error instanceof pg.DatabaseError && error.severity !== 'FATAL' && !this.#hasParsed)
    this.#done({
      error,
      isReusable,
      results: this.#results,
    })
  }
}
