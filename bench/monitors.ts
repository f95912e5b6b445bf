import { sql } from 'kysely'
import { bootstrapWorkspace } from '../src/accounts/users/bootstrap.ts'
import { createRuntime } from '../src/app/runtime.ts'
import { judge } from '../src/observability/evaluation/judge.ts'
import { runPartition } from '../src/observability/runs/partitions.ts'
import { queueDueRuns } from '../src/observability/runs/queue-runs.ts'
import { createThresholds } from '../src/observability/thresholds/thresholds.ts'
import type { Context } from '../src/platform/context/context.ts'
import { newId } from '../src/platform/core/id.ts'
import { connect } from '../src/platform/db/connect.ts'
import { prepareDatabase } from '../src/platform/db/migrate.ts'
import { SYSTEM } from '../src/platform/permissions/permissions.ts'
import { migrateQueue } from '../src/platform/queue/worker.ts'
import { postgresConnector } from '../src/sources/connectors/postgres/postgres.ts'
import { createIntegration } from '../src/sources/integrations/create.ts'
import { reconcile } from '../src/sources/sync/reconcile.ts'
import { createTcpProxy } from '../test/support/tcp-proxy.ts'
import { measureDatabaseCpu } from './cpu.ts'
import { table } from './table.ts'
import { withTemporaryPostgres } from './temporary-postgres.ts'

/** Many monitors of one Postgres, all due in the same minute, run by partition as the workers do. */
const SIZE = Number(process.env.BENCH_SIZE ?? 1_000_000)
const MONITORS_PER_TABLE = 10 // monitors on a table
const TABLES = Math.max(5, Math.min(1000, Math.round(SIZE / 1000)))
const MONITORS = TABLES * MONITORS_PER_TABLE
const ROWS = 1000
const EXISTING_MEASUREMENTS = 60 // existing measurements of each monitor
const [CATALOG, SOURCE] = ['bench_monitors', 'bench_monitors_source']

export const benchMonitors = (): Promise<string> => withTemporaryPostgres(measure)

const measure = async (serverUrl: string): Promise<string> => {
  const at = (name: string) => Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href
  const admin = connect(serverUrl, { poolSize: 1 })
  for (const name of [CATALOG, SOURCE]) await sql.raw(`create database ${name}`).execute(admin.db)
  await fillSource(at(SOURCE))
  const catalog = connect(at(CATALOG), { statementTimeoutMs: 0 })
  await prepareDatabase(catalog.db)
  await migrateQueue(at(CATALOG))
  const { workspace_id } = await bootstrapWorkspace(catalog.db, 'tbl_bench_token', new Date())
  const runtime = createRuntime(at(CATALOG), { secretKeys: ['a key for benchmarks'] })
  const ctx = (): Context => ({ db: catalog.db, runtime, workspace_id, actor: SYSTEM, now: new Date(), limits: {} })
  const proxy = await createTcpProxy(serverUrl)
  const { username: user, password } = new URL(serverUrl)
  const credentials = { host: '127.0.0.1', port: proxy.port, database: SOURCE, user, password }
  const { id } = await createIntegration(ctx(), { name: 'source', type: 'postgres', credentials })
  const items = postgresConnector.discover(
    { id, name: 'source', credentials },
    { signal: AbortSignal.timeout(600_000), log: async () => {} },
  )
  await reconcile(ctx(), { id, sync_id: newId(), whole: true }, items, async () => {})
  await fillMonitors(ctx())

  const scheduling = await measureUsage(() => queueDueRuns(ctx()))
  const working = await measureUsage(() => runAllPartitions(ctx))
  const { rows } = await sql<{ ok: number }>`
    select count(*) filter (where status in ('normal', 'incident')) as ok from monitors`.execute(catalog.db)
  if (rows[0]!.ok !== MONITORS) throw new Error(`only ${rows[0]!.ok} of ${MONITORS} were measured`)
  await runtime[Symbol.asyncDispose]()
  await proxy.close()
  await catalog.close()
  await admin.close()

  const per = (seconds: number) => (1000 * seconds) / MONITORS
  const firstRun = measureEvaluation() // measured while the code is still being compiled
  return table(
    `${MONITORS.toLocaleString('en')} monitors of one Postgres (${TABLES.toLocaleString('en')} tables of ${ROWS.toLocaleString('en')} rows), due in the same minute`,
    ['', 'seconds', 'ms a run', 'limit'],
    [
      ['scheduling, wall', scheduling.wall, per(scheduling.wall), '5 ms'],
      ['working off, wall, one worker', working.wall, per(working.wall), '360 ms: one hour'],
      ['CPU of ours, both', scheduling.cpu + working.cpu, per(scheduling.cpu + working.cpu), 'one core'],
      ['CPU of the catalog’s Postgres, both', scheduling.database + working.database, per(scheduling.database + working.database), ''],
      ['judging a point, CPU', Number.NaN, measureEvaluation(), '0.1 ms'],
      ['the same, the first of a process', Number.NaN, firstRun, ''],
    ],
  )
}

