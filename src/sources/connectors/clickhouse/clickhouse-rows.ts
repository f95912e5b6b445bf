import { buildItemKey } from '../../sync/item.ts'
import type { CatalogReader } from '../shared/catalog-reader.ts'
import type { ColumnRow, TableRow } from '../shared/flat-items.ts'
import * as catalog from './clickhouse-sql.ts'
import { getInnerType } from './clickhouse-types.ts'

/** Converts rows of ClickHouse system tables to items. */

const NO_UUID = /^[0-]*$/

/** With the UUIDs of databases and tables, renames are detected. */
export const toStableId = (uuid: string, ...parts: readonly string[]): { stable_id?: string } =>
  NO_UUID.test(uuid) ? {} : { stable_id: [uuid, ...parts].join('/') }

/** Details from separate system tables. */
export class TableDetails {
  readonly #parts: ReadonlyMap<string, catalog.PartsRow>
  readonly #indexes: ReadonlyMap<string, catalog.IndexRow[]>

  private constructor(parts: readonly catalog.PartsRow[], indexes: readonly catalog.IndexRow[]) {
    this.#parts = new Map(parts.map((row) => [buildItemKey(row.database, row.table), row]))
    this.#indexes = Map.groupBy(indexes, ({ database, table }) => buildItemKey(database, table))
  }

  static async load(reader: CatalogReader, has: catalog.ServerFeatures, only: string | undefined): Promise<TableDetails> {
    const [parts, indexes] = [catalog.partsSql(has, only), catalog.indexesSql(has, only)]
    return new TableDetails(parts ? await reader.query(parts) : [], indexes ? await reader.query(indexes) : [])
  }

  numbers({ database, name, engine, row_count, bytes }: catalog.TableRow) {
    const parts = this.#parts.get(buildItemKey(database, name)) ?? (engine.endsWith('MergeTree') ? { row_count: 0, bytes: 0 } : undefined)
    return { row_count: toCount(row_count) ?? parts?.row_count ?? null, byte_size: toCount(bytes) ?? parts?.bytes ?? null }
  }

  indexes({ database, name }: catalog.TableRow) {
    return (this.#indexes.get(buildItemKey(database, name)) ?? []).map((row) => ({
      name: row.name,
      unique: false,
      definition: `${row.type} (${row.expression})`,
    }))
  }
}

const toCount = (value: number | string | null): number | undefined => (typeof value === 'number' ? value : undefined)

const getTableType = (engine: string): string =>
  engine === 'View'
    ? 'view'
    : engine.endsWith('View')
      ? `${engine.slice(0, -4).toLowerCase()} view`
      : engine === 'Dictionary'
        ? 'dictionary'
        : 'table'

/** The query of a view; older servers have it only in the create statement. */
const findViewQuery = ({ query, create_query }: catalog.TableRow): string | undefined =>
  query || /\sAS\s+((?:SELECT|WITH|\()[\s\S]*)$/i.exec(create_query)?.[1] || undefined

const NAME_PATTERN = String.raw`\`(?:[^\`\\]|\\[\s\S])*\`|\w+`
const TARGET_PATTERN = new RegExp(
  `^CREATE MATERIALIZED VIEW (?:${NAME_PATTERN})(?:\\.(?:${NAME_PATTERN}))? (?:UUID '[^']*' )?TO (?:(${NAME_PATTERN})\\.)?(${NAME_PATTERN})`,
  'i',
)
const unquoteIdentifier = (name: string): string => (name.startsWith('`') ? name.slice(1, -1).replace(/\\([\s\S])/g, '$1') : name)

/** The separate table a materialized view writes to, if any. */
const findViewTarget = ({ database, create_query }: catalog.TableRow): [string, string] | undefined => {
  const [, home, table] = TARGET_PATTERN.exec(create_query) ?? []
  return table === undefined ? undefined : [home === undefined ? database : unquoteIdentifier(home), unquoteIdentifier(table)]
}

/** For each table, the materialized views that write to it, by column name. */
export type MaterializedViewTargets = ReadonlyMap<string, { readonly views: readonly string[]; readonly sql: string }>

const quotePath = (...names: readonly string[]): string => names.map((name) => `\`${name.replace(/[\\`]/g, '\\$&')}\``).join('.')

export const findMaterializedViewTargets = async (
  reader: CatalogReader,
  tables: readonly catalog.TableRow[],
): Promise<MaterializedViewTargets> => {
  const views = tables.flatMap((row) => {
    const target = row.engine === 'MaterializedView' ? findViewTarget(row) : undefined
    return target === undefined ? [] : [{ ...row, target }]
  })
  if (views.length === 0) return new Map()
  const columns = Map.groupBy(await reader.query<catalog.ViewColumnRow>(catalog.viewColumnsSql(views)), ({ database, table }) =>
    buildItemKey(database, table),
  )
  return new Map(
    [...Map.groupBy(views, ({ target }) => buildItemKey(...target))].map(([key, from]) => [
      key,
      {
        views: from.map(({ database, name }) => `${database}.${name}`),
        sql: from
          .map(({ database, name, target }) => {
            const list = (columns.get(buildItemKey(database, name)) ?? []).map((column) => quotePath(column.name)).join(', ')
            return `insert into ${quotePath(...target)} (${list}) select ${list} from ${quotePath(database, name)}`
          })
          .join(';\n'),
      },
    ]),
  )
}

export const toTableRow = (
  has: catalog.ServerFeatures,
  row: catalog.TableRow,
  details: TableDetails,
  viewTargets: MaterializedViewTargets,
): TableRow => ({
  database: row.database,
  name: row.name,
  kind: getTableType(row.engine),
  ...(has.column('tables', 'comment') ? { comment: row.comment } : {}),
  ...details.numbers(row),
  definition: findViewQuery(row),
  filled_by: viewTargets.get(buildItemKey(row.database, row.name))?.sql,
  ...toStableId(row.uuid),
  facts: {
    engine: row.engine,
    filled_by: viewTargets.get(buildItemKey(row.database, row.name))?.views,
    engine_full: row.engine_full || undefined,
    partition_key: row.partition_key || undefined,
    sorting_key: row.sorting_key || undefined,
    primary_key: row.primary_key || undefined,
    sampling_key: row.sampling_key || undefined,
    indexes: details.indexes(row),
  },
})

export const toColumnRow = (row: catalog.ColumnRow, ordinal: number, uuid: string | undefined): ColumnRow => {
  const { database, table, name, type, default_kind, default_expression } = row
  return {
    database,
    table,
    name,
    type,
    position: row.position || ordinal,
    is_pk: row.in_primary_key === 1,
    comment: row.comment,
    ...toStableId(uuid ?? '', name),
    facts: {
      nullable: getInnerType(type) !== type && /Nullable\(/.test(type),
      [default_kind === '' || default_kind === 'DEFAULT' ? 'default' : 'generated_as']: default_expression || undefined,
      default_kind: default_kind && default_kind !== 'DEFAULT' ? default_kind.toLowerCase() : undefined,
      in_sorting_key: row.in_sorting_key === 1 || undefined,
      in_partition_key: row.in_partition_key === 1 || undefined,
      codec: row.codec || undefined,
    },
  }
}
