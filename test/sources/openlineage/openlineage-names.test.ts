import { expect, test } from 'vitest'
import { createDataset, createOpenLineageEvent, FACETS } from '../../support/openlineage.ts'
import { createTestIntegration } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/** Names of datasets as clients write them for systems whose tables other integrations bring. */
const createTable = async (app: TestApp, integration: string, ...path: readonly string[]): Promise<string> => {
  let parent: string | undefined
  for (const [i, title] of path.entries()) {
    const entity_type = i === path.length - 1 ? 'table' : i === 0 ? 'database' : 'schema'
    const { id } = await app.createResource({ title, entity_type, integration, ...(parent ? { parent } : {}) })
    parent = id
  }
  return parent!
}

/** The IDs of the outputs of a job, as its edges have them. */
const findOutputs = async (app: TestApp, name: string, ...outputs: readonly object[]): Promise<string[]> => {
  const event = createOpenLineageEvent({ name, inputs: [createDataset('s3://lake', 'raw')], outputs })
  expect((await app.call('POST', '/lineage', { body: event })).status).toBe(201)
  const { body } = await app.call('GET', `/resource/catalog?search_term=${name}&entity_type=job`)
  const { body: runs } = await app.call('GET', `/resource/all/${body.results[0].id}/runs`)
  return runs.results.flatMap(({ outputs }: { outputs: { id: string }[] }) => outputs.map(({ id }) => id))
}

test('datasets of Unity Catalog are the tables of the integration with that address', async () => {
  await using app = await createTestApp()
  const unity = (url: string) => createTestIntegration(app, 'unity_catalog', { url }, { name: url })
  const orders = await createTable(app, await unity('https://dbc-1.cloud.databricks.com'), 'shop', 'sales', 'orders')
  const other = await createTable(app, await unity('http://uc.example.com:8080/'), 'shop', 'sales', 'orders')
  const found = (name: string, namespace: string) => findOutputs(app, name, createDataset(namespace, 'shop.sales.orders'))
  expect(await found('spark', 'unitycatalog://dbc-1.cloud.databricks.com')).toEqual([orders])
  expect(await found('port', 'unitycatalog://DBC-1.cloud.databricks.com:443')).toEqual([orders])
  expect(await found('client', 'databricks://dbc-1.cloud.databricks.com')).toEqual([orders])
  expect(await found('open', 'unitycatalog://uc.example.com:8080')).toEqual([other])
  // Another server, and a name that could be either.
  for (const [name, namespace] of [
    ['elsewhere', 'unitycatalog://elsewhere.example.com'],
    ['otherport', 'unitycatalog://uc.example.com:9090'],
    ['nowhere', 'databricks'],
  ] as const) {
    const outputs = await found(name, namespace)
    expect([name, outputs.length, outputs.includes(orders), outputs.includes(other)]).toEqual([name, 1, false, false])
  }
  // Tables that are named by their files have the name in the catalog as a symlink.
  const symlink = FACETS.symlinks('unitycatalog://dbc-1.cloud.databricks.com', 'shop.sales.orders')
  expect(await findOutputs(app, 'files', createDataset('s3://lake', 'sales/orders', symlink))).toEqual([orders])
})

test('datasets of a Hive metastore are the tables of the integration that reads it', async () => {
  await using app = await createTestApp()
  const credentials = { engine: 'postgres', host: 'db.example.com', database: 'metastore', user: 'reader', password: 'correct horse' }
  const hive = await createTestIntegration(app, 'hive', credentials, { name: 'Hive' })
  const orders = await createTable(app, hive, 'sales', 'orders')
  // The same names in a database that is no metastore.
  const postgres = await createTestIntegration(app, 'postgres', { ...credentials, engine: undefined }, { name: 'Postgres' })
  await createTable(app, postgres, 'sales', 'orders')
  expect(await findOutputs(app, 'spark', createDataset('hive://metastore.example.com:9083', 'sales.orders'))).toEqual([orders])
  expect(
    await findOutputs(
      app,
      'files',
      createDataset('hdfs://lake', '/sales/orders', FACETS.symlinks('hive://metastore:9083', 'sales.orders')),
    ),
  ).toEqual([orders])
  const [unknown] = await findOutputs(app, 'other', createDataset('hive://metastore.example.com:9083', 'other.orders'))
  expect(unknown).not.toBe(orders)
})
