import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../../src/app/tasks.ts'
import { createResources } from '../../../src/catalog/resources/create.ts'
import { newId } from '../../../src/platform/core/id.ts'
import { runJob } from '../../../src/platform/jobs/run.ts'
import { findWrongLocations } from '../../support/find-wrong-locations.ts'
import { createTestIntegration, interruptSync, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'
const titles = async ({ db }: TestApp) =>
  (await db.selectFrom('resources').select('title').orderBy('title').execute()).map(({ title }) => title)
const findActivities = async ({ db }: TestApp, id: string) =>
  db.selectFrom('activities').selectAll().where('activity_type', 'like', '%deleted').where('id', '=', id).executeTakeFirst()

/** An integration with tables of `width` columns each, a resource of another integration below it, and one beside it. */
const createIntegrationWithTables = async (app: TestApp, tables: number, width: number) => {
  const { body } = await app.call('POST', PATH, { body: { name: 'Shop' } })
  const integration = body.id as string
  const database = await app.createResource({ title: 'shop', entity_type: 'database', integration })
  const created = await createResources(
    app.ctx,
    Array.from({ length: tables }, (_, i) => ({ title: `t${i}`, entity_type: 'table', parent: database.id })),
  )
  await createResources(
    app.ctx,
    created.flatMap(({ id }) => Array.from({ length: width }, (_, i) => ({ title: `c${i}`, entity_type: 'column', parent: id }))),
  )
  const foreign = await app.createResource({ title: 'foreign', entity_type: 'table', parent: database.id, integration: newId() })
  await app.createResource({ title: 'below foreign', entity_type: 'column', parent: foreign.id, integration: newId() })
  await app.createResource({ title: 'neighbour', integration: newId() })
  return { integration, database, foreign, count: 1 + tables * (1 + width) }
}

test('deletes an integration with its resources and their descendants in one transaction, with history', async () => {
  await using app = await createTestApp()
  const { integration, database, foreign, count } = await createIntegrationWithTables(app, 3, 2)
  expect((await app.call('GET', `${PATH}/${integration}`)).body.resource_count).toBe(count)
  expect((await app.call('DELETE', `${PATH}/${integration}`)).status).toBe(204)
  expect(await titles(app)).toEqual(['neighbour'])
  expect((await app.call('GET', `${PATH}/${integration}`)).status).toBe(404)
  const gone = await app.db.selectFrom('activities').selectAll().where('activity_type', 'like', '%deleted').execute()
  const root = gone.find(({ activity_type }) => activity_type === 'integration_deleted')!
  expect(root).toMatchObject({ resource_id: integration, resource_title: 'Shop', parent_id: null })
  const rest = gone.filter(({ id }) => id !== root.id)
  expect(rest).toHaveLength(count + 2)
  expect(new Set(rest.map(({ parent_id, logged_at }) => `${parent_id} ${logged_at}`))).toEqual(new Set([`${root.id} ${root.logged_at}`]))
  expect((await app.call('GET', `/resource/all/${foreign.id}/versions/2`)).body).toMatchObject({ title: 'foreign', parent: database.id })
  // Deleted resources can be restored once the integration exists again: pushing to its ID creates it.
  const restore = () => app.call('POST', `/resource/all/${database.id}/restore`, { body: { version: 1 } })
  expect((await restore()).status).toBe(409)
  await app.createResource({ title: 'new', integration })
  expect((await restore()).status).toBe(200)
  expect((await app.call('GET', `${PATH}/${integration}`)).body).toMatchObject({ type: 'custom', resource_count: 2 })
})

test('the job of a running sync ends when its integration is deleted', async () => {
  await using app = await createTestApp()
  const id = await createTestIntegration(app, 'datahub', {})
  const entityUrn = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.public.orders,PROD)'
  const event = {
    entityType: 'dataset',
    entityUrn,
    changeType: 'UPSERT',
    aspectName: 'datasetProperties',
    aspect: { json: { description: 'a' } },
  }
  await app.call('POST', `/integration/datahub/events?integration=${id}`, { body: [event] })
  const { body: job } = await app.call('POST', `${PATH}/${id}/sync`)
  const statuses: number[] = []
  const interrupted = interruptSync(app, async () => void statuses.push((await app.call('DELETE', `${PATH}/${id}`)).status))
  await runSync(interrupted, id)
  expect([statuses[0], await titles(app)]).toEqual([204, []])
  const { body } = await app.call('GET', `/background_jobs/${job.id}`)
  expect(body).toMatchObject({ status: 'FAILED', logs: expect.stringContaining('The integration was deleted during the sync.') })
})

