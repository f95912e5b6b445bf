import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { connect } from '../../../src/platform/db/connect.ts'
import { startEmbeddedPostgres } from '../../../src/platform/db/embedded/embedded.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../../support/sources.ts'
import { createTcpProxy } from '../../support/tcp-proxy.ts'
import { createTestApp } from '../../support/test-app.ts'

interface QueryHistorySource extends AsyncDisposable {
  readonly credentials: object
  readonly user: string
  run(...statements: string[]): Promise<void>
}

/** A server with query history, and a role that may read it. */
const createQueryHistorySource = async (...statements: string[]): Promise<QueryHistorySource> => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-queries-'))
  const server = await startEmbeddedPostgres({
    dataFolder: folder,
    settings: { shared_preload_libraries: 'pg_stat_statements', fsync: 'off' },
  })
  const proxy = await createTcpProxy(server.url)
  const admin = connect(server.url, { poolSize: 1 })
  const run = async (...statements: string[]) => {
    for (const statement of statements) await sql.raw(statement).execute(admin.db)
  }
  await run('create extension pg_stat_statements', "create role reader login password 'reads' in role pg_read_all_stats", ...statements)
  const [, database] = new URL(server.url).pathname.split('/')
  return {
    credentials: { host: '127.0.0.1', port: proxy.port, database, user: 'reader', password: 'reads', query_history: true },
    user: new URL(server.url).username,
    run,
    [Symbol.asyncDispose]: async () => {
      await admin.close()
      await proxy.close()
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const repeatQuery = (n: number, statement: string): string[] => Array.from({ length: n }, () => statement)

test('imports the query history of Postgres as resources, with usage and users', async () => {
  await using app = await createTestApp()
  await using history = await createQueryHistorySource(
    'create table orders (id int, secret text)',
    'select pg_stat_statements_reset()',
    "create role somebody password 'swordfish'",
    ...Array.from({ length: 12 }, (_, i) => `select  id from orders where secret = 'swordfish ${i}'`),
    "insert into orders values (1, 'swordfish')",
    "create table copied as select id from orders where secret = 'swordfish'",
  )
  const id = await createTestIntegration(app, 'postgres', history.credentials)
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null })
  const { body } = await app.call('GET', '/query/queries?sort={"field":"freq","order":"desc"}')
  const queries = body.results.filter(({ title }: { title: string }) => title.includes('orders'))
  expect(queries.slice(0, 1)).toMatchObject([
    { title: 'select id from orders where secret = $1', freq: 12, type: 'history', external_users: [history.user], external_usage: 12 },
  ])
  expect(queries.map(({ title, freq }: { title: string; freq: number }) => [title, freq])).toEqual(
    expect.arrayContaining([
      ['insert into orders values ($1, $2)', 1],
      [expect.stringMatching(/^create table copied as select id from orders/), 1],
    ]),
  )
  expect(JSON.stringify(body)).not.toContain('swordfish')
  const before = await app.listActivities()
  await runSync(app, id)
  expect(await app.listActivities()).toEqual(before)
})

test('derives usage, users and lineage from queries', async () => {
  await using app = await createTestApp()
  await using history = await createQueryHistorySource(
    'create table orders (id int, customer int, amount numeric)',
    'create table customers (id int, name text)',
    'create table daily (customer int, total numeric)',
    'create table seldom (id int)',
    'create table merged (customer int, total numeric)',
    'grant select on all tables in schema public to reader',
    'create role analyst login',
    'grant select on all tables in schema public to analyst',
    'select pg_stat_statements_reset()',
    ...repeatQuery(7, 'select o.amount, c.name from orders o join customers c on c.id = o.customer'),
    'insert into daily select customer, sum(amount) from orders group by customer',
    'merge into merged m using daily d on d.customer = m.customer when matched then update set total = d.total when not matched then insert values (d.customer, d.total)',
    'create table kept as select name from customers',
    'set role analyst',
    ...repeatQuery(3, 'select amount from orders'),
    'reset role',
  )
  const id = await createTestIntegration(app, 'postgres', history.credentials)
  const result = await runSync(app, id)
  expect([result.status, result.error, result.report.lineage.read]).toEqual(['COMPLETED', null, expect.any(Number)])
  const all = async () => {
    const { body } = await app.call('GET', '/resource/catalog?page_size=500')
    return new Map<string, { id: string; external_usage: number; external_users: string[] }>(
      body.results.map((each: { title_full: string }) => [each.title_full.split('.').slice(1).join('.'), each]),
    )
  }
  const found = await all()
  const used = (name: string) => found.get(name)?.external_usage
  // Seven and three that read, one insert; customers are also read by the table built from them.
  expect([used('public.orders'), used('public.customers'), used('public.seldom')]).toEqual([11, 8, 0])
  expect([used('public.orders.amount'), used('public.orders.id'), used('public.customers.name')]).toEqual([11, 0, 8])
  expect(found.get('public.orders')!.external_users).toEqual(['analyst', history.user].sort())
  expect(found.get('public.customers')!.external_users).toEqual([history.user])

  const upstream = async (name: string) => {
    const { body } = await app.call('GET', `/lineage/graph?resource_id=${found.get(name)!.id}&direction=UPSTREAM&depth=1`)
    return body.nodes.map(({ title }: { title: string }) => title).filter((title: string) => title !== name.split('.').at(-1))
  }
  expect(await upstream('public.daily')).toEqual(['orders'])
  expect(await upstream('public.merged')).toEqual(['daily'])
  expect(await upstream('public.kept')).toEqual(['customers'])
  expect(await upstream('public.seldom')).toEqual([])

  const before = await app.listActivities()
  const stamps = () => sql<{ id: string }>`select id, updated_at, xmin::text from resources order by id`.execute(app.db)
  const { rows } = await stamps()
  await runSync(app, id)
  expect(await app.listActivities()).toEqual(before)
  expect((await stamps()).rows).toEqual(rows)

  // A day later, only newer queries count.
  await sql`update query_uses set counted_at = counted_at - interval '25 hours'`.execute(app.db)
  await history.run(...repeatQuery(4, 'select o.amount, c.name from orders o join customers c on c.id = o.customer'))
  await runSync(app, id)
  const later = await all()
  expect(['public.orders', 'public.customers', 'public.orders.amount'].map((name) => later.get(name)!.external_usage)).toEqual([4, 4, 4])
  await sql`update query_uses set counted_at = counted_at - interval '25 hours'`.execute(app.db)
  await runSync(app, id)
  expect((await all()).get('public.orders')!.external_usage).toBe(0)
  const kept = await sql`select query_id from query_uses group by query_id having count(*) > 1`.execute(app.db)
  expect(kept.rows).toEqual([])
})

