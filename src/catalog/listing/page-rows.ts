import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { decodeCursor } from '../../platform/lists/cursor.ts'
import type { FewValues, FieldValue, ListField } from '../../platform/lists/field.ts'
import { filterSql } from '../../platform/lists/filter-sql.ts'
import { afterSql, type ListPosition, type Order, orderSql, positionSql } from '../../platform/lists/order.ts'
import { sortToOrder } from '../../platform/lists/sort.ts'
import { storedSeveritySql } from '../records/health.ts'
import { childrenCountSql } from '../records/resource-rows.ts'
import type { MatchCondition } from './count.ts'
import type { HealthState } from './health.ts'
import type { ListRequest } from './list.ts'

/** The rows of the page in order: ID, row version, number of children, on request the stored health and, for a cursor, the position. */
export const rowsSql = (ctx: Context, request: ListRequest, matching: MatchCondition, window: number): RawBuilder<unknown> => {
  const { cursor, page_size, offset } = request
  const { field } = request.sort[0]!
  // The severity of a row is known from the part it was found in.
  const order = sortToOrder(request.sort).map((key, i) => (i === 0 && field.few_values ? { ...key, value: sql`k.value` } : key))
  const health = request.with_health ? sql`${storedSeveritySql(ctx.actor, 'r')} as health,` : sql``
  const columns = sql`r.id, r.xmin as row_version, ${childrenCountSql(ctx.actor, 'r')} as children_count, ${health} ${cursor === undefined ? sql`null` : positionSql(order)} as position`
  // A literal: with the limit as a parameter Postgres expects a tenth of the table and plans every page again, at twice the cost.
  const most = sql.lit(page_size)
  const position = decodeCursor(request, order)
  const after = position ? sql`and ${afterSql(order, position)}` : sql``
  if (field.few_values) {
    const end = Math.min(offset + page_size, window)
    const ids = sql.join(idsByValueSql(field, field.few_values, order, position, matching, end), sql` union all `)
    return sql`select ${columns} from (${ids}) k join resources r on r.id = k.id order by ${orderSql(order)} limit ${most} offset ${offset}`
  }
  if (cursor !== undefined || offset === 0)
    return sql`select ${columns} from resources r where ${matching('r')} ${after} order by ${orderSql(order)} limit ${most}`
  // Skipped rows are only read from the index; the rows of the page are looked up afterwards.
  return sql`
    select ${columns} from (select r.id from resources r where ${matching('r')} order by ${orderSql(order)} limit ${Math.min(page_size, window - offset)} offset ${offset}) k
    join resources r on r.id = k.id order by ${orderSql(order)}
  `
}

/** The first rows after the position for each value of the first key (`k.value`), in the order of the remaining keys. */
const idsByValueSql = (
  field: ListField,
  { values }: FewValues,
  [key, ...rest]: Order,
  position: ListPosition | undefined,
  matching: MatchCondition,
  end: number,
): RawBuilder<unknown>[] =>
  values.flatMap((value, i) => {
    const passed = position ? (Number(position[0]) - i) * (key!.descending ? -1 : 1) : -1
    if (passed > 0) return []
    const after = position && passed === 0 ? [afterSql(rest, position.slice(1))] : []
    const conditions = [matching('r'), hasValueSql(field, value), ...after]
    return [
      sql`(select r.id, ${sql.lit(i)} as value from resources r where ${sql.join(conditions, sql` and `)} order by ${orderSql(rest)} limit ${sql.lit(end)})`,
    ]
  })

const hasValueSql = (field: ListField, value: FieldValue): RawBuilder<boolean> =>
  filterSql({ operator: 'exact', field, values: [value] }, 'r')

export const parseRowStates = (page: string | null): HealthState[] => page?.split(',').map(parseRowState) ?? []

const parseRowState = (row: string): HealthState => {
  const [id = '', row_version = '', children_count = '', severity] = row.split(' ')
  return { id, row_version, children_count, severity: severity === undefined ? undefined : Number(severity) }
}
