import type { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { type Context, inTransaction } from '../context.ts'
import { invalid } from '../errors.ts'
import { LOG_FIELDS, NEWEST_FIRST } from '../history/fields.ts'
import { recordActivity } from '../history/record.ts'
import { parseFilter } from '../lists/filter.ts'
import { filterSql } from '../lists/filter-sql.ts'
import { orderSql } from '../lists/order.ts'
import { pageRequest } from '../lists/page.ts'
import { orderOf, parseSort, type Sort } from '../lists/sort.ts'
import { findField } from '../resources/fields.ts'
import { matchingOf } from '../resources/list.ts'
import { catalogRequest } from '../resources/query.ts'
import { readTerm } from '../resources/term.ts'
import { ACTIVITY_COLUMNS, activityColumns } from './activity-columns.ts'
import { COPY_OPTIONS, type Column, type Format, linesSql } from './column.ts'
import { DEFAULT_COLUMNS, PROPERTIES, parentKey, RESOURCE_COLUMNS, resourceColumns } from './resource-columns.ts'
import type { ActivityExportQuery, ResourceExportQuery } from './schema.ts'
import { untilStalled } from './stall.ts'

/** Exports are processed and compared by programs, so the default order is stable. */
const BY_ID: Sort = [{ field: findField('id')!, descending: false }]

/** Exports every resource that the list returns for these parameters. */
export const exportResources = async (ctx: Context, { format, fields, properties, ...query }: ResourceExportQuery): Promise<Readable> => {
  const names = readFields(fields, DEFAULT_COLUMNS, RESOURCE_COLUMNS)
  const columns = resourceColumns(ctx.actor, properties ? [...names, PROPERTIES] : names)
  const { filter, sort, search_term } = await catalogRequest(ctx, query, pageRequest({}, ''), [], BY_ID)
  const term = search_term === undefined ? undefined : await readTerm(ctx, search_term)
  const parent = columns.some(({ name }) => name === 'parent_databuilder_id') ? parentKey(ctx.actor) : sql``
  const rows = sql`resources r ${parent} where ${matchingOf(ctx, filter, term)('r')} order by ${orderSql(orderOf(sort))}`
  return stream(ctx, format, columns, rows)
}

/** Exports every matching activity. */
export const exportActivities = async (ctx: Context, { format, fields, filter, sort }: ActivityExportQuery): Promise<Readable> => {
  const columns = activityColumns(readFields(fields, ACTIVITY_COLUMNS, ACTIVITY_COLUMNS))
  const where = filter ? filterSql(parseFilter(filter, LOG_FIELDS), 'a') : sql`true`
  const order = orderSql(orderOf(sort ? parseSort(sort, LOG_FIELDS) : NEWEST_FIRST, 'a'))
  const rows = sql`activities a left join users u on u.id = a.performer_id where ${where} order by ${order}`
  return stream(ctx, format, columns, rows)
}

/** Records who exported which file with which parameters. If this fails, the file is not sent. */
export const noteExport = async (ctx: Context, file: Readable, name: string, filename: string, query: object): Promise<void> => {
  try {
    await inTransaction(ctx, (ctx) =>
      recordActivity(ctx, {
        activity_type: `${name.replaceAll('-', '_')}_exported`,
        resource_type: 'export',
        resource_title: filename,
        changes: Object.entries(query).map(([field, to]) => ({ field, from: null, to })),
      }),
    )
  } catch (error) {
    file.destroy()
    throw error
  }
}

/** All rows are read: avoids plans optimized for the first rows, and joins that spill half of the catalog to disk first. */
const SETTINGS = { cursor_tuple_fraction: '1', enable_hashjoin: 'off', enable_mergejoin: 'off' }

const stream = async (ctx: Context, format: Format = 'csv', columns: readonly Column[], rows: RawBuilder<unknown>): Promise<Readable> => {
  const query = linesSql(format, columns, rows)
  const { control, databases } = ctx.runtime
  const file = await databases.transfer.copyOut({
    query,
    options: COPY_OPTIONS[format],
    crlf: format === 'csv',
    settings: SETTINGS,
    signal: ctx.limits.signal,
    cancel: (pid) => void control.cancel(pid).catch(() => {}),
  })
  return untilStalled(file)
}

const readFields = (text: string | undefined, usual: readonly string[], known: readonly string[]): readonly string[] => {
  if (text === undefined || text.trim() === '') return usual
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw invalid({ fields: [`Unknown field "${unknown.slice(0, 100)}". Available fields: ${known.join(', ')}.`] })
  return names
}
