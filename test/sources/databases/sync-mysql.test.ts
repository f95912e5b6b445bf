import { describe, expect, test } from 'vitest'
import { withSourceConnection } from '../../../src/sources/integrations/with-source-connection.ts'
import { splitItemKey } from '../../../src/sources/sync/item.ts'
import { createMariadbSource, skipWithoutMariadb } from '../../servers/mariadb.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { createTestIntegration, findByFullTitle, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'
const ODD = 'ta.ble `x` "y" \'z\'\nline é☃' // MariaDB accepts no characters outside the BMP in names
const q = (name: string) => `\`${name.replaceAll('`', '``')}\``

const SHOP = [
  `create table customers (id bigint unsigned auto_increment primary key, email varchar(200) not null, \`Full Name\` varchar(80) default 'no''body', unique key by_email (email))`,
  `create table orders (id int primary key, customer bigint unsigned not null, total decimal(10, 2) comment 'With tax.', placed_at timestamp default current_timestamp on update current_timestamp,
    gross decimal(10, 2) generated always as (total * 1.2) stored, key by_customer (customer, total), constraint not_less check (total >= 0),
    constraint of_customer foreign key (customer) references customers (id)) comment 'One row for each order.'`,
  'create view big_orders as select o.id, o.total, c.email from orders o join customers c on c.id = o.customer where o.total > 100',
  `create table events (at date not null, what text) partition by range (year(at)) (partition p0 values less than (2026), partition p1 values less than maxvalue)`,
  `create table ${q(ODD)} (\`co'l.u"m☺n\` int, \`ß\` int as (\`co'l.u"m☺n\` + 1))`,
  "create function vat(amount decimal(10, 2)) returns decimal(10, 2) deterministic comment 'Tax.' return amount * 0.2",
  'create procedure pay(in which int, out done int) begin update orders set total = total where id = which; set done = 1; end',
  'create table totals (day date, total decimal(20, 2))',
  'create procedure sum_up() begin insert into totals (day, total) select date(placed_at), sum(total) from orders group by 1; end',
  'create trigger orders_made before insert on orders for each row set new.total = ifnull(new.total, 0)',
  "insert into customers (email) select concat('c', seq) from seq_1_to_50",
  'insert into orders (id, customer, total) select id, id, id from customers',
  'analyze table customers, orders',
]

