import type { AddressInfo } from 'node:net'
import dynalite from 'dynalite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Recording, startReplay } from '../../../connector/src/replay.ts'
import { AwsClient } from '../../../src/sources/connectors/aws/aws-client.ts'
import { dynamodb } from '../../../src/sources/connectors/dynamodb/dynamodb.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, findByKey, listColumnTypes } from '../../support/connectors.ts'
import { createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const server = dynalite({ createTableMs: 0 })
const settings = () => ({
  region: 'eu-central-1',
  access_key_id: 'reader',
  secret_access_key: 'correct-horse',
  url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  sample_size: 100,
})

const createClient = () => {
  const context = {
    settings: settings(),
    allowedHosts: ['127.0.0.1'],
    state: undefined,
    versions: new Map(),
    log: async () => {},
    progress: async () => {},
  }
  return new AwsClient({ service: 'dynamodb', label: 'DynamoDB', target: 'DynamoDB_20120810', jsonVersion: '1.0' }, context)
}

beforeAll(async () => {
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done)
  })
  const client = createClient()
  for (const TableName of ['orders', 'tmp_x'])
    await client.call('CreateTable', {
      TableName,
      KeySchema: [
        { AttributeName: 'customer', KeyType: 'HASH' },
        { AttributeName: 'at', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'customer', AttributeType: 'S' },
        { AttributeName: 'at', AttributeType: 'N' },
      ],
      BillingMode: 'PAY_PER_REQUEST',
    })
  const put = (Item: object) => client.call('PutItem', { TableName: 'orders', Item })
  await put({ customer: { S: 'ada' }, at: { N: '1' }, price: { N: '3' }, address: { M: { city: { S: 'Bern' } } } })
  await put({ customer: { S: 'bob' }, at: { N: '2' }, price: { S: '3' }, lines: { L: [{ M: { sku: { S: 'x' } } }] } })
})
afterAll(() => void server.close())

test('tables are synced with their keys and sampled attributes', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const id = await createTestIntegration(app, 'dynamodb', { ...settings(), exclude: 'tmp_*' })
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe(
    'Connected to DynamoDB in eu-central-1: 2 tables.',
  )
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: { database: 1, table: 1, column: 7 } } })
  expect(await findByKey(app, id, 'region.orders')).toMatchObject({ title: 'orders', native_type: 'table' })
  expect(await findByKey(app, id, 'region.orders.customer')).toMatchObject({ native_type: 'string', is_pk: true })
  expect(await findByKey(app, id, 'region.orders.price')).toMatchObject({ native_type: 'number | string', is_pk: false })
  await expectNoChanges(app, id, { database: 1, table: 1, column: 7 })
})

test('dynalite answers as AWS describes DynamoDB', async () => {
  const check = checkAgainst('dynamodb')
  const client = createClient()
  const table = { TableName: 'orders' }
  for (const [operation, request] of Object.entries({ ListTables: { Limit: 100 }, DescribeTable: table, Scan: { ...table, Limit: 100 } })) {
    const { value } = await client.call(operation, request)
    const body = structuredClone(value) as { Table?: { TableThroughputModeSummary?: object } }
    delete body.Table?.TableThroughputModeSummary // the only field that AWS does not describe
    const headers = { 'x-amz-target': `DynamoDB_20120810.${operation}` }
    expect(check({ method: 'POST', path: '/', status: 200, body, query: {}, request, requestHeaders: headers })).toBeUndefined()
  }
})

test('what the sample has, and what is known without one', async () => {
  const found = await discoverAll(dynamodb, settings())
  expect(listColumnTypes(found, 'region.orders').sort()).toEqual([
    'address.city: string',
    'address: map',
    'at: number',
    'customer: string',
    'lines.sku: string',
    'lines: list<map>',
    'price: number | string',
  ])
  const keys = await discoverAll(dynamodb, { ...settings(), sample_size: 0 })
  expect(listColumnTypes(keys, 'region.orders')).toEqual(['customer: string', 'at: number'])
  expect(keys).toContainEqual(expect.objectContaining({ type: 'unlisted', key: 'region.orders' }))
})

