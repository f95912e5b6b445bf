import { createHash } from 'node:crypto'
import { Refusal } from '../errors.ts'
import { isPosition, type OrderKey, type Position } from './order.ts'
import type { PageRequest } from './page.ts'

/**
 * A cursor is the place of the last row in the order of its list, with a digest of the list: its address, its parameters and its order.
 * With any other list it is rejected, since a place there means something else.
 */
export type CursorKey = Pick<OrderKey, 'name' | 'type' | 'descending' | 'nullable'>

export const writeCursor = (request: PageRequest, order: readonly CursorKey[], position: Position): string =>
  Buffer.from(JSON.stringify([digestOf(request, order), ...position])).toString('base64url')

/** The position to go on from; undefined where the cursor is empty, or none was given. */
export const readCursor = (request: PageRequest, order: readonly CursorKey[]): Position | undefined => {
  if (!request.cursor) return undefined
  const [digest, ...position] = parse(request.cursor)
  if (digest !== digestOf(request, order)) throw rejected('this cursor is of another list, filter or order')
  if (!isPosition(order, position)) throw rejected('this is not a cursor of this list')
  return position
}

const parse = (cursor: string): unknown[] => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parts)) return parts
  } catch {
    // Rejected below.
  }
  throw rejected('this is not a cursor of this list')
}

const rejected = (problem: string): Refusal => new Refusal('invalid_page', `cursor: ${problem}. Begin again with an empty cursor.`)

const PAGING = new Set(['page', 'page_size', 'cursor'])

/** The host does not count, nor the order in which the parameters were written. */
const digestOf = ({ address }: PageRequest, order: readonly CursorKey[]): string => {
  const [, path = '', query = ''] = /^(?:[^/?]*:\/\/[^/?]*)?([^?]*)\??(.*)$/s.exec(address) ?? []
  const parameters = [...new URLSearchParams(query)].filter(([name]) => !PAGING.has(name)).map((each) => JSON.stringify(each))
  const keys = order.map(({ name, descending }) => `${descending ? '-' : ''}${name}`)
  return createHash('sha256')
    .update(JSON.stringify([path.replace(/\/$/, ''), parameters.sort(), keys]))
    .digest('base64url')
    .slice(0, 16)
}
