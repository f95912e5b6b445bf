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

/** A source that can be asked about its data, for as long as the work with it takes. */
export interface OpenSource {
  readonly dialect: string
  readonly words: Words
  /** Rows that one question may have it read. */
  readonly reads_at_most: number
  /** One question after the other. What the source says against it comes without secrets and without what stands in any cell. */
  ask(sql: string, limits: Limits): Promise<Rows>
}

/** Without a signal of its own, a question is given up with the work. */
export type Limits = Omit<AskLimits, 'signal'> & Partial<Pick<AskLimits, 'signal'>>

/**
 * Asks the source of an integration. Whether the caller may see what comes back is for the caller's rule to decide: nothing here looks at who
 * acts. Never inside a transaction: it takes as long as the source likes.
 */
export const withSource = async <T>(
  ctx: Context,
  integration_id: string | null,
  signal: AbortSignal,
  work: (source: OpenSource) => Promise<T>,
): Promise<T> => {
  if (ctx.in_transaction) throw new Error('A source must not be asked inside a transaction.')
  const { row, sql, source } = await reach(ctx, integration_id)
  const failed = (error: unknown) =>
    error instanceof Refusal ? error : conflict(clean(row, source, `${row.name} could not be asked: ${said(error as Error, signal)}`))
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
          broken = true // whatever it was, the next one begins with a new way in
          throw failed(signal.aborted ? error : queryFailure(sql.dialect, error))
        }
      },
    })
  } finally {
    await ways.giveBack(way, broken)
  }
}

/** What its owner said, else what is usual; without end where it is limited otherwise. */
const rowsAtMost = (type: string, source: Source): number => {
  const field = typeOf(type).fields.find(({ name }) => name === MOST_ROWS)
  return field ? 1_000_000 * (numberOf(source, MOST_ROWS) ?? Number(field.default)) : Number.POSITIVE_INFINITY
}

/** Drivers that were given up each say so in words of their own. */
const said = ({ message }: Error, signal: AbortSignal): string => {
  if (!signal.aborted) return message
  return signal.reason?.name === 'TimeoutError' ? 'It took too long.' : 'It was stopped.'
}

interface Reached {
  readonly row: IntegrationRow
  readonly sql: SqlSource
  readonly source: Source
}

/** Everything that stands in the way is told as what it is, with what to do about it. */
const reach = async (ctx: Context, integration_id: string | null): Promise<Reached> => {
  if (!integration_id) throw conflict('This resource belongs to no integration: there is no source to ask.')
  const row = await getRow({ ...ctx, actor: SYSTEM }, integration_id)
  try {
    const { sql } = mustConnect(row)
    if (!sql) throw conflict(`${typeOf(row.type).label} cannot be asked about its data.`)
    return { row, sql, source: await sourceOf(ctx, row) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    // The request is fine; it is the integration that has to be seen to. Which of its settings are missing is for admins to know.
    throw conflict(
      error.errors
        ? `${row.name} is not connected yet: an admin can set its credentials.`
        : `${row.name} cannot be asked: ${error.message}`,
    )
  }
}

/** Other settings, or other secrets, are another way in. */
const versionOf = ({ type, connection, secrets }: IntegrationRow): string =>
  createHash('sha256')
    .update(JSON.stringify([type, connection]))
    .update(secrets ?? '')
    .digest('base64url')
