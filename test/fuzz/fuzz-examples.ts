import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { JOB_HANDLERS } from '../../src/app/tasks.ts'
import { ENTITY_TYPES } from '../../src/catalog/entity-types/entity-types.ts'
import { runJob } from '../../src/platform/jobs/run.ts'
import type { TestApp } from '../support/test-app.ts'
import { importLines } from '../support/transfer.ts'
import type { FuzzIds } from './fuzz-ids.ts'

/** Records that random requests do not produce, and the paths that need them. */
export const createFuzzExamples = async (app: TestApp, ids: FuzzIds, filesFolder: string): Promise<void> => {
  for (const entity_type of ENTITY_TYPES) ids.everywhere.push((await app.createResource({ entity_type, title: entity_type })).id)
  await createMeasured(app, ids)
  await createDiscussed(app, ids)
  await createValues(app, ids)
  await createChanged(app, ids)
  await createImports(app, ids)
  await createShared(app, ids)
  await createTermSuggestions(app, ids)
  await createSource(app, ids, filesFolder)
}

const must = async (app: TestApp, method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
  const response = await app.call(method, path, { body, ...(headers ? { headers } : {}) })
  if (response.status >= 300) throw new Error(`${method} ${path}: ${response.status} ${response.text}`)
  return response
}

/** Creates with POST, and the fuzzer knows of it. */
const create = async (app: TestApp, ids: FuzzIds, path: string, body: unknown) => {
  const response = await must(app, 'POST', path, body)
  ids.learn({ method: 'post', path: `/api/v1${path}`, parameters: [], open: false }, response)
  return response.body
}

const several = async <T>(n: number, make: (i: number) => Promise<T>): Promise<T[]> => {
  const made: T[] = []
  for (let i = 0; i < n; i += 1) made.push(await make(i))
  return made
}

/** A monitor with a measurement outside its limits, and so an incident. */
const createMeasured = async (app: TestApp, ids: FuzzIds): Promise<void> => {
  const { id: target } = await app.createResource({ entity_type: 'table', title: 'measured' })
  const limits = { condition_manual_min: 0, condition_manual_max: 1, condition_auto_sensitivity: null }
  const monitor = await create(app, ids, '/monitor/monitors', { target, metric_type: 'pushed', ...limits })
  const { results } = await create(app, ids, '/monitor/measurements', { measurements: [{ monitor: monitor.id, value: 7 }] })
  const [{ id: measurement, incident }] = results
  ids.prefer('/monitor/measurements', { monitor: [monitor.id] })
  ids.prefer('/monitor/measurements/{measurement_id}', { measurement_id: [measurement] })
  ids.prefer('/notification/explanation/incident/{incident_id}', { incident_id: [incident] })
}

/** Comments, attachments and shared views. */
const createDiscussed = async (app: TestApp, ids: FuzzIds): Promise<void> => {
  const { id: resource_id } = await app.createResource({ entity_type: 'table', title: 'discussed' })
  const comments = await several(6, (i) => create(app, ids, '/comments', { resource_id, text: `Question ${i}?` }))
  const threads = comments.map(({ id }) => id)
  ids.prefer('/comments', { resource_id: [resource_id], thread_id: threads })
  ids.prefer('/comments/{comment_id}', { comment_id: threads })
  ids.prefer('/comments/{comment_id}/reactions/{reaction}', { comment_id: threads })
  const attachments = await several(6, async (i) => {
    const path = `/resource/all/${resource_id}/attachments?name=note${i}.txt`
    return (await must(app, 'POST', path, Buffer.from(`note ${i}`), { 'content-type': 'application/octet-stream' })).body.id as string
  })
  ids.prefer('/attachment/{attachment_id}', { attachment_id: attachments })
  const views = await several(3, (i) => create(app, ids, '/view', { name: `view ${i}`, query: 'type=table', shared: true }))
  for (const path of ['/view/{view_id}', '/view/{view_id}/pin']) ids.prefer(path, { view_id: views.map(({ id }) => id) })
}

/** A custom property of any text, with values. It is not listed among what was created, so nothing deletes it. */
const createValues = async (app: TestApp, ids: FuzzIds): Promise<void> => {
  const path = '/resource/all_v2/custom_properties'
  const { id: property } = (await must(app, 'POST', `${path}/`, { name: 'Tier', value_type: 'string' })).body
  const resources = await several(6, async (i) => (await app.createResource({ entity_type: 'table', title: `valued ${i}` })).id)
  for (const id of resources) await must(app, 'PUT', `${path}/${property}/${id}`, { value: 'gold' })
  ids.prefer(`${path}/{custom_property_id}/{entity_id}`, { custom_property_id: [property], entity_id: resources })
  ids.prefer('/resource/all_v2/bulk_update/custom_properties', { entity_ids: resources, '': [property] })
}

