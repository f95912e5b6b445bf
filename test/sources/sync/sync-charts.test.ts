import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { SqlParserPool } from '../../../src/lineage/queries/parser-pool.ts'
import type { Context } from '../../../src/platform/context/context.ts'
import { newId } from '../../../src/platform/core/id.ts'
import { buildItemKey, type Item } from '../../../src/sources/sync/item.ts'
import { reconcile } from '../../../src/sources/sync/reconcile.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const CHARTS = 250

const createIntegration = async (app: TestApp, name: string): Promise<string> =>
  (await app.call('POST', '/integration/integrations', { body: { name, type: 'custom' } })).body.id

/** Runs a sync of these items and returns how many transactions it took. */
const sync = async (app: TestApp, id: string, items: readonly Item[], runtime = app.ctx.runtime) => {
  const transactions = { begun: 0, committed: 0 }
  const ctx: Context = { ...app.ctx, runtime, limits: { ...app.ctx.limits, transactions } }
  const list = async function* () {
    yield* items
  }
  const { report } = await reconcile(ctx, { id, sync_id: newId(), whole: true }, list(), async () => {})
  return { report, transactions: transactions.begun }
}

const warehouse: readonly Item[] = [
  { key: 'shop', entity_type: 'database', fields: { title: 'shop' } },
  { key: 'shop.public', parent: 'shop', entity_type: 'schema', fields: { title: 'public' } },
  ...['orders', 'people'].flatMap((title): Item[] => {
    const key = buildItemKey('shop', 'public', title)
    return [
      { key, parent: 'shop.public', entity_type: 'table', fields: { title } },
      ...['id', 'total'].map((column) => ({ key: `${key}.${column}`, parent: key, entity_type: 'column', fields: { title: column } })),
    ]
  }),
]

const chart = (i: number, text: string): Item => ({
  ...{ key: `card/${i}`, entity_type: 'chart', fields: { title: `Chart ${i}` } },
  made_by: { sql: text, dialect: 'postgres', database: 'shop', schema: 'public' },
})

const listEdges = async (app: TestApp, title: string): Promise<string[]> => {
  const { rows } = await sql<{ edge: string }>`
    select u.title || ' ' || e.kind as edge from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream
    where d.title = ${title} order by 1
  `.execute(app.db)
  return rows.map(({ edge }) => edge)
}

test('the lineage of many charts is read and written together', async () => {
  await using app = await createTestApp()
  await sync(app, await createIntegration(app, 'Shop'), warehouse)
  const bi = await createIntegration(app, 'Metabase')
  // Many charts have the same SQL; one cannot be read, one reads a table that is not in the catalog, one is in no database of the catalog.
  const charts = Array.from({ length: CHARTS }, (_, i) => chart(i, `select sum(total) from orders where id > ${i % 5}`))
  charts[7] = chart(7, 'select from where')
  charts[8] = chart(8, 'select a from nowhere join people on people.id = nowhere.id')
  const first = await sync(app, bi, charts)
  expect(first.report.lineage).toEqual({ read: CHARTS - 1, unreadable: 1 })
  // Before, each chart had one of its own.
  expect(first.transactions).toBeLessThan(CHARTS / 5)
  expect(await listEdges(app, 'Chart 0')).toEqual(['id filter', 'orders table', 'total aggregation'])
  expect(await listEdges(app, `Chart ${CHARTS - 1}`)).toEqual(await listEdges(app, 'Chart 0'))
  expect([await listEdges(app, 'Chart 7'), await listEdges(app, 'Chart 8')]).toEqual([[], ['id filter', 'people table']])
  const { rows: queries } = await sql<{ n: number }>`select count(*)::int as n from lineage_queries`.execute(app.db)
  expect(queries[0]!.n).toBe(6)

  charts[0] = chart(0, 'select id from people')
  const second = await sync(app, bi, charts)
  // The one whose table is missing is tried again.
  expect(second.report.lineage).toEqual({ read: 2, unreadable: 0 })
  expect(await listEdges(app, 'Chart 0')).toEqual(['id identity', 'people table'])
})

/** The thread that parses the second text exits before it has answered, as one that is out of memory does. */
class SecondThreadFails extends SqlParserPool {
  #acquired = 0

  override acquire() {
    this.#acquired += 1
    return this.#acquired === 2 ? new Worker('', { eval: true }) : super.acquire()
  }
}

test('a chart that is too complex once its columns are known does not fail the others', async () => {
  await using app = await createTestApp()
  await sync(app, await createIntegration(app, 'Shop'), warehouse)
  const bi = await createIntegration(app, 'Metabase')
  // Long texts are parsed in a thread: once to find the tables, and again with their columns.
  const long = `select sum(total) from orders where id > 1 -- ${'x'.repeat(21_000)}`
  const sqlThreads = new SecondThreadFails()
  const { report } = await sync(app, bi, [chart(0, long), chart(1, 'select id from people')], { ...app.ctx.runtime, sqlThreads })
  sqlThreads.close()
  expect(report.lineage).toEqual({ read: 1, unreadable: 1 })
  expect([await listEdges(app, 'Chart 0'), await listEdges(app, 'Chart 1')]).toEqual([[], ['id identity', 'people table']])
})
