import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from 'vitest'
import { newId } from '../../../src/platform/core/id.ts'
import { postgresConnector } from '../../../src/sources/connectors/postgres/postgres.ts'
import type { Source } from '../../../src/sources/connectors/shared/connector.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { createPostgresSource, createTestIntegration, findByFullTitle, runSync, toSource } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'
const SHOP = [
  "comment on schema public is 'Everything we sell.'",
  `create table customers (id bigint generated always as identity primary key, email text not null unique, "Full Name" varchar(80) default 'nobody')`,
  `create table orders (id int primary key, customer bigint not null references customers (id), total numeric(10, 2) check (total >= 0), placed_at timestamptz default now())`,
  "comment on table orders is 'One row for each order.'",
  "comment on column orders.total is 'With tax.'",
  'create index orders_by_customer on orders (customer)',
  'create view big_orders as select o.id, o.total, c.email from orders o join customers c on c.id = o.customer where o.total > 100',
  'create materialized view daily as select placed_at::date as day, sum(total) as total from orders group by 1',
  'create table events (at date not null, what text) partition by range (at)',
  "create table events_2026 partition of events for values from ('2026-01-01') to ('2027-01-01')",
  'create schema "odd "" name.with 😀"',
  `create table "odd "" name.with 😀"."ta.ble
line" ("co'l.umn" int, "ß" int generated always as ("co'l.umn" + 1) stored)`,
  "insert into customers (email) select 'c' || n from generate_series(1, 50) n",
  "insert into orders select n, n, n, '2026-01-01' from generate_series(1, 50) n",
  'analyze',
]

test('discovers everything in a Postgres catalog, and a second sync writes nothing', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(...SHOP)
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, expect.stringMatching(/^PostgreSQL \d+.*: 6 tables and views in 2 schemas\.$/)])
  const first = await runSync(app, id)
  expect(first).toMatchObject({
    status: 'COMPLETED',
    error: null,
    report: { new: { database: 1, schema: 2, table: 6, column: 16 }, changed: {}, stale: {}, lineage: { read: 2, unreadable: 0 } },
  })
  const orders = await findByFullTitle(app, `${source.name}.public.orders`)
  expect(orders).toMatchObject({
    entity_type: 'table',
    native_type: 'table',
    description: 'One row for each order.',
    row_count: 50,
    byte_size: expect.any(Number),
    integration: id,
    databuilder_id: `${source.name}.public.orders`,
    children_count: 4,
    display_metadata: {
      foreign_keys: [{ name: 'orders_customer_fkey', columns: ['customer'], table: 'public.customers', to: ['id'] }],
      constraints: expect.arrayContaining([expect.objectContaining({ type: 'primary key', definition: 'PRIMARY KEY (id)' })]),
      indexes: expect.arrayContaining([expect.objectContaining({ name: 'orders_by_customer', unique: false })]),
    },
  })
  expect(await findByFullTitle(app, `${source.name}.public.orders.total`)).toMatchObject({
    native_type: 'numeric(10,2)',
    description: 'With tax.',
    is_pk: false,
    sort_order: 3,
    display_metadata: { nullable: true },
  })
  expect(await findByFullTitle(app, `${source.name}.public.customers.id`)).toMatchObject({
    is_pk: true,
    display_metadata: { nullable: false, identity: 'always' },
  })
  expect(await findByFullTitle(app, `${source.name}.public.events`)).toMatchObject({
    native_type: 'partitioned table',
    display_metadata: {
      ...{ partitions: 1, partition_key: 'RANGE (at)' },
      partition_bounds: [{ name: 'events_2026', bounds: "FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')" }],
    },
  })
  expect(await findByFullTitle(app, `${source.name}.odd " name.with 😀.ta.ble\nline.ß`)).toMatchObject({
    databuilder_id: `${source.name}.odd " name\\.with 😀.ta\\.ble\nline.ß`,
    display_metadata: { generated_as: expect.stringContaining('+ 1') },
  })
  const view = await findByFullTitle(app, `${source.name}.public.big_orders`)
  expect(view).toMatchObject({ native_type: 'view', display_metadata: { definition: expect.stringContaining('WHERE') } })
  const { body: lineage } = await app.call('GET', `/lineage/graph?resource_id=${view.id}&direction=UPSTREAM&depth=1&level=table`)
  expect(lineage.nodes.map(({ title }: { title: string }) => title).sort()).toEqual(['big_orders', 'customers', 'orders'])
  const before = await app.listActivities()
  const rows = await app.db.selectFrom('resources').selectAll().orderBy('id').execute()
  const again = await runSync(app, id)
  expect(again.report).toMatchObject({ new: {}, changed: {}, unchanged: { database: 1, schema: 2, table: 6, column: 16 } })
  expect(await app.listActivities()).toEqual(before)
  expect(await app.db.selectFrom('resources').selectAll().orderBy('id').execute()).toEqual(rows)
  expect(await app.db.selectFrom('sync_items').selectAll().execute()).toEqual([])
})

