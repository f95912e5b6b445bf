import { MAX_INTEGER } from '../../../platform/core/integer.ts'

/** Values of items that connectors of databases share. Pure. */

const MAX_QUERY_TITLE_LENGTH = 200

/** The beginning of a query on one line. */
export const toQueryTitle = (text: string): string => text.replace(/\s+/g, ' ').trim().slice(0, MAX_QUERY_TITLE_LENGTH).toWellFormed()

/** Two significant digits: exact numbers would create a version of every query with every sync. */
export const roundCalls = (calls: number): number => Math.min(Number(calls.toPrecision(2)), MAX_INTEGER)

export const omitNulls = <T extends Readonly<Record<string, unknown>>>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null)) as T
