import { generateKeyPairSync, verify } from 'node:crypto'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { checkConnector } from '../../../connector/src/check.ts'
import type { Discovered } from '../../../connector/src/define.ts'
import { lakeAzure, lakeGcs, lakeS3 } from '../../../src/sources/connectors/lake/lakes.ts'
import { type CannedResponse, createLoopbackServer, type RecordedRequest } from '../../protocols/loopback.ts'
import { createAzureStore, createS3Store } from '../../protocols/object-store.ts'
import { findCombinedCode } from '../../support/combined-code.ts'
import { discoverAll, findByKey } from '../../support/connectors.ts'
import { createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { createLake, deltaOrders, icebergCities, placeTables } from './lake-files.ts'

const settings = (url: string) => ({
  bucket: 'lake',
  region: 'us-east-1',
  url,
  access_key_id: 'reader',
  secret_access_key: 'correct-horse',
})
const COMMIT = '/lake/shop/orders/_delta_log/00000000000000000002.json'
const error = (code: string) => `<Error><Code>${code}</Code></Error>`
const again = { 'retry-after': '0' }

/** Answers requests that match with this, `times` times after the first `after`. */
const fail = (
  matches: (request: RecordedRequest) => boolean,
  response: CannedResponse,
  { after = 0, times = Number.POSITIVE_INFINITY } = {},
) => {
  let count = 0
  return (request: RecordedRequest) => {
    if (!matches(request)) return undefined
    count += 1
    return count > after && count <= after + times ? response : undefined
  }
}
const at = (path: string) => (request: RecordedRequest) => request.path === path
const listing = (prefix: string) => (request: RecordedRequest) => request.query.get('prefix') === prefix
const any = () => true

const discover = async (
  intercept?: (request: RecordedRequest) => CannedResponse | undefined,
  objects = createLake(),
  pageSize?: number,
) => {
  await using store = await createS3Store(objects, { ...(intercept ? { intercept } : {}), ...(pageSize ? { pageSize } : {}) })
  return await discoverAll(lakeS3, settings(store.origin))
}
const listUnlisted = (found: readonly Discovered[]) => found.flatMap((each) => (each.type === 'unlisted' ? each.key : []))
const listTables = (found: readonly Discovered[]) =>
  found.flatMap((each) => (each.type === 'item' && each.entity_type === 'table' ? each.key : []))
const ALL = ['lake.shop.orders', 'lake.shop.tmp_x', 'lake.geo.eu.cities']

test('requests are repeated, pages are followed', async () => {
  const all = await discover()
  expect(listTables(all)).toEqual(ALL)
  expect(await discover(fail(at(COMMIT), { status: 429, headers: again }, { times: 1 }))).toEqual(all)
  expect(await discover(fail(listing('shop/'), { status: 503, headers: again, body: error('SlowDown') }, { times: 2 }))).toEqual(all)
  expect(await discover(fail(any, { status: 500, headers: again }, { after: 5, times: 1 }))).toEqual(all)
  expect(await discover(undefined, createLake(), 1)).toEqual(all)
})

test('requests are signed, also those with unusual names', async () => {
  const objects = placeTables({ "a b/ö (1)+%'*!": deltaOrders() })
  await using store = await createS3Store(objects, { secret: 'correct-horse', pageSize: 1 })
  const found = await discoverAll(lakeS3, settings(store.origin))
  expect(found).toContainEqual(expect.objectContaining({ title: "ö (1)+%'*!", row_count: 42 }))
  const temporary = { ...settings(store.origin), session_token: 'for an hour' }
  expect(await discoverAll(lakeS3, temporary)).toEqual(found)
  expect(store.recordedRequests.at(-1)!.headers['x-amz-security-token']).toBe('for an hour')
  const { access_key_id, secret_access_key } = settings(store.origin)
  const keys = { bucket: 'lake', url: store.origin, access_key_id, secret_access_key }
  expect(listTables(await discoverAll(lakeGcs, keys))).toEqual(listTables(found))
  const wrong = { ...settings(store.origin), secret_access_key: 'wrong-horse' }
  await expect(discoverAll(lakeS3, wrong)).rejects.toThrow(/was rejected \(403\)/)
})

test('what concerns one table is reported, and the others are read', async () => {
  for (const [response, reason] of [
    [{ status: 403, body: error('AccessDenied') }, 'was rejected (403)'],
    [{ status: 403, body: error('InvalidObjectState') }, 'was rejected (403)'],
    [{ status: 500, headers: again }, 'returned status 500'],
    [{ status: 206, body: '{"commitInfo": {}}' }, 'has changed while it was read'],
  ] as const) {
    const found = await discover(fail(at(COMMIT), response))
    expect(found).toContainEqual(expect.objectContaining({ type: 'unlisted', key: ALL[0], reason: expect.stringContaining(reason) }))
    expect(listTables(found)).toEqual(ALL.slice(1))
  }
  const denied = await discover(fail(listing('geo/'), { status: 403, body: error('AccessDenied') }))
  expect([listUnlisted(denied), listTables(denied)]).toEqual([['lake.geo'], ALL.slice(0, 2)])
})

test('an object that is gone between list and read is listed again', async () => {
  expect(listTables(await discover(fail(at(COMMIT), { status: 404, body: error('NoSuchKey') }, { times: 1 })))).toEqual(ALL)
  const missing = await discover(fail(at(COMMIT), { status: 404, body: error('NoSuchKey') }))
  expect([listUnlisted(missing), listTables(missing)]).toEqual([[ALL[0]], ALL.slice(1)])
  // The whole table was deleted meanwhile.
  const objects = createLake()
  const deleting = (request: RecordedRequest) => {
    if (request.path === COMMIT) for (const path of [...objects.keys()]) if (path.startsWith('shop/orders/')) objects.delete(path)
    return undefined
  }
  const found = await discover(deleting, objects)
  expect([listUnlisted(found), listTables(found)]).toEqual([[], ALL.slice(1)])
})

test('what concerns the whole storage ends the sync', async () => {
  await expect(discover(fail(any, { status: 401 }, { after: 6 }))).rejects.toThrow(/was rejected \(401\)/)
  await expect(discover(fail(any, { status: 403, body: error('InvalidAccessKeyId') }, { after: 6 }))).rejects.toThrow(
    /was rejected \(403\)/,
  )
  await expect(discover(fail(any, { status: 429, headers: { 'retry-after': '3600' } }, { after: 6 }))).rejects.toThrow(
    'returned status 429',
  )
  await expect(discover(fail(listing('shop/'), { status: 500, headers: again }))).rejects.toThrow('returned status 500')
  await expect(discover(fail(listing('shop/'), { status: 404, body: error('NoSuchBucket') }))).rejects.toThrow('s3://lake does not exist.')
  await expect(discover(fail(listing(''), { status: 403, body: error('AccessDenied') }))).rejects.toThrow(/was rejected \(403\)/)
  const moved = { status: 301, body: `<Error><Code>PermanentRedirect</Code><Region>eu-west-1</Region></Error>` }
  await expect(discover(fail(any, moved))).rejects.toThrow('The bucket is in the region eu-west-1.')
  const page = (inner: string) => fail(listing('shop/'), { body: `<ListBucketResult>${inner}</ListBucketResult>` })
  await expect(discover(page('<KeyCount>0</KeyCount>'))).rejects.toThrow('`IsTruncated` must be text, but is missing.')
  await expect(discover(page('<IsTruncated>true</IsTruncated>'))).rejects.toThrow('`NextContinuationToken` must be text, but is missing.')
  await expect(discover(page('<IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken>'))).rejects.toThrow(
    '(shop/) repeats the same page.',
  )
  await expect(discover(page('<IsTruncated>false</IsTruncated><Contents><Key>shop/x</Key></Contents>'))).rejects.toThrow(
    '`Contents[0].Size` must be',
  )
  await expect(discover(fail(any, { body: '<html></html>' }))).rejects.toThrow('the response must be <ListBucketResult>, but is <html>.')
  await expect(discover(fail(any, { body: 'Welcome' }))).rejects.toThrow('did not return valid XML')
})

test('a page of the log that is missing does not make the table smaller', async () => {
  const page = `<ListBucketResult><IsTruncated>false</IsTruncated>
    <Contents><Key>shop/orders/_delta_log/00000000000000000000.json</Key><Size>10</Size></Contents>
    <Contents><Key>shop/orders/_delta_log/00000000000000000002.json</Key><Size>10</Size></Contents></ListBucketResult>`
  const found = await discover(fail(listing('shop/orders/_delta_log/'), { body: page }))
  expect(found).toContainEqual(expect.objectContaining({ key: ALL[0], reason: expect.stringContaining('The log has no commit 1') }))
})

test('nothing is stale after a sync that failed half-way, or could not read a table', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  let intercept: ((request: RecordedRequest) => CannedResponse | undefined) | undefined
  await using store = await createS3Store(createLake(), { intercept: (request) => intercept?.(request) })
  const id = await createTestIntegration(app, 'lake_s3', settings(store.origin))
  await runSync(app, id)
  const before = await findByKey(app, id, ALL[0]!)
  intercept = fail(any, { status: 401 }, { after: 6 })
  expect(await runSync(app, id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('was rejected (401)') })
  intercept = fail(at(COMMIT), { status: 403, body: error('AccessDenied') })
  const denied = await runSync(app, id, { full: true }) // otherwise an unchanged table is not read
  expect([denied.status, denied.report.stale]).toEqual(['COMPLETED', {}])
  const { body: job } = await app.call('GET', `/background_jobs/${denied.id}`)
  expect(JSON.stringify(job.logs)).toContain('s3://lake/shop/orders: S3: GET')
  expect(JSON.stringify(job.logs)).not.toContain('correct-horse')
  expect(await findByKey(app, id, ALL[0]!)).toMatchObject({ id: before.id, row_count: 42 })
  intercept = undefined
  for (const path of [...store.objects.keys()]) if (path.startsWith('shop/tmp_x/')) store.objects.delete(path)
  expect((await runSync(app, id)).report.stale).toEqual({ table: 1, column: 6 })
})

