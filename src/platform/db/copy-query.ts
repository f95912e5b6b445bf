import { Query, type QueryConfig } from 'pg'

/** The rows of a `copy … from stdin`: the only parameter of such a statement. */
export class CopyData {
  readonly bytes: Buffer

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }
}

/** The methods of a `pg` query that are called or overridden here and in first-query.ts; its types do not have them. */
interface SentQuery {
  text: string
  name: string | undefined
  requiresPreparation(): boolean
  submit(connection: Wire): Error | null
  prepare(connection: Wire): void
  handleCommandComplete(message: unknown, connection: Wire): void
  handleCopyInResponse(connection: Wire): void
}
export interface Wire {
  parse(message: { text: string; name: string; types: [] }): void
  bind(message: { portal: string; statement: string; values: [] }): void
  execute(message: { portal: string; rows: number }): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
}
const PgQuery = Query as unknown as new (config: QueryConfig) => SentQuery

/**
 * A query with the rows of its COPY, if it is one, sent without waiting for the server to ask for them. If the COPY fails, or its transaction has
 * failed before, Postgres ignores the rows.
 */
export class CopyQuery extends PgQuery {
  readonly #data: CopyData | undefined

  constructor(config: QueryConfig, data: CopyData | undefined) {
    super(config)
    this.#data = data
  }

  override submit(connection: Wire): Error | null {
    const error = super.submit(connection)
    if (error || !this.#data) return error
    if (this.#data.bytes.length > 0) connection.sendCopyFromChunk(this.#data.bytes)
    connection.endCopyFrom()
    return null
  }

  override handleCopyInResponse(connection: Wire): void {
    if (!this.#data) super.handleCopyInResponse(connection)
  }
}
