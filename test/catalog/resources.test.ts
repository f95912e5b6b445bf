import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { flushViews } from '../../src/catalog/engagement/page-views.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Create and read: POST /resource/catalog, GET /resource/all/{id}. */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const create = (body: unknown, headers = {}) => app.call('POST', '/resource/catalog', { body, headers })
const read = (id: string) => app.call('GET', `/resource/all/${id}`)

/** Every field of the record with its value for a new table. */
const ID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/)
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/)
const BLANK = {
  id: ID,
  created_at: MOMENT,
  updated_at: MOMENT,
  version: 1,
  entity_type: 'table',
  native_type: null,
  icon: 'table',
  title: 'Untitled',
  title_full: 'Untitled',
  title_cased: 'Untitled',
  description: null,
  definition: null,
  definition_version: 0,
  multiplayers: [],
  multiplayer_last_modified_by: null,
  multiplayer_last_modified: null,
  owners: [],
  owners_groups: [],
  collections: [],
  terms: [],
  tags: [],
  workspace_id: ID,
  total_usage: 0,
  published: false,
  archived: false,
  archived_at: null,
  pii: false,
  verified: false,
  deprecation: null,
  url: null,
  parent: null,
  parent_id: null,
  base_entity_id: null,
  children_count: 0,
  bookmarked_by: [],
  integration: null,
  external_updated_at: null,
  internal_usage: 0,
  external_usage: 0,
  internal_users: [],
  external_users: [],
  databuilder_id: null,
  search_metadata: { cluster: null, database: null, schema: null, type: 'table' },
  sources: [],
  subscribers: [],
  teams: [],
  stale: false,
  stale_at: null,
  forced_unstale_by_user: false,
  current_user_permissions: { read: true, write: true, execute: true },
  row_count: null,
  byte_size: null,
  display_metadata: {},
  question_status: null,
  question_priority: null,
  question_answered_by: null,
  question_assigned_to: null,
}

test('an empty body creates a table with all record fields', async () => {
  const { status, body, headers } = await create({})
  expect(status).toBe(201)
  expect(body).toEqual(BLANK)
  expect(headers.etag).toBe('"v1"')
})

test('returns the same record on create, read and list', async () => {
  const created = await create({ title: 'orders' })
  const alone = await read(created.body.id)
  expect(alone).toMatchObject({ status: 200, headers: { etag: '"v1"' } })
  expect(alone.body).toEqual(created.body)
  const filter = encodeURIComponent(JSON.stringify({ operator: 'exact', field: 'id', value: created.body.id }))
  expect((await app.call('GET', `/resource/catalog?filter=${filter}`)).body.results).toEqual([created.body])
})

test('stores every field of the create body', async () => {
  const [team, ...ids] = [await app.createTeam(), ...Array.from({ length: 6 }, newId)]
  const parent = await app.createResource({ title: 'shop', entity_type: 'database' })
  const body = {
    title: 'order_items',
    integration: ids[0],
    description: 'One row for each item.',
    entity_type: 'schema',
    definition: '# Items',
    parent: parent.id,
    pii: true,
    verified: true,
    published: true,
    teams: [team],
    owners: [ids[1]],
    owners_groups: [ids[2]],
    collections: [ids[3]],
    tags: [ids[4]],
    subscribers: [ids[5]],
  }
  const { status, body: record } = await create(body)
  expect(status).toBe(201)
  expect(record).toMatchObject(body)
  expect(record).toMatchObject({ title_full: 'shop.order_items', title_cased: 'Order Items', definition_version: 1, icon: 'folder' })
  expect(record.search_metadata).toEqual({ cluster: null, database: 'shop', schema: 'order_items', type: 'schema' })
  expect((await read(record.id)).body).toEqual(record)
})

