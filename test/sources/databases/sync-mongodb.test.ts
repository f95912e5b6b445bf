import { Int32, Long, ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { mongodb } from '../../../src/sources/connectors/mongodb/mongodb.ts'
import { createMongoServer, type MongoCommand } from '../../protocols/mongodb.ts'
import { discoverAll, findByKey, listColumnTypes, listUpstream } from '../../support/connectors.ts'
import { createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const DOCUMENTS = [
  {
    _id: new ObjectId(),
    price: 3.5,
    address: { city: 'Bern', zip: new Int32(3000) },
    lines: [{ sku: 'x' }, { sku: 'y', n: Long.fromNumber(1) }],
  },
  { _id: new ObjectId(), price: 'free', address: null, paid: true },
]
const COLLECTIONS = [
  { name: 'orders', type: 'collection', options: {}, info: { readOnly: false } },
  { name: 'paid_orders', type: 'view', options: { viewOn: 'orders', pipeline: [{ $match: { paid: true } }] }, info: { readOnly: true } },
  { name: 'system.views', type: 'collection', options: {}, info: {} },
]

const cursor = (command: MongoCommand, firstBatch: readonly object[]) => ({ cursor: { id: Long.ZERO, ns: `${command.$db}.x`, firstBatch } })

const answer = (command: MongoCommand): object => {
  if ('buildInfo' in command) return { version: '7.0.12' }
  if ('listDatabases' in command) return { databases: [{ name: 'admin' }, { name: 'shop' }] }
  if ('listCollections' in command) return cursor(command, COLLECTIONS)
  if ('aggregate' in command) return cursor(command, DOCUMENTS)
  if ('count' in command) return { n: 2 }
  if ('listIndexes' in command)
    return cursor(command, [
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { price: 1 }, name: 'price_1', unique: true },
    ])
  return {}
}

test('collections and views are synced with the fields of sampled documents', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using server = await createMongoServer(answer)
  const id = await createTestIntegration(app, 'mongodb', { url: server.url })
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: { database: 1, table: 2, column: 18 } } })
  const orders = await findByKey(app, id, 'shop.orders')
  expect(orders).toMatchObject({
    native_type: 'collection',
    row_count: 2,
    display_metadata: { indexes: [{ name: 'price_1', columns: ['price'], unique: true }], sampled: 2 },
  })
  expect(await findByKey(app, id, 'shop.orders._id')).toMatchObject({ native_type: 'objectId', is_pk: true })
  expect(await findByKey(app, id, 'shop.orders.address')).toMatchObject({ native_type: 'object', display_metadata: { nullable: true } })
  expect(await listUpstream(app, (await findByKey(app, id, 'shop.paid_orders')).id, 'table')).toEqual(['orders'])
  await expectNoChanges(app, id, { database: 1, table: 2, column: 18 })
  const sent = new Set(server.commands.map((command) => Object.keys(command)[0]))
  expect([...sent].sort()).toEqual(['aggregate', 'count', 'listCollections', 'listDatabases', 'listIndexes'])
})

test('types of fields, patterns, and collections that may not be read', async () => {
  const settings = { auth_source: 'admin', sample_size: 5 }
  await using server = await createMongoServer(answer)
  expect(
    await mongodb.test({
      ...{
        settings: { ...settings, url: server.url },
        allowedHosts: [],
        state: undefined,
        versions: new Map(),
        log: async () => {},
        progress: async () => {},
      },
    }),
  ).toBe('Connected to MongoDB 7.0.12: 1 databases.')
  const found = await discoverAll(mongodb, { ...settings, url: server.url, exclude: 'paid_*' })
  expect(listColumnTypes(found, 'shop.orders')).toEqual([
    '_id: objectId',
    'price: double | string',
    'address: object',
    'address.city: string',
    'address.zip: int',
    'lines: array<object>',
    'lines.sku: string',
    'lines.n: long',
    'paid: bool',
  ])
  expect(found.some((each) => each.type === 'item' && each.key === 'shop.paid_orders')).toBe(false)
  expect(server.commands.find((command) => 'aggregate' in command)).toMatchObject({ pipeline: [{ $sample: { size: 5 } }] })

  await using denying = await createMongoServer((command) =>
    'aggregate' in command ? { ok: 0, code: 13, codeName: 'Unauthorized', errmsg: 'not authorized on shop' } : answer(command),
  )
  expect(await discoverAll(mongodb, { ...settings, url: denying.url })).toContainEqual(
    expect.objectContaining({ type: 'unlisted', key: 'shop.orders' }),
  )
  await using broken = await createMongoServer((command) =>
    'aggregate' in command ? { ok: 0, code: 50, codeName: 'MaxTimeMSExpired', errmsg: 'operation exceeded time limit' } : answer(command),
  )
  await expect(discoverAll(mongodb, { ...settings, url: broken.url })).rejects.toThrow('operation exceeded time limit')
  await expect(discoverAll(mongodb, { ...settings, url: 'mongodb://a:b@x' })).rejects.toThrow('must not contain a user or password')
})