test('deletes many resources in a job that can be watched, repeated and killed', async () => {
  await using app = await createTestApp()
  const { integration, count } = await createIntegrationWithTables(app, 40, 30)
  const at = `${PATH}/${integration}`
  const response = await app.call('DELETE', at)
  expect([response.status, response.body.status]).toEqual([202, 'PENDING'])
  expect(await titles(app)).toHaveLength(count + 3)
  const again = await app.call('DELETE', at)
  expect([again.status, again.body.id]).toEqual([202, response.body.id])
  expect((await app.call('GET', at)).body.removal_job).toBe(response.body.id)
  for (const [method, path, body] of [
    ['PATCH', at, { name: 'x' }],
    ['POST', `${at}/sync`],
  ] as const)
    expect([method, (await app.call(method, path, { body })).body]).toEqual([method, expect.objectContaining({ code: 'conflict' })])

  const payload = await sql<{ payload: { payload: { entry: string } } }>`select payload from graphile_worker._private_jobs`.execute(app.db)
  const task = payload.rows[0]!.payload.payload
  // It crashes after its first batch: what is deleted stays deleted, with history; the rest is deleted when the job resumes.
  const work = JOB_HANDLERS.get('remove_integration')!
  await expect(
    work(app.ctx, task, async (progress) => {
      if (progress > 0) throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await titles(app)).toHaveLength(count + 3 - 1000)
  expect(await findWrongLocations(app.db)).toEqual([])
  await runJob(app.ctx, JOB_HANDLERS, response.body.id, task, true)
  expect(await titles(app)).toEqual(['neighbour'])
  expect((await app.call('GET', at)).status).toBe(404)
  const { body: job } = await app.call('GET', `/background_jobs/${response.body.id}`)
  expect(job).toMatchObject({ status: 'COMPLETED', progress: 100, logs: expect.stringContaining('and the integration.') })
  expect(await findActivities(app, task.entry)).toMatchObject({ activity_type: 'integration_deleted', resource_id: integration })
  const { rows } = await sql<{ n: number }>`select count(*) as n from activities where parent_id = ${task.entry}`.execute(app.db)
  expect(rows[0]!.n).toBe(count + 2)
  await work(app.ctx, task, async () => {}) // running it again changes nothing
  expect((await app.db.selectFrom('activities').select('id').where('activity_type', '=', 'integration_deleted').execute()).length).toBe(1)
})

test('pushing to an integration that is being deleted registers it again', async () => {
  await using app = await createTestApp()
  for (let i = 0; i < 10; i += 1) {
    const { body } = await app.call('POST', PATH, { body: { name: 'Shop' } })
    const report = () => app.call('POST', '/resource/catalog', { body: { title: 'a', integration: body.id } })
    const responses = await Promise.all([report(), app.call('DELETE', `${PATH}/${body.id}`), report()])
    expect(responses.map(({ status }) => status)).toEqual([201, 204, 201])
    const left = await app.db.selectFrom('resources').select('id').where('integration', '=', body.id).execute()
    const { status, body: now } = await app.call('GET', `${PATH}/${body.id}`)
    expect(left.length > 0 ? [status, now.resource_count] : [status]).toEqual(left.length > 0 ? [200, left.length] : [404])
  }
})
