import { globSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestApp } from '../support/test-app.ts'

const WRITTEN: Record<string, string> = {
  uuid: 'string',
  text: 'string',
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float8: 'number',
  numeric: 'string',
  bool: 'boolean',
  timestamptz: 'Timestamp',
  date: 'string',
  json: 'unknown',
  jsonb: 'unknown',
  bytea: 'Buffer',
  xid8: 'string',
  pg_snapshot: 'string',
  tsvector: 'string',
  varbit: 'string',
  resources: 'unknown',
  _uuid: 'string[]',
  _text: 'string[]',
}

interface Column {
  table_name: string
  column_name: string
  udt_name: string
  is_nullable: string
  column_default: string | null
  is_identity: string
}

test('the types in db/tables are the migrated database', async () => {
  await using app = await createTestApp()
  const { rows } = await sql<Column>`
    select c.table_name, c.column_name, c.udt_name, c.is_nullable, c.column_default, c.is_identity
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.table_name <> 'migrations'
    order by c.table_name, c.ordinal_position
  `.execute(app.db)
  expect(writtenTables()).toEqual(Map.groupBy(rows.map(typed), ([table]) => table as string))
})

const typed = ({ table_name, column_name, udt_name, is_nullable, column_default, is_identity }: Column): [string, string, string] => {
  const nullable = is_nullable === 'YES'
  const plain = WRITTEN[udt_name] ?? `no type for ${udt_name}`
  const type =
    plain === 'Timestamp' ? (nullable ? 'TimestampOrNull' : plain) : plain === 'unknown' ? plain : nullable ? `${plain} | null` : plain
  return [table_name, column_name, is_identity === 'YES' ? `GeneratedAlways<${type}>` : column_default ? `Generated<${type}>` : type]
}

const writtenTables = () => {
  const text = globSync('src/platform/db/tables/*.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n')
  const names = new Map([...text.matchAll(/^ {2}(\w+): (\w+Table)$/gm)].map(([, table, type]) => [type, table]))
  const columns = [...text.matchAll(/^export interface (\w+Table) \{\n([\s\S]*?)^\}/gm)].flatMap(([, type = '', body = '']) =>
    [...body.matchAll(/^ {2}(\w+): (.+)$/gm)].map(
      ([, column, kind]) => [names.get(type) ?? type, column, kind] as [string, string, string],
    ),
  )
  return Map.groupBy(columns, ([table]) => table)
}