test('faults of the service', async () => {
  const keys = {
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  }
  const table = { Table: { ...keys, TableName: 'orders', TableStatus: 'ACTIVE', ItemCount: 0, TableSizeBytes: 0 } }
  /** The operations are expected in this order, those that fail and are tried again among them. */
  const discover = async (answers: readonly { status?: number; body: object }[]) => {
    const faults = answers.flatMap(({ status, body }, i) => (status ? [{ status, body, after: i, times: 1 }] : []))
    const left = answers.filter(({ status }) => !status)
    const recording = (operation: string): Recording => ({
      ...{ method: 'POST', path: '/', query: {}, requestHeaders: { 'x-amz-target': `DynamoDB_20120810.${operation}` } },
      body: () => left.shift()?.body,
    })
    await using replay = await startReplay(
      { recordings: ['ListTables', 'DescribeTable', 'Scan'].map(recording), checkAnswer: checkAgainst('dynamodb') },
      faults,
    )
    const found = await discoverAll(dynamodb, { ...settings(), url: replay.url })
    expect(replay.problems).toEqual([])
    return found
  }
  const names = { body: { TableNames: ['orders'] } }
  const error = (status: number, type: string) => ({
    status,
    body: { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'secret' },
  })
  const all = await discover([names, { body: table }, { body: { Items: [] } }])
  expect(listColumnTypes(all, 'region.orders')).toEqual(['id: string'])
  expect(await discover([names, error(400, 'ThrottlingException'), { body: table }, { body: { Items: [] } }])).toEqual(all)
  expect(await discover([names, error(500, 'InternalServerError'), { body: table }, { body: { Items: [] } }])).toEqual(all)
  const denied = await discover([names, error(400, 'AccessDeniedException')])
  expect(denied).toContainEqual({
    type: 'unlisted',
    key: 'region.orders',
    reason: 'DynamoDB: DescribeTable failed (AccessDeniedException). What is known of orders stays as it is.',
  })
  expect((await discover([names, error(400, 'ResourceNotFoundException')])).map(({ type }) => type)).toEqual(['item'])
  await expect(discover([names, error(400, 'ExpiredTokenException')])).rejects.toThrow(
    'DynamoDB: DescribeTable failed (ExpiredTokenException).',
  )
  await expect(discover([names, { body: { Table: {} } }, { body: { Items: [] } }])).rejects.toThrow(
    'DescribeTable: `Table.KeySchema` must be a list, but is missing.',
  )
  const page = { body: { TableNames: ['a'], LastEvaluatedTableName: 'a' } }
  await expect(discover([page, page])).rejects.toThrow('DynamoDB: ListTables repeats the same page.')
})

test('a table that may not be scanned does not keep others from being sampled', async () => {
  const call = (operation: string, request: object, body: object, status = 200): Recording => ({
    ...{ method: 'POST', path: '/', request: { ...request }, body, status },
    requestHeaders: { 'x-amz-target': `DynamoDB_20120810.${operation}` },
  })
  const describe = (TableName: string) => {
    const keys = {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    }
    return call('DescribeTable', { TableName }, { Table: { TableName, ...keys } })
  }
  const names = ['a', 'b', 'c', 'd', 'e', 'z']
  const denied = { __type: 'com.amazon.coral.service#AccessDeniedException', Message: 'no' }
  await using replay = await startReplay({
    recordings: [
      call('ListTables', {}, { TableNames: names }),
      ...names.map(describe),
      ...names.slice(0, -1).map((TableName) => call('Scan', { TableName }, denied, 400)),
      call('Scan', { TableName: 'z' }, { Items: [{ id: { S: 'x' }, price: { N: '3' } }] }),
    ],
    checkAnswer: checkAgainst('dynamodb'),
  })
  const found = await discoverAll(dynamodb, { ...settings(), url: replay.url })
  expect(replay.problems).toEqual([])
  expect(listColumnTypes(found, 'region.z')).toEqual(['id: string', 'price: number'])
  expect(listColumnTypes(found, 'region.a')).toEqual(['id: string'])
  expect(found.flatMap((each) => (each.type === 'unlisted' ? each.key : []))).toEqual(names.slice(0, -1).map((name) => `region.${name}`))
})
