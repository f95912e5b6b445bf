import { keyOf } from '../../sync/item.ts'
import type { Reader } from './clickhouse-reader.ts'
import * as catalog from './clickhouse-sql.ts'
import { innerType } from './clickhouse-table.ts'
import type { ColumnRow, TableRow } from './flat-items.ts'

/** Converts rows of ClickHouse system tables to items. */

const NO_UUID = /^[0-]*$/

/** With the UUIDs of databases and tables, renames are detected. */
export const uuidOf = (uuid: string, ...parts: readonly string[]): { stable_id?: string } =>
  NO_UUID.test(uuid) ? {} : { stable_id: [uuid, ...parts].join('/') }

/** Details from separate system tables. */
export class Details {
  readonly #parts: ReadonlyMap<string, catalog.PartsRow>
  readonly #indexes: ReadonlyMap<string, catalog.IndexRow[]>

  private constructor(parts: readonly catalog.PartsRow[], indexes: readonly catalog.IndexRow[]) {
    this.#parts = new Map(parts.map((row) => [keyOf(row.database, row.table), row]))
    this.#indexes = Map.groupBy(indexes, ({ database, table }) => keyOf(database, table))
  }

  static async read(reader: Reader, has: catalog.Has, only: string | undefined): Promise<Details> {
    const [parts, indexes] = [catalog.partsSql(has, only), catalog.indexesSql(has, only)]
    return new Details(parts ? await reader.all(parts) : [], indexes ? await reader.all(indexes) : [])
  }

  numbers({ database, name, engine, row_count, bytes }: catalog.TableRow) {
    const parts = this.#parts.get(keyOf(database, name)) ?? (engine.endsWith('MergeTree') ? { row_count: 0, bytes: 0 } : undefined)
    return { row_count: whole(row_count) ?? parts?.row_count ?? null, byte_size: whole(bytes) ?? parts?.bytes ?? null }
  }

  indexes({ database, name }: catalog.TableRow) {
    return (this.#indexes.get(keyOf(database, name)) ?? []).map((row) => ({
      name: row.name,
      unique: false,
      definition: `${row.type} (${row.expression})`,
    }))
  }
}

const whole = (value: number | string | null): number | undefined => (typeof value === 'number' ? value : undefined)

const kindOf = (engine: string): string =>
  engine === 'View'
    ? 'view'
    : engine.endsWith('View')
      ? `${engine.slice(0, -4).toLowerCase()} view`
      : engine === 'Dictionary'
        ? 'dictionary'
        : 'table'

/** The query of a view; older servers have it only in the create statement. */
const queryOf = ({ query, create_query }: catalog.TableRow): string | undefined =>
  query || /\sAS\s+((?:SELECT|WITH|\()[\s\S]*)$/i.exec(create_query)?.[1] || undefined

const NAME = String.raw`\`(?:[^\`\\]|\\[\s\S])*\`|\w+`
const TO = new RegExp(`^CREATE MATERIALIZED VIEW (?:${NAME})(?:\\.(?:${NAME}))? (?:UUID '[^']*' )?TO (?:(${NAME})\\.)?(${NAME})`, 'i')
const bare = (name: string): string => (name.startsWith('`') ? name.slice(1, -1).replace(/\\([\s\S])/g, '$1') : name)

/** The separate table a materialized view writes to, if any. */
const targetOf = ({ database, create_query }: catalog.TableRow): [string, string] | undefined => {
  const [, home, table] = TO.exec(create_query) ?? []
  return table === undefined ? undefined : [home === undefined ? database : bare(home), bare(table)]
}

/** For each table, the materialized views that write to it, by column name. */
export type Feeds = ReadonlyMap<string, { readonly views: readonly string[]; readonly sql: string }>

const quoted = (...names: readonly string[]): string => names.map((name) => `\`${name.replace(/[\\`]/g, '\\$&')}\``).join('.')

export const feedsOf = async (reader: Reader, tables: readonly catalog.TableRow[]): Promise<Feeds> => {
  const views = tables.flatMap((row) => {
    const target = row.engine === 'MaterializedView' ? targetOf(row) : undefined
    return target === undefined ? [] : [{ ...row, target }]
  })
  if (views.length === 0) return new Map()
  const columns = Map.groupBy(await reader.all<catalog.ViewColumnRow>(catalog.viewColumnsSql(views)), ({ database, table }) =>
    keyOf(database, table),
  )
  return new Map(
    [...Map.groupBy(views, ({ target }) => keyOf(...target))].map(([key, from]) => [
      key,
      {
        views: from.map(({ database, name }) => `${database}.${name}`),
        sql: from
          .map(({ database, name, target }) => {
            const list = (columns.get(keyOf(database, name)) ?? []).map((column) => quoted(column.name)).join(', ')
            return `insert into ${quoted(...target)} (${list}) select ${list} from ${quoted(database, name)}`
          })
          .join(';\n'),
      },
    ]),
  )
}

export const tableOf = (has: catalog.Has, row: catalog.TableRow, details: Details, feeds: Feeds): TableRow => ({
  database: row.database,
  name: row.name,
  kind: kindOf(row.engine),
  ...(has.column('tables', 'comment') ? { comment: row.comment } : {}),
  ...details.numbers(row),
  definition: queryOf(row),
  filled_by: feeds.get(keyOf(row.database, row.name))?.sql,
  ...uuidOf(row.uuid),
  facts: {
    engine: row.engine,
    filled_by: feeds.get(keyOf(row.database, row.name))?.views,
    engine_full: row.engine_full || undefined,
    partition_key: row.partition_key || undefined,
    sorting_key: row.sorting_key || undefined,
    primary_key: row.primary_key || undefined,
    sampling_key: row.sampling_key || undefined,
    indexes: details.indexes(row),
  },
})

export const columnOf = (row: catalog.ColumnRow, place: number, uuid: string | undefined): ColumnRow => {
  const { database, table, name, type, default_kind, default_expression } = row
  return {
    database,
    table,
    name,
    type,
    position: row.position || place,
    is_pk: row.in_primary_key === 1,
    comment: row.comment,
    ...uuidOf(uuid ?? '', name),
    facts: {
      nullable: innerType(type) !== type && /Nullable\(/.test(type),
      [default_kind === '' || default_kind === 'DEFAULT' ? 'default' : 'generated_as']: default_expression || undefined,
      default_kind: default_kind && default_kind !== 'DEFAULT' ? default_kind.toLowerCase() : undefined,
      in_sorting_key: row.in_sorting_key === 1 || undefined,
      in_partition_key: row.in_partition_key === 1 || undefined,
      codec: row.codec || undefined,
    },
  }
}
