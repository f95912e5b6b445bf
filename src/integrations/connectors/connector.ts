import type { Item } from '../../sync/item.ts'
import type { Credentials } from '../credentials.ts'

/** What a source looks like to its connector. */
export interface Source {
  readonly id: string
  readonly name: string
  readonly credentials: Credentials
  /** Where sources that are files lie; nothing outside of it is opened. */
  readonly filesFolder?: string
}

/** How long it may take, and what there is to tell people meanwhile. */
export interface Visit {
  readonly signal: AbortSignal
  say(line: string): Promise<void>
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
}

/** A credential that is text, where it is set. */
export const textOf = ({ credentials }: Source, name: string): string | undefined => {
  const value = credentials[name]
  return typeof value === 'string' ? value : undefined
}

export const numberOf = ({ credentials }: Source, name: string): number | undefined => {
  const value = credentials[name]
  return typeof value === 'number' ? value : undefined
}
