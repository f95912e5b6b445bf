import { createHash } from 'node:crypto'
import { SYSTEM } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { conflict, Refusal } from '../errors.ts'
import { type AskLimits, numberOf, type Rows, type Source, type SqlSource } from './connectors/connector.ts'
import { queryFailure } from './connectors/query-failure.ts'
import { type Words, wordsOf } from './connectors/words.ts'
import { clean, mustConnect, sourceOf } from './reach.ts'
import { getRow, type IntegrationRow } from './store.ts'
import { MOST_ROWS, typeOf } from './types.ts'

/** A source that can run queries while the connection is held. */
export interface OpenSource {
  readonly dialect: string
  readonly words: Words
  /** Rows that one query may make the source scan. */
  readonly reads_at_most: number
  /** One query at a time. Error messages contain no secrets and no cell values. */
  ask(sql: string, limits: Limits): Promise<Rows>
}

/** Without its own signal, a query is cancelled together with the whole callback. */
export type Limits = Omit<AskLimits, 'signal'> & Partial<Pick<AskLimits, 'signal'>>

/**
 * Runs a callback with a connection to the source of an integration. Permissions are the caller's responsibility: nothing here checks the
 * actor. Never call it inside a transaction: a source can take arbitrarily long.
 */
export const withSource = async <T>(
  ctx: Context,
  integration_id: string | null,
  signal: AbortSignal,
  work: (source: OpenSource) => Promise<T>,
): Promise<T> => {
  if (ctx.in_transaction) throw new Error('A source must not be queried inside a transaction.')
  const { row, sql, source } = await reach(ctx, integration_id)
  const failed = (error: unknown) =>
    error instanceof Refusal ? error : conflict(clean(row, source, `${row.name} could not be queried: ${said(error as Error, signal)}`))
  const ways = ctx.runtime.sources
  const way = await ways
    .take({ id: row.id, version: versionOf(row), open: () => sql.open(source, signal) }, signal)
    .catch((error) => Promise.reject(failed(error)))
  let broken = false
  try {
    return await work({
      dialect: sql.dialect,
      words: wordsOf(sql.dialect),
      reads_at_most: rowsAtMost(row.type, source),
      ask: async (text, { signal: own, timeout_ms, max_rows }) => {
        try {
          return await way.asking.ask(text, { timeout_ms, max_rows, signal: own ? AbortSignal.any([own, signal]) : signal })
        } catch (error) {
          broken = true // after any error the next query gets a new connection
          throw failed(signal.aborted ? error : queryFailure(sql.dialect, error))
        }
      },
    })
  } finally {
    await ways.giveBack(way, broken)
  }
}

/** The limit set on the integration, else the default; unlimited for types with another limit. */
const rowsAtMost = (type: string, source: Source): number => {
  const field = typeOf(type).fields.find(({ name }) => name === MOST_ROWS)
  return field ? 1_000_000 * (numberOf(source, MOST_ROWS) ?? Number(field.default)) : Number.POSITIVE_INFINITY
}

/** Each driver reports a cancelled query differently. */
const said = ({ message }: Error, signal: AbortSignal): string => {
  if (!signal.aborted) return message
  return signal.reason?.name === 'TimeoutError' ? 'The operation timed out.' : 'The operation was cancelled.'
}

interface Reached {
  readonly row: IntegrationRow
  readonly sql: SqlSource
  readonly source: Source
}

/** Reports every obstacle with what to do about it. */
const reach = async (ctx: Context, integration_id: string | null): Promise<Reached> => {
  if (!integration_id) throw conflict('This resource does not belong to an integration, so there is no source to query.')
  const row = await getRow({ ...ctx, actor: SYSTEM }, integration_id)
  try {
    const { sql } = mustConnect(row)
    if (!sql) throw conflict(`${typeOf(row.type).label} integrations cannot run queries.`)
    return { row, sql, source: await sourceOf(ctx, row) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // The request is valid, the integration is not. Only admins may know which of its settings are missing.
    throw conflict(
      error.errors
        ? `${row.name} is not connected. Ask an admin to set its credentials.`
        : `${row.name} cannot be queried: ${error.message}`,
    )
  }
}

/** Changes with the settings or secrets, so that connections opened with old ones are not reused. */
const versionOf = ({ type, connection, secrets }: IntegrationRow): string =>
  createHash('sha256')
    .update(JSON.stringify([type, connection]))
    .update(secrets ?? '')
    .digest('base64url')
