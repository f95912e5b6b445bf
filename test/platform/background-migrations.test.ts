import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { buildTasks } from '../../src/app/tasks.ts'
import { runBackgroundMigrations } from '../../src/platform/queue/background-migrations.ts'
import { BackgroundMetrics } from '../../src/platform/queue/metrics.ts'
import { runCli } from '../support/cli.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const ROWS = 7_000

/** A table with rows to fill and a function that fills a batch of them; `broken` makes every call after the first batch fail. */
const addWork = async ({ db }: TestApp, broken = false) => {
  await sql
    .raw(`
    create table work (id int primary key, filled int);
    insert into work select i from generate_series(1, ${ROWS}) i;
    analyze work;
    create function fill_work(after text, size int, out next text, out changed bigint) language plpgsql as $$
    begin
      if ${broken} and after is not null then raise exception 'out of order'; end if;
      with batch as (select id from work where id > coalesce(after, '0')::int order by id limit size),
        filled as (update work w set filled = w.id * 2 from batch b where w.id = b.id returning w.id)
      select max(id)::text, count(*) into next, changed from filled;
    end $$;
    select add_background_batches('fill_work', 'fill_work', 'work');`)
    .execute(db)
}

/** Without the work that the product's own migrations left. */
const createAppWithoutWork = async (): Promise<TestApp> => {
  const app = await createTestApp()
  await app.db.deleteFrom('background_migrations').execute()
  return app
}

const countUnfilled = async ({ db }: TestApp): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from work where filled is distinct from id * 2`.execute(db)
  return rows[0]!.n
}

const readEntry = ({ db }: TestApp) =>
  db.selectFrom('background_migrations').selectAll().where('name', '=', 'fill_work').executeTakeFirstOrThrow()

const errorsInto =
  (errors: string[]) =>
  (error: unknown, what: string): void =>
    void errors.push(`${what}: ${(error as Error).message}`)

test('rows are filled in batches by one of several processes, once; progress is in the metrics, the log and doctor', async () => {
  await using app = await createAppWithoutWork()
  await addWork(app)
  const metrics = new BackgroundMetrics()
  const shown: string[] = []
  const log: string[] = []
  const errors: string[] = []
  const onProgress = (message: string) => log.push(message)
  const { background_migrations } = buildTasks(() => app.ctx, new Map(), { metrics, onError: errorsInto(errors), onProgress }).long
  const set = vi
    .spyOn(metrics.migrationRows, 'set')
    .mockImplementation((...[labels, n]: unknown[]) => void shown.push(`${Object.values(labels as object)[1]} ${n}`))
  await Promise.all([1, 2].map(() => background_migrations!({}, {} as never)))
  set.mockRestore()
  expect(shown).toEqual(expect.arrayContaining(['done 1000', `done ${ROWS}`, `total ${ROWS}`]))
  expect(log).toContain('background migration finished')
  expect([errors, await countUnfilled(app)]).toEqual([[], 0])
  expect(await readEntry(app)).toMatchObject({ rows_done: ROWS, rows_total: ROWS, error: null, finished_at: expect.any(String) })
  const { code, out } = await runCli(['doctor'], { env: { DATABASE_URL: app.url, TABLINUM_SECRET_KEY: 'a key that is long enough' } })
  expect([code, out]).toEqual([0, expect.stringContaining('background migrations: all finished')])
})

test('work that failed keeps its position and its error, and is continued', async () => {
  await using app = await createAppWithoutWork()
  await addWork(app, true)
  const errors: string[] = []
  await runBackgroundMigrations(app.ctx, { onError: errorsInto(errors) })
  expect(errors).toEqual(['background migration fill_work: out of order'])
  const { position, rows_done } = await readEntry(app)
  expect([position, rows_done, await countUnfilled(app)]).toEqual(['1000', 1_000, ROWS - 1_000])
  const { out } = await runCli(['doctor'], { env: { DATABASE_URL: app.url, TABLINUM_SECRET_KEY: 'a key that is long enough' } })
  expect(out).toContain(`warning  background migrations: fill_work: 1000 of about ${ROWS} rows, failed: out of order`)

  const { rows } = await sql<{ text: string }>`select pg_get_functiondef('fill_work'::regproc) as text`.execute(app.db)
  await sql.raw(rows[0]!.text.replace('if true', 'if false')).execute(app.db)
  await runBackgroundMigrations(app.ctx, { onError: errorsInto([]) })
  expect([(await readEntry(app)).rows_done, await countUnfilled(app)]).toEqual([ROWS, 0])
})

test('a process that stops ends after its batch', async () => {
  await using app = await createAppWithoutWork()
  await addWork(app)
  const stopping = new AbortController()
  await runBackgroundMigrations(app.ctx, {
    onError: errorsInto([]),
    onProgress: () => stopping.abort(),
    stopping: stopping.signal,
  })
  expect((await readEntry(app)).rows_done).toBe(1_000)
})

test('a migration that relies on it finishes what is left, in batches or as an index', async () => {
  await using app = await createAppWithoutWork()
  await addWork(app)
  await sql
    .raw(`
    select add_background_index('index_work', 'work_filled on work (filled)', 'work');
    select finish_background_migration('fill_work');
    select finish_background_migration('index_work');
    select finish_background_migration('index_work');`)
    .execute(app.db)
  expect(await countUnfilled(app)).toBe(0)
  const { rows } = await sql<{ left: number; indexed: boolean }>`
    select (select count(*)::int from background_migrations where finished_at is null) as left, to_regclass('work_filled') is not null as indexed
  `.execute(app.db)
  expect(rows).toEqual([{ left: 0, indexed: true }])
  await expect(sql`select finish_background_migration('unknown')`.execute(app.db)).rejects.toThrow(
    'There is no background migration unknown.',
  )
})

test('an index is built while rows are written; an invalid one from an interrupted build is replaced', async () => {
  await using app = await createAppWithoutWork()
  await addWork(app)
  await sql`delete from background_migrations`.execute(app.db)
  await sql`insert into work values (0, 1), (-1, 1)`.execute(app.db)
  await expect(sql`create unique index concurrently work_filled on work (filled)`.execute(app.db)).rejects.toThrow('could not create')
  await sql`select add_background_index('index_work', 'work_filled on work (filled)', 'work')`.execute(app.db)
  const errors: string[] = []
  await runBackgroundMigrations(app.ctx, { onError: errorsInto(errors) })
  expect(errors).toEqual([])
  const { rows } = await sql<{ valid: boolean; unique: boolean }>`
    select indisvalid as valid, indisunique as unique from pg_index where indexrelid = 'work_filled'::regclass`.execute(app.db)
  expect(rows).toEqual([{ valid: true, unique: false }])
})
