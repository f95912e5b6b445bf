import { describe, expect, test } from 'vitest'
import { withSourceConnection } from '../../../src/sources/integrations/with-source-connection.ts'
import { splitItemKey } from '../../../src/sources/sync/item.ts'
import { createClickhouseSource, skipWithoutClickhouse } from '../../servers/clickhouse.ts'
import { eventually } from '../../support/eventually.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { createTestIntegration, findByFullTitle, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'
const ODD = 'ta.ble `x` "y" \'z\'\nline é😀'
const q = (name: string) => `\`${name.replace(/[\\`]/g, '\\$&').replaceAll('\n', '\\n')}\``

const SHOP = [
  "create table orders (id UInt64, customer Nullable(UInt32), total Decimal(10, 2) comment 'With tax.', day Date default toDate('2026-01-01'), gross Decimal(10, 2) alias total * 2) engine = MergeTree partition by toYYYYMM(day) order by (day, id)",
  'create table daily (total Decimal(38, 2), day Date) engine = Log',
  'create view big_orders as select id, total from orders where total > 100',
  'create materialized view per_day engine = Log as select day, sum(total) as total from orders group by day',
  'create materialized view into_daily to daily as select day, sum(total) as total from orders group by day',
  `create table ${q(ODD)} (${q("co'l.u`mn")} Int8) engine = Memory`,
  'insert into orders (id, total) select number, toDecimal32(number, 2) from system.numbers limit 50',
]

