import { createHash } from 'node:crypto'
import { ApiError } from '../core/errors.ts'
import { isPosition, type ListPosition, type OrderKey } from './order.ts'
import type { PageRequest } from './page.ts'

/**
 * A cursor is the position of the last row in its list, with a digest of the list: path, parameters and order. It is rejected for any other
 * list, where the position would mean something else.
 */
export type CursorKey = Pick<OrderKey, 'name' | 'type' | 'descending' | 'nullable'>

export const encodeCursor = (request: PageRequest, order: readonly CursorKey[], position: ListPosition): string =>
  Buffer.from(JSON.stringify([computeListDigest(request, order), ...position])).toString('base64url')

/** The position to continue from; undefined if there is no cursor or it is empty. */
export const decodeCursor = (request: PageRequest, order: readonly CursorKey[]): ListPosition | undefined => {
  if (!request.cursor) return undefined
  const [digest, ...position] = parseCursor(request.cursor)
  if (digest !== computeListDigest(request, order)) throw invalidCursor('this cursor belongs to another list, filter or sort')
  if (!isPosition(order, position)) throw invalidCursor('this is not a valid cursor for this list')
  return position
}

const parseCursor = (cursor: string): unknown[] => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts)) return parts
  } catch {
    // Rejected below.
  }
  throw invalidCursor('this is not a valid cursor for this list')
}

const invalidCursor = (problem: string): ApiError => new ApiError('invalid_page', `cursor: ${problem}. Start again with an empty cursor.`)

const PAGING = new Set(['page', 'page_size', 'cursor'])

/** Ignores the host and the order of the parameters. */
const computeListDigest = ({ address }: PageRequest, order: readonly CursorKey[]): string => {
  const [, path = '', query = ''] = /^(?:[^/?]*:\/\/[^/?]*)?([^?]*)\??(.*)$/s.exec(address) ?? []
  const parameters = [...new URLSearchParams(query)].filter(([name]) => !PAGING.has(name)).map((each) => JSON.stringify(each))
  const keys = order.map(({ name, descending }) => `${descending ? '-' : ''}${name}`)
  return createHash('sha256')
    .update(JSON.stringify([path.replace(/\/$/, ''), parameters.sort(), keys]))
    .digest('base64url')
    .slice(0, 16)
}
