import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/connect.ts'
import type { SchemaObject } from './schema-object.ts'

/** Values that each database computes for itself. Points in time are always those of its creation. */
const COMPUTED: Readonly<Record<string, string>> = { 'follower_positions.seen': 'pg_current_snapshot()::text' }

interface Column {
  readonly name: string
  readonly type: string
  readonly identity: string
}

/** The rows that the migrations add, as one statement for each table that has any. */
export const readRows = async (db: Db, tables: readonly SchemaObject[]): Promise<string[]> => {
  const statements: string[] = []
  for (const { name } of tables) {
    const { rows: columns } = await sql<Column>`
      select attname as name, atttypid::regtype::text as type, attidentity as identity from pg_attribute
      where attrelid = ${name}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(db)
    const values = sql.join(columns.map((column) => valueSql(name, column)))
    const { rows } = await sql<{ text: string }>`select concat_ws(', ', ${values}) as text from ${sql.table(name)} order by 1`.execute(db)
    if (rows.length === 0) continue
    if (columns.some(({ identity }) => identity !== ''))
      throw new Error(`The migrations add rows to ${name}, whose sequence is not written.`)
    const names = columns.map((column) => column.name).join(', ')
    statements.push(`insert into ${name} (${names}) values\n${rows.map(({ text }) => `  (${text})`).join(',\n')};`)
  }
  return statements
}

const valueSql = (table: string, { name, type }: Column) => {
  const value = sql.ref(name)
  const computed = type === 'timestamp with time zone' ? 'now()' : COMPUTED[`${table}.${name}`]
  if (computed) return sql`case when ${value} is null then 'null' else ${sql.lit(computed)} end`
  return sql`coalesce(quote_literal(${value}::text), 'null')`
}
