import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listIncidents } from '../../src/observability/incidents/incidents.ts'
import { type Context, inTransaction } from '../../src/platform/context/context.ts'
import { parsePageRequest } from '../../src/platform/lists/page.ts'
import { listTreeLevel } from '../../src/web-api/pages/tree.ts'
import { createTestMonitor } from '../support/monitors.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** How many rows a page reads when its list is much longer. */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const countRowsRead = (table: string, read: (ctx: Context) => Promise<unknown>): Promise<number> =>
  inTransaction(app.ctx, async (ctx) => {
    await read(ctx)
    const { rows } = await sql<{ read: number }>`
      select seq_tup_read + idx_tup_fetch as read from pg_stat_xact_user_tables where relname = ${table}
    `.execute(ctx.db)
    return rows[0]!.read
  })

const PAGE = parsePageRequest({ page_size: 20 }, 'http://localhost/')

test('a page of the tree reads a page of the children, not all', async () => {
  const schema = await app.createResource({ entity_type: 'schema', title: 'public' })
  await sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, parent)
    select gen_random_uuid(), now(), now(), 1, 'table', 't' || i, 'T' || i, 'public.t' || i, ${schema.id}::uuid from generate_series(1, 20000) i
  `.execute(app.db)
  await sql`analyze resources`.execute(app.db)
  let count = 0
  const rowsRead = await countRowsRead('resources', async (ctx) => {
    count = (await listTreeLevel(ctx, { parent_id: schema.id }, PAGE)).count
  })
  expect(count).toBe(20_000)
  expect(rowsRead).toBeLessThan(200)
})

test('incidents of one resource are found without reading those of others', async () => {
  const table = await app.createResource({ entity_type: 'table', title: 'orders' })
  const column = await app.createResource({ entity_type: 'column', title: 'amount', parent: table.id })
  const monitor = await createTestMonitor(app, { target: column.id })
  const other = await createTestMonitor(app, { target: (await app.createResource({ entity_type: 'table', title: 'other' })).id })
  await sql`
    insert into monitor_incidents (id, created_at, updated_at, monitor, target, name, summary, status, value, first_seen_at, last_seen_at, resolved_at)
    select gen_random_uuid(), now() - i * interval '1 minute', now(), m.id,
      case when i % 1000 = 0 then m.target else md5((i % 500)::text)::uuid end, 'n', 's', 'resolved', 1, now(), now(), now()
    from generate_series(1, 5000) i join monitors m on m.id = case when i % 1000 = 0 then ${monitor.id}::uuid else ${other.id}::uuid end
  `.execute(app.db)
  await sql`analyze monitor_incidents`.execute(app.db)
  let count = 0
  const rowsRead = await countRowsRead('monitor_incidents', async (ctx) => {
    count = (await listIncidents(ctx, { resource_id: table.id }, PAGE)).count
  })
  expect(count).toBe(5)
  expect(rowsRead).toBeLessThan(50)
})
