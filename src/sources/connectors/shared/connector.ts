import type { Cell } from '../../../../connector/src/protocol.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { Slots } from '../../../platform/core/slots.ts'
import type { Credentials } from '../../credentials/credentials.ts'
import type { DatabaseIdentity } from '../../credentials/own-database.ts'
import type { Drivers } from '../../drivers/drivers.ts'
import type { Item } from '../../sync/item.ts'
import type { UnlistedScope } from '../../sync/removals.ts'
import type { DialectSql } from './dialect-sql.ts'

/** A source as its connector sees it. */
export interface Source {
  readonly id: string
  readonly name: string
  /** The type of its integration. */
  readonly type?: string
  readonly credentials: Credentials
  /** Of its queries, as its connector reported it. */
  readonly dialect?: string | undefined
  /** The folder for file-based sources; nothing outside of it is opened. */
  readonly filesFolder?: string
  /** Hosts that files may be downloaded from in addition to the public internet. */
  readonly allow?: readonly string[]
  /** The connectors the operator has registered: the program and its arguments, by name. */
  readonly programs?: ReadonlyMap<string, readonly string[]>
  readonly fileThreads?: Slots
  /** Those that are installed when they are needed. */
  readonly drivers?: Drivers
  /** Identifies Tablinum's own database, which is rejected as a source. */
  readonly ownDatabase?: () => Promise<DatabaseIdentity>
}

/** Limits a discovery and receives its progress. */
export interface DiscoveryContext {
  readonly signal: AbortSignal
  log(line: string): Promise<void>
  /** How far the discovery is. */
  progress?(done: number, total: number): Promise<void>
  /** The source could not list these, so their absence from the discovered items means nothing. */
  markUnlisted?(what: UnlistedScope): void
  /** The resource with this key belongs to another integration now. */
  markMoved?(key: string): void
  /** The source reports the item with this key, and everything below it, as unchanged: nothing of it is among the items. */
  markUnchanged?(key: string): void
  /** Everything is to be read, not only what changed. */
  readonly full?: boolean
  /** Only the names of the items are needed: nothing may be written. */
  readonly only_names?: boolean
  /** The catalog, for sources whose items are matched with those of other sources. */
  readonly ctx?: Context
  /** For sources that read a table of another one. */
  readonly withSource?: WithSource
}

/** The catalog, for connectors that cannot run without it. */
export const requireCatalogContext = ({ ctx }: DiscoveryContext): Context => {
  if (!ctx) throw new Error('This connector can run only with a catalog.')
  return ctx
}

/** A source that runs queries. */
export interface QueryableSource {
  readonly dialectSql: DialectSql
  query(sql: string, limits: Omit<QueryLimits, 'signal'>): Promise<SourceRows>
}

/** Runs a callback with a connection to the source of an integration. Not inside a transaction. */
export type WithSource = <T>(integration_id: string, signal: AbortSignal, work: (source: QueryableSource) => Promise<T>) => Promise<T>

/** Logs what could not be listed and keeps it from being treated as missing. */
export const reportUnlisted = ({ log, markUnlisted }: DiscoveryContext, what: UnlistedScope, line: string): Promise<void> => {
  markUnlisted?.(what)
  return log(line)
}

/**
 * Connects to one type of source. It only reads, stops when the signal aborts, closes everything it opens, and throws errors that tell users
 * what to do.
 */
export interface Connector {
  /** Returns a sentence that describes what it found. */
  test(source: Source, signal: AbortSignal, withSource?: WithSource): Promise<string>
  /** Everything the source has, parents before children, streamed: it may not fit in memory. */
  discover(source: Source, context: DiscoveryContext): AsyncIterable<Item>
  /** Runs after all items are in the catalog: updates other sources' resources and lineage. Returns how many definitions were parsed. */
  finish?(source: Source, context: DiscoveryContext): Promise<{ readonly read: number; readonly unreadable: number }>
  /** Runs at the end of each sync, also of one that failed or was cancelled: deletes what waited in the database. */
  close?(source: Source): Promise<void>
  /** How to run queries; only for sources that support SQL. */
  readonly sql?: SqlSource
}

export interface SqlSource {
  /** The name in `sql/text/dialects.ts`. Undefined: the connector of each integration has its own. */
  readonly dialect?: string
  /** Opens a read-only connection that runs one query at a time. */
  open(source: Source, signal: AbortSignal): Promise<SqlConnection>
}

export interface SqlConnection extends AsyncDisposable {
  query(sql: string, limits: QueryLimits): Promise<SourceRows>
}

export interface QueryLimits {
  readonly signal: AbortSignal
  /** The source itself cancels the query after this time. */
  readonly timeout_ms: number
  /** Further rows are not read. */
  readonly max_rows: number
}

/** Query result. Numbers that do not fit a double exactly, dates and all other types are returned as text. */
export interface SourceRows {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
  /** There were more rows. */
  readonly truncated: boolean
}
export type { Cell }

/** A text credential, if set. */
export const getTextCredential = ({ credentials }: Source, name: string): string | undefined => {
  const value = credentials[name]
  return typeof value === 'string' ? value : undefined
}

export const getNumberCredential = ({ credentials }: Source, name: string): number | undefined => {
  const value = credentials[name]
  return typeof value === 'number' ? value : undefined
}
