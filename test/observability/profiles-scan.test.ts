import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { queueDueScans } from '../../src/observability/pii/scan.ts'
import { runTestJob } from '../support/profiles.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const onError = (error: unknown) => {
  throw error
}

/** What the scheduler queues. */
const due = async (app: TestApp): Promise<string[]> => {
  await queueDueScans({ ...app.ctx, now: new Date() }, onError)
  const { body } = await app.call('GET', '/background_jobs?status=PENDING')
  return body.results.flatMap(({ id, title }: { id: string; title: string }) => (title.endsWith(' for PII') ? [id] : []))
}

const wait = async (app: TestApp, minutes: number) => {
  const ago = sql`make_interval(mins => ${minutes})`
  await sql`update pii_rules set scan_retry_at = scan_retry_at - ${ago}`.execute(app.db)
  await sql`update pii_failed_scans set retry_at = retry_at - ${ago}`.execute(app.db)
}

test('retries failed scans and tables with growing delays', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    `create table people as select 'person' || i || '@example.com' as email from generate_series(1, 50) i`,
    `create table staff as select 'staff' || i || '@example.com' as email from generate_series(1, 50) i`,
  )
  const integration = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, integration)
  await app.call('PATCH', `/pii/rules/${integration}`, { body: { scan_after_sync: true } })
  const scannedAt = async () => (await app.call('GET', `/pii/rules/${integration}`)).body.scanned_at
  const suggested = async () => (await app.call('GET', '/pii/suggestions')).body.count

  await source.run('alter table people rename to people_away', 'alter table staff rename to staff_away')
  for (const minutes of [5, 10]) {
    const jobs = await due(app)
    expect(jobs).toHaveLength(1)
    expect(await due(app)).toEqual(jobs) // no second scan while one is queued
    expect(await runTestJob(app, jobs[0]!)).toMatchObject({ status: 'FAILED' })
    expect([await scannedAt(), await suggested()]).toEqual([null, 0])
    await wait(app, minutes - 1)
    expect(await due(app)).toEqual([])
    await wait(app, 2)
  }

  await source.run('alter table people_away rename to people')
  const [second] = await due(app)
  const before = Date.now()
  expect(await runTestJob(app, second!)).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('Scanned 1 of 2 tables') })
  expect(Date.parse(await scannedAt())).toBeGreaterThan(before - 1000)
  expect([await suggested(), await due(app)]).toEqual([1, []])

  await wait(app, 60)
  const [third] = await due(app)
  expect(await runTestJob(app, third!)).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('Scanned 0 of 1 tables') })
  // A table that stays unreadable does not delay new ones.
  await source.run(`create table guests as select 'guest' || i || '@example.com' as email from generate_series(1, 50) i`)
  await source.run('alter table staff_away rename to staff')
  await runSync(app, integration)
  const [fourth] = await due(app)
  expect(await runTestJob(app, fourth!)).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('Scanned 1 of 1 tables') })
  expect(await suggested()).toBe(2)

  await wait(app, 60)
  const [fifth] = await due(app)
  expect(await runTestJob(app, fifth!)).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('Scanned 1 of 1 tables') })
  expect(await suggested()).toBe(3)
  await wait(app, 24 * 60)
  expect(await due(app)).toEqual([])
})

test('an integration whose scan cannot be queued does not stop the others', async () => {
  await using app = await createTestApp()
  await using first = await createPostgresSource('create table people (email text)')
  await using second = await createPostgresSource('create table staff (email text)')
  const [broken, sound] = [await createScannedIntegration(app, first.credentials), await createScannedIntegration(app, second.credentials)]
  const { name } = (await app.call('GET', `/integration/integrations/${broken}`)).body
  await sql`alter table background_jobs add constraint no_disk check (title not like ${sql.lit(`%${name}%`)}) not valid`.execute(app.db)
  const errors: string[] = []
  await queueDueScans({ ...app.ctx, now: new Date() }, (_, what) => void errors.push(what))
  expect(errors).toEqual([`scan of integration ${broken}`])
  const { body } = await app.call('GET', '/background_jobs?status=PENDING')
  const { name: other } = (await app.call('GET', `/integration/integrations/${sound}`)).body
  expect(body.results.map(({ title }: { title: string }) => title)).toEqual([expect.stringContaining(other)])
})

const createScannedIntegration = async (app: TestApp, credentials: object): Promise<string> => {
  const id = await createTestIntegration(app, 'postgres', credentials)
  await app.call('PATCH', `/integration/integrations/${id}`, { body: { name: `source ${id}` } })
  await runSync(app, id)
  await app.call('PATCH', `/pii/rules/${id}`, { body: { scan_after_sync: true } })
  return id
}
