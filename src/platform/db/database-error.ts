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

/**
 * Whether Postgres has rejected a statement that commits by itself, so that nothing of it was saved. After a lost connection, or if the server shuts
 * down, it may be committed. Decided by SQLSTATE: the severity is in the language of the server.
 */
export const wasRolledBack = (error: unknown): boolean => {
  if (!isDatabaseError(error)) return false
  const { code = '', severity } = error as { code?: string; severity?: string }
  return severity !== undefined && SQLSTATE.test(code) && !IN_DOUBT_STATES.test(code)
}

const SQLSTATE = /^[0-9A-Z]{5}$/
const IN_DOUBT_STATES = /^(08...|57P0.|40003)$/
