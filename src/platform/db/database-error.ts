/**
 * Marks errors of Tablinum's own database. Error codes are not enough: ECONNREFUSED and ENOENT also come from sources and files, and a
 * source may be a Postgres too.
 */
const MARK = Symbol('from the database')

export const markDatabaseError = <T>(error: T): T => {
  if (typeof error === 'object' && error !== null && Object.isExtensible(error)) Object.defineProperty(error, MARK, { value: true })
  return error
}

export const throwDatabaseError = (error: unknown): never => {
  throw markDatabaseError(error)
}

export const isDatabaseError = (error: unknown): boolean => typeof error === 'object' && error !== null && MARK in error
