import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildTasks, HOUSEKEEPING } from '../../src/app/tasks.ts'
import { BATCH_ROWS } from '../../src/platform/db/in-batches.ts'
import { BackgroundMetrics } from '../../src/platform/queue/metrics.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const cleanUp = async (app: TestApp) => {
  const errors: [string, string][] = []
  const metrics = new BackgroundMetrics()
  const onError = (error: unknown, what: string) => void errors.push([what, (error as Error).message])
  const { clean_up } = buildTasks(() => app.ctx, new Map(), { metrics, onError }).clock
  await clean_up!({}, {} as never)
  const text = await metrics.registry.metrics()
  const stepsIn = (name: string) =>
    [...text.matchAll(new RegExp(`^tablinum_housekeeping_${name}{step="(\\w+)"} \\d`, 'gm'))].map(([, step]) => step).sort()
  return { errors, stepsIn }
}

const rowsIn = async (app: TestApp, table: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(app.db)
  return rows[0]!.n
}

test('every step succeeds and is reported', async () => {
  await using app = await createTestApp()
  const { errors, stepsIn } = await cleanUp(app)
  expect(errors).toEqual([])
  const all = Object.keys(HOUSEKEEPING).sort()
  expect([stepsIn('last_success_timestamp_seconds'), stepsIn('duration_seconds')]).toEqual([all, all])
  expect(stepsIn('last_failure_timestamp_seconds')).toEqual([])
})

/** More rows than two batches, all old enough to be deleted. */
const MANY = sql`generate_series(1, ${sql.lit(2 * BATCH_ROWS + 1)}) i`
const OLD = {
  deliveries: sql`
    insert into deliveries (id, channel, webhook_id, event, status, due_at, created_at, updated_at)
    select gen_random_uuid(), 'webhook', gen_random_uuid(), 'test', 'sent', now(), now() - interval '31 days', now() from ${MANY}`,
  notification_windows: sql`
    insert into notification_windows (user_id, channel, resource_id, due_at)
    select u.id, 'email', gen_random_uuid(), now() - interval '2 days' from (select id from users limit 1) u, ${MANY}`,
  import_lines: sql`insert into import_lines (import_id, line) select '00000000-0000-7000-8000-000000000000', i from ${MANY}`,
  sync_items: sql`
    insert into sync_items (sync_id, number, entity_type, key, fingerprint)
    select '00000000-0000-7000-8000-000000000000', i, 'table', i::text, '' from ${MANY}`,
  background_jobs: sql`
    insert into background_jobs (id, kind, title, status, created_at, updated_at)
    select gen_random_uuid(), 'sync', 'old', 'COMPLETED', now() - interval '91 days', now() from ${MANY}`,
  column_profiles: sql`
    insert into column_profiles (resource_id, table_id, profiled_at, sampled, rows_read, nulls, distinct_approximate)
    select gen_random_uuid(), gen_random_uuid(), now(), 'all', 0, 0, false from ${MANY}`,
  sign_in_tries: sql`insert into sign_in_tries (key, tries, since) select i::text, 1, now() - interval '1 day' from ${MANY}`,
  idempotency_responses: sql`
    insert into idempotency_responses (user_id, key, request_hash, status, body, created_at)
    select gen_random_uuid(), '', '', 200, '', now() - interval '25 hours' from ${MANY}`,
}

test('a failing step does not stop the others; rows are deleted in batches until none is left', async () => {
  await using app = await createTestApp()
  await sql`alter table deliveries drop constraint deliveries_webhook_id_fkey`.execute(app.db)
  await sql`create table deleted (n bigint)`.execute(app.db)
  await sql`
    create function count_deleted() returns trigger language plpgsql as $$
    begin insert into deleted select count(*) from gone; return null; end $$
  `.execute(app.db)
  for (const [table, insert] of Object.entries(OLD)) {
    await insert.execute(app.db)
    await sql`
      create trigger counted after delete on ${sql.table(table)} referencing old table as gone for each statement execute function count_deleted()
    `.execute(app.db)
  }
  await sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'This row cannot be removed.'; end $$
  `.execute(app.db)
  await sql`create trigger refused before delete on deliveries for each row execute function refuse()`.execute(app.db)

  const { errors, stepsIn } = await cleanUp(app)
  expect(errors).toEqual([['housekeeping step webhook_deliveries', 'This row cannot be removed.']])
  expect(stepsIn('last_failure_timestamp_seconds')).toEqual(['webhook_deliveries'])
  expect(stepsIn('last_success_timestamp_seconds')).toEqual(
    Object.keys(HOUSEKEEPING)
      .filter((step) => step !== 'webhook_deliveries')
      .sort(),
  )
  const left = Object.fromEntries(await Promise.all(Object.keys(OLD).map(async (table) => [table, await rowsIn(app, table)])))
  expect(left).toEqual({ ...Object.fromEntries(Object.keys(OLD).map((table) => [table, 0])), deliveries: 2 * BATCH_ROWS + 1 })
  const { rows } = await sql<{ most: number }>`select max(n) as most from deleted`.execute(app.db)
  expect(rows[0]!.most).toBe(BATCH_ROWS)

  await sql`drop trigger refused on deliveries`.execute(app.db)
  expect((await cleanUp(app)).errors).toEqual([])
  expect(await rowsIn(app, 'deliveries')).toBe(0)
})
