import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addTask } from '../../src/platform/queue/add-task.ts'
import { recoverTasks } from '../../src/platform/queue/heartbeat.ts'
import { eventually } from '../support/eventually.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Several instances, kill -9 during work, and live workers considered dead: no run is lost, and none counts twice. */
const TABLES = 6
const EACH = 10
const ROUNDS = 3

const startInstance = (app: TestApp) => startTestServer({ DATABASE_URL: app.url, TABLINUM_SECRET_KEY: 'a key for tests' })

/** All monitors are due at once, and two schedulers notice. */
const due = async (app: TestApp): Promise<void> => {
  await sql`update monitors set next_run_at = now()`.execute(app.db)
  for (let i = 0; i < 2; i += 1) await addTask(app.db, 'monitors_due', {})
}

/** Simulates a minute without heartbeats of any worker. */
const expireHeartbeats = async (app: TestApp): Promise<void> => {
  await sql`update worker_heartbeats set at = at - interval '5 minutes'`.execute(app.db)
  await sql`update graphile_worker._private_jobs set locked_at = locked_at - interval '5 minutes' where locked_at is not null`.execute(
    app.db,
  )
  await recoverTasks(app.db)
}

const left = async (app: TestApp): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from monitor_runs) + (select count(*) from monitors where next_run_at <= now()) as n`.execute(app.db)
  return rows[0]!.n
}

const waiting = async (app: TestApp): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from monitor_runs`.execute(app.db)
  return rows[0]!.n
}

test('every due time of every monitor is measured exactly once', async () => {
  await using app = await createTestApp()
  // Slow enough that a query is always running.
  const tables = Array.from(
    { length: TABLES },
    (_, i) => `create view t${i} as select i as id from (select pg_sleep(0.3)) s, generate_series(1, ${i + 1}) i`,
  )
  await using source = await createPostgresSource(...tables)
  const integration = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, integration)
  // More than three rows is an incident.
  await sql`
    insert into monitors (id, created_at, updated_at, target, name, metric_type, metric_config, schedule, frequency, is_enabled, condition_manual_max, status)
    select gen_random_uuid(), now(), now(), r.id, r.title, 'row_count', '{}', '{"cadence": "daily", "hour": 0, "day": null, "frequency": 24}', 24, true, 3, 'pending'
    from resources r cross join generate_series(1, ${sql.lit(EACH)}) where r.entity_type = 'table'
  `.execute(app.db)
  const servers: TestServer[] = await Promise.all([startInstance(app), startInstance(app)])
  for (let round = 0; round < ROUNDS; round += 1) {
    await due(app)
    await eventually(async () => expect(await waiting(app)).toBeGreaterThan(0))
    await sleep(100 + 200 * round) // at a different point of the work each time
    if (round === 0) {
      const [victim] = servers.splice(0, 1)
      victim!.signal('SIGKILL')
      await victim!.ended
      servers.push(await startInstance(app))
    }
    await expireHeartbeats(app)
    await eventually(async () => expect(await left(app)).toBe(0))
  }
  for (const server of servers) await server[Symbol.asyncDispose]()

  const { rows } = await sql<{
    title: string
    status: string
    measured: number
    value: number
    incidents: number
    opened_events: number
    messages: number
  }>`
    select m.name as title, m.status, m.last_measurement_value as value,
      (select count(*) from monitor_measurements s where s.monitor = m.id) as measured,
      (select count(*) from monitor_incidents n where n.monitor = m.id) as incidents,
      (select count(*) from activities a where a.activity_type = 'incident_opened' and a.related_resource_ids @> array[m.id]) as opened_events,
      (select count(*) from incident_actions c join monitor_incidents n on n.id = c.incident where n.monitor = m.id and c.type = 'notification_initial') as messages
    from monitors m order by m.name, m.id
  `.execute(app.db)
  expect(rows).toHaveLength(TABLES * EACH)
  for (const { title, ...row } of rows) {
    const value = Number(title.slice(1)) + 1
    const broken = value > 3 ? 1 : 0
    expect(row).toEqual({
      status: broken ? 'incident' : 'normal',
      value,
      measured: ROUNDS,
      incidents: broken,
      opened_events: broken,
      messages: broken,
    })
  }
})