const AZURE = { account: 'example', key: Buffer.from('correct horse battery staple').toString('base64') }

test('tables in a container of Azure, with a key or a SAS token', async () => {
  await using store = await createAzureStore(createLake(), AZURE, { pageSize: 2 })
  const common = { url: store.origin, container: 'lake' }
  const all = await discoverAll(lakeAzure, { ...common, account: AZURE.account, account_key: AZURE.key })
  expect(listTables(all)).toEqual(ALL)
  expect(all).toContainEqual(expect.objectContaining({ key: ALL[0], row_count: 42, byte_size: 2000 }))
  const token = '?sv=2021-12-02&sp=rl&sig=of-the-token'
  expect(await discoverAll(lakeAzure, { ...common, sas_token: token })).toEqual(all)
  const below = await discoverAll(lakeAzure, { ...common, prefix: 'geo', sas_token: token })
  expect(listTables(below)).toEqual(['lake.eu.cities'])
  const wrong = { ...common, account: AZURE.account, account_key: Buffer.from('wrong').toString('base64') }
  await expect(discoverAll(lakeAzure, wrong)).rejects.toThrow(/was rejected \(403\)/)
  await expect(discoverAll(lakeAzure, { ...common, container: 'absent', sas_token: token })).rejects.toThrow('does not exist.')
  await expect(discoverAll(lakeAzure, common)).rejects.toThrow('Azure needs the key of the storage account or a SAS token.')
})

