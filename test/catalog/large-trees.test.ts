import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { JOB_HANDLERS } from '../../src/app/tasks.ts'
import { MAX_SYNCHRONOUS_DESCENDANTS } from '../../src/catalog/records/paths.ts'
import { newId } from '../../src/platform/core/id.ts'
import { runJob } from '../../src/platform/jobs/run.ts'
import { findWrongLocations } from '../support/find-wrong-locations.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Trees with more resources than a request processes itself. */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())
afterEach(async () => expect(await findWrongLocations(app.db)).toEqual([]))

const read = async (id: string) => (await app.call('GET', `/resource/all/${id}`)).body
const TABLES = 101
const COLUMNS = Math.ceil(MAX_SYNCHRONOUS_DESCENDANTS / TABLES) + 1

/** A database with a schema and more columns than a request processes. */
const createLargeDatabase = async () => {
  const database = await app.createResource({ entity_type: 'database', title: 'big' })
  const schema = await app.createResource({ entity_type: 'schema', title: 'public', parent: database.id })
  await sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, database, schema, parent)
    select gen_random_uuid(), now(), now(), 1, 'table', 't' || i, 'T' || i, 'big.public.t' || i, 'big', 'public', ${schema.id}::uuid from generate_series(1, ${TABLES}::int) i
  `.execute(app.db)
  await sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, database, schema, parent)
    select gen_random_uuid(), now(), now(), 1, 'column', 'c' || i, 'C' || i, t.title_full || '.c' || i, 'big', 'public', t.id
    from resources t cross join generate_series(1, ${COLUMNS}::int) i where t.parent = ${schema.id}::uuid
  `.execute(app.db)
  await sql`
    insert into activities (id, activity_type, performer_type, resource_id, resource_type, version, changes, logged_at)
    select gen_random_uuid(), 'resource_created', 'SYSTEM', r.id, r.entity_type, 1,
      jsonb_build_array(jsonb_build_object('field', 'title', 'from', null, 'to', r.title), jsonb_build_object('field', 'entity_type', 'from', null, 'to', r.entity_type)), now()
    from resources r where not exists (select from activities a where a.resource_id = r.id)
  `.execute(app.db)
  return { database: database.id, schema: schema.id, all: 1 + TABLES + TABLES * COLUMNS }
}

