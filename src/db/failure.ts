/**
 * Errors that came from our own database. Their codes alone do not tell: ECONNREFUSED and ENOENT are also what a source or a file says, and a
 * source may be a Postgres, too.
 */
const MARK = Symbol('from the database')

/** Marks an error as the database's and throws it on. */
export const throwDatabaseError = (error: unknown): never => {
  if (typeof error === 'object' && error !== null && Object.isExtensible(error)) Object.defineProperty(error, MARK, { value: true })
  throw error
}

export const isDatabaseError = (error: unknown): boolean => typeof error === 'object' && error !== null && MARK in error

/** The values come from the request: one that Postgres cannot read or compare is the caller's mistake, and is answered with 400. */
export const withCallersValues = async <T>(query: Promise<T>): Promise<T> => {
  try {
    return await query
  } catch (error) {
    if (isDatabaseError(error)) Object.defineProperty(error, CALLERS, { value: true })
    throw error
  }
}
const CALLERS = Symbol('holds values of the caller')

export const isOfCallersValues = (error: unknown): boolean => typeof error === 'object' && error !== null && CALLERS in error