test('syncs renames, types, comments, definitions and dropped objects', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(...SHOP)
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, id)
  const at = (name: string) => `${source.name}.public.${name}`
  const [orders, total, view] = [
    await findByFullTitle(app, at('orders')),
    await findByFullTitle(app, at('orders.total')),
    await findByFullTitle(app, at('big_orders')),
  ]
  await app.call('PATCH', `/resource/all/${orders.id}`, { body: { description: 'By a person.' } })
  await source.run(
    'create or replace view big_orders as select id, total, null::text as email from orders',
    'drop materialized view daily',
    'alter table orders rename to purchases',
    'alter table purchases rename column total to amount',
    "comment on table purchases is 'Bought.'",
    'alter table customers alter column email type varchar(200)',
    'alter schema public rename to sales',
  )
  const { status, report } = await runSync(app, id)
  expect([status, report]).toMatchObject(['COMPLETED', { new: {}, stale: { table: 1, column: 2 }, lineage: { read: 1, unreadable: 0 } }])
  expect(await findByFullTitle(app, `${source.name}.sales.purchases`)).toMatchObject({
    id: orders.id,
    description: 'By a person.',
    stale: false,
  })
  expect(await findByFullTitle(app, `${source.name}.sales.purchases.amount`)).toMatchObject({ id: total.id, description: 'With tax.' })
  expect(await findByFullTitle(app, `${source.name}.sales.customers.email`)).toMatchObject({ native_type: 'character varying(200)' })
  const { body } = await app.call('GET', `/lineage/graph?resource_id=${view.id}&direction=UPSTREAM&depth=1&level=table`)
  expect(body.nodes.map(({ title }: { title: string }) => title).sort()).toEqual(['big_orders', 'purchases'])
  expect((await runSync(app, id)).report).toMatchObject({ new: {}, changed: {}, stale: {}, lineage: { read: 0, unreadable: 0 } })
})

test('reports only readable objects that match the patterns, and marks others as stale', async () => {
  await using app = await createTestApp()
  const role = `reader_${Date.now()}`
  await using source = await createPostgresSource(
    `create role ${role} login`,
    'create schema secret',
    'create table secret.salaries (id int)',
    'revoke all on schema secret from public',
    'create table orders (id int)',
    'create table tmp_orders (id int)',
    'create schema empty',
    'grant usage on schema empty to public',
    'create schema stage',
    'grant usage on schema stage to public',
    'create table stage.orders (id int)',
  )
  try {
    const id = await createTestIntegration(app, 'postgres', { ...source.credentials, user: role })
    const titles = async () => {
      const { body } = await app.call('GET', '/resource/catalog?sort={"field":"title_full","order":"asc"}&page_size=100')
      return body.results.flatMap((each: { title_full: string; stale: boolean; entity_type: string }) =>
        each.stale || each.entity_type === 'column' ? [] : each.title_full.slice(source.name.length + 1),
      )
    }
    const first = await runSync(app, id)
    expect(await titles()).toEqual(['', 'empty', 'public', 'public.orders', 'public.tmp_orders', 'stage', 'stage.orders'])
    const { body: job } = await app.call('GET', `/background_jobs/${first.id}`)
    expect(job.logs).toContain('Skipped schemas the role cannot use: secret.')
    const patterns = async (credentials: object) => {
      expect((await app.call('PATCH', `${PATH}/${id}`, { body: { credentials } })).status).toBe(200)
      expect((await runSync(app, id)).status).toBe('COMPLETED')
      return titles()
    }
    expect(await patterns({ exclude: 'tmp_*, stage.*' })).toEqual(['', 'public', 'public.orders'])
    expect(await patterns({ include: `${source.name}.*.ORDERS`, exclude: null })).toEqual([
      '',
      'public',
      'public.orders',
      'stage',
      'stage.orders',
    ])
    expect(await patterns({ include: 'st?ge.*' })).toEqual(['', 'stage', 'stage.orders'])
  } finally {
    await source.run(`drop owned by ${role}`, `drop role ${role}`)
  }
})

