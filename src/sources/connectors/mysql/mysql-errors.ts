import { QueryError } from '../../../../connector/src/serve-session.ts'

/** Errors of the server about names, syntax and rights: they are found before a row is read, so that they contain no cell values. */
const QUERY_ERRORS = new Set([
  1044, 1045, 1049, 1052, 1054, 1055, 1060, 1064, 1066, 1109, 1111, 1115, 1140, 1142, 1143, 1146, 1248, 1305, 1582, 1584,
])
// Timeout of MySQL, timeout of MariaDB, and killed query.
const TIMEOUT_ERRORS = new Set([3024, 1969, 1317])
const UNKNOWN_VARIABLE = 1193

/** What may be shown of an error of the driver. Pure. */
export const toMysqlError = (cause: unknown): Error => {
  if (cause instanceof QueryError) return cause
  if (cause instanceof RangeError || cause instanceof TypeError) return toProtocolError()
  const { message, code, errno = 0, sqlState } = cause as Error & { code?: string; errno?: number; sqlState?: string }
  const text = code === 'EPIPE' ? 'write EPIPE' : message || code || 'The connection failed.' // its message is about a socket
  if (TIMEOUT_ERRORS.has(errno)) return new QueryError('The operation timed out.', 'timeout')
  if (sqlState === undefined) return new QueryError(text, 'connection') // not an error of the server
  return new QueryError(text, QUERY_ERRORS.has(errno) ? 'query' : 'data', `error ${errno}`)
}

export const toProtocolError = (): Error =>
  new QueryError('Unexpected response: the server does not appear to be MySQL or MariaDB.', 'connection')

/** A setting that servers of this version do not have. */
export const isUnknownVariable = (error: unknown): boolean => error instanceof QueryError && error.code === `error ${UNKNOWN_VARIABLE}`
