import { describe, expect, test } from 'vitest'
import { hive } from '../../../src/sources/connectors/hive-metastore/hive-metastore.ts'
import { createMetastore } from '../../servers/hive-metastore.ts'
import { createMariadbSource, skipWithoutMariadb } from '../../servers/mariadb.ts'
import { discoverAll, findByKey, listColumnTypes, listUpstream } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, getConnectionError, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const COUNTS = { database: 2, table: 6, column: 14 }

/** The same metastore in both databases. */
const expectSynced = async (engine: string, credentials: { password: string }, system: string): Promise<void> => {
  await using app = await createTestApp()
  const { id: ada } = await app.createUser('editor')
  await app.db.updateTable('users').set({ email: 'ada@example.com' }).where('id', '=', ada).execute()
  const id = await createTestIntegration(app, 'hive', { ...credentials, engine, exclude: 'tmp_*' })
  const tested = await app.call('POST', `/integration/integrations/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, `Hive metastore 3.1.0 in ${system}: 7 tables and views in 2 databases.`])
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: COUNTS } })
  expect(await findByKey(app, id, 'sales')).toMatchObject({ description: 'The sales.', owners: [ada] })
  const orders = await findByKey(app, id, 'sales.orders')
  expect(orders).toMatchObject({
    ...{ native_type: 'external table', description: 'All orders.', row_count: 42, byte_size: 4096, owners: [ada] },
    external_updated_at: '2026-03-31T23:35:00.000Z',
    display_metadata: {
      ...{ location: 'hdfs://lake/sales/orders', format: 'parquet', partitioned_by: ['day'], properties: { domain: 'sales' } },
      foreign_keys: [{ name: 'fk_customer', columns: ['customer'], table: 'sales.customers', to: ['id'] }],
    },
  })
  expect(JSON.stringify(orders)).not.toContain('swordfish')
  expect(await findByKey(app, id, 'sales.orders.id')).toMatchObject({ native_type: 'bigint', is_pk: true, description: 'Its number.' })
  expect(await findByKey(app, id, 'sales.orders.day')).toMatchObject({ is_pk: false, display_metadata: { partition_key: true } })
  expect(await findByKey(app, id, 'sales.spark_orders')).toMatchObject({ native_type: 'delta table', row_count: null })
  expect(await findByKey(app, id, 'spark\\.sales.orders')).toMatchObject({ native_type: 'table' })
  const view = await findByKey(app, id, 'sales.order_ids')
  expect(view).toMatchObject({ native_type: 'view', display_metadata: { owner: 'etl', definition: expect.stringContaining('`sales`') } })
  for (const name of ['sales.order_ids', 'sales.trino_ids'])
    expect([name, await listUpstream(app, (await findByKey(app, id, name)).id, 'table')]).toEqual([name, ['orders']])
  expect(await listUpstream(app, (await findByKey(app, id, 'sales.order_ids.id')).id, 'column')).toEqual(['id'])
  await expectNoChanges(app, id, COUNTS)
  const other = await createTestIntegration(app, 'hive', { ...credentials, engine, password: 'wrong horse' }, { name: 'Other' })
  if (engine === 'mysql') expect(await getConnectionError(app, other, 'wrong horse')).toMatch(/Access denied/)
}

test('databases, tables and views of a metastore in Postgres', async () => {
  await using source = await createPostgresSource(...createMetastore('postgres'))
  await expectSynced('postgres', source.credentials, 'PostgreSQL')
})

describe.skipIf(skipWithoutMariadb)('MariaDB', () => {
  test('databases, tables and views of a metastore in MariaDB', async () => {
    await using source = await createMariadbSource(...createMetastore('mysql'))
    await expectSynced('mysql', source.credentials, 'MariaDB')
  })
})

test('columns, patterns, more tables than a page, and other versions of the metastore', async () => {
  await using source = await createPostgresSource(...createMetastore('postgres'))
  const settings = { ...source.credentials, engine: 'postgres', schema: 'public', ssl: false }
  const found = await discoverAll(hive, { ...settings, include: '*sales.*orders' })
  expect(found.flatMap((each) => (each.type === 'item' && each.entity_type === 'table' ? each.key : []))).toEqual([
    'sales.orders',
    'sales.spark_orders',
    'spark\\.sales.orders',
  ])
  expect(listColumnTypes(found, 'sales.orders')).toEqual([
    'id: bigint',
    'address: struct<city:string,zip:int>',
    'address.city: string',
    'address.zip: int',
    'customer: bigint',
    'day: date',
  ])
  // Spark's own schema in place of the placeholder that Hive has.
  expect(listColumnTypes(found, 'sales.spark_orders')).toEqual([
    'customerId: bigint',
    'lines: array<struct<sku:string>>',
    'lines.sku: string',
    'day: date',
  ])
  await source.run(
    `insert into "TBLS" select 100 + i, 0, 2, 0, null, null, 0, null, 't' || i, 'MANAGED_TABLE', null, null, false from generate_series(1, 1200) i`,
  )
  const many = await discoverAll(hive, settings)
  expect(many.filter((each) => each.type === 'item' && each.entity_type === 'table')).toHaveLength(7 + 1200)

  // Hive 2.0 has no catalogs and keys.
  await source.run('alter table "DBS" drop column "CTLG_NAME"', 'drop table "KEY_CONSTRAINTS"', 'delete from "DBS" where "DB_ID" = 2')
  const old = await discoverAll(hive, settings)
  expect(old).toContainEqual(expect.objectContaining({ key: 'sales.orders.id', primary_key: false }))
  await source.run('alter table "TBLS" rename column "TBL_TYPE" to "TABLE_TYPE"')
  await expect(discoverAll(hive, settings)).rejects.toThrow('The table TBLS of the metastore has no column TBL_TYPE.')
  await expect(discoverAll(hive, { ...settings, schema: 'elsewhere' })).rejects.toThrow('The schema elsewhere of')
  await expect(discoverAll(hive, { ...settings, engine: 'derby' })).rejects.toThrow('The database system must be mysql or postgres.')
})
