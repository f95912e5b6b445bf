import type { ColumnRow as ItemColumnRow, TableRow as ItemTableRow } from '../shared/items.ts'
import type { ColumnRow, DefinitionRow, KeyRow, TableRow } from './oracle-sql.ts'

/** Rows of the catalog in the shape of items. Pure. */

const joinName = (schema: string, table: string): string => JSON.stringify([schema, table])

/** What is looked up for every table and column. */
export class OracleDetails {
  readonly #definitions: ReadonlyMap<string, DefinitionRow>
  readonly #keys: ReadonlyMap<string, readonly KeyRow[]>

  constructor(definitions: readonly DefinitionRow[], keys: readonly KeyRow[]) {
    this.#definitions = new Map(definitions.map((row) => [joinName(row.schema, row.name), row]))
    this.#keys = Map.groupBy(keys, ({ schema, table }) => joinName(schema, table))
  }

  toTableRow(database: string, row: TableRow): ItemTableRow {
    const { id, type, altered, blocks: _, temporary, partitioned, ...rest } = row
    const found = this.#definitions.get(joinName(row.schema, row.name))
    const foreign = this.#list(row.schema, row.name, 'R')
    return {
      ...rest,
      stable_id: `${database}.${id}`,
      kind: temporary === 'Y' ? 'temporary table' : type.toLowerCase(),
      // That of the table behind a materialized view is written by Oracle.
      comment: type === 'MATERIALIZED VIEW' ? (found?.comment ?? null) : row.comment,
      definition: found?.definition ?? null,
      external_updated_at: altered,
      facts: {
        partitioned: partitioned === 'YES' ? true : undefined,
        foreign_keys:
          foreign.length === 0
            ? undefined
            : [...Map.groupBy(foreign, ({ name }) => name)].map(([name, parts]) => ({
                name,
                columns: parts.map(({ column }) => column),
                table: `${parts[0]!.to_schema}.${parts[0]!.to_table}`,
                to: parts.map(({ to_column }) => to_column),
              })),
      },
    }
  }

  toColumnRow(row: ColumnRow): ItemColumnRow {
    const { length: _, characters: __, precision: ___, scale: ____, identity, nullable, default_value, ...rest } = row
    const isIdentity = identity === 'YES'
    return {
      ...rest,
      type: describeType(row),
      nullable: nullable === 'Y',
      is_pk: this.#list(row.schema, row.table, 'P').some(({ column }) => column === row.name),
      // The default of an identity column is a sequence that Oracle named.
      default_value: isIdentity ? null : default_value?.trim() || null,
      facts: { identity: isIdentity ? 'by default' : undefined },
    }
  }

  #list(schema: string, table: string, type: 'P' | 'R'): KeyRow[] {
    return (this.#keys.get(joinName(schema, table)) ?? []).filter((key) => key.type === type)
  }
}

/** `VARCHAR2(20)`, `NUMBER(10,2)`, `RAW(16)`; timestamps have their precision in the name. */
const describeType = ({ type, length, characters, precision, scale }: ColumnRow): string => {
  if (type === null) return 'unknown'
  if (/^N?(VAR)?CHAR2?$/.test(type)) return `${type}(${characters || length})`
  if (type === 'RAW') return `${type}(${length})`
  if (type !== 'NUMBER' || (precision === null && scale === null)) return type
  if (precision === null) return scale === 0 ? 'INTEGER' : `NUMBER(*,${scale})`
  return scale === 0 || scale === null ? `NUMBER(${precision})` : `NUMBER(${precision},${scale})`
}