test('discovers functions and procedures, and parses those in SQL and PL/pgSQL', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table orders (id int, amount numeric)',
    'create table totals (amount numeric)',
    'create procedure fill(since int) language sql as $$ insert into totals select sum(amount) from orders where id > since $$',
    'create function twice(n int) returns int language plpgsql immutable as $$ begin return n * 2; end $$',
    "comment on function twice(int) is 'Two times.'",
    'create function twice(n numeric) returns numeric language sql as $$ select n * 2 $$',
    'create table archived (amount numeric)',
    'create procedure keep() language sql begin atomic insert into archived select amount from totals; end',
    'create table doubled (id int, amount numeric)',
    `create procedure refresh(since int) language plpgsql as $$
     declare n int;
     begin
       delete from doubled where id > since;
       if found then
         insert into doubled (id, amount) select o.id, 2 * o.amount from orders o where o.id > since;
         get diagnostics n = row_count;
       end if;
       raise notice '% rows', n;
     exception when others then raise;
     end $$`,
    'create extension pg_trgm',
  )
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', report: { new: { query: 5 }, lineage: { read: 4, unreadable: 0 } } })
  const { body } = await app.call('GET', '/query/queries?sort={"field":"title","order":"asc"}')
  expect(body.results).toMatchObject([
    {
      title: 'fill(IN since integer)',
      native_type: 'procedure',
      type: 'procedure',
      definition: expect.stringContaining('insert into totals'),
    },
    { title: 'keep()', native_type: 'procedure' },
    { title: 'refresh(IN since integer)', display_metadata: { language: 'plpgsql' } },
    {
      title: 'twice(n integer)',
      native_type: 'function',
      description: 'Two times.',
      display_metadata: { language: 'plpgsql', returns: 'integer', volatility: 'immutable' },
    },
    { title: 'twice(n numeric)' },
  ])
  const upstreamOf = async (title: string) => {
    const [table] = (await app.call('GET', `/resource/catalog?entity_type=table&title=${title}`)).body.results
    const { body: graph } = await app.call('GET', `/lineage/graph?resource_id=${table.id}&direction=UPSTREAM&depth=1`)
    return graph.nodes.map(({ title }: { title: string }) => title).sort()
  }
  expect([await upstreamOf('totals'), await upstreamOf('archived'), await upstreamOf('doubled')]).toEqual([
    ['orders', 'totals'],
    ['archived', 'totals'],
    ['doubled', 'orders'],
  ])
  await source.run('drop function twice(int)', 'alter function twice(numeric) rename to double')
  expect(await runSync(app, id)).toMatchObject({ report: { stale: { query: 1 }, changed: { query: 1 } } })
})

test('reports missing query history and syncs everything else', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource('create table orders (id int)')
  const id = await createTestIntegration(app, 'postgres', { ...source.credentials, query_history: true })
  const result = await runSync(app, id)
  expect(result).toMatchObject({ status: 'COMPLETED', report: { new: { table: 1, column: 1 } } })
  const { body } = await app.call('GET', `/background_jobs/${result.id}`)
  expect(body.logs).toContain('pg_stat_statements is not installed')
  await source.run('create extension pg_stat_statements')
  const again = await runSync(app, id)
  expect(again).toMatchObject({ status: 'COMPLETED', report: { unchanged: { table: 1 } } })
  expect((await app.call('GET', `/background_jobs/${again.id}`)).body.logs).toContain(
    'Could not read the query history: pg_stat_statements must be loaded',
  )
})