test('faults of Azure', async () => {
  const run = async (intercept: (request: RecordedRequest) => CannedResponse | undefined) => {
    await using store = await createAzureStore(createLake(), AZURE, { intercept })
    return await discoverAll(lakeAzure, { url: store.origin, container: 'lake', sas_token: 'sig=of-the-token' })
  }
  const denied = await run(fail(at(COMMIT), { status: 403, body: error('AuthorizationPermissionMismatch') }))
  expect([listUnlisted(denied), listTables(denied)]).toEqual([[ALL[0]], ALL.slice(1)])
  expect(JSON.stringify(denied)).not.toContain('of-the-token')
  await expect(run(fail(any, { status: 403, body: error('AuthenticationFailed') }, { after: 5 }))).rejects.toThrow(/was rejected \(403\)/)
  expect(listTables(await run(fail(at(COMMIT), { status: 503, headers: again }, { times: 1 })))).toEqual(ALL)
  const blobs = (inner: string) => fail(listing('shop/'), { body: `<EnumerationResults>${inner}</EnumerationResults>` })
  await expect(run(blobs('<Blobs /><NextMarker />'))).resolves.toBeDefined()
  await expect(run(blobs('<Blobs />'))).rejects.toThrow('`NextMarker` must be text, but is missing.')
  await expect(run(blobs('<NextMarker>x</NextMarker>'))).rejects.toThrow('`Blobs` must be an object, but is missing.')
})

test('the programs fulfil the contract of connectors', async () => {
  await using store = await createS3Store(createLake(), { secret: 'correct-horse' })
  for (const [name, options] of [
    ['s3', { settings: settings(store.origin), allowedHosts: ['127.0.0.1'] }],
    ['gcs', {}],
    ['azure', {}],
  ] as const) {
    const file = join(await findCombinedCode(), `src/processes/lake-${name}-process.js`)
    const results = await Array.fromAsync(checkConnector({ command: ['node', file] }, options))
    expect([name, results.filter(({ problem }) => problem)]).toEqual([name, []])
    expect(results.length).toBeGreaterThanOrEqual(5)
  }
})

