import { expect, test } from 'vitest'
import { backfillMonitor } from '../../src/observability/runs/backfill.ts'
import { queueRuns } from '../../src/observability/runs/queue-runs.ts'
import { THRESHOLDS_VERSION } from '../../src/observability/thresholds/thresholds.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestMonitor, findResourcesByTitle, getJson, type JsonBody, runPartitions } from '../support/monitors.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp } from '../support/test-app.ts'

test('a new monitor is backfilled from existing rows and has limits at its first run', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table visits (id int, value int, created_at timestamptz, kind int)',
    // Each kind has two rows, the second three hundred rows after the first.
    `insert into visits select i, case when i % 10 = 0 then null else i end, now() - make_interval(mins => 120 * i - (37 * i) % 100), i % 300 from generate_series(1, 600) i`,
  )
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, id)
  const of = await findResourcesByTitle(app)
  const rows = await createTestMonitor(app, { target: of('visits') })
  const nulls = await createTestMonitor(app, { target: of('visits.value'), metric_type: 'null_percentage' })
  const fresh = await createTestMonitor(app, { target: of('visits'), metric_type: 'freshness' })
  const different = await createTestMonitor(app, { target: of('visits.kind'), metric_type: 'unique_percentage' })
  const all = [rows, nulls, fresh, different]
  for (const { id: monitor } of all) await backfillMonitor(app.ctx, { monitor })
  for (const { id: monitor } of all) await backfillMonitor(app.ctx, { monitor }) // again after a crash
  const past = await getJson(app, `/monitor/measurements?monitor=${rows.id}&page_size=1000`)
  expect(past.count).toBeGreaterThanOrEqual(49) // 600 rows, one every two hours: fifty days
  const grown = past.results.map(({ value }: JsonBody, i: number) => past.results[i - 1]?.value - value).slice(1)
  expect(grown.every((n: number) => n >= 11 && n <= 13)).toBe(true)
  const named = { lower_threshold: expect.any(Number), thresholds_version: THRESHOLDS_VERSION }
  expect(past.results[0]).toMatchObject({ origin: 'history', incident: null, ...named })
  const uniqueness = await getJson(app, `/monitor/measurements?monitor=${different.id}&page_size=1000`)
  expect(uniqueness.results.at(-1)).toMatchObject({ value: 100 }) // no kind occurs twice in the older half
  expect(uniqueness.results.slice(0, 20).every(({ value, row_count }: JsonBody) => value === (100 * 300) / row_count)).toBe(true)
  await app.call('POST', '/monitor/monitors/run', { body: { monitors: all.map((each) => each.id) } })
  await runPartitions(app.ctx)
  for (const monitor of all) {
    const { results } = await getJson(app, `/monitor/measurements?monitor=${monitor.id}`)
    expect(results[0]).toMatchObject({
      origin: 'run',
      outside: false,
      upper_threshold: expect.any(Number),
      explanation: expect.stringContaining('usually'),
    })
  }
  // An anomaly stays one however often it is measured, and a fixed value is normal immediately.
  const again = async () => {
    await app.call('POST', '/monitor/monitors/run', { body: { monitors: [rows.id] } })
    await runPartitions(app.ctx)
    return (await getJson(app, `/monitor/measurements?monitor=${rows.id}`)).results[0].outside
  }
  await source.run('insert into visits select i, i, now(), i from generate_series(1000, 1300) i')
  expect([await again(), await again(), await again()]).toEqual([true, true, true])
  const open = (await getJson(app, `/monitor/incidents?monitor=${rows.id}`)).results
  expect(open).toMatchObject([{ status: 'active', runs_outside: 3 }])
  await source.run('delete from visits where id >= 1000')
  expect([await again(), await again(), await again()]).toEqual([false, false, false])
  expect(await getJson(app, `/monitor/incident/${open[0].id}`)).toMatchObject({
    status: 'resolved',
    summary: expect.stringMatching(/ was 901: .* above the limit of .*, from .* to .* UTC, in 3 measurements\. Usually /),
  })
})

test('a backfill uses the creation column; rows without a timestamp count as always present, and too many of them prevent it', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table payments (id int, captured_at timestamptz, attempted_at timestamptz not null)',
    `insert into payments select i, case when i % 5 > 0 then now() - make_interval(hours => 3 * i) end, now() - make_interval(hours => 3 * i) from generate_series(1, 400) i`,
    'create table captured as select id, captured_at, id % 50 as kind from payments',
    'create table rare as select id, case when id % 5 = 0 then attempted_at end as captured_at from payments',
    `insert into captured values (401, now() + interval '9 days', 7)`,
  )
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const of = await findResourcesByTitle(app)
  const preview = async (body: object) => (await app.call('POST', '/monitor/preview', { body })).body
  expect((await preview({ target: of('payments') })).past[0].value).toBeLessThan(20) // attempted_at, not captured_at
  const { past, value } = await preview({ target: of('captured') })
  expect([value, past.at(-1).value > 380, past[0].value > 80]).toEqual([401, true, true])
  const kinds = await preview({ target: of('captured.kind'), metric_type: 'cardinality' })
  expect([kinds.value, kinds.past.at(-1).value]).toEqual([50, 50])
  expect(await preview({ target: of('rare') })).toMatchObject({ past: [], past_problem: expect.stringContaining('Too few') })
})

test('a table that keeps thirty days of rows opens no incident after a backfill', async () => {
  const now = Date.now()
  await using app = await createTestApp({ now: () => new Date(now) })
  await using source = await createPostgresSource(
    'create table events (id int, created_at timestamptz)',
    `insert into events select i, now() - make_interval(mins => 43 * i) from generate_series(1, 1000) i`,
  )
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, id)
  const { id: monitor } = await createTestMonitor(app, { target: (await findResourcesByTitle(app))('events'), metric_type: 'row_count' })
  await backfillMonitor(app.ctx, { monitor })
  for (let day = 0; day < 8; day += 1) {
    const at = new Date(now + day * 86_400_000)
    await queueRuns({ ...app.ctx, now: at }, [{ id: newId(), monitor, due_at: at.toISOString(), partition: `${id} 0`, relation: newId() }])
    await runPartitions({ ...app.ctx, now: at })
  }
  const measured = (await getJson(app, `/monitor/measurements?monitor=${monitor}`)).results.filter(
    ({ origin }: JsonBody) => origin === 'run',
  )
  expect(measured.map(({ value, outside }: JsonBody) => [value, outside])).toEqual(Array.from({ length: 8 }, () => [1000, false]))
  // The explanation contains the limits that were applied.
  for (const { explanation, lower_threshold, upper_threshold } of measured) {
    const [lower, upper] = [lower_threshold, upper_threshold].map((limit: number) => Math.round(limit).toLocaleString('en-US'))
    expect(explanation).toMatch(new RegExp(`^usually ${lower === upper ? lower : `${lower}–${upper}`}`))
  }
})