test('explains a failed connection without secrets, records it and retries later', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource()
  const wrong = { ...source.credentials, user: 'nobody_here' }
  const id = await createTestIntegration(app, 'postgres', wrong, { schedule: { interval_minutes: 60 } })
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([400, 'Could not connect to the source: role "nobody_here" does not exist'])
  expect(await runSync(app, id)).toMatchObject({ status: 'FAILED', error: 'role "nobody_here" does not exist' })
  const { body } = await app.call('GET', `${PATH}/${id}`)
  expect(body).toMatchObject({ last_sync_status: 'FAILED', last_sync_error: 'role "nobody_here" does not exist' })
  expect(Date.parse(body.next_sync_at) - Date.now()).toBeLessThan(6 * 60_000)
  for (const [credentials, why] of [
    [{ host: '127.0.0.1', port: 1 }, /ECONNREFUSED/],
    [{ port: source.credentials.port, ssl: true }, /SSL|TLS|ECONNRESET|closed/i],
  ] as const) {
    await app.call('PATCH', `${PATH}/${id}`, { body: { credentials: { ...credentials, password: 'correct horse' } } })
    const { status, body } = await app.call('POST', `${PATH}/${id}/test`)
    expect([status, body.detail]).toEqual([400, expect.stringMatching(why)])
  }
})

test('times out if the source accepts the connection and never responds', async () => {
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const source: Source = { id: newId(), name: 'silent', credentials: { host: '127.0.0.1', port, database: 'a', user: 'b' } }
  try {
    await expect(postgresConnector.test(source, AbortSignal.timeout(300))).rejects.toThrow('The operation timed out.')
  } finally {
    silent.close()
  }
})

test('stops immediately when aborted halfway', async () => {
  await using source = await createPostgresSource('create table orders (id int)')
  const stop = new AbortController()
  const walk = async () => {
    for await (const { entity_type } of postgresConnector.discover(toSource(source.credentials), {
      signal: stop.signal,
      log: async () => {},
    }))
      if (entity_type === 'table') stop.abort()
  }
  await expect(walk()).rejects.toThrow('The operation was cancelled.')
})

test.each(['database', 'table'])('fails with a readable message if the server closes the connection after the %s', async (last) => {
  await using source = await createPostgresSource('create table orders (id int)')
  const walk = async () => {
    for await (const { entity_type } of postgresConnector.discover(toSource(source.credentials), {
      signal: AbortSignal.timeout(PATIENCE_MS),
      log: async () => {},
    }))
      if (entity_type === last)
        await source.run(
          'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        )
  }
  await expect(walk()).rejects.toThrow(/terminat|closed the connection/)
})

test('cannot write through its connection', async () => {
  await using source = await createPostgresSource('create table orders (id int)', 'create sequence numbers')
  // A function called by a view does not run, because no view is read; and the session would reject it.
  await source.run(
    "create function boom() returns int language sql as $$ select nextval('numbers')::int $$",
    'create view v as select boom() as n',
  )
  const items = []
  const target: Source = { id: newId(), name: 'shop', credentials: source.credentials }
  for await (const item of postgresConnector.discover(target, { signal: AbortSignal.timeout(PATIENCE_MS), log: async () => {} }))
    items.push(item.key)
  expect(items).toContain(`${source.name}.public.v.n`)
  await source.run("do $$ begin if (select is_called from public.numbers) then raise 'it was called'; end if; end $$")
})
