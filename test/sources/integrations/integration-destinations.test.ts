import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { connectDemoSource } from '../../../src/operations/demo/connect-source.ts'
import { INTEGRATIONS } from '../../../src/operations/demo/id.ts'
import { INTEGRATION_TYPES } from '../../../src/sources/credentials/types.ts'
import { createTestIntegration } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

/** Accepts anything and sends no valid response. */
const createListener = async () => {
  let received = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      received += data.toString('latin1')
      // Postgres: requests the password in clear text, as an attacker would.
      if (data.includes('user\0')) socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]))
      else socket.end('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => received,
    /** Secrets are sent in clear text or as Basic authentication. */
    knows: (secret: string) => received.includes(secret) || received.includes(Buffer.from(`me:${secret}`).toString('base64')),
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

const PATH = '/integration/integrations'
const SECRET = 'swordfish-first'

describe('never sends a stored secret to another host', () => {
  test.each([
    ['postgres', (port: number) => ({ host: '127.0.0.1', port, database: 'shop', user: 'me', password: SECRET }), 'password'],
    ['clickhouse', (port: number) => ({ host: '127.0.0.1', port, user: 'me', password: SECRET }), 'password'],
    ['dbt', (port: number) => ({ url: `http://127.0.0.1:${port}/artifacts`, token: SECRET }), 'token'],
  ] as const)('of a %s', async (type, credentialsAt, secret) => {
    await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
    await using own = await createListener()
    await using other = await createListener()
    const id = await createTestIntegration(app, type, credentialsAt(own.port))
    await app.call('POST', `${PATH}/${id}/test`)
    expect(own.knows(SECRET)).toBe(true)
    const { [secret]: _, ...elsewhere } = credentialsAt(other.port) as Record<string, unknown>
    const rejected = await app.call('PATCH', `${PATH}/${id}`, { body: { credentials: elsewhere } })
    expect([rejected.status, rejected.body.errors]).toEqual([
      400,
      { [`credentials.${secret}`]: [expect.stringMatching(/must be entered again because (port|url) changes/)] },
    ])
    expect(JSON.stringify(rejected.body)).not.toContain(SECRET)
    await app.call('POST', `${PATH}/${id}/test`)
    expect(other.heard()).toBe('')
    const response = await app.call('PATCH', `${PATH}/${id}`, { body: { credentials: { ...elsewhere, [secret]: 'swordfish-second' } } })
    expect(response.status).toBe(200)
    await app.call('POST', `${PATH}/${id}/test`)
    expect([other.knows('swordfish-second'), other.knows(SECRET)]).toEqual([true, false])
  })

  test('never sends the password of our own database', async () => {
    vi.stubEnv('PGPASSWORD', 'of-the-catalog')
    try {
      await using app = await createTestApp()
      await using listener = await createListener()
      const id = await createTestIntegration(app, 'postgres', { host: '127.0.0.1', port: listener.port, database: 'shop', user: 'me' })
      await app.call('POST', `${PATH}/${id}/test`)
      expect(listener.heard()).toContain('user\0me')
      expect(listener.heard()).not.toContain('of-the-catalog')
    } finally {
      vi.unstubAllEnvs()
    }
  })

  test('requires the secret again only when the destination changes, or clears it', async () => {
    await using app = await createTestApp()
    const id = await createTestIntegration(app, 'postgres', {
      host: 'a.example.com',
      database: 'shop',
      user: 'me',
      password: SECRET,
      ssl: true,
    })
    const changed = async (body: object) => (await app.call('PATCH', `${PATH}/${id}`, { body })).status
    expect(
      await changed({ name: 'Other', credentials: { include: 'public.*', max_million_rows: 5, port: 5432, host: 'a.example.com' } }),
    ).toBe(200)
    for (const credentials of [{ host: 'b.example.com' }, { port: 5433 }, { ssl: false }, { ssl: null }, { ca: 'x' }])
      expect([credentials, await changed({ credentials })]).toEqual([credentials, 400])
    expect(await changed({ type: 'redshift' })).toBe(400)
    expect(await changed({ credentials: { host: 'b.example.com', password: null } })).toBe(200)
    expect((await app.call('GET', `${PATH}/${id}`)).body.secrets_set).toEqual([])
  })

  test('every type marks the fields that affect the destination', () => {
    const results = Object.fromEntries(
      [...INTEGRATION_TYPES.values()]
        .filter(({ fields }) => fields.some(({ secret }) => secret))
        .map(({ type, fields }) => [type, fields.filter(({ destination }) => destination).map(({ name }) => name)]),
    )
    expect(results).toEqual({
      postgres: ['host', 'port', 'ssl', 'ca'],
      mysql: ['host', 'port', 'ssl', 'ca'],
      clickhouse: ['host', 'port', 'ssl', 'ca'],
      redshift: ['host', 'port', 'ssl', 'ca'],
      snowflake: ['account'],
      bigquery: [],
      databricks: ['host', 'http_path'],
      trino: ['host', 'port', 'ssl', 'ca'],
      dbt: ['path', 'url', 'ca'],
      metabase: ['url', 'ca'],
      superset: ['url', 'ca'],
      tableau: ['url', 'ca'],
      powerbi: ['tenant', 'url', 'login_url', 'ca'],
      looker: ['url', 'ca'],
      redash: ['url', 'ca'],
      grafana: ['url', 'ca'],
      mode: ['url', 'ca'],
      airflow: ['url', 'ca'],
      dagster: ['url', 'ca'],
      prefect: ['url', 'ca'],
      fivetran: ['url', 'ca'],
      airbyte: ['url', 'ca'],
      dbt_cloud: ['url', 'ca'],
      sqlserver: ['host', 'port', 'ssl', 'ca'],
      oracle: ['host', 'port', 'ssl', 'ca'],
      kafka: ['brokers', 'ssl', 'ca', 'mechanism', 'registry_url'],
      mongodb: ['url'],
      elasticsearch: ['url', 'ca'],
      dynamodb: ['region', 'url', 'ca'],
      cassandra: ['hosts', 'ssl', 'ca'],
      unity_catalog: ['url', 'ca'],
      hive: ['engine', 'host', 'port', 'ssl', 'ca'],
      glue: ['region', 'url', 'ca'],
      iceberg: ['url', 'login_url', 'ca'],
      lake_s3: ['region', 'url', 'ca'],
      lake_gcs: ['url', 'ca'],
      lake_azure: ['url', 'ca'],
      connector: ['connector', 'settings'],
    })
  })
})

test('rejects changes to the demo connection and other connections to a socket', async () => {
  await using app = await createTestApp()
  const { id } = INTEGRATIONS.warehouse
  const now = new Date()
  await sql`
    insert into integrations (id, name, type, connection, created_at, updated_at)
    values (${id}, 'Demo', 'postgres', '{"user": "tablinum_demo", "host": "/run/postgres", "port": 5432, "database": "tablinum"}', ${now}, ${now})
  `.execute(app.db)
  for (const body of [
    { credentials: { user: 'tablinum' } },
    { credentials: { database: 'postgres' } },
    { credentials: null },
    { type: 'redshift' },
    { credentials: { host: '127.0.0.1', user: 'tablinum' } },
  ]) {
    const { status, body: result } = await app.call('PATCH', `${PATH}/${id}`, { body })
    expect([body, status, result.detail]).toEqual([body, 409, expect.stringContaining('cannot be changed')])
  }
  expect((await app.call('PATCH', `${PATH}/${id}`, { body: { name: 'Our demo' } })).status).toBe(200)
  // A connection changed before this was forbidden cannot be used.
  await sql`update integrations set connection = connection || '{"user": "tablinum"}' where id = ${id}`.execute(app.db)
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([409, expect.stringContaining('Only the demo')])
  await connectDemoSource(app.ctx)
  expect(
    (await app.call('POST', PATH, { body: { name: 'x', type: 'postgres', credentials: { host: '/run', database: 'a', user: 'b' } } }))
      .status,
  ).toBe(400)
})
