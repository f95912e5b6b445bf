import type { QueryConfig } from 'pg'
import { type CopyData, CopyQuery, type Wire } from './copy-query.ts'

/**
 * The first statement of a transaction, with its `begin`: a round trip less. There is no Sync between them, or they are one text, so
 * Postgres skips the statement if `begin` fails. Sent as a message of its own, it would be committed by itself.
 */
export class FirstQuery extends CopyQuery {
  /** The statement runs inside the transaction. */
  begun = false
  readonly #begin: string
  readonly #name: string | undefined

  constructor(begin: string, config: QueryConfig, data: CopyData | undefined) {
    super(config, data)
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
