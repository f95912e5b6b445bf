import type { Readable } from 'node:stream'
import { type RawBuilder, sql } from 'kysely'
import { buildMatchCondition } from '../../catalog/listing/list.ts'
import { parseCatalogRequest } from '../../catalog/listing/query.ts'
import { findProperties, listProperties } from '../../catalog/properties/property-rows.ts'
import { findField } from '../../catalog/records/fields.ts'
import { parseSearchTerm } from '../../catalog/search-index/search-term.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { LOG_FIELDS, NEWEST_FIRST_SORT } from '../../platform/history/fields.ts'
import { parseFilter } from '../../platform/lists/filter.ts'
import { filterSql } from '../../platform/lists/filter-sql.ts'
import { orderSql } from '../../platform/lists/order.ts'
import { parsePageRequest } from '../../platform/lists/page.ts'
import { parseSort, type Sort, sortToOrder } from '../../platform/lists/sort.ts'
import { ACTIVITY_COLUMNS, activityColumns } from './activity-columns.ts'
import { COPY_OPTIONS, type ExportColumn, type Format, linesSql } from './column.ts'
import { getPropertyKey, isPropertyColumn } from './property-columns.ts'
import { DEFAULT_COLUMNS, PROPERTIES, parentKeySql, propertyColumn, RESOURCE_COLUMNS, resourceColumns } from './resource-columns.ts'
import type { ActivityExportQuery, ResourceExportQuery } from './schema.ts'
import { abortWhenStalled } from './stall.ts'
import { MAX_WORKSHEET_LINES, toWorkbook } from './write-xlsx.ts'

/** Exports are processed and compared by programs, so the default order is stable. */
const BY_ID: Sort = [{ field: findField('id')!, descending: false }]

/** Exports every resource that the list returns for these parameters. */
export const exportResources = async (ctx: Context, { format, fields, ...query }: ResourceExportQuery): Promise<Readable> => {
  const columns = await selectResourceColumns(ctx, fields, query)
  const { filter, sort, search_term, spelling } = await parseCatalogRequest(ctx, query, parsePageRequest({}, ''), [], BY_ID)
  const term = search_term === undefined ? undefined : await parseSearchTerm(ctx, search_term, { spelling })
  const parent = columns.some(({ name }) => name === 'parent_databuilder_id') ? parentKeySql(ctx.actor) : sql``
  const rows = sql`resources r ${parent} where ${buildMatchCondition(ctx, filter, term)('r')} order by ${orderSql(sortToOrder(sort))}`
  return streamRows(ctx, format, columns, rows)
}

const MAX_PROPERTY_COLUMNS = 200

const selectResourceColumns = async (
  ctx: Context,
  fields: string | undefined,
  { properties, property_columns }: Pick<ResourceExportQuery, 'properties' | 'property_columns'>,
): Promise<readonly ExportColumn[]> => {
  const names = parseColumnNames(fields, DEFAULT_COLUMNS, RESOURCE_COLUMNS, isPropertyColumn)
  const keys = names.filter(isPropertyColumn).map(getPropertyKey)
  const found = await findProperties(ctx.db, keys)
  const missing = keys.find((key) => !found.has(key))
  if (missing !== undefined) throw invalid({ fields: [`Unknown custom property "${missing.slice(0, 100)}".`] })
  const selected = names.flatMap((name) => {
    const property = isPropertyColumn(name) && found.get(getPropertyKey(name))
    return property ? [propertyColumn(property)] : resourceColumns(ctx.actor, [name])
  })
  const all = property_columns ? (await listProperties(ctx.db)).map(propertyColumn) : []
  const columns = [...selected, ...all, ...(properties ? resourceColumns(ctx.actor, [PROPERTIES]) : [])]
  const unique = columns.filter(({ name }, i) => columns.findIndex((other) => other.name === name) === i)
  if (unique.filter(({ name }) => isPropertyColumn(name)).length > MAX_PROPERTY_COLUMNS)
    throw invalid({ fields: [`An export can have ${MAX_PROPERTY_COLUMNS} columns of custom properties. Select some with fields.`] })
  return unique
}

/** Exports every matching activity. */
export const exportActivities = async (ctx: Context, { format, fields, filter, sort }: ActivityExportQuery): Promise<Readable> => {
  const columns = activityColumns(parseColumnNames(fields, ACTIVITY_COLUMNS, ACTIVITY_COLUMNS))
  const where = filter ? filterSql(parseFilter(filter, LOG_FIELDS), 'a') : sql`true`
  const order = orderSql(sortToOrder(sort ? parseSort(sort, LOG_FIELDS) : NEWEST_FIRST_SORT, 'a'))
  const rows = sql`activities a left join users u on u.id = a.performer_id where ${where} order by ${order}`
  return streamRows(ctx, format, columns, rows)
}

/** Records who exported which file with which parameters. If this fails, the file is not sent. */
export const recordExport = async (ctx: Context, file: Readable, name: string, filename: string, query: object): Promise<void> => {
  try {
    await inTransaction(ctx, (ctx) =>
      recordEvent(ctx, {
        kind: `${name.replaceAll('-', '_')}_exported`,
        resource: { type: 'export', title: filename },
        payload: { ...query },
      }),
    )
  } catch (error) {
    file.destroy()
    throw error
  }
}

/** All rows are read: avoids plans optimized for the first rows, and joins that spill half of the catalog to disk first. */
const EXPORT_SETTINGS = { cursor_tuple_fraction: '1', enable_hashjoin: 'off', enable_mergejoin: 'off' }

const streamRows = async (
  ctx: Context,
  format: Format = 'csv',
  columns: readonly ExportColumn[],
  rows: RawBuilder<unknown>,
): Promise<Readable> => {
  if (format === 'xlsx') await assertFitsWorksheet(ctx, rows)
  const copied = format === 'xlsx' ? 'csv' : format
  const { replica, runtime } = ctx
  const { transfer } = replica ?? runtime.databases
  const file = await transfer.copyOut({
    query: linesSql(copied, columns, rows),
    options: COPY_OPTIONS[copied],
    ...(copied === 'csv' && { header: columns.map(({ name }) => name) }),
    settings: EXPORT_SETTINGS,
    signal: ctx.limits.signal,
    cancel: (pid) => void (replica ?? runtime.control).cancel(pid).catch(() => {}),
  })
  return abortWhenStalled(format === 'xlsx' ? toWorkbook(file, columns) : file)
}

const assertFitsWorksheet = async (ctx: Context, rows: RawBuilder<unknown>): Promise<void> => {
  const { rows: found } = await sql<{ fits: boolean }>`
    select count(*) <= ${MAX_WORKSHEET_LINES} as fits from (select from ${rows} limit ${MAX_WORKSHEET_LINES + 1}) x`.execute(
    ctx.db,
    ctx.limits,
  )
  if (!found[0]!.fits)
    throw invalid({
      format: [`A worksheet can have ${MAX_WORKSHEET_LINES.toLocaleString('en')} lines. Export csv or jsonl, or use a filter.`],
    })
}

const parseColumnNames = (
  text: string | undefined,
  defaults: readonly string[],
  available: readonly string[],
  isOther: (name: string) => boolean = () => false,
): readonly string[] => {
  if (text === undefined || text.trim() === '') return defaults
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = names.find((name) => !available.includes(name) && !isOther(name))
  if (unknown !== undefined)
    throw invalid({ fields: [`Unknown field "${unknown.slice(0, 100)}". Available fields: ${available.join(', ')}.`] })
  return names
}