/** Returns the queued jobs and removes them from the queue. */
const takeQueuedJobs = async (): Promise<{ job_id: string; payload: unknown; max_attempts: number }[]> => {
  const { rows } = await sql<{ payload: { job_id: string; payload: unknown }; max_attempts: number }>`
    delete from graphile_worker._private_jobs j using graphile_worker._private_tasks t
    where t.id = j.task_id and t.identifier = 'run_long_job' returning j.payload, j.max_attempts
  `.execute(app.db)
  return rows.map(({ payload, max_attempts }) => ({ ...payload, max_attempts }))
}
const countPaths = async (like: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from resources where title_full like ${like}`.execute(app.db)
  return rows[0]!.n
}

test('renames the root of a large tree immediately and its descendants in the background, even after a crash', async () => {
  const { database, schema, all } = await createLargeDatabase()
  const response = await app.call('PATCH', `/resource/all/${database}`, { body: { title: 'huge' } })
  expect([response.status, response.body.title_full]).toEqual([200, 'huge'])
  expect(await countPaths('huge.%')).toBe(0)
  const [job, ...others] = await takeQueuedJobs()
  expect(others).toEqual([])
  expect((await app.call('GET', `/background_jobs/${job!.job_id}`)).body).toMatchObject({
    title: 'Update the paths below huge',
    status: 'PENDING',
  })
  await expect(
    JOB_HANDLERS.get('update_paths')!(app.ctx, job!.payload, async (progress) => {
      if (progress > 30) throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  const sofar = await countPaths('huge.%')
  expect(sofar).toBeGreaterThan(2000)
  expect(sofar).toBeLessThan(all)
  await runJob(app.ctx, JOB_HANDLERS, job!.job_id, job!.payload, true)
  expect(await countPaths('huge.%')).toBe(all)
  expect((await app.call('GET', `/background_jobs/${job!.job_id}`)).body).toMatchObject({ status: 'COMPLETED', progress: 100 })
  expect((await read(schema)).title_full).toBe('huge.public')

  const other = await app.createResource({ entity_type: 'database', title: 'other' })
  const editor = await app.createUser('editor')
  const moved = await app.call('PATCH', `/resource/all/${schema}`, { body: { parent: other.id }, token: editor.token })
  expect(moved.body.title_full).toBe('other.public')
  const [move] = await takeQueuedJobs()
  // The job is retried for days, even if the user who started it was deleted.
  await app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', editor.id).execute()
  await runJob(app.ctx, JOB_HANDLERS, move!.job_id, move!.payload, true)
  expect(await countPaths('other.%')).toBe(all)
  expect(move!.max_attempts).toBe(25)

  const deletion = await app.call('DELETE', `/resource/all/${schema}`)
  expect([deletion.status, deletion.body.status]).toEqual([202, 'PENDING'])
  expect((await read(schema)).children_count).toBe(TABLES)
  const [removal] = await takeQueuedJobs()
  await expect(
    JOB_HANDLERS.get('remove_resource')!(app.ctx, removal!.payload, async (progress) => {
      if (progress > 50) throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await countPaths('other.%')).toBe(all) // all or nothing
  const seen: number[] = []
  await JOB_HANDLERS.get('remove_resource')!(app.ctx, removal!.payload, async (progress) => void seen.push(Math.round(progress)))
  expect(seen.length).toBeGreaterThan(2)
  expect(await countPaths('other%')).toBe(1)
  expect((await read(other.id)).children_count).toBe(0)
  const { rows } = await sql<{
    n: number
  }>`select count(*) as n from activities where activity_type = 'resource_deleted' and version = 2`.execute(app.db)
  expect(rows[0]!.n).toBe(all - 1)
  await JOB_HANDLERS.get('remove_resource')!(app.ctx, removal!.payload, async () => {}) // repeating it does no harm

  const restoring = await app.call('POST', `/resource/all/${schema}/restore`, { body: {} })
  expect([restoring.status, restoring.body.status]).toEqual([202, 'PENDING'])
  const [restoration] = await takeQueuedJobs()
  await expect(
    JOB_HANDLERS.get('restore_resource')!(app.ctx, restoration!.payload, async (progress) => {
      if (progress > 50) throw new Error('killed')
    }),
  ).rejects.toThrow('killed')
  expect(await countPaths('other%')).toBe(1)
  await runJob(app.ctx, JOB_HANDLERS, restoration!.job_id, restoration!.payload, true)
  expect((await app.call('GET', `/background_jobs/${restoration!.job_id}`)).body).toMatchObject({ status: 'COMPLETED', progress: 100 })
  expect(await countPaths('other.%')).toBe(all)
  expect((await read(schema)).children_count).toBe(TABLES)
})

test('deletes a property with very many values in the background', async () => {
  const { body: property } = await app.call('POST', '/resource/all_v2/custom_properties/', {
    body: { name: `p${newId()}`, value_type: 'string' },
  })
  await sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full)
    select gen_random_uuid(), now(), now(), 1, 'document', 'd' || i, 'd' || i, 'd' || i from generate_series(1, ${MAX_SYNCHRONOUS_DESCENDANTS + 1}::int) i
  `.execute(app.db)
  await sql`
    insert into property_values (resource_id, property_id, updated_at, value) select r.id, ${property.id}::uuid, now(), 'x' from resources r where r.entity_type = 'document'
  `.execute(app.db)
  const at = `/resource/all_v2/custom_properties/${property.id}`
  const response = await app.call('DELETE', at)
  expect([response.status, response.body.status]).toEqual([202, 'PENDING'])
  const [job] = await takeQueuedJobs()
  await runJob(app.ctx, JOB_HANDLERS, job!.job_id, job!.payload, true)
  expect((await app.call('GET', at)).status).toBe(404)
  expect((await app.call('GET', `/background_jobs/${job!.job_id}`)).body).toMatchObject({
    status: 'COMPLETED',
    logs: expect.stringContaining('10,001 values'),
  })
  const { rows } = await sql<{ n: number }>`select count(*) as n from activities where activity_type = 'property_cleared'`.execute(app.db)
  expect(rows[0]!.n).toBe(MAX_SYNCHRONOUS_DESCENDANTS + 1)
})

test('locks the children of one parent in pages', async () => {
  const { id } = await app.createResource({ entity_type: 'table', title: 'wide' })
  await sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, parent)
    select gen_random_uuid(), now(), now(), 1, 'column', 'c' || i, 'C' || i, 'wide.c' || i, ${id}::uuid from generate_series(1, 5001) i
  `.execute(app.db)
  const seen: number[] = []
  await JOB_HANDLERS.get('remove_resource')!(app.ctx, { id }, async (progress) => void seen.push(progress))
  // The start, the table and two pages of its columns.
  expect(seen.filter((progress) => progress === 0)).toHaveLength(4)
  expect(await countPaths('wide%')).toBe(0)
})
