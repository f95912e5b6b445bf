import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../src/app/tasks.ts'
import { connectDemoSource } from '../../src/operations/demo/connect-source.ts'
import { entryId } from '../../src/operations/demo/entries.ts'
import { INTEGRATIONS } from '../../src/operations/demo/id.ts'
import { PEOPLE, TEAMS } from '../../src/operations/demo/people.ts'
import { type DemoSeeded, dropDemo, seedDemo } from '../../src/operations/demo/seed.ts'
import type { Context } from '../../src/platform/context/context.ts'
import { connect, type Database, type Db } from '../../src/platform/db/connect.ts'
import { runJob } from '../../src/platform/jobs/run.ts'
import { withSourceConnection } from '../../src/sources/integrations/with-source-connection.ts'
import { shopTemplate } from '../browser/shop.ts'
import { databaseAt } from '../support/database.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const WAREHOUSE = INTEGRATIONS.warehouse.id
const NOW = new Date('2026-03-18T14:30:00Z')
const createTestAppAt = (now: Date) => createTestApp({ now: () => now })
/** As in jobs and at the start of the server: without the time limits of requests. */
const inBackground = ({ ctx }: Pick<TestApp, 'ctx'>): Context => ({ ...ctx, db: ctx.runtime.databases.background.db })

interface Relation {
  schema: string
  name: string
  kind: string
}

const relations = async (db: Db): Promise<Relation[]> => {
  const { rows } = await sql<Relation>`
    select table_schema as schema, table_name as name, table_type as kind from information_schema.tables
    where starts_with(table_schema, 'demo_') order by 1, 2
  `.execute(db)
  return rows
}

/** The database with the shop's tables. */
const findShop = (app: TestApp): Database => connect(databaseAt(app.url, `${getName(app)}_demo`), { poolSize: 2 })
const getName = (app: TestApp): string => new URL(app.url).pathname.slice(1)

/** One line per table: number of rows and a checksum. */
const checksums = async (db: Db): Promise<string[]> => {
  const lines: string[] = []
  for (const { schema, name } of await relations(db)) {
    const { rows } = await sql<{ count: number; sum: string | null }>`
      select count(*) as count, md5(string_agg(t::text, e'\n' order by t::text)) as sum from ${sql.table(`${schema}.${name}`)} t
    `.execute(db)
    lines.push(`${schema}.${name} ${rows[0]!.count} ${rows[0]!.sum}`)
  }
  return lines
}

/** Everything outside the demo: relations by name, and the rows of the product's own tables. */
const dumpSurroundings = async (db: Db): Promise<string[]> => {
  const { rows } = await sql<{ line: string }>`
    select n.nspname || '.' || c.relname || ' ' || c.relkind::text as line from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where not starts_with(n.nspname, 'demo_') and n.nspname !~ '^pg_(toast|temp)'
    union all select n.nspname || ' schema' from pg_namespace n where not starts_with(n.nspname, 'demo_') and n.nspname !~ '^pg_(toast|temp)'
    union all select 'function ' || p.oid::regprocedure from pg_proc p join pg_namespace n on n.oid = p.pronamespace where not starts_with(n.nspname, 'demo_')
    union all select 'token ' || id || updated_at from tokens
    union all select 'workspace ' || id || updated_at from workspaces
    union all select 'user ' || id || updated_at from users where email not like '%@shop.example.com'
    union all select 'resource ' || id || version || title from resources where title = 'not the demo'
    order by 1
  `.execute(db)
  return rows.map(({ line }) => line)
}

/** Timestamps in the demo's tables after the given one. */
const countFutureRows = async (db: Db, now: Date): Promise<string[]> => {
  const { rows: columns } = await sql<{ schema: string; table: string; column: string }>`
    select table_schema as schema, table_name as table, column_name as column from information_schema.columns
    where starts_with(table_schema, 'demo_') and data_type = 'timestamp with time zone'
  `.execute(db)
  expect(columns.length).toBeGreaterThan(30)
  const late: string[] = []
  for (const { schema, table, column } of columns) {
    const { rows } = await sql<{ newest: string | null }>`
      select max(${sql.ref(column)}) as newest from ${sql.table(`${schema}.${table}`)}
    `.execute(db)
    if (rows[0]!.newest && rows[0]!.newest > now.toISOString()) late.push(`${schema}.${table}.${column} ${rows[0]!.newest}`)
  }
  return late
}

