import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AwsClient } from 'aws4fetch'
import S3rver from 's3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lakeGcs, lakeS3 } from '../../../src/sources/connectors/lake/lakes.ts'
import { discoverAll, findByKey } from '../../support/connectors.ts'
import { createTestIntegration, expectNoChanges, getConnectionError, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { add, createLake, deltaOrders, metaData, placeTables, protocol, toCheckpoint, toVersion } from './lake-files.ts'

/**
 * A server with the API of S3; its keys are fixed. It does not check signatures of version 4 (test/protocols/object-store.ts does), and finds a folder only
 * if an object lies directly in it: every folder gets a marker, as Hadoop and the consoles of the services write them.
 */
const KEY = { access_key_id: 'S3RVER', secret_access_key: 'S3RVER' }
let folder = ''
let server: S3rver
let url = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 's3-'))
  server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'lake' }, { name: 'wide' }],
  })
  url = `http://127.0.0.1:${(await server.run()).port}`
  const client = new AwsClient({ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER', service: 's3', region: 'eu-central-1' })
  const put = async (bucket: string, objects: ReadonlyMap<string, Buffer>) => {
    for (const [path, body] of [...listMarkers(objects.keys()), ...objects]) {
      const key = path.split('/').map(encodeURIComponent).join('/')
      const response = await client.fetch(`${url}/${bucket}/${key}`, { method: 'PUT', body: new Uint8Array(body) })
      expect(response.status).toBe(200)
    }
  }
  await put('lake', new Map([...createLake()].map(([path, body]) => [`house/${path}`, body])))
  const checkpoint = await toCheckpoint([protocol(), metaData(), add('a.parquet', 7)])
  await put('wide', placeTables({ 'a b/ö (1)+%': { [`_delta_log/${toVersion(3)}.checkpoint.parquet`]: checkpoint }, '': deltaOrders() }))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const listMarkers = (paths: Iterable<string>): [string, Buffer][] => {
  const folders = [...paths].flatMap((path) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1)))
  return [...new Set(folders)].map((folder) => [folder, Buffer.alloc(0)])
}

const settings = () => ({ bucket: 'lake', prefix: '/house/', region: 'eu-central-1', url, ...KEY })

test('tables in a bucket are synced', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const id = await createTestIntegration(app, 'lake_s3', { ...settings(), exclude: 'tmp_*' })
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe(
    'Connected to s3://lake/house: 2 Delta tables, 1 Iceberg tables.',
  )
  expect(await runSync(app, id)).toMatchObject({
    ...{ status: 'COMPLETED', error: null },
    report: { new: { database: 1, schema: 2, table: 2, column: 10 } },
  })
  expect(await findByKey(app, id, 'lake')).toMatchObject({ title: 'lake/house', display_metadata: { location: 's3://lake/house' } })
  expect(await findByKey(app, id, 'lake.shop.orders')).toMatchObject({
    ...{ native_type: 'delta table', row_count: 42, byte_size: 2000 },
    display_metadata: { location: 's3://lake/house/shop/orders' },
  })
  expect(await findByKey(app, id, 'lake.geo.eu.cities')).toMatchObject({ native_type: 'iceberg table', row_count: 11 })
  await expectNoChanges(app, id, { database: 1, schema: 2, table: 2, column: 10 })
})

test('patterns select tables by their folders and names', async () => {
  const list = async (include: string, exclude = '') =>
    (await discoverAll(lakeS3, { ...settings(), include, exclude })).flatMap((each) =>
      each.type === 'item' && each.entity_type !== 'column' ? each.key : [],
    )
  expect(await list('shop.*', 'tmp_*')).toEqual(['lake', 'lake.shop', 'lake.shop.orders'])
  expect(await list('geo.eu.*')).toEqual(['lake', 'lake.geo.eu', 'lake.geo.eu.cities'])
  expect(await list('nothing')).toEqual(['lake'])
})

test('a table at the prefix itself, and a table with a checkpoint and an unusual name', async () => {
  const found = await discoverAll(lakeS3, { ...settings(), bucket: 'wide', prefix: '' })
  expect(found).toContainEqual(expect.objectContaining({ key: 'lake.wide', parent: 'lake', title: 'wide', row_count: 42 }))
  const inner = await discoverAll(lakeS3, { ...settings(), bucket: 'wide', prefix: 'a b' })
  expect(inner).toContainEqual(expect.objectContaining({ key: 'lake.ö (1)+%', parent: 'lake', title: 'ö (1)+%', row_count: 7 }))
})

test('credentials, bucket and region that are wrong', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const test = async (change: object) => {
    const name = JSON.stringify(change)
    return await getConnectionError(app, await createTestIntegration(app, 'lake_s3', { ...settings(), ...change }, { name }), 'horse')
  }
  expect(await test({ access_key_id: 'nobody', secret_access_key: 'wrong-horse' })).toMatch(/was rejected \(403\)/)
  expect(await test({ bucket: 'absent' })).toContain('s3://absent/house does not exist.')
  expect(await test({ bucket: 'lake/house' })).toContain('The bucket must be its name alone, e.g. lake.')
  expect(await test({ region: 'x.evil.example' })).toContain('The region must be written as in eu-central-1.')
})

test('HMAC keys of Google Cloud Storage sign as S3 does', async () => {
  const found = await discoverAll(lakeGcs, { bucket: 'lake', prefix: 'house', url, ...KEY })
  expect(found).toContainEqual(expect.objectContaining({ key: 'lake.shop.orders', row_count: 42 }))
  expect(found).toContainEqual(expect.objectContaining({ key: 'lake', facts: { location: 'gs://lake/house' } }))
  await expect(discoverAll(lakeGcs, { bucket: 'lake', url })).rejects.toThrow('needs the key file of a service account, or an HMAC key')
})
