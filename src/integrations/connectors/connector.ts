import type { Context } from '../../context.ts'
import type { Item } from '../../sync/item.ts'
import type { Credentials } from '../credentials.ts'
import type { DatabaseIdentity } from '../own-database.ts'

/** What a source looks like to its connector. */
export interface Source {
  readonly id: string
  readonly name: string
  readonly credentials: Credentials
  /** Where sources that are files lie; nothing outside of it is opened. */
  readonly filesFolder?: string
  /** Hosts that files may be fetched from besides the open internet. */
  readonly allow?: readonly string[]
  /** Which database is Tablinum's own: that one is refused. */
  readonly ownDatabase?: () => Promise<DatabaseIdentity>
}

/** How long it may take, and what there is to tell people meanwhile. */
export interface Visit {
  readonly signal: AbortSignal
  say(line: string): Promise<void>
  /** The source could not list these: that they are not among what was discovered says nothing. */
  unlisted?(what: { readonly entity_type?: string; readonly under?: string }): void
  /** Another integration has the resource of this key now. */
  moved?(key: string): void
  /** The catalog as the source itself may write it: for sources whose things meet those that others have told of. */
  readonly ctx?: Context
}

type Unlisted = Parameters<NonNullable<Visit['unlisted']>>[0]

/** What could not be listed is said, and nothing of it is taken for gone. */
export const cannotList = ({ say, unlisted }: Visit, what: Unlisted, line: string): Promise<void> => {
  unlisted?.(what)
  return say(line)
}

/**
 * Reaches one type of source. It reads only, gives up when the signal says so, and leaves nothing open. It throws errors whose messages
 * people can act on.
 */
export interface Connector {
  /** Answers with what it found there, in a sentence. */
  test(source: Source, signal: AbortSignal): Promise<string>
  /** Everything the source has, parents before their children, streamed: a source may have more than fits in memory. */
  discover(source: Source, visit: Visit): AsyncIterable<Item>
  /** What is left to say when the catalog holds everything it told of: of other sources' things, and what flows where. Answers with how many definitions it read. */
  finish?(source: Source, visit: Visit): Promise<{ readonly read: number; readonly unreadable: number }>
  /** How to ask it about its data: only of sources that run SQL. */
  readonly sql?: SqlSource
}

export interface SqlSource {
  /** As `sql/text/dialects.ts` calls it. */
  readonly dialect: string
  /** A way in that can be asked several times, one question after another. It reads only, whatever it is asked. */
  open(source: Source, signal: AbortSignal): Promise<Asking>
}

export interface Asking extends AsyncDisposable {
  ask(sql: string, limits: AskLimits): Promise<Rows>
}

export interface AskLimits {
  readonly signal: AbortSignal
  /** The source itself gives up after so long. */
  readonly timeout_ms: number
  /** More rows are left where they are. */
  readonly max_rows: number
}

/** What was asked for. Numbers that a double cannot hold exactly, dates and everything else come as text. */
export interface Rows {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly Cell[])[]
  /** There were more. */
  readonly truncated: boolean
}
export type Cell = string | number | boolean | null

/** A credential that is text, where it is set. */
export const textOf = ({ credentials }: Source, name: string): string | undefined => {
  const value = credentials[name]
  return typeof value === 'string' ? value : undefined
}

export const numberOf = ({ credentials }: Source, name: string): number | undefined => {
  const value = credentials[name]
  return typeof value === 'number' ? value : undefined
}
