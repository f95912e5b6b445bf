import { expect, test } from 'vitest'
import { createDbtProject, toMultipartForm } from '../support/dbt.ts'
import { createDataset, createOpenLineageEvent, FACETS, LAKE } from '../support/openlineage.ts'
import { createTestIntegration, interruptSync, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Reports (metadata sent to an integration that everybody sees) by an editor from whom some of its resources are hidden. */

const URN = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.public.orders,PROD)'
const VISIBLE = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.public.visits,PROD)'
const describeInDatahub = (description: string, urn = URN) => [
  { entityType: 'dataset', entityUrn: urn, changeType: 'UPSERT', aspectName: 'datasetProperties', aspect: { json: { description } } },
]
const removeInDatahub = [{ entityType: 'dataset', entityUrn: URN, changeType: 'DELETE' }]

const describeInOpenLineage = (description: string) =>
  createOpenLineageEvent({
    outputs: [createDataset(LAKE, 'orders', { ...FACETS.documentation(description), ...FACETS.schema([{ name: 'id' }]) })],
  })

const createProject = (description: string) => {
  const { manifest } = createDbtProject()
  const json = JSON.parse(JSON.stringify(manifest))
  json.nodes['seed.shop.raw_customers'].description = description
  return toMultipartForm({ 'manifest.json': json })
}

const createLog = (sql: string) => ({
  headers: { 'content-type': 'multipart/form-data; boundary=log' },
  body: `--log\r\ncontent-disposition: form-data; name="file"; filename="history.csv"\r\n\r\nsql,started\n"${sql}",2026-01-01 10:00:00\n\r\n--log--\r\n`,
})

const CSV = { headers: { 'content-type': 'text/csv' } }
const createCsv = (description: string) => ({ ...CSV, body: `databuilder_id,entity_type,title,description\na,table,a,${description}\n` })

/** Each way to send metadata to an integration, and a resource of it. */
const INTAKES: Record<string, (app: TestApp) => Promise<{ path: string; send: (text: string) => object; title: string; sync?: string }>> = {
  openlineage: async () => ({ path: '/lineage', send: (text) => ({ body: describeInOpenLineage(text) }), title: 'orders' }),
  datahub: async (app) => {
    const id = await createTestIntegration(app, 'datahub', {})
    const path = `/integration/datahub/events?integration=${id}`
    return { path, send: (text) => ({ body: describeInDatahub(text) }), title: 'orders', sync: id }
  },
  dbt: async (app) => {
    const id = await createTestIntegration(app, 'dbt', {})
    return { path: `/integration/dbt/${id}/upload_artifacts/`, send: createProject, title: 'raw_customers', sync: id }
  },
  'query log': async (app) => {
    const id = await createTestIntegration(app, 'query_log', {})
    const send = (text: string) => createLog(`select 1 as orders /* ${text} */`)
    return { path: `/integration/query_log/${id}/upload`, send, title: '', sync: id }
  },
  import: async (app) => {
    const id = await createTestIntegration(app, 'custom', {})
    return { path: `/integration/integrations/${id}/import_metadata/`, send: createCsv, title: 'a' }
  },
}

const findByTitle = async (app: TestApp, title: string) => {
  const where = title ? { operator: 'exact', field: 'title', value: title } : { operator: 'exact', field: 'entity_type', value: 'query' }
  const { body } = await app.call('GET', `/resource/catalog?filter=${encodeURIComponent(JSON.stringify(where))}`)
  const found = body.results.filter(({ entity_type }: { entity_type: string }) => ['table', 'query'].includes(entity_type))
  expect([title, found.length]).toEqual([title, 1])
  return found[0]
}

test.for(Object.entries(INTAKES))('a report in %s cannot change what is hidden from its sender', async ([, create]) => {
  await using app = await createTestApp()
  const team = await app.createTeam(true)
  const { path, send, title, sync } = await create(app)
  const report = async (text: string, token?: string) => {
    const { status } = await app.call('POST', path, { ...send(text), ...(token ? { token } : {}) })
    if (sync) await runSync(app, sync)
    return status < 300 ? 'accepted' : status
  }
  expect(await report('First.')).toBe('accepted')
  const resource = await findByTitle(app, title)
  await app.call('PATCH', `/resource/all/${resource.id}`, { body: { teams: [team] } })
  const [outside, member] = [await app.createUser('editor'), await app.createUser('editor', { teams: [team] })]
  const before = (await app.call('GET', `/resource/all/${resource.id}`)).body
  expect(await report('Overwritten.', outside.token)).toBe(path.includes('import_metadata') ? 400 : 403)
  if (path.includes('datahub')) expect((await app.call('POST', path, { body: removeInDatahub, token: outside.token })).status).toBe(403)
  expect((await app.call('GET', `/resource/all/${resource.id}`)).body).toEqual(before)
  expect(await report('Second.', member.token)).toBe('accepted')
})

