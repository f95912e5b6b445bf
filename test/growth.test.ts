import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../src/platform/core/id.ts'
import type { Item } from '../src/sources/sync/item.ts'
import { reconcile } from '../src/sources/sync/reconcile.ts'
import { createTestApp, type TestApp } from './test-app.ts'
import { importLines } from './transfer.ts'

const ITEMS = 9_000
const LINES = 4_000
const CATALOG_RESOURCES = 3_000

/** A source that nobody has synced before: one folder with many dashboards. */
async function* listMany(count: number): AsyncGenerator<Item, void> {
  yield { key: 'folder', entity_type: 'dashboard_group', fields: { title: 'Folder' } }
  for (let n = 1; n < count; n += 1)
    yield { key: `dashboard ${n}`, parent: 'folder', entity_type: 'dashboard', fields: { title: `Dashboard ${n}` } }
}

const createIntegration = async ({ db }: TestApp): Promise<string> => {
  const id = newId()
  await db
    .insertInto('integrations')
    .values({ id, name: 'BI', type: 'connector', created_at: new Date(), updated_at: new Date() })
    .execute()
  return id
}

const sync = (app: TestApp, id: string, count: number) =>
  reconcile(app.ctx, { id, sync_id: newId(), whole: true }, listMany(count), async () => {})

/** Index entries read since the statistics were last reset, including those of rows that did not match. */
const countRead = async ({ db }: TestApp): Promise<number> => {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ read: number }>`
    select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname in ('resources', 'resource_origins')
  `.execute(db)
  return rows[0]!.read
}

test('the first sync of a large source reads each key once, although Postgres has not counted its rows yet', async () => {
  await using app = await createTestApp()
  const other = await createIntegration(app)
  await sync(app, other, CATALOG_RESOURCES)
  await sql`analyze`.execute(app.db)
  const before = await countRead(app)
  await sync(app, await createIntegration(app), ITEMS)
  expect((await countRead(app)) - before).toBeLessThan(10 * ITEMS)
})

test('a file that is imported again at once looks up each key once', async () => {
  await using app = await createTestApp()
  await sync(app, await createIntegration(app), CATALOG_RESOURCES)
  await sql`analyze`.execute(app.db)
  const integration = newId()
  const schema = { databuilder_id: 'schema', entity_type: 'schema', title: 'schema' }
  const tables = Array.from({ length: LINES }, (_, n) => ({
    databuilder_id: `t${n}`,
    parent_databuilder_id: 'schema',
    entity_type: 'table',
    title: `t${n}`,
  }))
  await importLines(app, [schema, ...tables], { integration })
  const before = await countRead(app)
  expect((await importLines(app, [schema, ...tables], { integration })).body).toMatchObject({ created: 0, unchanged: LINES + 1 })
  expect((await countRead(app)) - before).toBeLessThan(10 * LINES)
})