const runAllPartitions = async (ctx: () => Context): Promise<void> => {
  for (;;) {
    const { rows } = await sql<{ partition: string }>`select distinct partition from monitor_runs order by 1`.execute(ctx().db)
    if (rows.length === 0) return
    for (const { partition } of rows) await runPartition(ctx(), { lane: partition })
  }
}

const measureUsage = async (work: () => Promise<unknown>) => {
  const [firstRun, before, database] = [performance.now(), process.cpuUsage(), measureDatabaseCpu(CATALOG)]
  await work()
  const { user, system } = process.cpuUsage(before)
  return { wall: (performance.now() - firstRun) / 1000, cpu: (user + system) / 1e6, database: measureDatabaseCpu(CATALOG) - database }
}

/** Milliseconds to evaluate and learn one point, over two months of hourly runs. */
const measureEvaluation = (): number => {
  const points = 1500
  const condition = { condition_auto_sensitivity: 5, condition_manual_min: null, condition_manual_max: null }
  const thresholds = createThresholds({ metric_type: 'row_count', frequency_hours: 1 })
  const before = process.cpuUsage()
  for (let i = 0; i < points; i += 1) {
    const at = new Date(Date.UTC(2026, 0, 5) + i * 3_600_000)
    const value = Math.round(1000 + 300 * Math.sin(i / 3.8) + 20 * Math.sin(12.9898 * i))
    judge(condition, thresholds.predict(at), value)
    thresholds.observe(at, value)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / points
}

const fillSource = async (url: string): Promise<void> => {
  const source = connect(url, { poolSize: 1, statementTimeoutMs: 0 })
  for (let i = 0; i < TABLES; i += 100)
    await sql
      .raw(
        `do $$ begin for i in ${i}..${Math.min(i + 100, TABLES) - 1} loop
          execute format('create table t%s as select n as id, case when n %% 10 > 0 then n end as a, n %% 7 as b, n::text as c, now() - make_interval(mins => n) as at from generate_series(1, ${ROWS}) n', i);
          end loop; end $$`,
      )
      .execute(source.db)
  await sql`analyze`.execute(source.db)
  await source.close()
}

const METRICS = ['null_percentage', 'unique_percentage', 'cardinality', 'min', 'max', 'mean'] as const

/** Approximately the values the monitors will measure. */
const DEFAULT_CONDITION = JSON.stringify({
  row_count: ROWS,
  freshness: 1,
  null_percentage: 10,
  unique_percentage: 99,
  cardinality: 900,
  min: 1,
  max: 999,
  mean: 500,
})

/** Inserted directly in their state after two months of daily runs: their creation is not measured. */
const fillMonitors = async (ctx: Context): Promise<void> => {
  await sql`
    with wanted as (
      select t.id as target, 'row_count' as metric_type, '{}'::jsonb as config from resources t where t.entity_type = 'table'
      union all select t.id, 'freshness', '{"timestamp_column": "at"}' from resources t where t.entity_type = 'table'
      union all select c.id, m.metric_type, '{}' from resources c cross join unnest(${METRICS}::text[]) m(metric_type) where c.entity_type = 'column' and c.title = 'a'
      union all select c.id, m.metric_type, '{"where": "a > 100"}' from resources c cross join unnest(${METRICS.slice(0, 2)}::text[]) m(metric_type)
        where c.entity_type = 'column' and c.title = 'b'
    ), made as (
      insert into monitors (id, created_at, updated_at, target, name, metric_type, metric_config, schedule, frequency, is_enabled, condition_auto_sensitivity, status, next_run_at)
      select gen_random_uuid(), now(), now(), w.target, w.metric_type, w.metric_type, w.config,
        '{"cadence": "daily", "hour": 0, "day": null, "frequency": 24}', 24, true, 5, 'pending', now() from wanted w
      returning id, metric_type
    ), measured as (
      insert into monitor_measurements (id, monitor, measured_at, updated_at, value, outside, origin)
      select gen_random_uuid(), m.id, now() - make_interval(days => d), now(), (${DEFAULT_CONDITION}::text::jsonb ->> m.metric_type)::float8 + ((d * 37) % 11) / 100.0, false, 'run' from made m cross join generate_series(1, ${sql.lit(EXISTING_MEASUREMENTS)}) d
    )
    select count(*) from made
  `.execute(ctx.db)
  await sql`update monitors m set last_measurement = s.id, last_measured_at = s.measured_at from (
    select distinct on (s.monitor) s.monitor, s.id, s.measured_at from monitor_measurements s order by s.monitor, s.measured_at desc) s where s.monitor = m.id`.execute(
    ctx.db,
  )
  await sql`analyze`.execute(ctx.db)
}

if (import.meta.main) console.log(await benchMonitors())