/** The whole catalog without the name of the database, which differs in every test. */
const resources = async (db: Db): Promise<unknown[]> => {
  const { rows } = await sql`
    select replace(to_jsonb(r)::text, current_database(), 'shop') as row from resources r
    where entity_type <> 'database' and title <> 'not the demo' order by id
  `.execute(db)
  return rows
}

describe('the demo', () => {
  let app: TestApp
  let shop: Database
  let seeded: DemoSeeded
  let before: string[]
  let after: string[]
  const lines: string[] = []

  beforeAll(async () => {
    app = await createTestAppAt(NOW)
    await app.createResource({ title: 'not the demo' })
    before = await dumpSurroundings(app.db)
    seeded = await seedDemo(inBackground(app), (line) => lines.push(line))
    after = await dumpSurroundings(app.db)
    shop = findShop(app)
  })
  afterAll(async () => {
    await shop.close()
    await app[Symbol.asyncDispose]()
  })

  test('has about sixty real tables and views, none of them empty', async () => {
    const all = await relations(shop.db)
    expect(all.length).toBeGreaterThan(55)
    expect(all.length).toBeLessThan(70)
    expect(all.filter(({ kind }) => kind === 'VIEW').length).toBeGreaterThan(8)
    const sums = await checksums(shop.db)
    expect(sums.filter((line) => line.split(' ')[1] === '0')).toEqual([])
    expect(seeded).toMatchObject({ created: true, tables: all.length })
    expect(seeded.rows).toBeGreaterThan(20_000)
    expect(seeded.rows).toBeLessThan(60_000)
    expect(lines.join()).toContain(`${seeded.rows} rows`)
  })

  test('has monitors with history: an open, a snoozed and a resolved incident', async () => {
    const { body: monitors } = await app.call('GET', '/monitor/monitors')
    expect(monitors.results.map(({ status }: { status: string }) => status).sort()).toEqual([
      ...['incident', 'incident', 'normal', 'normal', 'normal'],
    ])
    const { body } = await app.call('GET', '/monitor/incidents')
    const statuses = body.results.map(({ name, status, value }: Record<string, unknown>) => ({ name, status, value }))
    expect(statuses).toHaveLength(3)
    expect(body.results).toContainEqual(
      expect.objectContaining({ name: 'Stock movements booked each day', status: 'acknowledged', snoozed_until: expect.any(String) }),
    )
    expect(statuses).toContainEqual({ name: 'Orders loaded each night', status: 'active', value: 412 })
    expect(statuses).toContainEqual({ name: 'Payments that failed, %', status: 'resolved', value: 11.4 })
    const [open] = body.results.filter(({ status }: { status: string }) => status === 'active')
    expect(open.summary).toMatch(/below the limit of .*Usually/)
    const { body: read } = await app.call('GET', `/monitor/incident/${open.id}`)
    expect(read.downstream.total).toBeGreaterThan(3)
  })

  test('has an incident with everything downstream of it, and a deprecated table with its replacement', async () => {
    const health = async (table: string) => (await app.call('GET', `/resource/all/${entryId('table', table)}/health`)).body
    expect(await health('demo_marts.fct_orders')).toMatchObject({ status: 'incident' })
    expect(await health('demo_marts.daily_revenue')).toMatchObject({
      status: 'warning',
      reasons: [{ kind: 'upstream_incident', resource_id: entryId('table', 'demo_marts.fct_orders') }],
    })
    expect(await health('demo_marts.product_performance')).toMatchObject({
      status: 'warning',
      reasons: [{ kind: 'deprecated', replacement_id: entryId('table', 'demo_marts.fct_order_items') }],
    })
  })

  test('is alive: a schema change, warnings downstream, runs of jobs, relationships, usage, and insights with history', async () => {
    const get = async (path: string) => (await app.call('GET', path)).body
    const { results: history } = await get(`/table/tables/${entryId('table', 'demo_raw.orders')}/schema_history`)
    expect(history.map(({ changes }: { changes: { kind: string }[] }) => changes.map(({ kind }) => kind).sort())).toEqual([
      ['dropped', 'renamed', 'retyped'],
      ['added', 'nullability'],
    ])
    const { results: columns } = await get(`/table/columns?parent_id=${entryId('table', 'demo_raw.orders')}`)
    const gone = columns.filter(({ stale }: { stale: boolean }) => stale)
    expect(gone).toEqual([expect.objectContaining({ title: 'gift_message', stale_at: expect.any(String) })])
    expect(history[0].changes).toContainEqual({ kind: 'dropped', column: 'gift_message', from: 'text', to: null })
    const { rows } = await sql<{ id: string }>`
      select distinct e.downstream as id from lineage_edges e join resources d on d.id = e.downstream and d.entity_type <> 'column'
      where e.upstream = ${entryId('table', 'demo_marts.product_performance')}`.execute(app.db)
    expect(rows.length).toBeGreaterThan(0)
    for (const { id } of rows)
      expect((await get(`/resource/all/${id}/health`)).reasons).toContainEqual(
        expect.objectContaining({
          kind: 'upstream_deprecated',
          replacement_id: entryId('table', 'demo_marts.fct_order_items'),
          text: expect.stringMatching(/Use .*fct_order_items instead\.$/),
        }),
      )
    const { results: runs } = await get(`/resource/all/${entryId('job', 'fct_orders')}/runs`)
    expect(runs).toHaveLength(7)
    expect(runs[0]).toMatchObject({ state: 'COMPLETED', duration_seconds: expect.any(Number), outputs: [{ title: 'fct_orders' }] })
    const { relationships } = await get(`/resource/all/${entryId('table', 'demo_raw.orders')}/relationships`)
    const kinds = new Set(relationships.map(({ kind }: { kind: string }) => kind))
    expect([...kinds].sort()).toEqual(['foreign_key', 'join'])
    const usage = await get(`/resource/all/${entryId('table', 'demo_marts.fct_orders')}/usage`)
    expect(usage.days.filter(({ uses }: { uses: number | null }) => (uses ?? 0) > 0).length).toBeGreaterThan(60)
    const trends = await get('/insights/trends')
    expect(trends.days.length).toBe(90)
    expect(trends.days[0].numbers.tables_described).toBeLessThan(trends.days.at(-1).numbers.tables_described)
  })

  test('waits for the admin: what they own and follow, questions, suggestions, a mention, profiles, and an import to undo', async () => {
    const get = async (path: string) => (await app.call('GET', path)).body
    const { rows } = await sql<{ id: string }>`select id from users where role = 'admin' order by created_at limit 1`.execute(app.db)
    const admin = rows[0]!.id
    const { sections } = await get('/needs_you')
    const kinds = sections.map(({ kind }: { kind: string }) => kind)
    expect(kinds).toEqual(expect.arrayContaining(['incidents', 'questions', 'discussions', 'suggestions']))
    const orders = await get(`/resource/all/${entryId('table', 'demo_marts.fct_orders')}`)
    expect(orders.owners).toEqual([PEOPLE.grace.id, admin])
    const { rows: told } = await sql<{ activity_type: string }>`
      select activity_type from activities where ${admin} = any(recipients) and logged_at = ${NOW}::timestamptz order by 1`.execute(app.db)
    expect(told.map(({ activity_type }) => activity_type)).toEqual([
      ...['change_suggested', 'comment_added', 'question_asked', 'question_assigned'],
    ])

    const profiles = await get(`/resource/all/${orders.id}/profile`)
    expect(profiles.columns.find(({ name }: { name: string }) => name === 'status')).toMatchObject({
      rows_read: expect.any(Number),
      nulls: 0,
      top_values: expect.arrayContaining([{ value: 'delivered', count: expect.any(Number) }]),
    })
    const customers = await get(`/resource/all/${entryId('table', 'demo_marts.dim_customer')}/profile`)
    for (const column of customers.columns.filter(({ withheld }: { withheld: string | null }) => withheld === 'pii'))
      expect(column).toMatchObject({ min: null, max: null, top_values: null })
    const history = await get(`/resource/all/${entryId('column', 'demo_marts.fct_orders.coupon_code')}/profile/history?days=90`)
    expect(history.points).toHaveLength(61)
    expect(history.points[0].rows_read).toBeLessThan(history.points.at(-1).rows_read)

    const chart = entryId('chart', 'morning-numbers/Net revenue by day')
    const graph = await get(`/lineage/graph?resource_id=${chart}&direction=UPSTREAM&depth=1&level=column`)
    expect(graph.nodes.map(({ title }: { title: string }) => title)).toContain('net_revenue')

    const { results: imports } = await get('/imports')
    expect(imports).toMatchObject([{ user: PEOPLE.katsu.id, file_name: 'cost centers.csv', updated: 6, created: 0 }])
    const { body: undo } = await app.call('POST', `/imports/${imports[0].id}/undo?dry_run=true`)
    expect(undo).toMatchObject({ resources_restored: 6, resources_deleted: 0, changes_kept: 0 })
  })

  test('has a separate database with the shop only', async () => {
    const orders = entryId('table', 'demo_raw.orders')
    const path = `/resource/preview_v2/table/${orders}/`
    expect((await app.call('GET', path)).body.detail).toContain('is not connected')
    await connectDemoSource(inBackground(app))
    await connectDemoSource(inBackground(app))
    const { status, body } = await app.call('GET', path)
    expect([status, body.rows.length, body.truncated]).toEqual([200, 50, true])
    const customers = await app.call('GET', `/resource/preview_v2/table/${entryId('table', 'demo_raw.customers')}/`)
    expect(customers.body.columns.filter(({ masked }: { masked: boolean }) => masked).length).toBeGreaterThan(3)
    for (const query_select of [
      'select count(*) from tokens',
      `select U&"pg_\\0061dvisory_lock"(hashtext('resources.tree')) from demo_raw.orders`,
      "select count(*) from ts_stat($q$select to_tsvector('a') from pg_sleep(60)$q$)",
      "select length(query_to_xml('select * from tokens', true, true, '')::text)",
    ]) {
      const preview = await app.call('POST', '/monitor/preview', {
        body: { target: orders, metric_type: 'custom_sql', metric_config: { query_select } },
      })
      expect([query_select, preview.body.value, preview.body.problem ?? preview.body.detail]).toEqual([
        query_select,
        preview.status === 200 ? null : undefined,
        expect.stringMatching(/must not read tokens|must not call/),
      ])
    }
  })

  test('its role cannot call functions that wait, lock, signal or execute text', async () => {
    await connectDemoSource(inBackground(app))
    for (const text of [
      'select pg_advisory_lock(1)',
      'select pg_sleep(0)',
      "select query_to_xml('select 1', true, true, '')",
      "select * from ts_stat('select to_tsvector(1::text)')",
      "select set_config('lock_timeout', '0', false)",
      'select pg_terminate_backend(0)',
      'select lo_get(1)',
    ])
      await expect(
        withSourceConnection(app.ctx, WAREHOUSE, AbortSignal.timeout(PATIENCE_MS), (source) =>
          source.query(text, { timeout_ms: 5000, max_rows: 1 }),
        ),
        text,
      ).rejects.toMatchObject({ message: expect.stringContaining('42501') })
  })

  test('in a catalog restored on another server the source is disconnected, and seeding builds its tables again', async () => {
    await using other = await createTestApp({ now: () => NOW, template: await shopTemplate() })
    await connectDemoSource(inBackground(other))
    const { connection } = await other.db
      .selectFrom('integrations')
      .select('connection')
      .where('id', '=', WAREHOUSE)
      .executeTakeFirstOrThrow()
    expect(connection).toBeNull()

    expect(await seedDemo(inBackground(other))).toMatchObject({ created: false })
    await connectDemoSource(inBackground(other))
    const schema = (await other.call('GET', `/resource/all/${entryId('schema', 'demo_raw')}`)).body
    expect(schema.title_full).toBe(`${getName(other)}_demo.demo_raw`)
    // A sync matches everything.
    const count = async () => (await sql<{ n: number }>`select count(*) as n from resources where not stale`.execute(other.db)).rows[0]!.n
    const resources = await count()
    expect(await runSync(other, WAREHOUSE)).toMatchObject({ status: 'COMPLETED' })
    expect(await count()).toBe(resources)
  })

  test('lists the columns of every table in order, with their types', async () => {
    const { rows: real } = await sql`
      select c.table_schema || '.' || c.table_name as table, c.column_name as column, c.ordinal_position as position,
        format_type(a.atttypid, a.atttypmod) as type, c.is_nullable = 'YES' as nullable
      from information_schema.columns c
      join pg_attribute a on a.attrelid = format('%I.%I', c.table_schema, c.table_name)::regclass and a.attname = c.column_name
      where starts_with(c.table_schema, 'demo_') order by 1, 3
    `.execute(shop.db)
    const { rows: catalog } = await sql`
      select s.title || '.' || t.title as table, c.title as column, (c.details ->> 'sort_order')::int as position, c.native_type as type,
        (c.details ->> 'nullable')::boolean as nullable
      from resources c join resources t on t.id = c.parent join resources s on s.id = t.parent
      where c.entity_type = 'column' and c.integration = ${WAREHOUSE} and not c.stale order by 1, 3
    `.execute(app.db)
    expect(real.length).toBeGreaterThan(400)
    expect(catalog).toEqual(real)
  })

  test('has ordered columns with keys, named tags, and an answered question', async () => {
    const id = entryId('table', 'demo_marts.fct_orders')
    const { body: columns } = await app.call('GET', `/table/columns?parent_id=${id}`)
    expect(columns.results.map(({ sort_order }: { sort_order: number }) => sort_order)).toEqual(
      columns.results.map((_: unknown, i: number) => i + 1),
    )
    const key = await app.call('GET', `/table/columns/${entryId('column', 'demo_raw.orders.order_id')}`)
    expect(key.body).toMatchObject({ is_pk: true, type: 'bigint', table_schema: 'demo_raw', table_title: 'orders' })
    const { body: tags } = await app.call('GET', '/tag')
    expect(tags.results.map(({ name }: { name: string }) => name)).toEqual(['deprecated', 'nightly', 'personal data', 'source of truth'])
    expect(tags.results.every(({ resource_count, color }: { resource_count: number; color: string }) => resource_count > 0 && color)).toBe(
      true,
    )
    const { body: questions } = await app.call('GET', '/question/questions')
    const answered = questions.results.filter(({ question_status }: { question_status: string }) => question_status === 'answered')
    expect([questions.count, answered.length]).toEqual([4, 1])
    const { body: reply } = await app.call('GET', `/question/replies/${answered[0].accepted_reply}`)
    expect(reply).toMatchObject({ parent: answered[0].id, description: expect.stringContaining('Refunds') })
    expect(answered[0].question_answered_by).toBe(PEOPLE.grace.id)
  })

  test('takes row counts and descriptions from the tables', async () => {
    const table = await app.call('GET', `/resource/all/${entryId('table', 'demo_raw.orders')}`)
    const { rows } = await sql<{ count: number; comment: string }>`
      select count(*) as count, obj_description('demo_raw.orders'::regclass) as comment from demo_raw.orders
    `.execute(shop.db)
    expect(table.body).toMatchObject({ row_count: rows[0]!.count, description: rows[0]!.comment, pii: false, published: true })
    expect(table.body.byte_size).toBeGreaterThan(100_000)
    const column = await app.call('GET', `/resource/all/${entryId('column', 'demo_raw.customers.email')}`)
    expect(column.body).toMatchObject({ pii: true, native_type: 'text', description: expect.stringContaining('As typed') })
  })

  test('has lineage from raw tables to charts, with columns for each model', async () => {
    const graph = await app.call('GET', `/lineage/graph?resource_id=${entryId('table', 'demo_raw.orders')}&direction=DOWNSTREAM&depth=6`)
    const types = new Set(graph.body.nodes.map(({ entity_type }: { entity_type: string }) => entity_type))
    expect([...types].sort()).toEqual(['chart', 'dashboard', 'table'])
    expect(graph.body.truncated).toBe(false)
    const { rows: alone } = await sql`
      select m.title from resources m join resources s on s.id = m.parent
      where s.title = 'demo_marts' and m.title <> 'dim_date' and not exists (select from lineage_edges e where e.downstream = m.id)
    `.execute(app.db)
    expect(alone).toEqual([])
  })

  test('counts children and builds full titles', async () => {
    const { rows: wrong } = await sql`
      select r.title, r.children_count, r.title_full from resources r left join resources p on p.id = r.parent
      where r.children_count <> (select count(*) from resources c where c.parent = r.id)
        or r.title_full <> case when r.parent is null then r.title else p.title_full || '.' || r.title end
    `.execute(app.db)
    expect(wrong).toEqual([])
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(shop.db)
    const { body } = await app.call('GET', `/resource/all/${entryId('table', 'demo_marts.fct_orders')}`)
    expect(body).toMatchObject({ title_full: `${rows[0]!.name}.demo_marts.fct_orders`, title_cased: 'Fct Orders', children_count: 17 })
  })

  test('has data until today and none in the future', async () => {
    expect(await countFutureRows(shop.db, NOW)).toEqual([])
    const { rows } = await sql<{ orders: string; visits: string }>`
      select (select max(placed_at)::date::text from demo_raw.orders) as orders, (select max(started_at)::date::text from demo_raw.web_sessions) as visits
    `.execute(shop.db)
    expect(rows[0]).toEqual({ orders: '2026-03-18', visits: '2026-03-18' })
  })

  test('has growing orders with a weekly pattern and correct totals', async () => {
    const { rows } = await sql<{ growth: number; weekend: number; wrong: number; unbalanced: number }>`
      select
        (select (count(*) filter (where placed_at > ${NOW}::timestamptz - interval '60 days'))::float8 / count(*) filter (where placed_at < ${NOW}::timestamptz - interval '480 days') from demo_raw.orders) as growth,
        (select (count(*) filter (where extract(isodow from placed_at) >= 6)) / 2.0 / (count(*) filter (where extract(isodow from placed_at) < 6) / 5.0) from demo_raw.orders)::float8 as weekend,
        (select count(*) from demo_raw.orders o join (select order_id, sum(line_total) as total from demo_raw.order_items group by 1) i using (order_id)
          where o.item_total <> i.total or o.grand_total <> o.item_total - o.discount_total + o.shipping_total) as wrong,
        (select count(*) from (select booked_on from demo_finance.ledger_entries group by 1 having sum(amount) <> 0) days) as unbalanced
    `.execute(shop.db)
    expect(rows[0]!.growth).toBeGreaterThan(1.5)
    expect(rows[0]!.weekend).toBeGreaterThan(1.1)
    expect(rows[0]).toMatchObject({ wrong: 0, unbalanced: 0 })
  })

  test('every statement of charts and saved queries returns rows', async () => {
    const { rows } = await sql<{ title: string; sql: string }>`
      select title, details ->> 'sql' as sql from resources where entity_type in ('chart', 'query') order by title
    `.execute(app.db)
    expect(rows.length).toBeGreaterThan(15)
    for (const { title, sql: statement } of rows) {
      const response = await sql.raw(statement).execute(shop.db)
      expect([title, response.rows.length > 0]).toEqual([title, true])
    }
  })

  test('every link in a text leads to a resource', async () => {
    const { rows } = await sql<{ title: string; link: string; found: boolean }>`
      select r.title, m[1] as link, exists (select from resources t where t.id = m[1]::uuid) as found
      from resources r, regexp_matches(r.definition, '[(]/r/([^)]+)[)]', 'g') m
    `.execute(app.db)
    expect(rows.length).toBeGreaterThan(25)
    expect(rows.filter(({ found }) => !found)).toEqual([])
    const { rows: left } = await sql`select title from resources where definition ~ '[]][(][a-z_]+:[^/]'`.execute(app.db)
    expect(left).toEqual([])
  })

  test('has edits by users since the first sync', async () => {
    const id = entryId('table', 'demo_marts.daily_revenue')
    const history = await app.db
      .selectFrom('activities')
      .select(['version', 'performer_id', 'performer_type', 'logged_at'])
      .where('resource_id', '=', id)
      .where('version', 'is not', null)
      .orderBy('version')
      .execute()
    expect(history.map(({ version, performer_type }) => [version, performer_type])).toEqual([
      [1, 'INTEGRATION'],
      [2, 'USER'],
      [3, 'USER'],
      [4, 'USER'],
      [5, 'USER'],
      [6, 'USER'],
    ])
    expect(history.map(({ logged_at }) => logged_at)).toEqual(history.map(({ logged_at }) => logged_at).sort())
    expect(history.at(-1)!.performer_id).toBe(PEOPLE.katsu.id)
    const { body } = await app.call('GET', `/resource/all/${id}`)
    expect(body).toMatchObject({ version: 6, verified: true, definition_version: 1, updated_at: NOW.toISOString() })
  })

  test('shows a viewer only what is published and open', async () => {
    const { token } = await app.createUser('viewer')
    const { rows } = await sql<{ count: number }>`
      select count(*) from resources where published and not coalesce(teams @> array[${TEAMS.finance.id}::uuid], false)
    `.execute(app.db)
    const { body } = await app.call('GET', '/resource/catalog?page_size=1000', { token })
    expect(body.count).toBe(rows[0]!.count)
    expect(body.count).toBeGreaterThan(300)
    expect(body.count).toBeLessThan(seeded.resources - 100)
    expect(body.results.every(({ published }: { published: boolean }) => published)).toBe(true)
    const read = async (key: string, token: string) => (await app.call('GET', `/resource/all/${entryId('table', key)}`, { token })).status
    expect(await read('demo_marts.fct_orders', token)).toBe(200)
    expect(await read('demo_staging.stg_orders', token)).toBe(404)
    expect(await read('demo_finance.ledger_entries', token)).toBe(404)
    const { token: accountant } = await app.createUser('viewer', { teams: [TEAMS.finance.id] })
    expect(await read('demo_finance.ledger_entries', accountant)).toBe(200)
  })

  test('has a Postgres integration with a descriptive name', async () => {
    const { warehouse } = INTEGRATIONS
    const row = await app.db.selectFrom('integrations').selectAll().where('id', '=', warehouse.id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ name: 'Shop warehouse (demo)', type: 'postgres' })
    const { rows } = await sql<{ count: number }>`select count(*) from integrations`.execute(app.db)
    expect(rows[0]!.count).toBe(Object.keys(INTEGRATIONS).length)
  })

  test('leaves everything else unchanged and no helper functions behind', async () => {
    expect(after).toEqual(before)
    expect(before.length).toBeGreaterThan(100)
    const { rows } = await sql<{
      name: string
    }>`select nspname as name from pg_namespace where starts_with(nspname, 'demo_') order by 1`.execute(shop.db)
    expect((await sql`select from pg_namespace where starts_with(nspname, 'demo_')`.execute(app.db)).rows).toEqual([])
    expect(rows.map(({ name }) => name)).toEqual(['demo_finance', 'demo_marketing', 'demo_marts', 'demo_ops', 'demo_raw', 'demo_staging'])
  })

  test('seeding again changes nothing, even a day later', async () => {
    const readAll = async () => [await checksums(shop.db), await resources(app.db), await app.listActivities()]
    const first = await readAll()
    const later = new Date(NOW.getTime() + 86_400_000)
    expect(await seedDemo({ ...inBackground(app), now: later })).toMatchObject({ created: false, resources: 0 })
    expect(await readAll()).toEqual(first)
  })

  test('the same time creates the same shop and catalog in any database; concurrent seeds create one', async () => {
    await using other = await createTestAppAt(NOW)
    const both = await Promise.all([seedDemo(inBackground(other)), seedDemo(inBackground(other))])
    expect(both.map(({ created }) => created).sort()).toEqual([false, true])
    await using otherShop = disposable(findShop(other))
    expect(await checksums(otherShop.db)).toEqual(await checksums(shop.db))
    expect(await resources(other.db)).toEqual(await resources(app.db))
  })
})