describe.skipIf(skipWithoutClickhouse)('ClickHouse', () => {
  test('is discovered with everything in its system tables, and a second sync writes nothing', async () => {
    await using app = await createTestApp()
    await using source = await createClickhouseSource(...SHOP)
    const id = await createTestIntegration(app, 'clickhouse', source.credentials)
    const tested = await app.call('POST', `${PATH}/${id}/test`)
    expect([tested.status, tested.body.detail]).toEqual([
      200,
      expect.stringMatching(new RegExp(`^ClickHouse \\d+\\.\\d+\\.\\d+: 6 tables and views in ${source.name}\\.$`)),
    ])
    const counts = { database: 1, table: 6, column: 14 }
    expect(await runSync(app, id)).toMatchObject({
      status: 'COMPLETED',
      error: null,
      report: { new: counts, changed: {}, stale: {}, lineage: { read: 4, unreadable: 0 } },
    })
    for (const [name, expected] of [
      [
        'orders',
        {
          native_type: 'table',
          row_count: 50,
          byte_size: expect.any(Number),
          databuilder_id: `${source.name}.orders`,
          children_count: 5,
          display_metadata: { engine: 'MergeTree', partition_key: 'toYYYYMM(day)', sorting_key: 'day, id', primary_key: 'day, id' },
        },
      ],
      ['orders.id', { native_type: 'UInt64', is_pk: true, sort_order: 1, display_metadata: { nullable: false, in_sorting_key: true } }],
      ['orders.customer', { native_type: 'Nullable(UInt32)', is_pk: false, sort_order: 2, display_metadata: { nullable: true } }],
      ['orders.total', { description: 'With tax.', sort_order: 3 }],
      ['orders.day', { display_metadata: { default: "toDate('2026-01-01')", in_partition_key: true } }],
      ['orders.gross', { sort_order: 5, display_metadata: { generated_as: 'total * 2', default_kind: 'alias' } }],
      [
        'big_orders',
        {
          native_type: 'view',
          display_metadata: { definition: expect.stringMatching(/^SELECT id, total FROM .*orders\s+WHERE total > 100$/) },
        },
      ],
      ['per_day', { native_type: 'materialized view', display_metadata: { definition: expect.stringMatching(/^SELECT day/) } }],
      ['daily', { native_type: 'table', display_metadata: { engine: 'Log', filled_by: [`${source.name}.into_daily`] } }],
      [`${ODD}.co'l.u\`mn`, { native_type: 'Int8', databuilder_id: expect.stringContaining('.ta\\.ble') }],
    ] as const)
      expect([name, await findByFullTitle(app, `${source.name}.${name}`)]).toMatchObject([name, expected])
    // Through the view that fills it, column by column, in any order.
    const daily = await findByFullTitle(app, `${source.name}.daily.total`)
    const { body: lineage } = await app.call('GET', `/lineage/graph?resource_id=${daily.id}&direction=UPSTREAM&depth=2&level=column`)
    const titles = lineage.nodes.map(({ title_full }: { title_full: string }) => title_full.slice(source.name.length + 1))
    expect(titles.sort()).toEqual(['daily.total', 'into_daily.total', 'orders.total'])
    const [row] = await withSourceConnection(app.ctx, id, AbortSignal.timeout(PATIENCE_MS), async ({ query, dialectSql }) => {
      const { rows } = await query(`select count(*) from ${dialectSql.table(splitItemKey(`${source.name}.orders`)!)}`, {
        timeout_ms: 20_000,
        max_rows: 1,
      })
      return rows
    })
    expect(row).toEqual([50])
    const before = await app.listActivities()
    expect((await runSync(app, id)).report).toMatchObject({ new: {}, changed: {}, unchanged: counts })
    expect(await app.listActivities()).toEqual(before)
    await source.run(
      'drop table big_orders',
      "alter table orders comment column total 'Without.'",
      'alter table orders drop column customer',
    )
    expect((await runSync(app, id)).report).toMatchObject({ new: {}, changed: { column: 3 }, stale: { table: 1, column: 3 } })
  })

  test('is discovered in all databases that match the patterns', async () => {
    await using app = await createTestApp()
    await using source = await createClickhouseSource(
      'create table orders (id Int8) engine = Log',
      'create table tmp_orders (id Int8) engine = Log',
    )
    await using stage = await createClickhouseSource('create table orders (id Int8) engine = Log')
    const { database: _, ...everything } = source.credentials
    for (const [more, expected] of [
      [{}, ['a', 'a.orders', 'a.tmp_orders', 'b', 'b.orders']],
      [{ exclude: `tmp_*, ${stage.name}.*` }, ['a', 'a.orders']],
      [{ include: 'ORDERS' }, ['a', 'a.orders', 'b', 'b.orders']],
      [{ include: 'nothing', database: source.name }, ['a']],
    ] as const) {
      const id = await createTestIntegration(app, 'clickhouse', { ...everything, ...more })
      expect((await runSync(app, id)).status).toBe('COMPLETED')
      const filter = JSON.stringify({ operator: 'exact', field: 'integration', value: id })
      const { body } = await app.call('GET', `/resource/catalog?filter=${filter}&sort={"field":"title_full","order":"asc"}&page_size=100`)
      const titles = body.results.flatMap(({ title_full, entity_type }: Record<string, string>) =>
        entity_type === 'column' ? [] : title_full!.replace(source.name, 'a').replace(stage.name, 'b'),
      )
      expect(titles.filter((title: string) => /^[ab]\b/.test(title))).toEqual(expected)
    }
    const id = await createTestIntegration(app, 'clickhouse', { ...everything, database: 'not there' })
    expect((await runSync(app, id)).error).toBe('The database not there does not exist, or the user cannot see it.')
  })

  test('imports its query history without literals', async () => {
    await using app = await createTestApp()
    await using source = await createClickhouseSource('create table orders (nr Int8, secret String) engine = Memory')
    const id = await createTestIntegration(app, 'clickhouse', { ...source.credentials, query_history: true })
    await source.run(...Array.from({ length: 12 }, (_, i) => `select  nr from orders where secret = 'sword\\'fish ${i}' and nr > ${i}`))
    await eventually(async () => {
      const [n] = await source.run(
        "select count() from system.query_log where toString(type) in ('QueryFinish', '2') and query like '%fish%'",
      )
      expect(Number(n)).toBeGreaterThanOrEqual(12)
    })
    expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null })
    const { body } = await app.call('GET', '/query/queries?sort={"field":"freq","order":"desc"}')
    expect(body.results).toContainEqual(
      expect.objectContaining({
        title: 'select nr from orders where secret = ? and nr > ?',
        freq: 12,
        type: 'history',
        external_users: ['admin'],
      }),
    )
    expect(JSON.stringify(body)).not.toContain('fish')
  })
})
