import type postgres from 'postgres'
import { Ending } from './ending.ts'

type Sql = postgres.ReservedSql
type Unsafe = postgres.Sql['unsafe']
type Options = Parameters<Unsafe>[2]

/** Reserves a connection of the pool. */
export const reserve = async (client: postgres.Sql): Promise<Reserved> => new Reserved(await client.reserve())

/**
 * A connection for oneself, that knows when it has ended. postgres.js goes on writing to a reserved connection that has ended, and throws from a
 * timer when it does, where nobody can catch it: the whole process would end with one process of the server. So nothing more is said to it.
 */
export class Reserved {
  readonly #own: Sql
  readonly #ending = new Ending()
  #watched = false
  /** Throws when the connection has ended. */
  readonly unsafe: Unsafe

  constructor(own: Sql) {
    this.#own = own
    const unsafe: Unsafe = (text, parameters, options) => {
      if (this.#ending.isOver) throw Object.assign(new Error('The connection to the database has ended.'), { code: 'CONNECTION_CLOSED' })
      return own.unsafe(text, parameters, this.#watched ? options : this.#watching(options))
    }
    this.unsafe = unsafe // by its name: see `Taken` in driver.ts
  }

  get lost(): boolean {
    return this.#ending.isOver
  }

  /** An answer, or the end of the connection: what was asked in its last moment is never answered. */
  orEnd<T>(answer: PromiseLike<T>): Promise<T> {
    return this.#ending.or(answer)
  }

  /** As the driver's own transactions do: the first statement tells which connection it is. */
  #watching(options: Options): Options {
    const onclose = (error: Error) => this.#ending.end(error)
    const onexecute = (connection: { onclose: ((error: Error) => void) | null }): boolean => {
      this.#watched = true
      connection.onclose = onclose
      return true
    }
    return { ...options, onexecute } as Options
  }

  /** The driver has taken a lost connection back by itself; released once more, it would stand among the good ones and break the next query. */
  release(): void {
    if (!this.#ending.isOver) this.#own.release()
  }
}
