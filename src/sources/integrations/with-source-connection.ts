import { createHash } from 'node:crypto'
import type { Context } from '../../platform/context/context.ts'
import { ApiError, conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'
import { getNumberCredential, type QueryLimits, type Source, type SourceRows, type SqlSource } from '../connectors/shared/connector.ts'
import { type DialectSql, getDialectSql } from '../connectors/shared/dialect-sql.ts'
import { toQueryError } from '../connectors/shared/query-error.ts'
import { ROW_LIMIT_FIELD } from '../credentials/fields.ts'
import { getIntegrationType } from '../credentials/types.ts'
import { loadSource, requireConnector, toPublicError } from './connector-for.ts'
import { getIntegrationRow, type IntegrationRow } from './integration-rows.ts'

/** A source that can run queries while the connection is held. */
export interface ConnectedSource {
  readonly dialect: string
  readonly dialectSql: DialectSql
  /** Rows that one query may make the source scan. */
  readonly max_scanned_rows: number
  /** One query at a time. Error messages contain no secrets and no cell values. */
  query(sql: string, limits: SourceLimits): Promise<SourceRows>
}

/** Without its own signal, a query is cancelled together with the whole callback. */
export type SourceLimits = Omit<QueryLimits, 'signal'> & Partial<Pick<QueryLimits, 'signal'>>

/**
 * Runs a callback with a connection to the source of an integration. Permissions are the caller's responsibility: nothing here checks the
 * actor. Never call it inside a transaction: a source can take arbitrarily long.
 */
export const withSourceConnection = async <T>(
  ctx: Context,
  integration_id: string | null,
  signal: AbortSignal,
  work: (source: ConnectedSource) => Promise<T>,
): Promise<T> => {
  if (ctx.in_transaction) throw new Error('A source must not be queried inside a transaction.')
  const { row, sql, dialect, source } = await resolveSource(ctx, integration_id)
  const failed = (error: unknown) =>
    error instanceof ApiError
      ? error
      : conflict(toPublicError(row, source, `${row.name} could not be queried: ${explainError(error as Error, signal)}`))
  const pool = ctx.runtime.sources
  const connection = await pool
    .acquire({ id: row.id, version: computeSettingsVersion(row), open: () => sql.open(source, signal) }, signal)
    .catch((error) => Promise.reject(failed(error)))
  let broken = false
  try {
    return await work({
      dialect,
      dialectSql: getDialectSql(dialect),
      max_scanned_rows: getRowLimit(row.type, source),
      query: async (text, { signal: querySignal, timeout_ms, max_rows }) => {
        try {
          return await connection.sql.query(text, {
            timeout_ms,
            max_rows,
            signal: querySignal ? AbortSignal.any([querySignal, signal]) : signal,
          })
        } catch (error) {
          broken = true // after any error the next query gets a new connection
          throw failed(signal.aborted ? error : toQueryError(dialect, error))
        }
      },
    })
  } finally {
    await pool.release(connection, broken)
  }
}

/** The limit set on the integration, else the default; unlimited for types with another limit. */
const getRowLimit = (type: string, source: Source): number => {
  const field = getIntegrationType(type).fields.find(({ name }) => name === ROW_LIMIT_FIELD)
  return field ? 1_000_000 * (getNumberCredential(source, ROW_LIMIT_FIELD) ?? Number(field.default)) : Number.POSITIVE_INFINITY
}

/** Each driver reports a cancelled query differently. */
const explainError = ({ message }: Error, signal: AbortSignal): string => {
  if (!signal.aborted) return message
  return signal.reason?.name === 'TimeoutError' ? 'The operation timed out.' : 'The operation was cancelled.'
}

interface ResolvedSource {
  readonly row: IntegrationRow
  readonly sql: SqlSource
  readonly dialect: string
  readonly source: Source
}

/** Reports every obstacle with what to do about it. */
const resolveSource = async (ctx: Context, integration_id: string | null): Promise<ResolvedSource> => {
  if (!integration_id) throw conflict(translatable('This resource does not belong to an integration, so there is no source to query.'))
  const row = await getIntegrationRow({ ...ctx, actor: SYSTEM }, integration_id)
  try {
    const { sql } = requireConnector(row)
    if (!sql) throw conflict(translatable('{type} integrations cannot run queries.', { type: getIntegrationType(row.type).label }))
    const source = await loadSource(ctx, row)
    const { dialect } = source
    if (!dialect) throw conflict(translatable('Its connector runs no queries, or it has not been synced yet.'))
    return { row, sql, dialect, source }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // The request is valid, the integration is not. Only admins may know which of its settings are missing.
    throw conflict(
      error.errors
        ? translatable('{source} is not connected. Ask an admin to set its credentials.', { source: row.name })
        : translatable('{source} cannot be queried: {problem}', { source: row.name, problem: error.translatable?.detail ?? error.message }),
    )
  }
}

/** Changes with the settings or secrets, so that connections opened with old ones are not reused. */
const computeSettingsVersion = ({ type, connection, secrets }: IntegrationRow): string =>
  createHash('sha256')
    .update(JSON.stringify([type, connection]))
    .update(secrets ?? '')
    .digest('base64url')
