import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { newId } from '../../../src/platform/core/id.ts'
import { INTEGRATION_TYPES } from '../../../src/sources/credentials/types.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'
const UNKNOWN = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
const POSTGRES = { host: 'db.example.com', port: 5433, database: 'shop', user: 'reader', password: 'correct horse', ssl: true }

const create = async (app: TestApp, body: object) => {
  const created = await app.call('POST', PATH, { body: { name: 'Shop', ...body } })
  expect([created.status, created.text]).toEqual([201, expect.any(String)])
  return created.body
}
const history = async ({ db }: TestApp) =>
  (await db.selectFrom('activities').selectAll().orderBy('logged_at').orderBy('id').execute()).map(
    ({ activity_type, resource_id, resource_title, changes }) => [activity_type, resource_id, resource_title, changes],
  )

test('a cron schedule has a time zone, UTC by default', async () => {
  await using app = await createTestApp({ now: () => new Date('2026-07-01T12:00:00Z') })
  const zoned = { cron: '0 3 * * *', timezone: 'Europe/Berlin' }
  const created = await create(app, { name: 'Shop', type: 'postgres', credentials: POSTGRES, schedule: zoned })
  expect(created).toMatchObject({ schedule: zoned, next_sync_at: expect.stringMatching(/^2026-07-02T01:0[0-5]:/) })
  const utc = await app.call('PATCH', `${PATH}/${created.id}`, { body: { schedule: { ...zoned, timezone: 'UTC' } } })
  expect(utc.body).toMatchObject({ schedule: { cron: '0 3 * * *' }, next_sync_at: expect.stringMatching(/^2026-07-02T03:0[0-5]:/) })
  expect(utc.body.schedule).not.toHaveProperty('timezone')
  expect((await history(app))[1]![3]).toEqual([{ field: 'schedule', from: '0 3 * * *, Europe/Berlin', to: '0 3 * * *' }])
})

test('creates, gets, edits and deletes an integration and records each change once', async () => {
  await using app = await createTestApp()
  const team = newId()
  const created = await create(app, {
    name: ' Shop ',
    type: 'postgres',
    teams: [team],
    credentials: POSTGRES,
    schedule: { cron: '0 3 * * *' },
  })
  const { password: _, ...connection } = POSTGRES
  expect(created).toEqual({
    id: expect.any(String),
    created_at: expect.any(String),
    updated_at: created.created_at,
    name: 'Shop',
    title: 'Shop',
    type: 'postgres',
    icon: 'database',
    workspace_id: app.ctx.workspace_id,
    teams: [team],
    connection,
    secrets_set: ['password'],
    schedule: { cron: '0 3 * * *' },
    last_synced_at: null,
    last_sync_status: null,
    last_sync_error: null,
    next_sync_at: expect.stringMatching(/T03:0[0-5]:/),
    resource_count: 0,
    removal_job: null,
    preview_enabled: false,
  })
  const at = `${PATH}/${created.id}`
  expect((await app.call('GET', at)).body).toEqual(created)
  const edited = await app.call('PATCH', at, {
    body: { name: 'Store', credentials: { port: null, password: 'battery staple' }, schedule: null },
  })
  expect(edited.body).toMatchObject({
    name: 'Store',
    connection: { host: 'db.example.com', user: 'reader' },
    schedule: null,
    secrets_set: ['password'],
  })
  expect(edited.body.connection).not.toHaveProperty('port')
  const same = await app.call('PATCH', at, { body: { name: 'Store', teams: [team.toUpperCase()] } })
  expect(same.body).toEqual(edited.body)
  expect((await app.call('DELETE', at)).status).toBe(204)
  expect((await app.call('GET', at)).status).toBe(404)
  expect(await history(app)).toEqual([
    [
      'integration_created',
      created.id,
      'Shop',
      [
        { field: 'name', from: null, to: 'Shop' },
        { field: 'type', from: null, to: 'postgres' },
        { field: 'teams', from: null, to: [team] },
        { field: 'schedule', from: null, to: '0 3 * * *' },
        { field: 'host', from: null, to: 'db.example.com' },
        { field: 'port', from: null, to: 5433 },
        { field: 'database', from: null, to: 'shop' },
        { field: 'user', from: null, to: 'reader' },
        { field: 'ssl', from: null, to: true },
        { field: 'password', from: null, to: '•••' },
      ],
    ],
    [
      'integration_updated',
      created.id,
      'Store',
      [
        { field: 'name', from: 'Shop', to: 'Store' },
        { field: 'schedule', from: '0 3 * * *', to: null },
        { field: 'port', from: 5433, to: null },
        { field: 'password', from: '•••', to: '•••' },
      ],
    ],
    ['integration_deleted', created.id, 'Store', expect.arrayContaining([{ field: 'password', from: '•••', to: null }])],
  ])
})

