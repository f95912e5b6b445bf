import { ApiError } from '../core/errors.ts'
import { parseId } from '../core/id.ts'

/**
 * A position in the log, in commit order: everything visible to `seen` was already returned. Between `seen` and `target`, the snapshot this
 * part of the log ends with, so was everything up to the entry `at_xid`, `at_id`.
 */
export interface LogCursor {
  readonly seen: string
  readonly target: string | null
  readonly at_xid: string | null
  readonly at_id: string | null
}

/** Sees nothing, not even the entries of a restored backup. */
export const LOG_START: LogCursor = { seen: '1:1:', target: null, at_xid: null, at_id: null }

const CURSOR_NAME = 'log'

export const encodeLogCursor = ({ seen, target, at_xid, at_id }: LogCursor): string =>
  Buffer.from(JSON.stringify([CURSOR_NAME, seen, ...(target === null ? [] : [target, at_xid, at_id])])).toString('base64url')

/** The cursor comes back from a caller, who may have changed it: an invalid one never reaches the database. */
export const decodeLogCursor = (text: string): LogCursor => {
  if (text === '') return LOG_START
  try {
    const parts = JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]
    const [name, seen, target, at_xid, at_id] = parts
    if (name === CURSOR_NAME && isSnapshot(seen)) {
      if (parts.length === 2) return { ...LOG_START, seen }
      if (isSnapshot(target) && isNumber(at_xid) && typeof at_id === 'string' && parseId(at_id)) return { seen, target, at_xid, at_id }
    }
  } catch {
    // Rejected below.
  }
  throw new ApiError('invalid_page', 'cursor: this is not a valid cursor for this list.')
}

const isNumber = (value: unknown): value is string => typeof value === 'string' && /^[1-9]\d{0,17}$/.test(value)

/** The text format of pg_snapshot: xmin:xmax: and the transactions running between them, in order. */
const isSnapshot = (value: unknown): value is string => {
  if (typeof value !== 'string') return false
  const [xmin, xmax, running, ...more] = value.split(':')
  if (!isNumber(xmin) || !isNumber(xmax) || running === undefined || more.length > 0) return false
  const numbers = running === '' ? [] : running.split(',')
  if (!numbers.every(isNumber)) return false
  const inOrder = [xmin, ...numbers].map(BigInt)
  return (
    BigInt(xmin) <= BigInt(xmax) &&
    inOrder.every((each, i) => each < BigInt(xmax) || (i === 0 && numbers.length === 0)) &&
    isAscending(inOrder)
  )
}

const isAscending = ([xmin = 0n, ...running]: readonly bigint[]): boolean =>
  running.every((each, i) => (i === 0 ? each >= xmin : each > running[i - 1]!))
