import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { glue } from '../../../src/sources/connectors/glue/glue.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, findByKey, listColumnTypes, listUpstream } from '../../support/connectors.ts'
import { createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** Answers written by hand and validated against the description of AWS Glue; no recordings of the service are available. */
const presto = Buffer.from(JSON.stringify({ originalSql: 'select city, price from orders', catalog: 'awsdatacatalog', schema: 'shop' }))
const TABLES = [
  {
    Name: 'orders',
    DatabaseName: 'shop',
    Description: 'All orders.',
    TableType: 'EXTERNAL_TABLE',
    UpdateTime: 1_775_000_000.5,
    Parameters: { classification: 'parquet', recordCount: '42', table_type: 'ICEBERG' },
    PartitionKeys: [{ Name: 'day', Type: 'date' }],
    StorageDescriptor: {
      Location: 's3://shop/orders/',
      Columns: [
        { Name: 'city', Type: 'string', Comment: 'Where to.' },
        { Name: 'price', Type: 'decimal(10,2)' },
        { Name: 'lines', Type: 'array<struct<sku:string,size:struct<cm:int>>>' },
      ],
    },
  },
  {
    Name: 'cities',
    DatabaseName: 'shop',
    TableType: 'VIRTUAL_VIEW',
    ViewOriginalText: `/* Presto View: ${presto.toString('base64')} */`,
    StorageDescriptor: { Columns: [{ Name: 'city', Type: 'string' }] },
  },
]

/** Two pages of tables. AWS names the operation in a header. */
const createCassette = (tables: readonly object[]): Cassette => {
  const call = (operation: string, request: object, body: object): Recording => ({
    ...{ method: 'POST', path: '/', request: { ...request, MaxResults: 100 }, body },
    requestHeaders: {
      authorization:
        /^AWS4-HMAC-SHA256 Credential=reader\/\d{8}\/eu-central-1\/glue\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/,
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `AWSGlue.${operation}`,
    },
  })
  return {
    recordings: [
      call('GetDatabases', {}, { DatabaseList: [{ Name: 'shop', Description: 'The shop.' }] }),
      call('GetTables', { DatabaseName: 'shop', NextToken: 'second' }, { TableList: tables.slice(1) }),
      call('GetTables', { DatabaseName: 'shop' }, { TableList: tables.slice(0, 1), NextToken: 'second' }),
    ],
    checkAnswer: checkAgainst('glue'),
  }
}

const settings = (url: string) => ({ region: 'eu-central-1', access_key_id: 'reader', secret_access_key: 'correct-horse', url })

test('databases and tables are synced with partitions, nested columns and lineage of views', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using replay = await startReplay(createCassette(TABLES))
  const id = await createTestIntegration(app, 'glue', settings(replay.url))
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe(
    'Connected to AWS Glue in eu-central-1: 1 databases.',
  )
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: { database: 1, table: 2, column: 8 } } })
  expect(replay.problems).toEqual([])
  expect(await findByKey(app, id, 'shop.orders')).toMatchObject({
    native_type: 'iceberg table',
    description: 'All orders.',
    row_count: 42,
    display_metadata: { location: 's3://shop/orders/', partitioned_by: ['day'] },
  })
  expect(await findByKey(app, id, 'shop.orders.day')).toMatchObject({ native_type: 'date', display_metadata: { partition_key: true } })
  expect(await listUpstream(app, (await findByKey(app, id, 'shop.cities')).id, 'table')).toEqual(['orders'])
  await expectNoChanges(app, id, { database: 1, table: 2, column: 8 })
})

test('faults of the service', async () => {
  await expectFaultsHandled(glue, createCassette(TABLES), settings)
  const discover = async (faults: readonly Fault[] = [], cassette = createCassette(TABLES)) => {
    await using replay = await startReplay(cassette, faults)
    return await discoverAll(glue, settings(replay.url))
  }
  const all = await discover()
  expect(listColumnTypes(all, 'shop.orders')).toEqual([
    'city: string',
    'price: decimal(10,2)',
    'lines: array<struct<sku:string,size:struct<cm:int>>>',
    'lines.sku: string',
    'lines.size: struct<cm:int>',
    'lines.size.cm: int',
    'day: date',
  ])
  const error = (type: string, after: number, times = 1) => ({ status: 400, body: { __type: type, Message: 'secret' }, after, times })
  expect(await discover([error('ThrottlingException', 1)])).toEqual(all)
  expect(await discover([{ status: 500, headers: { 'retry-after': '0' }, after: 2, times: 1 }])).toEqual(all)
  await expect(discover([error('ExpiredTokenException', 2)])).rejects.toThrow('AWS Glue: GetTables failed (ExpiredTokenException).')
  await expect(discover([{ status: 403, after: 2 }])).rejects.toThrow(/was rejected \(403\)/)
  expect(await discover([error('AccessDeniedException', 1)])).toContainEqual(expect.objectContaining({ type: 'unlisted', key: 'shop' }))
  expect((await discover([error('EntityNotFoundException', 1)])).map(({ type }) => type)).toEqual(['item'])
  const renamed = { ...createCassette([{ TableName: 'orders' }]), checkAnswer: undefined }
  await expect(discover([], renamed)).rejects.toThrow('GetTables: `TableList[0].Name` must be text, but is missing.')
  await expect(discoverAll(glue, { ...settings('http://127.0.0.1:1'), region: 'x.evil.example' })).rejects.toThrow('The region must be')
})
