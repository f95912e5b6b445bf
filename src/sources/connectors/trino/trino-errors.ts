import { QueryError } from '../../../../connector/src/serve-session.ts'

/** Errors about names, syntax, types and rights: they are found before a row is read, so that they contain no cell values. */
const QUERY_ERRORS = new Set(
  'SYNTAX_ERROR COLUMN_NOT_FOUND TABLE_NOT_FOUND SCHEMA_NOT_FOUND CATALOG_NOT_FOUND FUNCTION_NOT_FOUND TYPE_MISMATCH AMBIGUOUS_NAME EXPRESSION_NOT_AGGREGATE MISSING_TABLE PERMISSION_DENIED'.split(
    ' ',
  ),
)

/** The error of a statement, as the server reports it. */
export interface TrinoFailure {
  readonly message?: string
  readonly errorName?: string
}

/** What may be shown of it. Pure. */
export const toTrinoError = ({ message, errorName }: TrinoFailure): QueryError =>
  new QueryError(message ?? errorName ?? 'The query failed.', QUERY_ERRORS.has(errorName ?? '') ? 'query' : 'data', errorName)
