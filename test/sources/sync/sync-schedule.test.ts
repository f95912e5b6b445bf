import { sql } from 'kysely'
import { afterEach, describe, expect, test } from 'vitest'
import { nextCronTime } from '../../../src/platform/queue/cron.ts'
import { CONNECTORS } from '../../../src/sources/connectors/registry/all.ts'
import type { Connector } from '../../../src/sources/connectors/shared/connector.ts'
import type { IntegrationRow } from '../../../src/sources/integrations/integration-rows.ts'
import { computeNextRetry, computeNextSync } from '../../../src/sources/integrations/schedule.ts'
import type { Schedule } from '../../../src/sources/integrations/schema.ts'
import { queueDueSyncs } from '../../../src/sources/integrations/sync.ts'
import { createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'
const NOW = new Date('2026-03-01T10:20:30Z')
const MINUTE = 60_000
const fail = (error: unknown) => {
  throw error
}

test.each([
  ['* * * * *', '2026-03-01T10:21:00.000Z'],
  ['0 3 * * *', '2026-03-02T03:00:00.000Z'],
  ['*/15 * * * *', '2026-03-01T10:30:00.000Z'],
  ['0 0 1 1 *', '2027-01-01T00:00:00.000Z'],
  ['0 12 29 2 *', '2028-02-29T12:00:00.000Z'],
  ['0 0 31 2 *', undefined],
])('computes the next time of %s', (cron, next) => expect(nextCronTime(cron, NOW)?.toISOString()).toBe(next))

test.each([
  ['winter', '2026-01-10T12:00:00Z', '2026-01-11T01:30:00.000Z'],
  ['clocks go forward: 2:30 does not exist', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  ['summer', '2026-03-29T12:00:00Z', '2026-03-30T00:30:00.000Z'],
  ['clocks go back: 2:30 exists twice', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['and runs once', '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
])('30 2 * * * in Berlin, %s', (_, after, next) =>
  expect(nextCronTime('30 2 * * *', new Date(after), 'Europe/Berlin')?.toISOString()).toBe(next),
)

describe('the next sync', () => {
  const row = (schedule: Schedule | null, more: Partial<IntegrationRow> = {}) =>
    ({
      id: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f',
      type: 'postgres',
      connection: {},
      secret_fields: null,
      schedule,
      ...more,
    }) as IntegrationRow

  test('is computed from the interval or cron expression, with an offset for each integration', () => {
    const hourly = computeNextSync(row({ interval_minutes: 60 }), NOW)!.getTime() - NOW.getTime()
    expect(hourly).toBeGreaterThanOrEqual(60 * MINUTE)
    expect(hourly).toBeLessThanOrEqual(65 * MINUTE)
    const nightly = computeNextSync(row({ cron: '0 3 * * *' }), NOW)!.toISOString()
    expect(nightly).toMatch(/^2026-03-02T03:0[0-4]/)
    expect(computeNextSync(row({ cron: '0 3 * * *' }), NOW)!.toISOString()).toBe(nightly)
    const others = Array.from({ length: 20 }, (_, i) => computeNextSync(row({ cron: '0 3 * * *' }, { id: `${i}` }), NOW)!.getTime())
    expect(new Set(others).size).toBeGreaterThan(15)
  })

  test('is null without a schedule, a connector or credentials', () => {
    expect(computeNextSync(row(null), NOW)).toBeNull()
    expect(computeNextSync(row({ interval_minutes: 5 }, { type: 'custom' }), NOW)).toBeNull()
    expect(computeNextSync(row({ interval_minutes: 5 }, { connection: null }), NOW)).toBeNull()
    expect(computeNextSync(row({ cron: '0 0 31 2 *' }), NOW)).toBeNull()
  })

  test.each([
    [1, 5],
    [2, 10],
    [4, 40],
    [7, 320],
    [8, 360],
    [5000, 360],
  ])('after %i failures is in %i minutes', (failures, minutes) =>
    expect(computeNextRetry(failures, NOW).getTime() - NOW.getTime()).toBe(minutes * MINUTE),
  )
})

const real = CONNECTORS.get('sqlite')!
afterEach(() => void CONNECTORS.set('sqlite', real))
const willBe = (discover: Connector['discover']) => CONNECTORS.set('sqlite', { ...real, discover })
const read = async (app: TestApp, id: string) => (await app.call('GET', `${PATH}/${id}`)).body
const jobs = async (app: TestApp) => (await app.call('GET', '/background_jobs')).body.results.map(({ title }: { title: string }) => title)

test('queues due syncs once across schedulers, and a manual sync returns the running one', async () => {
  await using app = await createTestApp()
  await using other = await app.createInstance()
  const hourly = await createTestIntegration(app, 'sqlite', { path: 'a.db' }, { schedule: { interval_minutes: 60 } })
  await createTestIntegration(app, 'sqlite', { path: 'b.db' })
  await queueDueSyncs({ ...app.ctx, now: new Date() }, fail)
  expect(await jobs(app)).toEqual([])
  const now = new Date(Date.now() + 70 * MINUTE)
  await Promise.all([app.ctx, other.ctx].map((ctx) => queueDueSyncs({ ...ctx, now }, fail)))
  expect(await jobs(app)).toEqual(['Sync Shop'])
  const after = await read(app, hourly)
  expect(after.last_sync_status).toBe('PENDING')
  expect(Date.parse(after.next_sync_at)).toBeGreaterThan(now.getTime())
  const { body: syncs } = await app.call('GET', `${PATH}/${hourly}/syncs`)
  expect(syncs.results).toMatchObject([{ status: 'PENDING', integration: hourly, report: null }])
  expect((await app.call('POST', `${PATH}/${hourly}/sync`)).body.id).toBe(syncs.results[0].id)
  // Another schedule changes the next sync; other edits do not.
  await app.call('PATCH', `${PATH}/${hourly}`, { body: { name: 'Store' } })
  expect((await read(app, hourly)).next_sync_at).toBe(after.next_sync_at)
  await app.call('PATCH', `${PATH}/${hourly}`, { body: { schedule: null } })
  expect((await read(app, hourly)).next_sync_at).toBeNull()
})

test('records an integration whose sync cannot be queued, retries it later, and queues the others', async () => {
  await using app = await createTestApp()
  const options = { schedule: { interval_minutes: 60 } }
  const broken = await createTestIntegration(app, 'sqlite', { path: 'a.db' }, options)
  const sound = await createTestIntegration(app, 'sqlite', { path: 'b.db' }, options)
  await sql`update integrations set next_sync_at = now() - case when id = ${broken} then interval '2 hours' else interval '1 hour' end`.execute(
    app.db,
  )
  await sql`alter table integration_syncs add constraint no_disk check (integration <> ${sql.lit(broken)})`.execute(app.db)
  const errors: string[] = []
  const now = new Date()
  await queueDueSyncs({ ...app.ctx, now }, (_, what) => void errors.push(what))
  expect(errors).toEqual([`sync of integration ${broken}`])
  expect(await read(app, sound)).toMatchObject({ last_sync_status: 'PENDING', last_sync_error: null })
  const after = await read(app, broken)
  expect(after).toMatchObject({ last_sync_status: 'FAILED', last_sync_error: expect.stringContaining('no_disk') })
  expect(Date.parse(after.next_sync_at)).toBeGreaterThan(now.getTime())
  expect(await jobs(app)).toHaveLength(1)
})

test('retries failures with growing delays until a sync succeeds', async () => {
  await using app = await createTestApp()
  const id = await createTestIntegration(app, 'sqlite', { path: 'a.db' }, { schedule: { interval_minutes: 1440 } })
  willBe(async function* () {
    yield* []
    throw new Error('It is away.')
  })
  const minutes = async () => Math.round((Date.parse((await read(app, id)).next_sync_at) - Date.now()) / MINUTE)
  for (const wait of [5, 10, 20]) {
    expect(await runSync(app, id)).toMatchObject({ status: 'FAILED', error: 'It is away.' })
    expect(await minutes()).toBe(wait)
  }
  willBe(async function* () {
    yield { key: 'a', entity_type: 'database', fields: { title: 'a' } }
  })
  await queueDueSyncs({ ...app.ctx, now: new Date(Date.now() + 21 * MINUTE) }, fail)
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', report: { new: { database: 1 } } })
  expect(await read(app, id)).toMatchObject({ last_sync_status: 'COMPLETED', last_sync_error: null })
  expect(await minutes()).toBeGreaterThan(1400)
})

test('marks a sync as failed when its job ended without a result, and starts the next one', async () => {
  await using app = await createTestApp()
  const id = await createTestIntegration(app, 'sqlite', { path: 'a.db' })
  const { body: first } = await app.call('POST', `${PATH}/${id}/sync`)
  await sql`update background_jobs set updated_at = now() - interval '2 hours' where id = ${first.id}`.execute(app.db)
  const { body: second } = await app.call('POST', `${PATH}/${id}/sync`)
  expect(second.id).not.toBe(first.id)
  const { body } = await app.call('GET', `${PATH}/${id}/syncs`)
  expect(body.results.map(({ status }: { status: string }) => status)).toEqual(['PENDING', 'FAILED'])
})

test('lists syncs to users who see the integration, and rejects undoing a sync of another one', async () => {
  await using app = await createTestApp()
  const [one, other] = [
    await createTestIntegration(app, 'sqlite', { path: 'a.db' }),
    await createTestIntegration(app, 'sqlite', { path: 'b.db' }),
  ]
  const closed = await app.createTeam(true)
  await app.call('PATCH', `${PATH}/${one}`, { body: { teams: [closed] } })
  const { token } = await app.createUser('editor')
  expect((await app.call('GET', `${PATH}/${one}/syncs`, { token })).status).toBe(404)
  expect((await app.call('GET', `${PATH}/${other}/syncs`, { token })).status).toBe(200)
  const { body: job } = await app.call('POST', `${PATH}/${one}/sync`)
  expect((await app.call('POST', `${PATH}/${other}/sync/${job.id}/undo`)).status).toBe(404)
  expect((await app.call('POST', `${PATH}/${one}/sync/${job.id}/undo`)).status).toBe(409)
  for (const wrong of ['x', '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'])
    expect((await app.call('POST', `${PATH}/${one}/sync/${wrong}/undo`)).status).toBe(404)
})