test('lists integrations by name, filtered by type and part of the name', async () => {
  await using app = await createTestApp()
  for (const [name, type] of [
    ['b shop', 'mysql'],
    ['A shop', 'postgres'],
    ['c', 'postgres'],
  ])
    await create(app, { name, type })
  const names = async (query: string) => {
    const { body } = await app.call('GET', `${PATH}?${query}`)
    return [body.count, body.results.map((each: { name: string }) => each.name)]
  }
  expect(await names('')).toEqual([3, ['A shop', 'b shop', 'c']])
  expect(await names('type=postgres')).toEqual([2, ['A shop', 'c']])
  expect(await names('name=SHOP&type=mysql')).toEqual([1, ['b shop']])
  expect(await names('title=shop')).toEqual([2, ['A shop', 'b shop']])
  expect(await names('page=2&page_size=2')).toEqual([3, ['c']])
  for (const wrong of ['type=informix', 'page=0', 'page_size=x']) expect((await app.call('GET', `${PATH}?${wrong}`)).status).toBe(400)
})

test('resource_count is exact for what the caller can see', async () => {
  await using app = await createTestApp()
  const { id } = await create(app, {})
  const closed = await app.createTeam(true)
  const editor = await app.createUser('editor')
  const counts = async () => {
    const [adminResponse, editorResponse] = await Promise.all([
      app.call('GET', `${PATH}/${id}`),
      app.call('GET', PATH, { token: editor.token }),
    ])
    return [adminResponse.body.resource_count, editorResponse.body.results[0].resource_count]
  }
  expect(await counts()).toEqual([0, 0])
  const { id: open } = await app.createResource({ title: 'a', integration: id })
  await app.createResource({ title: 'b', integration: id, teams: [closed] })
  expect(await counts()).toEqual([2, 1])
  await app.call('DELETE', `/resource/all/${open}`)
  expect(await counts()).toEqual([1, 0])
})

test('registers an unknown ID as a custom integration, which can change its type', async () => {
  await using app = await createTestApp()
  const id = newId()
  await app.createResource({ title: 'a', integration: id })
  expect((await app.call('GET', `${PATH}/${id}`)).body).toMatchObject({
    name: `Custom ${id.slice(0, 8)}`,
    type: 'custom',
    resource_count: 1,
  })
  const became = await app.call('PATCH', `${PATH}/${id}`, { body: { name: 'Shop', type: 'postgres', credentials: POSTGRES } })
  expect(became.body).toMatchObject({ name: 'Shop', type: 'postgres', resource_count: 1, secrets_set: ['password'] })
  // Fields that MySQL has too are kept; fields DuckDB does not have are dropped.
  expect((await app.call('PATCH', `${PATH}/${id}`, { body: { type: 'mysql', credentials: { password: 'again' } } })).body).toMatchObject({
    connection: became.body.connection,
  })
  const file = await app.call('PATCH', `${PATH}/${id}`, { body: { type: 'duckdb', credentials: { path: 'shop.duckdb' } } })
  expect(file.body).toMatchObject({ type: 'duckdb', connection: { path: 'shop.duckdb' }, secrets_set: [] })
})

