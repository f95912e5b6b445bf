import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteResource } from '../../src/catalog/resources/delete.ts'
import {
  computeLastRun,
  computeNextRun,
  parseSchedule,
  type Schedule,
  type ScheduleInput,
} from '../../src/observability/monitor-model/schedule.ts'
import { getPartition, runPartition } from '../../src/observability/runs/partitions.ts'
import { queueDueRuns } from '../../src/observability/runs/queue-runs.ts'
import type { Context } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestMonitor, DAY, getJson, HOUR, runPartitions } from '../support/monitors.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const whole = (input: ScheduleInput) => parseSchedule(input) as Schedule
const after = (input: ScheduleInput, moment: string) => computeNextRun(whole(input), new Date(moment)).toISOString()

describe('next run', () => {
  test.each([
    ['hourly', { cadence: 'hourly' }, '2026-03-16T09:00:00Z', '2026-03-16T10:00:00.000Z'],
    ['hourly, a moment before', { cadence: 'hourly' }, '2026-03-16T09:59:59.999Z', '2026-03-16T10:00:00.000Z'],
    ['every 3 hours', { cadence: 'hourly', frequency: 3 }, '2026-03-16T09:00:00Z', '2026-03-16T12:00:00.000Z'],
    ['every 6 hours from 2', { cadence: 'hourly', frequency: 6, hour: 2 }, '2026-03-16T09:00:00Z', '2026-03-16T14:00:00.000Z'],
    ['every 12 hours', { cadence: 'hourly', frequency: 12 }, '2026-03-16T12:00:00Z', '2026-03-17T00:00:00.000Z'],
    ['daily', {}, '2026-03-16T00:00:00Z', '2026-03-17T00:00:00.000Z'],
    ['daily at 3, before', { cadence: 'daily', hour: 3 }, '2026-03-16T02:59:00Z', '2026-03-16T03:00:00.000Z'],
    ['daily at 3, at 3', { cadence: 'daily', hour: 3 }, '2026-03-16T03:00:00Z', '2026-03-17T03:00:00.000Z'],
    ['weekly on Sunday', { cadence: 'weekly' }, '2026-03-16T00:00:00Z', '2026-03-22T00:00:00.000Z'],
    ['weekly on Monday at 9', { cadence: 'weekly', day: 1, hour: 9 }, '2026-03-16T08:00:00Z', '2026-03-16T09:00:00.000Z'],
    ['weekly on Saturday', { cadence: 'weekly', day: 6, hour: 23 }, '2026-12-31T00:00:00Z', '2027-01-02T23:00:00.000Z'],
    // Daylight saving changes in New York and Berlin do not affect UTC.
    ['clocks go forward', { cadence: 'daily', hour: 2 }, '2026-03-08T02:00:00Z', '2026-03-09T02:00:00.000Z'],
    ['clocks go back', { cadence: 'hourly' }, '2026-10-25T00:30:00Z', '2026-10-25T01:00:00.000Z'],
    ['Berlin, winter', { cadence: 'daily', hour: 3, timezone: 'Europe/Berlin' }, '2026-01-10T12:00:00Z', '2026-01-11T02:00:00.000Z'],
    ['Berlin, summer', { cadence: 'daily', hour: 3, timezone: 'Europe/Berlin' }, '2026-07-10T12:00:00Z', '2026-07-11T01:00:00.000Z'],
    [
      'Berlin, 2:00 is skipped',
      { cadence: 'daily', hour: 2, timezone: 'Europe/Berlin' },
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    ['Berlin, after that', { cadence: 'daily', hour: 2, timezone: 'Europe/Berlin' }, '2026-03-29T01:00:00Z', '2026-03-30T00:00:00.000Z'],
    [
      'Berlin, first of two 2:00',
      { cadence: 'daily', hour: 2, timezone: 'Europe/Berlin' },
      '2026-10-24T12:00:00Z',
      '2026-10-25T00:00:00.000Z',
    ],
    [
      'Berlin, not the second',
      { cadence: 'daily', hour: 2, timezone: 'Europe/Berlin' },
      '2026-10-25T00:00:00Z',
      '2026-10-26T01:00:00.000Z',
    ],
    ['Berlin, hourly', { cadence: 'hourly', timezone: 'Europe/Berlin' }, '2026-10-25T00:00:00Z', '2026-10-25T01:00:00.000Z'],
    ['Kolkata, hourly', { cadence: 'hourly', timezone: 'Asia/Kolkata' }, '2026-03-16T09:00:00Z', '2026-03-16T09:30:00.000Z'],
    [
      'Sydney, weekly',
      { cadence: 'weekly', day: 1, hour: 6, timezone: 'Australia/Sydney' },
      '2026-03-16T00:00:00Z',
      '2026-03-22T19:00:00.000Z',
    ],
    ['into a leap day', { cadence: 'daily', hour: 0 }, '2028-02-28T12:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['out of a leap day', { cadence: 'daily', hour: 0 }, '2028-02-29T12:00:00Z', '2028-03-01T00:00:00.000Z'],
    ['out of a year without one', { cadence: 'daily', hour: 0 }, '2027-02-28T12:00:00Z', '2027-03-01T00:00:00.000Z'],
  ] as const)('%s', (_, input, moment, next) => expect(after(input, moment)).toBe(next))

  test('a daily monitor runs once on each day of a year, 24 hours apart', () => {
    let at = new Date('2027-12-31T23:30:00Z')
    const runs = Array.from({ length: 366 }, () => {
      at = computeNextRun(whole({ cadence: 'daily', hour: 5 }), at)
      return at.getTime()
    })
    expect(runs.every((run, i) => i === 0 || run - runs[i - 1]! === DAY)).toBe(true)
    expect(new Date(runs[59]!).toISOString()).toBe('2028-02-29T05:00:00.000Z')
  })

  test.each([
    [
      'forward',
      '2026-03-28T22:00:00Z',
      ['2026-03-29T01:00', '2026-03-29T06:00', '2026-03-29T12:00', '2026-03-29T18:00', '2026-03-30T00:00'],
    ],
    ['back', '2026-10-24T19:00:00Z', ['2026-10-25T00:00', '2026-10-25T07:00', '2026-10-25T13:00', '2026-10-25T19:00', '2026-10-26T01:00']],
  ] as const)('every 6 hours in Berlin runs four times on the day clocks go %s', (_, moment, expected) => {
    const schedule = whole({ cadence: 'hourly', frequency: 6, hour: 2, timezone: 'Europe/Berlin' })
    let at = new Date(moment)
    const runs = Array.from({ length: 5 }, () => {
      at = computeNextRun(schedule, at)
      return at.toISOString().slice(0, 16)
    })
    expect(runs).toEqual(expected)
  })

  test('the last run is at or before a time', () => {
    const schedule = whole({ cadence: 'daily', hour: 0, timezone: 'Europe/Berlin' })
    expect(computeLastRun(schedule, new Date('2026-10-25T22:30:00Z')).toISOString()).toBe('2026-10-24T22:00:00.000Z')
    expect(computeLastRun(schedule, new Date('2026-10-25T23:00:00Z')).toISOString()).toBe('2026-10-25T23:00:00.000Z')
  })

  test('a partial schedule is completed', () => {
    expect(parseSchedule({ frequency: 6 })).toMatchObject({ cadence: 'hourly', frequency: 6 })
    expect(parseSchedule({ frequency: 24, day: 0, hour: 0, cadence: 'daily' })).toMatchObject({
      cadence: 'daily',
      frequency: 24,
      day: null,
    })
    expect(parseSchedule({ cadence: 'weekly', frequency: 1 })).toMatchObject({ frequency: 168, day: 0 })
    expect(parseSchedule({ cadence: 'hourly', frequency: 5 })).toContain('1, 3, 6, 12')
    expect(parseSchedule({ timezone: 'UTC' })).toEqual(parseSchedule({}))
    for (const timezone of ['Mars/Base', '+02:00', 'Berlin'])
      expect(parseSchedule({ timezone })).toContain(`“${timezone}” is not a time zone`)
  })
})

describe('scheduler', () => {
  const NOW = Date.UTC(2026, 2, 16, 9, 30)
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ now: () => new Date(NOW) })
  })
  afterAll(() => app[Symbol.asyncDispose]())

  const at = (moment: number, ctx: Context = app.ctx): Context => ({ ...ctx, now: new Date(moment) })
  const hourly = async (more: object = {}) => {
    const { id: target } = await app.createResource({ entity_type: 'table', title: 'orders' })
    return createTestMonitor(app, { target, schedule: { cadence: 'hourly' }, ...more })
  }
  const runsOf = (monitor: string) =>
    app.db.selectFrom('monitor_runs').select(['id', 'due_at', 'job']).where('monitor', '=', monitor).execute()
  const attempted = async (monitor: string) => (await getJson(app, `/monitor/monitors/${monitor}`)).last_attempted_at

  test('queues a due run in its partition and sets the next time', async () => {
    const { id, next_run_at } = await hourly()
    expect(next_run_at).toBe('2026-03-16T10:00:00.000Z')
    await queueDueRuns(at(NOW + 29 * 60_000))
    expect(await runsOf(id)).toEqual([])
    await queueDueRuns(at(NOW + 30 * 60_000))
    expect(await runsOf(id)).toMatchObject([{ due_at: '2026-03-16T10:00:00.000Z', job: null }])
    expect(await getJson(app, `/monitor/monitors/${id}`)).toMatchObject({ next_run_at: '2026-03-16T11:00:00.000Z' })
    await runPartitions(at(NOW + 31 * 60_000))
    expect(await runsOf(id)).toEqual([])
    expect(await getJson(app, `/monitor/monitors/${id}`)).toMatchObject({
      status: 'error',
      last_error_message: expect.stringContaining('does not belong to an integration'),
    })
  })

  test('catches up missed runs with one run and continues on schedule', async () => {
    const { id } = await hourly()
    await queueDueRuns(at(NOW + 50 * HOUR))
    expect(await runsOf(id)).toHaveLength(1)
    expect(await getJson(app, `/monitor/monitors/${id}`)).toMatchObject({ next_run_at: '2026-03-18T12:00:00.000Z' })
    // No second run is queued while the first one is waiting.
    await queueDueRuns(at(NOW + 52 * HOUR))
    expect(await runsOf(id)).toHaveLength(1)
    await runPartitions(at(NOW + 52 * HOUR))
  })

  test('skips disabled monitors and those without a target', async () => {
    const disabled = await hourly({ is_enabled: false })
    const pushed = await hourly({ metric_type: 'pushed' })
    const gone = await hourly()
    await deleteResource(app.ctx, gone.target)
    await queueDueRuns(at(NOW + 100 * HOUR))
    for (const { id } of [disabled, pushed, gone]) expect(await runsOf(id)).toEqual([])
    await runPartitions(at(NOW + 100 * HOUR))
  })

  test('concurrent instances queue each due time once', async () => {
    const monitors = await Promise.all(Array.from({ length: 12 }, () => hourly()))
    const instances = await Promise.all([app.createInstance(), app.createInstance()])
    for (const hour of [201, 202]) {
      await Promise.all([app, ...instances].map(({ ctx }) => queueDueRuns(at(NOW + hour * HOUR, ctx))))
      for (const { id } of monitors) expect(await runsOf(id)).toHaveLength(1)
      // Two workers of the same partition save each run once.
      const { rows } = await sql<{ partition: string }>`select distinct partition from monitor_runs`.execute(app.db)
      await Promise.all(
        rows.flatMap(({ partition }) =>
          [app, ...instances].map(({ ctx }) => runPartition(at(NOW + hour * HOUR, ctx), { lane: partition })),
        ),
      )
      for (const { id } of monitors) expect(await runsOf(id)).toEqual([])
    }
    for (const instance of instances) await instance[Symbol.asyncDispose]()
    expect(Date.parse(await attempted(monitors[0]!.id))).toBeGreaterThanOrEqual(NOW + 202 * HOUR)
  })

  test('a source has several partitions, a table is always in the same one, and each partition is one task', async () => {
    const table = '0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a61'
    expect(getPartition('a', table)).toBe(getPartition('a', table))
    await Promise.all(Array.from({ length: 20 }, () => hourly()))
    await queueDueRuns(at(NOW + 300 * HOUR))
    await queueDueRuns(at(NOW + 301 * HOUR))
    const { rows } = await sql<{ key: string; queue: string }>`
      select j.key, q.queue_name as queue from graphile_worker._private_jobs j
      join graphile_worker._private_job_queues q on q.id = j.job_queue_id where j.key like 'work_monitors %'
    `.execute(app.db)
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.length).toBeLessThanOrEqual(2)
    expect(new Set(rows.map(({ queue }) => queue)).size).toBe(rows.length)
    await runPartitions(at(NOW + 301 * HOUR))
  })

  test('a partition with many runs goes to the end of the queue after one turn', async () => {
    const [large, small] = [
      await app.createResource({ integration: newId(), entity_type: 'table' }),
      await app.createResource({ integration: newId(), entity_type: 'table' }),
    ]
    const many = async (target: string, n: number) =>
      sql`
        insert into monitors (id, created_at, updated_at, target, name, metric_type, metric_config, schedule, frequency, is_enabled, condition_manual_max, status, next_run_at)
        select gen_random_uuid(), now(), now(), ${target}, 'many', 'row_count', '{}', '{"cadence": "daily", "hour": 0, "day": null, "frequency": 24}', 24, true, 3, 'pending',
          ${new Date(NOW)}::timestamptz from generate_series(1, ${sql.lit(n)})
      `.execute(app.db)
    await many(large.id, 210)
    await many(small.id, 1)
    await queueDueRuns(at(NOW + 500 * HOUR))
    const waiting = async (integration: string) => {
      const { rows } = await sql<{ id: number; n: number }>`
        select max(j.id)::int as id, (select count(*)::int from monitor_runs w where starts_with(w.partition, ${integration})) as n
        from graphile_worker._private_jobs j where starts_with(j.key, ${`work_monitors ${integration}`}) group by 2
      `.execute(app.db)
      return rows[0] ?? { id: 0, n: 0 }
    }
    const partition = (
      await app.db.selectFrom('monitor_runs').select('partition').where('relation', '=', large.id).executeTakeFirstOrThrow()
    ).partition
    // Like a worker that has started it: the task is no longer in the queue.
    await sql`delete from graphile_worker._private_jobs where key = ${`work_monitors ${partition}`}`.execute(app.db)
    await runPartition(at(NOW + 500 * HOUR), { lane: partition })
    const [left, other] = [await waiting(large.integration!), await waiting(small.integration!)]
    expect([left.n, other.n]).toEqual([10, 1])
    expect(left.id).toBeGreaterThan(other.id)
    await runPartitions(at(NOW + 500 * HOUR))
  })

  test('a requested run goes ahead of scheduled ones, and one measurement completes both', async () => {
    const monitor = await hourly()
    await queueDueRuns(at(NOW + 400 * HOUR))
    const { body: job } = await app.call('POST', '/monitor/monitors/run', { body: { monitors: [monitor.id, monitor.id] } })
    expect(await runsOf(monitor.id)).toHaveLength(2)
    await runPartitions(at(NOW + 400 * HOUR))
    const done = await getJson(app, `/background_jobs/${job.id}`)
    expect(done).toMatchObject({ status: 'COMPLETED', progress: 100, failed: false, completed: expect.any(String) })
    expect(done.logs).toContain('could not be measured')
  })

  test('a job of pushed monitors completes immediately', async () => {
    const monitor = await hourly({ metric_type: 'pushed' })
    const { body: job } = await app.call('POST', '/monitor/monitors/run', { body: { monitors: [monitor.id] } })
    expect(await getJson(app, `/background_jobs/${job.id}`)).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('pushed') })
    expect(await getJson(app, `/monitor/monitors/${monitor.id}`)).toMatchObject({ status: 'pending' })
  })

  test('the scheduler completes a job whose worker crashed after the last run', async () => {
    const monitor = await hourly()
    const { body: job } = await app.call('POST', '/monitor/monitors/run', { body: { monitors: [monitor.id] } })
    await sql`delete from monitor_runs where job = ${job.id}`.execute(app.db)
    await sql`update background_jobs set updated_at = now() - interval '2 minutes' where id = ${job.id}`.execute(app.db)
    await queueDueRuns(at(NOW))
    expect(await getJson(app, `/background_jobs/${job.id}`)).toMatchObject({ status: 'COMPLETED' })
  })
})
