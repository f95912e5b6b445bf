import type postgres from 'postgres'
import { Ending } from './ending.ts'

/** A connection for oneself, that knows when it has ended. */
export interface Reserved {
  readonly lost: boolean
  /** An answer, or the end of the connection: what was asked in its last moment is never answered. */
  orEnd<T>(answer: PromiseLike<T>): Promise<T>
  /** Throws when the connection has ended. */
  readonly unsafe: postgres.Sql['unsafe']
  release(): void
}

/**
 * Reserves a connection of the pool. postgres.js goes on writing to a reserved connection that has ended, and throws from a timer when it does,
 * where nobody can catch it: the whole process would end with one process of the server. So nothing more is said to such a connection.
 */
export const reserve = async (client: postgres.Sql): Promise<Reserved> => {
  const own = await client.reserve()
  const ending = new Ending()
  let watched = false
  const onclose = (error: Error) => ending.end(error)
  // As its own transactions do: the first statement tells which connection it is.
  const onexecute = (connection: { onclose: ((error: Error) => void) | null }): boolean => {
    watched = true
    connection.onclose = onclose
    return true
  }
  const unsafe: postgres.Sql['unsafe'] = (text, parameters, options) => {
    if (ending.isOver) throw Object.assign(new Error('The connection to the database has ended.'), { code: 'CONNECTION_CLOSED' })
    return own.unsafe(text, parameters, watched ? options : ({ ...options, onexecute } as typeof options))
  }
  return {
    get lost() {
      return ending.isOver
    },
    orEnd: (answer) => ending.or(answer),
    unsafe,
    // The driver has taken a lost connection back by itself; released once more, it would stand among the good ones and break the next query.
    release: () => {
      if (!ending.isOver) own.release()
    },
  }
}