describe('permissions', () => {
  test('editors read without connection details, admins manage, viewers and guests are rejected', async () => {
    await using app = await createTestApp()
    const { id } = await create(app, { type: 'postgres', credentials: POSTGRES })
    const editor = await app.createUser('editor')
    const seen = (await app.call('GET', `${PATH}/${id}`, { token: editor.token })).body
    expect(seen).toMatchObject({ name: 'Shop', connection: null, secrets_set: ['password'] })
    for (const role of ['viewer', 'guest'] as const) {
      const { token } = await app.createUser(role)
      for (const path of [PATH, `${PATH}/${id}`, '/integration/types']) expect((await app.call('GET', path, { token })).status).toBe(403)
    }
    for (const [method, path, body] of [
      ['POST', PATH, { name: 'x' }],
      ['PATCH', `${PATH}/${id}`, { name: 'x' }],
      ['DELETE', `${PATH}/${id}`],
      ['POST', `${PATH}/${id}/test`],
      ['POST', `${PATH}/${id}/sync`],
    ] as const)
      expect([method, path, (await app.call(method, path, { token: editor.token, body })).status]).toEqual([method, path, 403])
    expect((await app.call('GET', `${PATH}/${id}`)).body.name).toBe('Shop')
  })

  test('shows an integration of a closed team to its members and admins only', async () => {
    await using app = await createTestApp()
    const [closed, open] = [await app.createTeam(true), await app.createTeam()]
    const [outside, inside] = [await app.createUser('editor'), await app.createUser('editor', { teams: [closed] })]
    const { id } = await create(app, { name: 'secret', teams: [closed] })
    await create(app, { name: 'shared', teams: [open] })
    for (const [token, names, status] of [
      [app.token, ['secret', 'shared'], 200],
      [inside.token, ['secret', 'shared'], 200],
      [outside.token, ['shared'], 404],
    ] as const) {
      const { body } = await app.call('GET', PATH, { token })
      expect([body.count, body.results.map(({ name }: { name: string }) => name)]).toEqual([names.length, names])
      expect((await app.call('GET', `${PATH}/${id}`, { token })).status).toBe(status)
    }
  })
})

test('lists the types with their fields, which are the accepted ones', async () => {
  await using app = await createTestApp()
  const { body: types } = await app.call('GET', '/integration/types')
  expect(types.map(({ type }: { type: string }) => type)).toEqual([...INTEGRATION_TYPES.keys()])
  expect(types.find(({ type }: { type: string }) => type === 'postgres').fields).toContainEqual({
    name: 'password',
    label: 'Password',
    kind: 'text',
    required: false,
    secret: true,
    destination: false,
    multiline: false,
    default: null,
    help: null,
  })
  for (const { type, fields, missing_package } of types) {
    expect(missing_package).toBe(null) // a checkout has all drivers
    const value = { text: 'x', number: 1, boolean: true }
    const credentials = Object.fromEntries(fields.map(({ name, kind }: { name: string; kind: 'text' }) => [name, value[kind]]))
    const { connection, secrets_set } = await create(app, { type, credentials })
    expect([...Object.keys(connection), ...secrets_set].sort()).toEqual(Object.keys(credentials).sort())
    expect(secrets_set).toEqual(fields.filter(({ secret }: { secret: boolean }) => secret).map(({ name }: { name: string }) => name))
  }
})

test('rejects invalid input by field, without writing or recording anything', async () => {
  await using app = await createTestApp()
  const there = await create(app, { type: 'postgres', credentials: POSTGRES })
  const recorded = await history(app)
  const base = { name: 'x', type: 'postgres' }
  for (const [field, body] of [
    ['name', { type: 'postgres' }],
    ['name', { ...base, name: ' ' }],
    ['name', { ...base, name: 7 }],
    ['name', { ...base, name: 'x'.repeat(201) }],
    ['name', { ...base, name: 'a\u0000b' }],
    ['type', { ...base, type: 'informix' }],
    ['type', { ...base, type: null }],
    ['teams', { ...base, teams: 'x' }],
    ['teams[0]', { ...base, teams: ['x'] }],
    ['schedule', { ...base, schedule: {} }],
    ['schedule', { ...base, schedule: { interval_minutes: 60, cron: '0 3 * * *' } }],
    ['schedule.interval_minutes', { ...base, schedule: { interval_minutes: 1 } }],
    ['schedule.timezone', { ...base, schedule: { cron: '0 3 * * *', timezone: 'Mars/Base' } }],
    ['schedule.timezone', { ...base, schedule: { interval_minutes: 60, timezone: 'Europe/Berlin' } }],
    ['schedule.cron', { ...base, schedule: { cron: 'every day' } }],
    ['schedule.cron', { ...base, schedule: { cron: '61 3 * * *' } }],
    ['schedule', { ...base, type: 'custom', credentials: null, schedule: { interval_minutes: 60 } }],
    ['credentials', { ...base, credentials: 'postgres://reader:pw@host' }],
    ['credentials.port', { ...base, credentials: { ...POSTGRES, port: '5432' } }],
    ['credentials.port', { ...base, credentials: { ...POSTGRES, port: 65536 } }],
    ['credentials.ssl', { ...base, credentials: { ...POSTGRES, ssl: 'yes' } }],
    ['credentials.host', { ...base, credentials: { ...POSTGRES, host: 'reader:pw@host' } }],
    ['credentials.host', { ...base, credentials: { ...POSTGRES, host: 'a\nb' } }],
    ['credentials.host', { ...base, credentials: { ...POSTGRES, host: '' } }],
    ['credentials.password', { ...base, credentials: { ...POSTGRES, password: 'x'.repeat(1001) } }],
    ['credentials.password', { ...base, credentials: { ...POSTGRES, password: '\ud800' } }],
    ['credentials.path', { ...base, credentials: { ...POSTGRES, path: '/etc/passwd' } }],
    ['credentials.host', { ...base, type: 'custom', credentials: { host: 'x' } }],
  ] as const) {
    const created = await app.call('POST', PATH, { body })
    expect([body, created.status, Object.keys(created.body.errors ?? {})]).toEqual([body, 400, [field]])
    if (!('name' in body)) continue
    const edited = await app.call('PATCH', `${PATH}/${there.id}`, { body })
    expect([body, edited.status, Object.keys(edited.body.errors ?? {})]).toEqual([body, 400, [field]])
  }
  const unknown = await app.call('POST', PATH, { body: { ...base, type: 'sqlite', credentials: { path: 'a.db', host: 'x' } } })
  expect(unknown.body.errors['credentials.host'][0]).toMatch(/^Unknown field\. SQLite accepts path, [a-z_, ]+\.$/)
  const half = await app.call('POST', PATH, { body: { ...base, credentials: { host: 'x', password: 'y' } } })
  expect([half.status, Object.keys(half.body.errors)]).toEqual([400, ['credentials.database', 'credentials.user']])
  for (const [method, path] of [
    ['GET', UNKNOWN],
    ['PATCH', UNKNOWN],
    ['DELETE', UNKNOWN],
    ['POST', `${UNKNOWN}/test`],
    ['POST', `${UNKNOWN}/sync`],
    ['GET', 'shop'],
  ] as const)
    expect([method, path, (await app.call(method, `${PATH}/${path}`, { body: method === 'PATCH' ? {} : undefined })).status]).toEqual([
      method,
      path,
      404,
    ])
  expect((await app.call('GET', PATH)).body.results).toEqual([there])
  expect(await history(app)).toEqual(recorded)
})