/** Resources with two versions, and deleted ones. */
const createChanged = async (app: TestApp, ids: FuzzIds): Promise<void> => {
  const edited = await several(3, async (i) => {
    const { id } = await app.createResource({ entity_type: 'table', title: `edited ${i}` })
    await must(app, 'PATCH', `/resource/all/${id}`, { description: 'One row for each order.' })
    return id
  })
  for (const what of ['versions/compare', 'restore']) ids.prefer(`/resource/all/{resource_id}/${what}`, { resource_id: edited })
  const deleted = await several(4, async (i) => {
    const { id } = await app.createResource({ entity_type: 'table', title: `deleted ${i}` })
    await must(app, 'DELETE', `/resource/all/${id}`)
    return id
  })
  ids.prefer('/trash/{resource_id}', { resource_id: deleted })
}

/** Imports that can be undone. */
const createImports = async (app: TestApp, ids: FuzzIds): Promise<void> => {
  for (let i = 0; i < 3; i += 1) {
    const response = await importLines(app, [{ databuilder_id: `imported${i}`, entity_type: 'database', title: `imported ${i}` }])
    if (response.status !== 200) throw new Error(`import: ${response.status} ${response.text}`)
  }
  const { results } = (await must(app, 'GET', '/imports')).body
  ids.prefer('/imports/{import_id}/undo', { import_id: results.map(({ id }: { id: string }) => id) })
}

/** What may be shared, until a request turns it off. */
const createShared = async (app: TestApp, ids: FuzzIds): Promise<void> => {
  await must(app, 'PUT', '/sharing/settings', { embed_origins: ['https://wiki.example.com'], public_links: true, link_previews: true })
  const path = '/resource/all/{resource_id}'
  const of = async (entity_type: string) => [(await app.createResource({ entity_type, title: 'shared', published: true })).id]
  ids.prefer(`${path}/embed_link`, { resource_id: await of('table') })
  ids.prefer(`${path}/public_links`, { resource_id: [...(await of('document')), ...(await of('glossary'))] })
}

/** Tables that are named like a glossary term, which is therefore suggested for them. */
const createTermSuggestions = async (app: TestApp, ids: FuzzIds): Promise<void> => {
  const { id: term } = (await must(app, 'POST', '/glossary', { title: 'Loyalty points', published: true })).body
  const tables = await several(6, async () => (await app.createResource({ entity_type: 'table', title: 'loyalty_points' })).id)
  ids.prefer('/resource/all/{resource_id}/term_suggestions/{term_id}/dismiss', { resource_id: tables, term_id: [term] })
}

/** An integration with a source, and tables synced from it. It is not listed among what was created, so nothing changes it. */
const createSource = async (app: TestApp, ids: FuzzIds, filesFolder: string): Promise<void> => {
  const file = new DatabaseSync(join(filesFolder, 'shop.db'))
  for (const name of ['orders', 'items', 'customers']) file.exec(`create table ${name} (id integer primary key, note text)`)
  file.close()
  const body = { name: 'Shop', type: 'sqlite', credentials: { path: 'shop.db' }, preview_enabled: true }
  const { id: integration } = (await must(app, 'POST', '/integration/integrations', body)).body
  const { id: job } = (await must(app, 'POST', `/integration/integrations/${integration}/sync`)).body
  const { rows } = await sql<{ payload: object }>`
    select payload -> 'payload' as payload from graphile_worker._private_jobs where payload ->> 'job_id' = ${job}`.execute(app.db)
  await runJob(app.ctx, JOB_HANDLERS, job, rows[0]!.payload, true)
  const { rows: tables } = await sql<{ id: string }>`
    select id from resources where integration = ${integration} and entity_type = 'table'`.execute(app.db)
  const table = tables.map(({ id }) => id)
  for (const what of ['patterns', 'test', 'sync'])
    ids.prefer(`/integration/integrations/{integration_id}/${what}`, { integration_id: [integration] })
  for (const what of ['profile', 'profile/schedule']) ids.prefer(`/resource/all/{resource_id}/${what}`, { resource_id: table })
  ids.prefer('/resource/preview_v2/table/{table_id}', { table_id: table })
}
