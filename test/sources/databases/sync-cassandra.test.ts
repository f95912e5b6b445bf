import { expect, test } from 'vitest'
import { cassandra } from '../../../src/sources/connectors/cassandra/cassandra.ts'
import { type CqlAnswer, type CqlType, createCassandraServer } from '../../protocols/cassandra.ts'
import { describeLineage, discoverAll, findByKey, listColumnTypes, listUpstream } from '../../support/connectors.ts'
import { createTestIntegration, expectNoChanges, getConnectionError, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const PASSWORD = 'correct horse'

/** The columns of system_schema that Cassandra 4.1 has and that are read, with rows written by hand. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, CqlType>>>> = {
  keyspaces: { keyspace_name: 'text', durable_writes: 'boolean', replication: 'map' },
  tables: { keyspace_name: 'text', table_name: 'text', comment: 'text', compaction: 'map', default_time_to_live: 'int', id: 'uuid' },
  views: { keyspace_name: 'text', view_name: 'text', base_table_name: 'text', comment: 'text', where_clause: 'text', id: 'uuid' },
  columns: {
    ...{
      keyspace_name: 'text',
      table_name: 'text',
      column_name: 'text',
      clustering_order: 'text',
      kind: 'text',
      position: 'int',
      type: 'text',
    },
  },
  types: { keyspace_name: 'text', type_name: 'text', field_names: 'list', field_types: 'list' },
  indexes: { keyspace_name: 'text', table_name: 'text', index_name: 'text', kind: 'text', options: 'map' },
}
const column = (table_name: string, column_name: string, kind: string, position: number, type: string, clustering_order = 'none') => ({
  ...{ keyspace_name: 'shop', table_name, column_name, kind, position, type, clustering_order },
})
const ROWS: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>> = {
  keyspaces: [
    { keyspace_name: 'system_schema', durable_writes: true, replication: { class: 'org.apache.cassandra.locator.LocalStrategy' } },
    {
      ...{ keyspace_name: 'shop', durable_writes: true },
      replication: { class: 'org.apache.cassandra.locator.NetworkTopologyStrategy', dc1: '3' },
    },
  ],
  tables: [
    {
      ...{ keyspace_name: 'shop', table_name: 'orders', comment: 'All orders.', default_time_to_live: 86_400, id: 1 },
      compaction: { class: 'org.apache.cassandra.db.compaction.LeveledCompactionStrategy' },
    },
    { keyspace_name: 'shop', table_name: 'tmp_x', comment: '', default_time_to_live: 0, compaction: {}, id: 2 },
    { keyspace_name: 'shop', table_name: 'dropped', comment: '', default_time_to_live: 0, compaction: {}, id: 3 },
  ],
  views: [
    { keyspace_name: 'shop', view_name: 'orders_by_city', base_table_name: 'orders', comment: '', where_clause: 'city IS NOT NULL', id: 4 },
  ],
  columns: [
    column('orders', 'at', 'clustering', 0, 'timestamp', 'desc'),
    column('orders', 'city', 'regular', -1, 'text'),
    column('orders', 'customer', 'partition_key', 0, 'uuid'),
    column('orders', 'lines', 'regular', -1, 'list<frozen<line>>'),
    column('orders', 'total', 'static', -1, 'decimal'),
    column('tmp_x', 'x', 'partition_key', 0, 'int'),
    column('orders_by_city', 'city', 'partition_key', 0, 'text'),
    column('orders_by_city', 'customer', 'clustering', 0, 'uuid', 'asc'),
  ],
  types: [
    { keyspace_name: 'shop', type_name: 'line', field_names: ['sku', 'size'], field_types: ['text', 'frozen<map<text, size>>'] },
    { keyspace_name: 'shop', type_name: 'size', field_names: ['cm'], field_types: ['int'] },
  ],
  indexes: [{ keyspace_name: 'shop', table_name: 'orders', index_name: 'by_total', kind: 'COMPOSITES', options: { target: 'total' } }],
}

const answer = (cql: string): CqlAnswer => {
  if (/from system\.local/.test(cql))
    return { columns: { release_version: 'text', cluster_name: 'text' }, rows: [{ release_version: '4.1.5', cluster_name: 'Test' }] }
  const table = /^select \* from system_schema\.(\w+)/.exec(cql)?.[1] ?? ''
  const keyspace = /keyspace_name = '(\w+)'$/.exec(cql)?.[1]
  const rows = (ROWS[table] ?? []).filter((row) => keyspace === undefined || row.keyspace_name === keyspace)
  return table in COLUMNS ? { columns: COLUMNS[table]!, rows } : { error: `nothing was recorded for ${cql}` }
}

const settings = (port: number) => ({ hosts: `127.0.0.1:${port}`, ssl: false })

test('keyspaces, tables and views are synced with keys, types and lineage', async () => {
  await using app = await createTestApp()
  await using server = await createCassandraServer(answer, { password: PASSWORD, pageRows: 2 })
  const credentials = { ...settings(server.port), user: 'reader', password: PASSWORD, exclude: 'tmp_*' }
  const id = await createTestIntegration(app, 'cassandra', credentials)
  const tested = await app.call('POST', `/integration/integrations/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, 'Cassandra 4.1.5, cluster Test: 1 keyspaces.'])
  const counts = { database: 1, table: 2, column: 10 }
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: counts } })
  expect(await findByKey(app, id, 'shop')).toMatchObject({
    native_type: 'keyspace',
    display_metadata: { strategy: 'NetworkTopologyStrategy', replication: { dc1: '3' } },
  })
  expect(await findByKey(app, id, 'shop.orders')).toMatchObject({
    ...{ native_type: 'table', description: 'All orders.' },
    display_metadata: {
      ...{ partition_key: ['customer'], clustering_key: ['at'], default_time_to_live: 86_400, compaction: 'LeveledCompactionStrategy' },
      indexes: [{ name: 'by_total', type: 'composites', columns: ['total'] }],
    },
  })
  expect(await findByKey(app, id, 'shop.orders.at')).toMatchObject({
    ...{ native_type: 'timestamp', is_pk: true, display_metadata: { kind: 'clustering', order: 'desc', nullable: false } },
  })
  const view = await findByKey(app, id, 'shop.orders_by_city')
  expect(view).toMatchObject({ native_type: 'materialized view', display_metadata: { view_on: 'orders', where: 'city IS NOT NULL' } })
  expect(await listUpstream(app, view.id, 'table')).toEqual(['orders'])
  expect(await listUpstream(app, (await findByKey(app, id, 'shop.orders_by_city.city')).id, 'column')).toEqual(['city'])
  await expectNoChanges(app, id, counts)
  expect(server.statements.every((cql) => /^select .* from system(_schema)?\./.test(cql))).toBe(true)
  const wrong = await createTestIntegration(app, 'cassandra', { ...credentials, password: 'wrong horse' }, { name: 'Other' })
  expect(await getConnectionError(app, wrong, 'wrong horse')).toContain('Provided username and/or password are incorrect')
})

test('order of columns, patterns, and keyspaces that cannot be read', async () => {
  const discover = async (respond: (cql: string) => CqlAnswer = answer, more: object = {}) => {
    await using server = await createCassandraServer(respond)
    return await discoverAll(cassandra, { ...settings(server.port), ...more })
  }
  const all = await discover()
  // The key first, then the others by name; fields of user-defined types are below their column.
  expect(listColumnTypes(all, 'shop.orders')).toEqual([
    'customer: uuid',
    'at: timestamp',
    'total: decimal',
    'city: text',
    'lines: list<frozen<line>>',
    'lines.sku: text',
    'lines.size: frozen<map<text, size>>',
    'lines.size.cm: int',
  ])
  expect(describeLineage(all)).toEqual([
    'shop.orders_by_city.city < shop.orders(shop.orders.city)',
    'shop.orders_by_city.customer < shop.orders(shop.orders.customer)',
  ])
  expect(all.some((each) => each.type === 'item' && each.key === 'shop.dropped')).toBe(false)
  const named = await discover(answer, { keyspace: 'shop', exclude: 'shop.orders' })
  expect(named.flatMap((each) => (each.type === 'item' && each.entity_type === 'table' ? each.key : []))).toEqual([
    'shop.tmp_x',
    'shop.orders_by_city',
  ])
  expect(describeLineage(named)).toEqual([])
  await expect(discover(answer, { keyspace: 'none' })).rejects.toThrow('The keyspace none does not exist.')

  const denied = (cql: string): CqlAnswer =>
    /columns where/.test(cql) ? { error: 'User reader has no SELECT permission on <table system_schema.columns>' } : answer(cql)
  expect(await discover(denied)).toContainEqual(
    expect.objectContaining({ type: 'unlisted', key: 'shop', reason: expect.stringContaining('no SELECT permission') }),
  )
  const renamed = (cql: string): CqlAnswer => {
    const { type: _, ...rest } = COLUMNS.columns!
    return /columns where/.test(cql) ? { ...answer(cql), columns: rest } : answer(cql)
  }
  await expect(discover(renamed)).rejects.toThrow('system_schema.columns: `type` must be text, but is missing.')
  await expect(discoverAll(cassandra, { hosts: ' , ', ssl: false })).rejects.toThrow('The hosts must be host names or addresses')
  await expect(discoverAll(cassandra, settings(1))).rejects.toThrow(/ECONNREFUSED/)
})
