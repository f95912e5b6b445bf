import { Query, type QueryConfig } from 'pg'

/** What `pg` does with a query, as far as it is changed here. */
interface SentQuery {
  text: string
  name: string | undefined
  requiresPreparation(): boolean
  submit(connection: Wire): Error | null
  prepare(connection: Wire): void
  handleCommandComplete(message: unknown, connection: Wire): void
}
interface Wire {
  parse(message: { text: string; name: string; types: [] }): void
  bind(message: { portal: string; statement: string; values: [] }): void
  execute(message: { portal: string; rows: number }): void
}
const PgQuery = Query as unknown as new (config: QueryConfig) => SentQuery

/**
 * The first statement of a transaction, with its `begin`: a round trip less. There is no Sync between them, or they are one text, so
 * Postgres skips the statement if `begin` fails. Sent as a message of its own, it would be committed by itself.
 */
export class FirstQuery extends PgQuery {
  /** The statement runs inside the transaction. */
  begun = false
  readonly #begin: string
  readonly #name: string | undefined

  constructor(begin: string, config: QueryConfig) {
    super(config)
    this.#begin = begin
    this.#name = config.name
  }

  override submit(connection: Wire): Error | null {
    if (!this.requiresPreparation()) this.text = `${this.#begin}; ${this.text}`
    return super.submit(connection)
  }

  override prepare(connection: Wire): void {
    connection.parse({ text: this.#begin, name: '', types: [] })
    connection.bind({ portal: '', statement: '', values: [] })
    connection.execute({ portal: '', rows: 0 })
    super.prepare(connection)
    this.name = undefined // what is parsed first is `begin`
  }

  override handleCommandComplete(message: unknown, connection: Wire): void {
    if (this.begun) super.handleCommandComplete(message, connection)
    this.begun = true
    this.name = this.#name
  }
}
