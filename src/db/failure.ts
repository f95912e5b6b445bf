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