test('what a sender may not see of other integrations does not exist for what was sent, and is described for those who see it', async () => {
  await using app = await createTestApp()
  const team = await app.createTeam(true)
  const outside = await app.createUser('editor')
  const warehouse = await createTestIntegration(app, 'custom', {}, { name: 'Warehouse' })
  const create = (title: string, entity_type: string, more: object = {}) =>
    app.createResource({ title, entity_type, integration: warehouse, ...more })
  const { id: database } = await create('shop', 'database')
  const { id: schema } = await create('public', 'schema', { parent: database })
  const orders = await create('orders', 'table', { parent: schema, teams: [team] })
  await create('visits', 'table', { parent: schema })
  const read = async () => (await app.call('GET', `/resource/all/${orders.id}`)).body
  const lineage = async (id = orders.id) =>
    (await app.call('GET', `/lineage/graph?resource_id=${id}&direction=BOTH&level=table`)).body.edges.length

  const pipelines = [await createTestIntegration(app, 'datahub', {}), await createTestIntegration(app, 'datahub', {})]
  const tagged = [
    {
      ...describeInDatahub('')[0],
      aspectName: 'ownership',
      aspect: { json: { owners: [{ owner: `urn:li:corpuser:editor-${outside.id}@example.com` }] } },
    },
    {
      ...describeInDatahub('', VISIBLE)[0],
      aspectName: 'upstreamLineage',
      aspect: { json: { upstreams: [{ dataset: URN, type: 'TRANSFORMED' }] } },
    },
  ]
  const post = async (id: string, body: object, token?: string) =>
    (await app.call('POST', `/integration/datahub/events?integration=${id}`, { body, ...(token ? { token } : {}) })).status
  const send = async (id: string, token?: string) => {
    const status = await post(id, tagged, token)
    await runSync(app, id)
    return status
  }
  expect(await send(pipelines[0]!)).toBe(200)
  const described = await read()
  expect([described.owners, await lineage()]).toEqual([[outside.id], 1])
  // Rejected, because the next sync would withdraw what was reported about the hidden table.
  expect(await send(pipelines[0]!, outside.token)).toBe(403)
  await app.call('PATCH', `/resource/all/${orders.id}`, { body: { owners: null } })
  const before = await read()
  expect(await send(pipelines[1]!, outside.token)).toBe(200)
  expect([await read(), await lineage()]).toEqual([before, 1])

  // Nor if it arrives while a sync is running, which began with what others had sent.
  const payments = await create('payments', 'table', { parent: schema, teams: [team] })
  const pipeline = await createTestIntegration(app, 'datahub', {})
  await post(pipeline, describeInDatahub('Visits of the shop.', VISIBLE))
  const upstreams = [{ dataset: URN.replace('orders', 'payments'), type: 'TRANSFORMED' }]
  const flow = { ...describeInDatahub('', VISIBLE)[0], aspectName: 'upstreamLineage', aspect: { json: { upstreams } } }
  const statuses: number[] = []
  const interrupted = interruptSync(app, async () => {
    if (statuses.length === 0) statuses.push(await post(pipeline, [flow], outside.token))
  })
  const { error } = await runSync(interrupted, pipeline)
  expect([statuses, await lineage(payments.id), error]).toEqual([[200], 0, expect.stringContaining('The sync starts again.')])
  expect([(await runSync(app, pipeline)).status, await lineage(payments.id)]).toEqual(['COMPLETED', 0])

  const upload = async (token?: string) => {
    const log = await createTestIntegration(app, 'query_log', { database: 'shop', schema: 'public', warehouse })
    const statement = 'create table visits as select * from orders where id > 1'
    const { status } = await app.call('POST', `/integration/query_log/${log}/upload`, {
      ...createLog(statement),
      ...(token ? { token } : {}),
    })
    await runSync(app, log)
    return [status, await lineage(), (await app.call('GET', `/resource/all/${orders.id}/queries`)).body.count]
  }
  expect([await upload(outside.token), await upload()]).toEqual([
    [200, 1, 0],
    [200, 1, 1],
  ])
})
