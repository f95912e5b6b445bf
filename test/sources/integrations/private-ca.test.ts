import { expect, test } from 'vitest'
import { INTEGRATION_TYPES } from '../../../src/sources/credentials/types.ts'
import { createCertificate } from '../../protocols/certificate.ts'
import { createLoopbackServer } from '../../protocols/loopback.ts'
import { createS3Store } from '../../protocols/object-store.ts'
import { createTestIntegration, getConnectionError } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { createLake } from '../databases/lake-files.ts'

const PATH = '/integration/integrations'

test('a source with a certificate of a private authority is read once the authority is known', async () => {
  const tls = createCertificate()
  await using store = await createS3Store(createLake())
  const forward = async ({ path, query, headers }: { path: string; query: URLSearchParams; headers: object }) => {
    const { range } = headers as { range?: string }
    const response = await fetch(`${store.origin}${path}?${query}`, { headers: range ? { range } : {} })
    return { status: response.status, body: Buffer.from(await response.arrayBuffer()) }
  }
  await using server = await createLoopbackServer(forward, tls)
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const lake = { bucket: 'lake', region: 'us-east-1', url: server.origin, access_key_id: 'reader', secret_access_key: 'correct-horse' }
  const create = (more: object) => createTestIntegration(app, 'lake_s3', { ...lake, ...more }, { name: JSON.stringify(more).slice(0, 40) })
  expect(await getConnectionError(app, await create({}), 'correct-horse')).toContain('self-signed certificate')
  const trusted = await create({ ca: tls.cert })
  expect((await app.call('POST', `${PATH}/${trusted}/test`)).body.detail).toBe('Connected to s3://lake: 2 Delta tables, 1 Iceberg tables.')
  expect(await getConnectionError(app, await create({ ca: createCertificate().cert }), 'correct-horse')).toContain('certificate')
  expect(await getConnectionError(app, await create({ ca: 'not a certificate' }), 'correct-horse')).toContain(
    'The certificate authority of S3 must be PEM: it starts with -----BEGIN CERTIFICATE-----.',
  )
  // With another authority, someone else could receive the secret: it must be entered again.
  const { status } = await app.call('PATCH', `${PATH}/${trusted}`, { body: { credentials: { ca: createCertificate().cert } } })
  expect(status).toBe(400)
})

test('other sources over HTTP have the same field', async () => {
  const tls = createCertificate()
  await using server = await createLoopbackServer(
    ({ path }) => (path === '/api/session' ? { body: { user: {} } } : { body: { count: 0, results: [] } }),
    tls,
  )
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  const redash = { url: server.origin, api_key: 'correct-horse' }
  const untrusted = await createTestIntegration(app, 'redash', redash, { name: 'untrusted' })
  expect(await getConnectionError(app, untrusted, 'correct-horse')).toContain('self-signed certificate')
  const trusted = await createTestIntegration(app, 'redash', { ...redash, ca: tls.cert }, { name: 'trusted' })
  const { text } = await app.call('POST', `${PATH}/${trusted}/test`)
  expect([text, server.recordedRequests.length > 0]).toEqual([expect.not.stringContaining('certificate'), true])
  // MongoDB has an address of its own kind.
  const without = [...INTEGRATION_TYPES.values()].filter(
    ({ type, fields }) => type !== 'mongodb' && fields.some(({ name }) => name === 'url') && !fields.some(({ name }) => name === 'ca'),
  )
  expect(without.map(({ type }) => type)).toEqual([])
})