test('ends with yesterday just after midnight', async () => {
  const now = new Date('2026-03-01T00:05:00Z')
  await using app = await createTestAppAt(now)
  const { rows } = await seedDemo(inBackground(app))
  expect(rows).toBeGreaterThan(20_000)
  await using shop = disposable(findShop(app))
  expect(await countFutureRows(shop.db, now)).toEqual([])
  const { rows: newest } = await sql`select max(placed_at)::date::text as day from demo_raw.orders`.execute(shop.db)
  expect(newest).toEqual([{ day: '2026-02-28' }])
})

const disposable = (database: Database) => ({ db: database.db, [Symbol.asyncDispose]: () => database.close() })
const demoDatabases = async (app: TestApp): Promise<string[]> => {
  const name = `${getName(app)}_demo`
  const { rows } = await sql<{ name: string }>`
    select 'database ' || datname as name from pg_database where datname = ${name} union all select 'role ' || rolname from pg_roles where rolname = ${name}
    order by 1
  `.execute(app.db)
  return rows.map((row) => row.name.replace(name, 'demo'))
}

test('writes nothing if a database of that name is not empty', async () => {
  await using app = await createTestAppAt(NOW)
  await sql.raw(`create database ${getName(app)}_demo`).execute(app.db)
  await using shop = disposable(findShop(app))
  await sql`create table kept as select 1 as one`.execute(shop.db)
  await expect(seedDemo(inBackground(app))).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('is not empty') })
  expect(await relations(shop.db)).toEqual([])
  expect(await app.listActivities()).toEqual([])
  expect(await app.db.selectFrom('integrations').selectAll().execute()).toEqual([])
  expect(await dropDemo(inBackground(app))).toBe(false)
  expect((await sql`select one from kept`.execute(shop.db)).rows).toEqual([{ one: 1 }])
})

