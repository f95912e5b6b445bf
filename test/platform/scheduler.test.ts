import { type CronItem, parseCronItems } from 'graphile-worker'
import { sql } from 'kysely'
import { afterEach, expect, test, vi } from 'vitest'
import { buildTasks, SCHEDULE } from '../../src/app/tasks.ts'
import { addTask } from '../../src/platform/queue/add-task.ts'
import { BackgroundMetrics } from '../../src/platform/queue/metrics.ts'
import { findDueItems, Scheduler } from '../../src/platform/queue/scheduler.ts'
import { startWorker } from '../../src/platform/queue/worker.ts'
import { createTestMonitor, DAY, getJson } from '../support/monitors.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const MINUTE = 60_000
const ITEMS: CronItem[] = [{ task: 'tick', match: '* * * * *' }]
const ignore = () => {}
afterEach(() => void vi.useRealTimers())

const lastExecutions = async (app: TestApp) => {
  const { rows } = await sql<{ identifier: string; in_future: boolean; current: boolean }>`
    select identifier, last_execution > clock_timestamp() as in_future, last_execution >= clock_timestamp() - interval '2 minutes' as current
    from graphile_worker._private_known_crontabs order by identifier
  `.execute(app.db)
  return rows
}
const queued = async (app: TestApp): Promise<string[]> => {
  const { rows } = await sql<{ task_identifier: string }>`select task_identifier from graphile_worker.jobs`.execute(app.db)
  return rows.map(({ task_identifier }) => task_identifier)
}
/** The state left behind by a process whose clock was a day ahead. */
const simulateClockAhead = async (app: TestApp) => {
  await sql`
    insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
    values ('tick', now(), now() + interval '1 day')
  `.execute(app.db)
  await addTask(app.db, 'tick', { _cron: { ts: new Date(Date.now() + DAY), backfilled: false } }, { runAt: new Date(Date.now() + DAY) })
}

test('a schedule in the future is reset at once, with a warning', async () => {
  await using app = await createTestApp()
  await simulateClockAhead(app)
  await addTask(app.db, 'tick', {}, { runAt: new Date(Date.now() + DAY) }) // not from a schedule: it stays
  const warnings: [string, object][] = []
  const metrics = new BackgroundMetrics()
  const worker = await startWorker({
    database: app.database,
    classes: [{ name: 'test', tasks: { tick: async () => {} }, slots: 1 }],
    clock: ITEMS,
    metrics,
    onError: ignore,
    onWarning: (...warning) => warnings.push(warning),
  })
  await worker.stop()
  expect(await lastExecutions(app)).toEqual([{ identifier: 'tick', in_future: false, current: true }])
  expect(await queued(app)).toEqual(['tick'])
  expect(warnings).toEqual([[expect.stringContaining('future'), { identifier: 'tick', last_execution: expect.anything() }]])
  expect(await metrics.registry.metrics()).toContain('tablinum_schedule_resets_total 1')
})

test('two instances reset it: every minute is still queued once', async () => {
  await using app = await createTestApp()
  await simulateClockAhead(app)
  const start = Date.now()
  let now = start
  const clocks = Array.from(
    { length: 2 },
    () => new Scheduler({ db: app.db, items: ITEMS, onWarning: ignore, time: async () => new Date(now) }),
  )
  const runAndTakeQueued = async () => {
    await Promise.all(clocks.map((clock) => clock.runOnce()))
    const found = await queued(app)
    await sql`delete from graphile_worker._private_jobs`.execute(app.db)
    return found
  }
  expect(await runAndTakeQueued()).toEqual([]) // this minute may have run before
  expect(await runAndTakeQueued()).toEqual([])
  now = start - (start % MINUTE) + MINUTE
  expect(await runAndTakeQueued()).toEqual(['tick'])
  expect(await runAndTakeQueued()).toEqual([])
})

test('a task still waiting is not queued a second time', async () => {
  await using app = await createTestApp()
  let now = Date.now() - 10 * MINUTE
  const clock = new Scheduler({ db: app.db, items: ITEMS, onWarning: ignore, time: async () => new Date(now) })
  for (let i = 0; i < 4; i += 1) {
    await clock.runOnce()
    now += MINUTE
  }
  expect(await queued(app)).toEqual(['tick'])
})

test('a wrong process clock is reported once and shifts no schedule', async () => {
  await using app = await createTestApp()
  const { id: target } = await app.createResource({ entity_type: 'table', title: 'orders' })
  const monitor = await createTestMonitor(app, { target, schedule: { cadence: 'hourly' } })
  await sql`update monitors set next_run_at = now() - interval '1 minute'`.execute(app.db)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + DAY })
  const warnings: [string, object][] = []
  const metrics = new BackgroundMetrics()
  const clock = new Scheduler({ db: app.db, items: SCHEDULE, metrics, onWarning: (...warning) => warnings.push(warning) })
  for (let i = 0; i < 3; i += 1) await clock.runOnce()
  expect(warnings).toEqual([[expect.stringContaining('clock'), { skew_seconds: expect.closeTo(86_400, -2) }]])
  expect(await metrics.registry.metrics()).toMatch(/tablinum_clock_skew_seconds 86[34]\d\d/)
  const { monitors_due } = buildTasks(() => ({ ...app.ctx, now: new Date() }), new Map(), { onError: ignore }).clock
  await monitors_due!({}, {} as never)
  vi.useRealTimers()
  const next = Date.parse((await getJson(app, `/monitor/monitors/${monitor.id}`)).next_run_at)
  expect(next).toBeGreaterThan(Date.now())
  expect(next).toBeLessThanOrEqual(Date.now() + 60 * MINUTE)
})

const atMinute = (time: string) => Date.parse(`2026-03-01T${time}Z`)
test.each([
  ['the same minute', '10:20:05', '10:20:30', []],
  ['the next minute', '10:20:59', '10:21:00', [['every', '10:21:00']]],
  ['several minutes later', '10:20:05', '10:24:30', [['every', '10:24:00']]],
  [
    'past the hour',
    '10:10:00',
    '10:24:30',
    [
      ['every', '10:24:00'],
      ['hourly', '10:17:00'],
    ],
  ],
  ['a clock that went back', '10:20:05', '10:10:00', []],
])('items due in %s', (_, handled, now, expected) => {
  const items = parseCronItems([
    { task: 'every', match: '* * * * *' },
    { task: 'hourly', match: '17 * * * *' },
  ])
  const due = findDueItems(items, atMinute(handled), atMinute(now)).map(({ item, minute }) => [
    item.task,
    new Date(minute).toISOString().slice(11, 19),
  ])
  expect(due).toEqual(expected)
})
