import { expect, test } from 'vitest'
import type { TableRow } from '../../src/lineage/queries/catalog.ts'
import { chooseTable, type QueryScope } from '../../src/lineage/queries/resolve-tables.ts'

/** A table from its path, e.g. `integration:database.schema.title`. */
const table = (path: string): TableRow => {
  const [where = '', name = where] = path.split(':')
  const [title = '', schema = null, database = null] = name.split('.').reverse()
  const none = { created_at: '', updated_at: '', native_type: null, integration_title: null, integration_type: null }
  return { id: path, title, title_full: name, schema, database, integration: path.includes(':') ? where : null, ...none }
}

const resolveName = (name: string, tables: readonly string[], dialect = 'postgres', home: QueryScope = {}): string => {
  const found = chooseTable(name.split('.'), tables.map(table), dialect, home)
  return found.table?.id ?? `${found.reason} ${found.candidates.map(({ id }) => id).join(' ')}`.trim()
}

const SCOPE = { integration: 'i', database: 'db', schema: 's' }

for (const [what, name, tables, expected, dialect, home] of [
  ['the only table with this name', 't', ['db.s.t'], 'db.s.t'],
  ['no table with this name', 't', ['db.s.u'], 'not_in_catalog'],
  ['a part of a title does not match', 't', ['db.s.at'], 'not_in_catalog'],
  ['another schema', 'x.t', ['db.s.t'], 'not_in_catalog'],
  ['schema and table without a database', 's.t', ['db.s.t', 'db.x.t'], 'db.s.t'],
  ['two databases with this schema', 's.t', ['db.s.t', 'other.s.t'], 'ambiguous db.s.t other.s.t'],
  ['the catalog path is shorter than the name', 'db.s.t', ['s.t'], 's.t'],
  ['prefers the longer catalog path', 'db.s.t', ['s.t', 'db.s.t'], 'db.s.t'],
  ['a leading linked server', 'srv.db.s.t', ['db.s.t'], 'db.s.t'],
  ['prefers an equal path to a longer one', 't', ['t', 'db.s.t'], 't'],
  ['two integrations with this table', 's.t', ['i:db.s.t', 'j:db.s.t'], 'ambiguous i:db.s.t j:db.s.t'],
  ['the integration of the target decides', 's.t', ['i:db.s.t', 'j:db.s.t'], 'i:db.s.t', 'postgres', SCOPE],
  ['the database of the target decides', 's.t', ['i:db.s.t', 'i:other.s.t'], 'i:db.s.t', 'postgres', SCOPE],
  ['the schema of the target decides', 't', ['i:db.s.t', 'i:db.x.t'], 'i:db.s.t', 'postgres', SCOPE],
  ['an explicit schema is not overridden', 'x.t', ['i:db.s.t', 'i:db.x.t'], 'i:db.x.t', 'postgres', SCOPE],
  ['outside the scope of the query, but the only one', 't', ['j:other.x.t'], 'j:other.x.t', 'postgres', SCOPE],
  ['outside the scope of the query, and two of them', 't', ['i:db.x.t', 'i:db.y.t'], 'ambiguous i:db.x.t i:db.y.t', 'postgres', SCOPE],
  ['a name folded to upper case matches lower case in the catalog', 'ORDERS', ['db.s.orders'], 'db.s.orders', 'snowflake'],
  ['the exact spelling decides between two', 'ORDERS', ['db.s.orders', 'db.s.ORDERS'], 'db.s.ORDERS', 'snowflake'],
  ['quoted capitals match exactly', 'Orders', ['db.s.orders', 'x.y.Orders'], 'x.y.Orders', 'postgres', { database: 'db', schema: 's' }],
  ['case-sensitive tables', 'Orders', ['db.s.orders', 'db.s.Orders'], 'db.s.Orders', 'bigquery'],
  ['case-sensitive tables without an exact match', 'ORDERS', ['db.s.orders', 'db.s.Orders'], 'ambiguous db.s.orders db.s.Orders', 'mysql'],
] as const)
  test(what, () => expect(resolveName(name, tables, dialect, home)).toBe(expected))

test('a title may contain its full path', () => {
  const flat = { ...table('flat'), title: 'db.s.t' }
  for (const name of ['db.s.t', 'srv.db.s.t'])
    expect([name, chooseTable(name.split('.'), [flat], 'postgres', {}).table]).toEqual([name, flat])
  expect(chooseTable(['x', 's', 't'], [flat], 'postgres', {}).reason).toBe('not_in_catalog')
})