test('with a role that may not create databases it says what to run, changes nothing, and works once that was run', async () => {
  await using app = await createTestAppAt(NOW)
  const role = `plain_${getName(app).slice(-20)}`
  // Unlike a real one, it does not own the tables of the queue, which have row-level security.
  await sql.raw(`create role ${role} login bypassrls`).execute(app.db)
  await sql.raw(`grant ${role} to current_user`).execute(app.db)
  await sql.raw(`grant all on all tables in schema public, graphile_worker to ${role}`).execute(app.db)
  await sql.raw(`grant usage on schema graphile_worker to ${role}`).execute(app.db)
  try {
    const url = new URL(app.url)
    url.username = role
    await using plain = await app.createInstance({ url: url.href })
    const ctx = { ...inBackground(plain), now: NOW }
    const failure: Error = await seedDemo(ctx).catch((error) => error)
    const [, statement] = /Run "(create database .*)" as a superuser/.exec(failure.message)!
    expect(failure).toMatchObject({ code: 'conflict', message: expect.stringContaining(`the role "${role}" is not allowed to create`) })
    expect([await demoDatabases(app), await app.listActivities()]).toEqual([[], []])
    await sql.raw(statement!).execute(app.db)
    expect(await seedDemo(ctx)).toMatchObject({ created: true })
    const lines: string[] = []
    await connectDemoSource(ctx, (line) => lines.push(line))
    expect(lines).toEqual([expect.stringContaining(`Run "alter role "${role}" createrole" as a superuser`)])
    const orders = `/resource/preview_v2/table/${entryId('table', 'demo_raw.orders')}/`
    expect((await plain.call('GET', orders)).body.detail).toContain('is not connected')
    await sql.raw(`alter role ${role} createrole`).execute(app.db)
    await connectDemoSource(ctx, (line) => lines.push(line))
    expect(lines).toHaveLength(1)
    expect((await plain.call('GET', orders)).body.rows).toHaveLength(50)
    // And it can be deleted again.
    await app.call('DELETE', `/integration/integrations/${WAREHOUSE}`)
    expect(await dropDemo(ctx)).toBe(true)
    expect(await demoDatabases(app)).toEqual([])
  } finally {
    await sql.raw(`drop owned by ${role} cascade`).execute(app.db)
    await sql.raw(`drop database if exists ${getName(app)}_demo with (force)`).execute(app.db)
    await sql.raw(`drop role ${role}`).execute(app.db)
  }
})