for (const [field, value] of [
  ['title', 5],
  ['title', ''],
  ['title', 'x'.repeat(501)],
  ['description', false],
  ['definition', ['text']],
  ['entity_type', 'spaceship'],
  ['integration', 'shop'],
  ['parent', 7],
  ['pii', 'true'],
  ['verified', 1],
  ['published', 'false'],
  ['teams', newId()],
  ['owners', [5]],
  ['owners_groups', ['nobody']],
  ['collections', {}],
  ['tags', ['0'.repeat(31)]],
  ['subscribers', [null]],
] as const)
  test(`rejects ${field}: ${JSON.stringify(value).slice(0, 40)}`, async () => {
    const { status, body } = await create({ [field]: value })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'validation_failed', detail: expect.stringContaining(field) })
    expect(Object.keys(body.errors)[0]).toMatch(new RegExp(`^${field}`))
    expect(body.errors[Object.keys(body.errors)[0]!]).toEqual([expect.any(String)])
  })

test('ignores unknown query parameters with a warning on lists, reads and writes', async () => {
  const { body } = await create({ title: 'orders' })
  for (const [method, path, names] of [
    ['GET', '/resource/catalog?entity_typ=table&page=1', 'entity_typ'],
    ['GET', '/search?q=order&as_of=2020-01-01T00:00:00Z&no"ne', 'as_of, no?ne'],
    ['GET', `/resource/all/${body.id}?colour=1`, 'colour'],
    ['PATCH', `/resource/all/${body.id}?dry_run=true`, 'dry_run'],
  ] as const) {
    const { status, headers } = await app.call(method, path, method === 'PATCH' ? { body: { title: 'orders' } } : {})
    expect([path, status, headers.warning]).toEqual([path, 200, `199 - "ignored parameters: ${names}"`])
  }
  const both = await app.call('PATCH', `/resource/all/${body.id}?dry_run=true`, { body: { titel: 'orders' } })
  expect(both.headers.warning).toBe('199 - "ignored fields: titel", 199 - "ignored parameters: dry_run"')
  expect((await app.call('GET', '/resource/catalog?page=1')).headers.warning).toBeUndefined()
})

test('ignores unknown fields with a warning and read-only fields without one', async () => {
  const { body: record, headers } = await create({ titel: 'orders', 'évil"\n': 1, title: 'orders' })
  expect(headers.warning).toBe('199 - "ignored fields: titel, ?vil??"')
  const again = await create({ ...record, title: 'again' })
  expect(again).toMatchObject({ status: 201, body: { title: 'again', version: 1 } })
  expect(again.headers.warning).toBeUndefined()
  expect(again.body.id).not.toBe(record.id)
})

test('normalizes IDs', async () => {
  const id = newId()
  const undashed = id.replaceAll('-', '').toUpperCase()
  const { body } = await create({ owners: [undashed, id], integration: undashed })
  expect(body).toMatchObject({ owners: [id], integration: id })
  for (const form of [body.id.toUpperCase(), body.id.replaceAll('-', ''), `${body.id}/`])
    expect((await read(form)).body.id, form).toBe(body.id)
})

for (const path of ['nothing', '0', '%00', 'x'.repeat(400), `${newId()}0`, newId()])
  test(`returns 404 for ${path.slice(0, 40)}`, async () => {
    const { status, body } = await read(path)
    expect(status).toBe(404)
    expect(body).toEqual({ detail: expect.any(String), code: 'not_found', request_id: expect.any(String) })
  })

test('accepts a trailing slash on every path and a body on GET', async () => {
  const { status, body } = await app.call('POST', '/resource/catalog/', { body: { title: 'slashed' } })
  expect(status).toBe(201)
  expect((await app.call('GET', '/resource/catalog/?page_size=1', { body: 'not { json' })).status).toBe(200)
  expect((await app.call('GET', `/resource/all/${body.id}/`, { body: { title: 'ignored' } })).body).toEqual(body)
  expect((await app.call('PATCH', `/resource/all/${body.id}/`, { body: { pii: true } })).body.pii).toBe(true)
  expect((await app.call('POST', '/resource/all/bulk_update', { body: [] })).body).toEqual([])
  expect((await app.call('DELETE', `/resource/all/${body.id}/`)).status).toBe(204)
})

test('registers an unknown integration once', async () => {
  const integration = newId()
  for (const title of ['a', 'b']) expect((await create({ title, integration })).status).toBe(201)
  const registered = await app.db.selectFrom('integrations').selectAll().where('id', '=', integration).execute()
  expect(registered).toMatchObject([{ type: 'custom' }])
  expect((await app.listActivities()).filter(({ resource_id }) => resource_id === integration)).toEqual([
    { activity_type: 'integration_created', resource_id: integration },
  ])
})

