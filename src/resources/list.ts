import { sql } from 'kysely'
import { seesEverything, viewOf, visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { type Envelope, envelope, mustBeInside, type PageRequest, withParameter } from '../http/page.ts'
import { changesSince, countResources, findTaken, type Matching } from './count.ts'
import type { Filter } from './filter.ts'
import { filterSql } from './filter-sql.ts'
import { renderRecords, type Shown } from './read.ts'
import { afterSql, orderSql, positionSql, type Sort } from './sort.ts'
import { visibleChildren } from './store.ts'

export interface ListRequest extends PageRequest {
  readonly filter?: Filter
  readonly sort: Sort
  /** Walks any number of rows; '' begins. */
  readonly cursor?: string
  readonly search_term?: string
}

export const WINDOW = 10_000

/** One page of the catalog as JSON text: the rows are named by the database and rendered once for each version of a row. */
export const listResources = async (ctx: Context, request: ListRequest): Promise<string> => {
  if (request.cursor === undefined) mustBeInside(request, WINDOW)
  const matching = matchingOf(ctx, request.filter)
  const taken = findTaken(ctx, matching.key)
  const [page, fresh] = await Promise.all([readPage(ctx, request, matching, taken), taken ? undefined : countResources(ctx, matching)])
  const count = fresh ?? (page.changes === 0 ? taken!.count : await countResources(ctx, matching))
  const records = await renderRecords(ctx, page.rows)
  const head = request.cursor === undefined ? envelope(request, count, WINDOW) : cursorEnvelope(request, count, page.position)
  return `${JSON.stringify(head).slice(0, -1)},"results":[${records.join(',')}]}`
}

const matchingOf = (ctx: Context, filter: Filter | undefined): Matching => ({
  key: JSON.stringify([viewOf(ctx.actor), filter && named(filter)]),
  where: (alias) => {
    const visible = visibleTo(ctx.actor, alias)
    return filter ? sql<boolean>`${visible} and ${filterSql(filter, alias)}` : visible
  },
})

/** The filter with fields by name, so that it can be a key. */
const named = (filter: Filter): unknown =>
  'operands' in filter ? [filter.operator, filter.operands.map(named)] : [filter.operator, filter.field.name, filter.values]

interface Page {
  readonly rows: Shown[]
  readonly changes: number
  readonly position: (string | null)[] | null
}

const readPage = async (
  ctx: Context,
  { sort, cursor, page_size, offset }: ListRequest,
  { where }: Matching,
  taken: ReturnType<typeof findTaken>,
): Promise<Page> => {
  const after = cursor ? sql`and ${afterSql(sort, readCursor(cursor, sort))}` : sql``
  const skip = cursor === undefined && offset > 0 ? sql`offset ${offset}` : sql``
  const children = seesEverything(ctx.actor) ? sql`r.children_count` : visibleChildren(ctx.actor, 'r')
  const { rows } = await sql<{ page: string | null; changes: number; position: string | null }>`
    select string_agg(p.row, ',' order by p.n) as page, ${taken ? changesSince(taken) : sql`0`} as changes,
      ${cursor === undefined ? sql`null` : sql`(array_agg(p.position order by p.n desc))[1]`} as position
    from (
      select r.id || ' ' || r.xmin || ' ' || ${children} as row, k.n, ${cursor === undefined ? sql`null` : positionSql(sort)} as position
      from (
        select r.id, row_number() over () as n
        from (select r.id from resources r where ${where('r')} ${after} order by ${orderSql(sort)} limit ${page_size} ${skip}) r
      ) k join resources r on r.id = k.id
    ) p
  `.execute(ctx.db, ctx.limits)
  const { page, changes, position } = rows[0]!
  return {
    rows: page === null ? [] : page.split(',').map(readRow),
    changes,
    position: position === null ? null : (JSON.parse(position) as (string | null)[]),
  }
}

const readRow = (row: string): Shown => {
  const [id = '', stamp = '', children_count = ''] = row.split(' ')
  return { id, stamp, children_count }
}

/** A cursor is the sort it belongs to and the last row's place in it. */
const writeCursor = (sort: Sort, position: readonly (string | null)[]): string =>
  Buffer.from(JSON.stringify([signature(sort), ...position])).toString('base64url')

const readCursor = (cursor: string, sort: Sort): (string | null)[] => {
  try {
    const [written, ...position] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as (string | null)[]
    if (written === signature(sort) && position.length === sort.length) return position
  } catch {
    // Not one of ours: refused below.
  }
  throw new Refusal('invalid_page', 'cursor: this is not a cursor of this list and sort.')
}

const signature = (sort: Sort): string => sort.map(({ field, descending }) => `${descending ? '-' : ''}${field.name}`).join()

const cursorEnvelope = ({ sort, page_size, address }: ListRequest, count: number, position: Page['position']): Envelope => {
  const next_cursor = position ? writeCursor(sort, position) : null
  return {
    links: { next: next_cursor && withParameter(address, 'cursor', next_cursor), previous: null },
    meta: { page: null, previous_page: 'None', next_page: null, next_cursor },
    count,
    total_pages: Math.ceil(count / page_size),
  }
}