test('a service account signs in to Google, and again when its token has expired', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  let issued = 0
  await using login = await createLoopbackServer(({ body }) => {
    const assertion = new URLSearchParams(body.toString()).get('assertion')!
    const [head, claims, signature] = assertion.split('.')
    const isValid = verify('RSA-SHA256', Buffer.from(`${head}.${claims}`), publicKey, Buffer.from(signature!, 'base64url'))
    const { iss, aud, scope } = JSON.parse(Buffer.from(claims!, 'base64url').toString())
    if (!isValid || iss !== 'reader@example.com' || aud !== `${login.origin}/token` || !/read_only$/.test(scope)) return { status: 400 }
    issued += 1
    return { body: { access_token: `token-${issued}`, expires_in: 3600 } }
  })
  let requests = 0
  await using store = await createS3Store(createLake(), {
    intercept: ({ headers }) => {
      requests += 1
      return headers.authorization === `Bearer token-${requests < 5 ? 1 : 2}` ? undefined : { status: 401 }
    },
  })
  const key = {
    client_email: 'reader@example.com',
    token_uri: `${login.origin}/token`,
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  }
  const found = await discoverAll(lakeGcs, { bucket: 'lake', url: store.origin, service_account: JSON.stringify(key) })
  expect([listTables(found), issued]).toEqual([ALL, 2])
  for (const service_account of ['{', '{"client_email": "reader@example.com"}'])
    await expect(discoverAll(lakeGcs, { bucket: 'lake', url: store.origin, service_account })).rejects.toThrow('must be the JSON key file')
})

test('the newest metadata of an Iceberg table is found without a catalog', async () => {
  const read = async (files: Record<string, string | Buffer>) => discover(undefined, placeTables({ cities: files }))
  const KEY = 'lake.cities'
  const { 'metadata/00010-bbbb.metadata.json': newest = '' } = icebergCities()
  const old = String(newest).replace('"11"', '"5"')
  const rows = async (files: Record<string, string | Buffer>) =>
    (await read(files)).flatMap((each) => (each.type === 'item' && each.key === KEY ? each.row_count : []))
  expect(await rows(icebergCities())).toEqual([11])
  // A file system catalog: the hint may be behind.
  const versions = { 'metadata/v9.metadata.json': old, 'metadata/v10.metadata.json': newest }
  for (const hint of ['9', '10', '', 'x']) expect(await rows({ ...versions, 'metadata/version-hint.text': hint })).toEqual([11])
  const numbered = { 'metadata/00001-aa.metadata.json': old, 'metadata/00002-bb.metadata.json': newest }
  expect(await rows({ ...numbered, 'metadata/version-hint.text': '00001-aa\n' })).toEqual([5])
  for (const name of ['v3.gz.metadata.json', 'v3.metadata.json.gz'])
    expect(await rows({ [`metadata/${name}`]: gzipSync(newest) })).toEqual([11])
  // Version 1 of the format.
  const first = JSON.stringify({
    ...{ 'format-version': 1, location: 's3://lake/cities', 'last-updated-ms': 1, 'last-column-id': 1 },
    schema: { type: 'struct', fields: [{ id: 1, name: 'code', required: true, type: 'string' }] },
    'partition-spec': [{ 'source-id': 1, 'field-id': 1000, name: 'code', transform: 'identity' }],
  })
  const found = await read({ 'metadata/v1.metadata.json': first })
  expect(found).toContainEqual(
    expect.objectContaining({ key: `${KEY}.code`, facts: { nullable: false, field_id: 1, partition_key: true } }),
  )
  for (const [files, reason] of [
    [{ 'metadata/version-hint.text': '7' }, 'names version 7, but there is no metadata file.'],
    [{ 'metadata/v1.metadata.json': '{' }, 'is not valid JSON.'],
    [{ 'metadata/v1.gz.metadata.json': '{}' }, 'cannot be unpacked.'],
    [{ 'metadata/v1.metadata.json': '{"format-version": 2}' }, '`schema` must be an object, but is missing.'],
    [icebergCities((metadata) => delete metadata['format-version']), '`format-version` must be a whole number, but is missing.'],
  ] as const)
    expect(await read(files)).toContainEqual(expect.objectContaining({ key: KEY, reason: expect.stringContaining(reason) }))
})
