import { QueryError } from '../../../../connector/src/serve-session.ts'

/** Errors about names, syntax and rights: they are found before a row is read, so that they contain no cell values. */
const QUERY_CODES = new Set('42 43 46 47 60 62 81 158 164 194 215 241 307 396 497 516'.split(' '))
// Timeouts, and killed queries.
const TIMEOUT_CODES = new Set(['159', '160', '394'])

// The message format of old servers: newer ones are parsed by the driver.
const OLD_ERROR_FORMAT = /^Code: (\d+)[.,] (?:e\.displayText\(\) = )?(?:DB::Exception: )?([\s\S]*?)(?:, e\.what\(\) = [\s\S]*)?$/
const MAX_MESSAGE_LENGTH = 1_000

/** What may be shown of an error of the driver. Pure. */
export const toClickhouseError = (error: unknown): QueryError => {
  if (error instanceof QueryError) return error
  const { message, code: named } = error as Error & { code?: string }
  const [, code = named, words = message] = OLD_ERROR_FORMAT.exec(message) ?? []
  if (code && TIMEOUT_CODES.has(code)) return new QueryError('The operation timed out.', 'timeout')
  const text = words.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_LENGTH) || code || 'The connection failed.'
  if (code === undefined) return new QueryError(text, 'data')
  return new QueryError(text, QUERY_CODES.has(code) ? 'query' : 'data', `code ${code}`)
}