test('drops its database and role with its integration, and cannot be created again', async () => {
  await using app = await createTestAppAt(NOW)
  await seedDemo(inBackground(app))
  await connectDemoSource(inBackground(app))
  expect(await demoDatabases(app)).toEqual(['database demo', 'role demo'])
  await app.call('GET', `/resource/preview_v2/table/${entryId('table', 'demo_raw.orders')}/`) // leaves a connection open in the pool
  const { status } = await app.call('DELETE', `/integration/integrations/${WAREHOUSE}`)
  expect(status).toBeLessThan(300)
  await runJobs(app)
  expect(await demoDatabases(app)).toEqual([])
  const history = await app.listActivities()
  await expect(seedDemo(inBackground(app))).rejects.toMatchObject({ code: 'conflict', message: expect.stringContaining('was deleted') })
  expect([await demoDatabases(app), await app.listActivities()]).toEqual([[], history])
})

/** Runs all queued jobs, like a worker. */
const runJobs = async (app: TestApp): Promise<void> => {
  for (;;) {
    const job = await app.db.selectFrom('background_jobs').select(['id', 'kind']).where('status', '=', 'PENDING').executeTakeFirst()
    if (!job) return
    const { rows } = await sql<{ payload: { payload: unknown } }>`
      select j.payload from graphile_worker._private_jobs j where j.payload ->> 'job_id' = ${job.id}
    `.execute(app.db)
    await runJob(inBackground(app), JOB_HANDLERS, job.id, rows[0]!.payload.payload, true)
    const { status, logs } = await app.db.selectFrom('background_jobs').selectAll().where('id', '=', job.id).executeTakeFirstOrThrow()
    expect([job.kind, status, logs]).toEqual([job.kind, 'COMPLETED', expect.any(String)])
  }
}