test('rejects a missing or hidden parent', async () => {
  const unknown = await create({ title: 'lost', parent: newId() })
  expect(unknown).toMatchObject({ status: 400, body: { code: 'validation_failed', errors: { parent: [expect.any(String)] } } })
  const closed = await app.createTeam(true)
  const hidden = await app.createResource({ teams: [closed] })
  const editor = await app.createUser('editor')
  const response = await app.call('POST', '/resource/catalog', { body: { parent: hidden.id }, token: editor.token })
  expect(response).toMatchObject({ status: 400, body: { errors: { parent: [expect.any(String)] } } })
})

for (const [title, cased] of [
  ['order_items', 'Order Items'],
  ['orderItems', 'Order Items'],
  ['customerLTV', 'Customer LTV'],
  ['HTTPServer-log', 'HTTP Server Log'],
  ['ёлка_2', 'Ёлка 2'],
  ['___', '___'],
] as const)
  test(`displays ${title} as ${cased}`, async () => expect((await create({ title })).body.title_cased).toBe(cased))

test('viewers can read published resources, but not edit them or run monitors', async () => {
  const viewer = await app.createUser('viewer')
  const [open, draft] = [await app.createResource({ published: true }), await app.createResource()]
  const seen = await app.call('GET', `/resource/all/${open.id}`, { token: viewer.token })
  expect(seen.body.current_user_permissions).toEqual({ read: true, write: false, execute: false })
  expect((await app.call('GET', `/resource/all/${draft.id}`, { token: viewer.token })).status).toBe(404)
  expect((await app.call('POST', '/resource/catalog', { body: {}, token: viewer.token })).status).toBe(403)
})

test('updates a frequently viewed resource once an hour, with its last 20 viewers', async () => {
  await using app = await createTestApp()
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const { id } = await app.createResource({ published: true })
    const people = await Promise.all(Array.from({ length: 23 }, () => app.createUser('viewer')))
    const readResource = async (token: string) => (await app.call('GET', `/resource/all/${id}`, { token })).body
    const later = async (ms: number) => {
      vi.advanceTimersByTime(ms)
      await flushViews({ ...app.ctx, now: new Date() })
    }
    await readResource(people[0]!.token)
    await later(60_000)
    expect(await readResource(people[0]!.token)).toMatchObject({ internal_usage: 1, internal_users: [people[0]!.id] })
    for (const { token } of people) {
      await readResource(token)
      await later(60_000)
    }
    expect(await readResource(people[0]!.token)).toMatchObject({ internal_usage: 1 })
    await later(3_600_000)
    const { internal_usage, internal_users } = await readResource(people[0]!.token)
    expect(internal_usage).toBe(23) // each user once per day
    expect(internal_users).toHaveLength(20)
    expect(people.filter((each) => !internal_users.includes(each.id))).toHaveLength(3)
    expect(internal_users).toEqual(expect.arrayContaining([people[0]!.id, people[22]!.id]))
  } finally {
    vi.useRealTimers()
  }
})

test('counts views within a minute', async () => {
  await using app = await createTestApp()
  const { id } = await app.createResource({ published: true })
  const reader = await app.createUser('viewer')
  const readResource = async () => (await app.call('GET', `/resource/all/${id}`, { token: reader.token })).body
  await readResource()
  await flushViews(app.ctx)
  expect(await readResource()).toMatchObject({ internal_usage: 1, internal_users: [reader.id] })
  await readResource()
  await flushViews(app.ctx)
  expect(await readResource()).toMatchObject({ internal_usage: 1 })
  await flushViews(app.ctx, { last: true })
  expect(await readResource()).toMatchObject({ internal_usage: 1, version: 1 }) // one user on one day counts once
  const other = await app.createUser('viewer')
  await app.call('GET', `/resource/all/${id}`, { token: other.token })
  await flushViews(app.ctx, { last: true })
  expect(await readResource()).toMatchObject({ internal_usage: 2, total_usage: 2 })
})
