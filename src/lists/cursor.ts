import { createHash } from 'node:crypto'
import { Refusal } from '../errors.ts'
import { isPosition, type OrderKey, type Position } from './order.ts'
import type { PageRequest } from './page.ts'

/**
 * A cursor is the position of the last row in its list, with a digest of the list: path, parameters and order. It is rejected for any other
 * list, where the position would mean something else.
 */
export type CursorKey = Pick<OrderKey, 'name' | 'type' | 'descending' | 'nullable'>

export const writeCursor = (request: PageRequest, order: readonly CursorKey[], position: Position): string =>
  Buffer.from(JSON.stringify([digestOf(request, order), ...position])).toString('base64url')

/** The position to continue from; undefined if there is no cursor or it is empty. */
export const readCursor = (request: PageRequest, order: readonly CursorKey[]): Position | undefined => {
  if (!request.cursor) return undefined
  const [digest, ...position] = parse(request.cursor)
  if (digest !== digestOf(request, order)) throw rejected('this cursor belongs to another list, filter or sort')
  if (!isPosition(order, position)) throw rejected('this is not a valid cursor for this list')
  return position
}

const parse = (cursor: string): unknown[] => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts)) return parts
  } catch {
    // Rejected below.
  }
  throw rejected('this is not a valid cursor for this list')
}

const rejected = (problem: string): Refusal => new Refusal('invalid_page', `cursor: ${problem}. Start again with an empty cursor.`)

const PAGING = new Set(['page', 'page_size', 'cursor'])

/** Ignores the host and the order of the parameters. */
const digestOf = ({ address }: PageRequest, order: readonly CursorKey[]): string => {
  const [, path = '', query = ''] = /^(?:[^/?]*:\/\/[^/?]*)?([^?]*)\??(.*)$/s.exec(address) ?? []
  const parameters = [...new URLSearchParams(query)].filter(([name]) => !PAGING.has(name)).map((each) => JSON.stringify(each))
  const keys = order.map(({ name, descending }) => `${descending ? '-' : ''}${name}`)
  return createHash('sha256')
    .update(JSON.stringify([path.replace(/\/$/, ''), parameters.sort(), keys]))
    .digest('base64url')
    .slice(0, 16)
}