describe.skipIf(skipWithoutMariadb)('MariaDB', () => {
  test('is discovered with everything in its catalog, and a second sync writes nothing', async () => {
    await using app = await createTestApp()
    await using source = await createMariadbSource(...SHOP)
    // Privileges for the text of routines and triggers.
    await source.run(
      `grant select on mysql.proc to ${source.credentials.user}@localhost`,
      `grant trigger on ${source.name}.* to ${source.credentials.user}@localhost`,
    )
    const id = await createTestIntegration(app, 'mysql', source.credentials)
    const tested = await app.call('POST', `${PATH}/${id}/test`)
    expect([tested.status, tested.body.detail]).toEqual([
      200,
      expect.stringMatching(new RegExp(`^MariaDB \\d+\\.\\d+\\.\\d+: 6 tables and views in ${source.name}\\.$`)),
    ])
    const counts = { database: 1, table: 6, column: 17, query: 3 }
    expect(await runSync(app, id)).toMatchObject({
      status: 'COMPLETED',
      error: null,
      report: { new: counts, changed: {}, stale: {}, lineage: { read: 3, unreadable: 0 } },
    })
    expect(await findByFullTitle(app, `${source.name}.orders`)).toMatchObject({
      entity_type: 'table',
      native_type: 'table',
      description: 'One row for each order.',
      row_count: 50,
      byte_size: expect.any(Number),
      integration: id,
      databuilder_id: `${source.name}.orders`,
      children_count: 5,
      display_metadata: {
        engine: 'InnoDB',
        foreign_keys: [{ name: 'of_customer', columns: ['customer'], table: 'customers', to: ['id'] }],
        constraints: [
          { name: 'PRIMARY', type: 'primary key', definition: 'PRIMARY KEY (`id`)' },
          { name: 'not_less', type: 'check', definition: 'CHECK (`total` >= 0)' },
        ],
        indexes: [
          { name: 'by_customer', unique: false, definition: 'BTREE (`customer`, `total`)' },
          { name: 'PRIMARY', unique: true, definition: 'BTREE (`id`)' },
        ],
        triggers: [{ name: 'orders_made', when: 'before insert', definition: 'set new.total = ifnull(new.total, 0)' }],
      },
    })
    for (const [name, expected] of [
      [
        'customers.id',
        {
          native_type: 'bigint(20) unsigned',
          is_pk: true,
          sort_order: 1,
          display_metadata: { nullable: false, identity: 'auto_increment' },
        },
      ],
      ['customers.Full Name', { display_metadata: { nullable: true, default: "'no''body'" } }],
      ['customers.email', { native_type: 'varchar(200)', is_pk: false, display_metadata: { nullable: false } }],
      ['orders.total', { native_type: 'decimal(10,2)', description: 'With tax.', sort_order: 3, display_metadata: { nullable: true } }],
      ['orders.gross', { display_metadata: { generated_as: '`total` * 1.2' } }],
      ['orders.placed_at', { display_metadata: { default: 'current_timestamp()', on_update: 'current_timestamp()' } }],
      ['events', { display_metadata: { partitions: 2, partition_key: 'RANGE (year(`at`))' } }],
      [`${ODD}.ß`, { display_metadata: { generated_as: expect.stringContaining('+ 1') } }],
      [
        'vat',
        {
          entity_type: 'query',
          type: 'function',
          description: 'Tax.',
          definition: 'create function `vat`(`amount` decimal(10,2)) returns decimal(10,2)\nreturn amount * 0.2',
        },
      ],
      [
        'pay',
        {
          entity_type: 'query',
          type: 'procedure',
          definition: expect.stringMatching(/^create procedure `pay`\(IN `which` int\(11\), OUT `done` int\(11\)\)\nbegin update orders/),
        },
      ],
    ] as const)
      expect([name, await findByFullTitle(app, `${source.name}.${name}`)]).toMatchObject([name, expected])
    // A procedure defines where the rows of a table come from.
    const totals = await findByFullTitle(app, `${source.name}.totals.total`)
    const { body: filled } = await app.call('GET', `/lineage/graph?resource_id=${totals.id}&direction=UPSTREAM&depth=1&level=column`)
    expect(filled.nodes.map(({ title_full }: { title_full: string }) => title_full.slice(source.name.length + 1)).sort()).toEqual([
      'orders.total',
      'totals.total',
    ])
    const view = await findByFullTitle(app, `${source.name}.big_orders`)
    expect(view).toMatchObject({
      native_type: 'view',
      description: null,
      row_count: null,
      display_metadata: { definition: expect.stringContaining('where') },
    })
    const { body: lineage } = await app.call('GET', `/lineage/graph?resource_id=${view.id}&direction=UPSTREAM&depth=1&level=table`)
    expect(lineage.nodes.map(({ title }: { title: string }) => title).sort()).toEqual(['big_orders', 'customers', 'orders'])
    const [row] = await withSourceConnection(app.ctx, id, AbortSignal.timeout(PATIENCE_MS), async ({ query, dialectSql }) => {
      const { rows } = await query(`select count(*) from ${dialectSql.table(splitItemKey(`${source.name}.orders`)!)}`, {
        timeout_ms: 20_000,
        max_rows: 1,
      })
      return rows
    })
    expect(row).toEqual([50])
    const before = await app.listActivities()
    const rows = await app.db.selectFrom('resources').selectAll().orderBy('id').execute()
    expect((await runSync(app, id)).report).toMatchObject({ new: {}, changed: {}, unchanged: counts })
    expect(await app.listActivities()).toEqual(before)
    expect(await app.db.selectFrom('resources').selectAll().orderBy('id').execute()).toEqual(rows)
    await source.run(
      'create or replace view big_orders as select id, total, null as email from orders',
      'drop procedure pay',
      'alter table customers modify email varchar(250)',
      "alter table orders comment 'Bought.'",
    )
    expect((await runSync(app, id)).report).toMatchObject({
      new: {},
      changed: { table: 1, column: 2 },
      facts: { table: 1 },
      stale: { query: 1 },
      lineage: { read: 1, unreadable: 0 },
    })
    const { body: after } = await app.call('GET', `/lineage/graph?resource_id=${view.id}&direction=UPSTREAM&depth=1&level=table`)
    expect(after.nodes.map(({ title }: { title: string }) => title).sort()).toEqual(['big_orders', 'orders'])
  })

  test('is discovered in all databases the user can see and that match the patterns', async () => {
    await using app = await createTestApp()
    await using source = await createMariadbSource(
      'create table orders (id int)',
      'create table tmp_orders (id int)',
      'create view v as select id from orders',
    )
    await using stage = await createMariadbSource('create table orders (id int)')
    await using _secret = await createMariadbSource('create table salaries (id int)')
    const { user } = source.credentials
    await source.run(`revoke show view on ${source.name}.* from ${user}@localhost`, `grant select on ${stage.name}.* to ${user}@localhost`)
    const { database: _, ...everything } = source.credentials
    const id = await createTestIntegration(app, 'mysql', everything)
    expect((await app.call('POST', `${PATH}/${id}/test`)).body.detail).toMatch(/: 4 tables and views in 2 databases\.$/)
    const titles = async (): Promise<string[]> => {
      const { body } = await app.call('GET', '/resource/catalog?sort={"field":"title_full","order":"asc"}&page_size=100')
      return body.results.flatMap(({ title_full, stale, entity_type }: Record<string, string>) =>
        stale || entity_type === 'column' ? [] : title_full!.replace(source.name, 'a').replace(stage.name, 'b'),
      )
    }
    const first = await runSync(app, id)
    expect(await titles()).toEqual(['a', 'a.orders', 'a.tmp_orders', 'a.v', 'b', 'b.orders'])
    expect((await app.call('GET', `/background_jobs/${first.id}`)).body.logs).toContain('Skipped the definitions of 1 views')
    for (const [credentials, expected] of [
      [{ exclude: `tmp_*, ${stage.name}.*` }, ['a', 'a.orders', 'a.v']],
      [{ include: 'ORDERS', exclude: null }, ['a', 'a.orders', 'b', 'b.orders']],
      [{ include: 'nothing', database: source.name }, ['a']],
    ] as const) {
      expect((await app.call('PATCH', `${PATH}/${id}`, { body: { credentials } })).status).toBe(200)
      const { status, needs_confirmation } = await runSync(app, id)
      expect([status, needs_confirmation === null]).toEqual(expected.length > 1 ? ['COMPLETED', true] : ['FAILED', false])
      if (needs_confirmation) expect((await runSync(app, id, { confirm_removals: true })).status).toBe('COMPLETED')
      expect(await titles()).toEqual(expected)
    }
    await app.call('PATCH', `${PATH}/${id}`, { body: { credentials: { database: 'not there' } } })
    expect((await runSync(app, id)).error).toBe('The database not there does not exist, or the user cannot see it.')
  })

  test('imports its query history without literals', async () => {
    await using app = await createTestApp()
    await using source = await createMariadbSource('create table orders (nr int, secret text)')
    const id = await createTestIntegration(app, 'mysql', { ...source.credentials, query_history: true })
    const rejected = await runSync(app, id)
    expect(rejected).toMatchObject({ status: 'COMPLETED', report: { new: { table: 1, column: 2 } } })
    const { body: job } = await app.call('GET', `/background_jobs/${rejected.id}`)
    expect(job.logs).toMatch(/Could not read the query history: SELECT command denied/)
    await source.run(
      `grant select on performance_schema.events_statements_summary_by_digest to ${source.credentials.user}@localhost`,
      ...Array.from({ length: 12 }, (_, i) => `select  nr from orders where secret = 'swordfish ${i}'`),
      "insert into orders values (1, 'swordfish')",
    )
    expect((await runSync(app, id)).report).toMatchObject({ new: { query: 2 } })
    const { body } = await app.call('GET', '/query/queries?sort={"field":"freq","order":"desc"}')
    expect(body.results).toMatchObject([
      { title: 'SELECT `nr` FROM `orders` WHERE `secret` = ?', freq: 12, type: 'history' },
      { title: 'INSERT INTO `orders` VALUES (...)', freq: 1 },
    ])
    expect(JSON.stringify(body)).not.toContain('swordfish')
    const before = await app.listActivities()
    await runSync(app, id)
    expect(await app.listActivities()).toEqual(before)
  })
})