test('warns about unknown fields at any depth, without their values', async () => {
  await using app = await createTestApp()
  const { headers, body } = await app.call('POST', PATH, {
    body: { name: 'x', titel: 'y', type: 'postgres', credentials: { ...POSTGRES, pasword: 'hunter2' } },
  })
  expect(headers.warning).toBe('199 - "ignored fields: titel, credentials.pasword"')
  expect(JSON.stringify(body)).not.toContain('hunter2')
})

test('rejects edits of an outdated version, and an idempotency key creates one integration', async () => {
  const now = new Date()
  await using app = await createTestApp({ now: () => now })
  const headers = { 'idempotency-key': 'k' }
  const body = { name: 'Shop', type: 'postgres', credentials: POSTGRES }
  const first = await app.call('POST', PATH, { body, headers })
  const again = await app.call('POST', PATH, { body, headers })
  expect([again.status, again.body]).toEqual([201, first.body])
  expect((await app.call('GET', PATH)).body.count).toBe(1)
  const at = `${PATH}/${first.body.id}`
  const match = { 'if-match': first.headers.etag! }
  expect((await app.call('PATCH', at, { body: { name: 'Store' }, headers: match })).status).toBe(200)
  expect((await app.call('PATCH', at, { body: { name: 'Stall' }, headers: match })).status).toBe(412)
  expect((await app.call('DELETE', at, { headers: match })).status).toBe(412)
  expect((await app.call('GET', at)).body.name).toBe('Store')
})

test('rejects test and sync of a push integration, and names missing credentials', async () => {
  await using app = await createTestApp()
  const custom = await create(app, {})
  const warehouse = await create(app, { type: 'snowflake' })
  for (const verb of ['test', 'sync']) {
    const pushes = await app.call('POST', `${PATH}/${custom.id}/${verb}`)
    expect([pushes.status, pushes.body.detail]).toEqual([400, 'Custom is a push integration: there is nothing to connect to.'])
    const missing = await app.call('POST', `${PATH}/${warehouse.id}/${verb}`)
    expect([missing.status, missing.body.detail]).toEqual([400, 'credentials.account: is required.'])
    expect(Object.keys(missing.body.errors)).toEqual(['credentials.account', 'credentials.user', 'credentials.warehouse'])
  }
  expect((await sql`select from background_jobs`.execute(app.db)).rows).toEqual([])
})
