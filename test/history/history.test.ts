import { expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** The audit log over the API, oldest first by default. */
const audit = async (app: TestApp, { filter, sort = { field: 'logged_at', order: 'asc' }, ...more }: Record<string, unknown> = {}) => {
  const query = new URLSearchParams({ sort: JSON.stringify(sort), ...(filter ? { filter: JSON.stringify(filter) } : {}) })
  for (const [name, value] of Object.entries(more)) query.set(name, String(value))
  return app.call('GET', `/activity_log/audit_logs/?${query}`)
}
const summarizeEntry = (id: string) => ({ operator: 'exact', field: 'resource_id', value: id })
const log = async (app: TestApp, id: string) => (await app.call('GET', `/activity_log/resource_logs/?resource_id=${id}`)).body
const describeEntry = (entry: { event_blocks: { value: string }[] }) => entry.event_blocks.map(({ value }) => value).join(' ')
const make = async (app: TestApp, body: object) => (await app.call('POST', '/resource/catalog', { body })).body
/** A clock that advances one second with every call. */
const ticking = () => {
  let at = Date.parse('2026-03-01T00:00:00Z')
  return () => {
    at += 1000
    return new Date(at)
  }
}

test('creating and editing are each recorded once, with the changes', async () => {
  await using app = await createTestApp({ now: ticking() })
  const { id, created_at } = await make(app, { title: 'orders', verified: true, owners: [] })
  const owner = newId()
  const { body: edited } = await app.call('PATCH', `/resource/all/${id}`, {
    body: { description: 'One a line.', owners: [owner], verified: false },
  })
  const { body } = await audit(app, { filter: summarizeEntry(id) })
  expect(body.results).toMatchObject([
    { activity_type: 'resource_created', resource_id: id, resource_type: 'table', performer_type: 'API', logged_at: created_at },
    { activity_type: 'resource_updated', resource_id: id, logged_at: edited.updated_at },
  ])
  const { version_histories, non_versioned_logs } = await log(app, id)
  expect(non_versioned_logs).toEqual([])
  expect(version_histories).toMatchObject([
    {
      id: body.results[1].id,
      version: 2,
      changes: [
        { field: 'description', from: null, to: 'One a line.' },
        { field: 'verified', from: true, to: false },
        { field: 'owners', from: null, to: [owner] },
      ],
    },
    {
      id: body.results[0].id,
      version: 1,
      changes: [
        { field: 'title', from: null, to: 'orders' },
        { field: 'entity_type', from: null, to: 'table' },
        { field: 'verified', from: null, to: true },
      ],
    },
  ])
})

test('rejected requests and edits without changes are not recorded', async () => {
  await using app = await createTestApp()
  const { id, version } = await make(app, { title: 'orders', description: 'Same.' })
  const viewer = await app.createUser('viewer')
  const before = (await audit(app)).body.count
  for (const [status, body, token] of [
    [200, { description: 'Same.' }, app.token],
    [400, { description: 5 }, app.token],
    [400, { description: 'New.', parent: newId() }, app.token],
    [403, { description: 'New.' }, viewer.token],
  ] as const)
    expect((await app.call('PATCH', `/resource/all/${id}`, { body, token })).status).toBe(status)
  const rejected = await app.call('POST', '/resource/all/bulk_update/', {
    body: [
      { id, data: { pii: true } },
      { id: newId(), data: { pii: true } },
    ],
  })
  expect(rejected.status).toBe(404)
  expect((await audit(app)).body.count).toBe(before)
  expect((await app.call('GET', `/resource/all/${id}`)).body.version).toBe(version)
})

test('a bulk edit records one entry per changed resource', async () => {
  await using app = await createTestApp()
  const [a, b, c] = await Promise.all(['a', 'b', 'c'].map((title) => make(app, { title, pii: title === 'c' })))
  await app.call('POST', '/resource/all/bulk_update/', { body: [a, b, c].map(({ id }) => ({ id, data: { pii: true } })) })
  const { body } = await audit(app, { filter: { operator: 'exact', field: 'activity_type', value: 'resource_updated' } })
  expect(body.results.map((entry: { resource_id: string }) => entry.resource_id).sort()).toEqual([a.id, b.id].sort())
})

test('publishing a table publishes its columns as children of one entry', async () => {
  await using app = await createTestApp({ now: ticking() })
  const table = await make(app, { title: 'orders' })
  const column = await make(app, { title: 'id', entity_type: 'column', parent: table.id })
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { published: true } })
  const { body } = await audit(app, { filter: { operator: 'exact', field: 'activity_type', value: 'resource_updated' } })
  const [own, followed] = [table.id, column.id].map((id) => body.results.find((entry: { resource_id: string }) => entry.resource_id === id))
  expect(body.count).toBe(2)
  expect(own).toMatchObject({ parent_id: null })
  expect(followed).toMatchObject({ parent_id: own.id })
  expect(describeEntry(followed)).toBe('Admin published id together with its parent')
  expect((await log(app, column.id)).version_histories[0].changes).toEqual([{ field: 'published', from: false, to: true }])
})

test('a deletion records everything below, each with its last version', async () => {
  await using app = await createTestApp({ now: ticking() })
  const schema = await make(app, { title: 'shop', entity_type: 'schema' })
  const table = await make(app, { title: 'orders', parent: schema.id, tags: [schema.id] })
  const column = await make(app, { title: 'id', entity_type: 'column', parent: table.id })
  expect((await app.call('DELETE', `/resource/all/${schema.id}`)).status).toBe(204)
  const { body } = await audit(app, { filter: { operator: 'exact', field: 'activity_type', value: 'resource_deleted' } })
  expect(body.count).toBe(3)
  const root = body.results.find((entry: { resource_id: string }) => entry.resource_id === schema.id)
  expect(root.parent_id).toBe(null)
  for (const { id } of [table, column])
    expect(body.results.find((entry: { resource_id: string }) => entry.resource_id === id).parent_id).toBe(root.id)
  expect((await log(app, table.id)).version_histories[0]).toMatchObject({
    version: 2,
    activity_type: 'resource_deleted',
    changes: expect.arrayContaining([
      { field: 'title', from: 'orders', to: null },
      { field: 'parent', from: schema.id, to: null },
      { field: 'tags', from: [schema.id], to: null },
    ]),
  })
})

test('an audit entry and its envelope match the contract', async () => {
  await using app = await createTestApp()
  const ada = await app.createUser('editor')
  await app.db
    .updateTable('users')
    .set({ first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' })
    .where('id', '=', ada.id)
    .execute()
  const integration = newId()
  const { body: orders } = await app.call('POST', '/resource/catalog', {
    token: ada.token,
    body: { title: 'orders', integration, icon: 'box' },
  })
  const { status, body } = await audit(app, { filter: summarizeEntry(orders.id) })
  expect(status).toBe(200)
  const id = body.results[0].id
  const at = orders.created_at
  expect(body).toEqual({
    results: [
      {
        id,
        parent_id: null,
        activity_type: 'resource_created',
        performer_id: ada.id,
        performer_type: 'API',
        performer_metadata: { id: ada.id, email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace', name: 'Ada Lovelace' },
        resource_id: orders.id,
        resource_type: 'table',
        resource_metadata: { id: orders.id, title: 'orders', name: 'orders', icon: 'box', type: 'table', integration_id: integration },
        related_resource_ids: [],
        related_resource_type: null,
        event_blocks: [
          { type: 'performer', style: 'normal', value: 'Ada Lovelace' },
          { type: 'text', style: 'normal', value: 'created the table' },
          { type: 'resource', style: 'normal', value: 'orders' },
        ],
        translatable: {
          template: '{performer} created {what} {resource}',
          values: { performer: 'Ada Lovelace', what: { template: 'the table', values: {} }, resource: 'orders' },
        },
        logged_at: at,
        created_at: at,
        updated_at: at,
        is_legacy: false,
        version_history_id: id,
        secoda_entity_type: 'table',
      },
    ],
    total_pages: 1,
    count: 1,
    meta: { page: 1, previous_page: 'None', next_page: null, count: 1, total_pages: 1 },
  })
  const registered = (await audit(app, { filter: summarizeEntry(integration) })).body.results
  expect(registered).toMatchObject([{ activity_type: 'integration_created', version_history_id: null }])
})

test('long texts are shortened in sentences and complete in versions', async () => {
  await using app = await createTestApp()
  const definition = Array.from({ length: 1_000 }, newId).join(' ')
  const { id } = await make(app, { title: 'orders' })
  await app.call('PATCH', `/resource/all/${id}`, { body: { definition } })
  const { body } = await audit(app, {
    filter: { operator: 'and', operands: [summarizeEntry(id), { operator: 'exact', field: 'version', value: 2 }] },
  })
  expect(describeEntry(body.results[0])).toBe(`Admin set the documentation of orders to “${definition.slice(0, 80)}…”`)
  expect((await log(app, id)).version_histories[0].changes).toEqual([{ field: 'definition', from: null, to: definition }])
})

test('the audit log can be filtered, sorted and paged', async () => {
  await using app = await createTestApp({ now: ticking() })
  const created = []
  for (let i = 0; i < 7; i += 1) created.push(await make(app, { title: `t${i}`, entity_type: i % 2 ? 'document' : 'table' }))
  const ids = created.map(({ id }) => id)
  const found = async (filter: object, more: object = {}) =>
    (await audit(app, { filter, ...more })).body.results.map((entry: { resource_id: string }) => ids.indexOf(entry.resource_id))
  for (const [filter, expected] of [
    [{ operator: 'exact', field: 'activity_type', value: 'document_created' }, [1, 3, 5]],
    [{ operator: 'exact', field: 'secoda_entity_type', value: 'table' }, [0, 2, 4, 6]],
    [{ operator: 'in', field: 'resource_id', value: [ids[6], ids[0]] }, [0, 6]],
    [{ operator: 'gt', field: 'logged_at', value: created[4].created_at }, [5, 6]],
    [{ operator: 'lte', field: 'created_at', value: created[1].created_at }, [0, 1]],
    [{ operator: 'contains', field: 'resource_title', value: 'T3' }, [3]],
    [{ operator: 'exact', field: 'performer_type', value: 'SYSTEM' }, []],
    [{ operator: 'exact', field: 'performer_id', value: app.ctx.actor.user_id }, [0, 1, 2, 3, 4, 5, 6]],
    [{ operator: 'exact', field: 'related_resource_ids', value: ids[0] }, []],
    [{ operator: 'is_set', field: 'parent_id' }, []],
    [{ operator: 'not', operands: [{ operator: 'is_set', field: 'version_history_id' }] }, []],
  ] as const)
    expect([filter, await found(filter)]).toEqual([filter, expected])

  expect(await found({ operator: 'and', operands: [] }, { sort: { field: 'resource_title', order: 'desc' } })).toEqual([
    6, 5, 4, 3, 2, 1, 0,
  ])
  const unsorted = await app.call('GET', '/activity_log/audit_logs/?page_size=3')
  expect(unsorted.body.results.map((entry: { resource_id: string }) => ids.indexOf(entry.resource_id))).toEqual([6, 5, 4])
  const second = (await audit(app, { page: 2, page_size: 3 })).body
  expect(second.results.map((entry: { resource_id: string }) => ids.indexOf(entry.resource_id))).toEqual([3, 4, 5])
  expect(second.meta).toEqual({ page: 2, previous_page: 1, next_page: 3, count: 7, total_pages: 3 })
  expect((await audit(app, { page: 4, page_size: 3 })).body).toMatchObject({ results: [], count: 7, meta: { next_page: null } })

  for (const [query, code] of [
    ['filter={"operator":"exact","field":"title","value":"x"}', 'invalid_filter'],
    ['filter={"operator":"contains","field":"performer_id","value":"x"}', 'invalid_filter'],
    ['sort={"field":"related_resource_ids"}', 'invalid_sort'],
    ['page=0', 'invalid_page'],
    ['page_size=1001', 'invalid_page'],
  ])
    expect((await app.call('GET', `/activity_log/audit_logs/?${query}`)).body.code).toBe(code)
})

test('the count is exact during concurrent writes', async () => {
  await using app = await createTestApp()
  const filter = { operator: 'exact', field: 'activity_type', value: 'resource_updated' }
  const ids: string[] = []
  for (let i = 0; i < 4; i += 1) ids.push((await make(app, { title: `t${i}` })).id)
  let started = 0
  let done = 0
  const write = async (id: string) => {
    for (let i = 0; i < 15; i += 1) {
      started += 1
      await app.call('PATCH', `/resource/all/${id}`, { body: { description: `${i}` } })
      done += 1
    }
  }
  let writing = true
  const read = async () => {
    let last = 0
    while (writing) {
      const atLeast = done
      const { count } = (await audit(app, { filter })).body
      expect(count).toBeGreaterThanOrEqual(Math.max(atLeast, last))
      expect(count).toBeLessThanOrEqual(started)
      last = count
    }
  }
  const readers = [read(), read()]
  await Promise.all(ids.map(write)).finally(() => (writing = false))
  await Promise.all(readers)
  expect((await audit(app, { filter })).body.count).toBe(60)
})

test('an uncommitted entry is counted once committed, and never if rolled back', async () => {
  await using app = await createTestApp()
  const { id } = await make(app, { title: 'orders' })
  const count = async () => (await audit(app)).body.count
  const entry = () => ({
    id: newId(),
    activity_type: 'resource_viewed',
    performer_type: 'SYSTEM',
    resource_id: id,
    logged_at: new Date(),
  })
  const rollback = new Error('roll back')
  expect(await count()).toBe(1)
  await app.db.transaction().execute(async (slow) => {
    await slow.insertInto('activities').values(entry()).execute()
    await make(app, { title: 'customers' })
    expect(await count()).toBe(2)
    expect(await count()).toBe(2)
  })
  expect(await count()).toBe(3)
  await app.db
    .transaction()
    .execute(async (slow) => {
      await slow.insertInto('activities').values(entry()).execute()
      expect(await count()).toBe(3)
      throw rollback
    })
    .catch((error) => expect(error).toBe(rollback))
  expect(await count()).toBe(3)
})

test('a resource log pages over all entries, versions and others, newest first', async () => {
  await using app = await createTestApp({ now: ticking() })
  const { id } = await make(app, { title: 'orders' })
  await app.call('PATCH', `/resource/all/${id}`, { body: { pii: true } })
  const at = (await app.call('GET', `/resource/all/${id}`)).body.updated_at
  await app.db
    .insertInto('activities')
    .values({
      id: newId(),
      activity_type: 'lineage_created',
      performer_type: 'SYSTEM',
      resource_id: id,
      resource_title: 'orders',
      logged_at: new Date(Date.parse(at) + 1),
    })
    .execute()
  const page = async (n: number) => (await app.call('GET', `/activity_log/resource_logs/?resource_id=${id}&page_size=2&page=${n}`)).body
  const [first, second] = [await page(1), await page(2)]
  expect(Object.keys(first).sort()).toEqual(['count', 'meta', 'non_versioned_logs', 'total_pages', 'version_histories'])
  expect(first).toMatchObject({
    count: 3,
    total_pages: 2,
    meta: { page: 1, previous_page: 'None', next_page: 2, count: 3, total_pages: 2 },
  })
  expect(first.non_versioned_logs.map(describeEntry)).toEqual(['Tablinum added lineage to orders from another resource'])
  expect(first.version_histories.map(({ version }: { version: number }) => version)).toEqual([2])
  expect(second.version_histories.map(({ version }: { version: number }) => version)).toEqual([1])
  expect(Object.keys(second.version_histories[0]).sort()).toEqual([
    'activity_type',
    'changes',
    'created_at',
    'event_blocks',
    'id',
    'parent_id',
    'performer_id',
    'performer_metadata',
    'performer_type',
    'resource_id',
    'translatable',
    'version',
  ])
  expect((await app.call('GET', `/activity_log/resource_logs/?resource_id=${id.replaceAll('-', '').toUpperCase()}`)).body.count).toBe(3)
})

test('a resource log requires a resource', async () => {
  await using app = await createTestApp()
  for (const [query, status] of [
    ['', 400],
    ['?resource_id=', 400],
    ['?resource_id=orders', 400],
    [`?resource_id=${newId()}`, 404],
  ] as const)
    expect((await app.call('GET', `/activity_log/resource_logs/${query}`)).status).toBe(status)
})

test('each role can read only its logs', async () => {
  await using app = await createTestApp()
  const closed = await app.createTeam(true)
  const [editor, member, viewer, guest] = await Promise.all([
    app.createUser('editor'),
    app.createUser('editor', { teams: [closed] }),
    app.createUser('viewer'),
    app.createUser('guest'),
  ])
  const narrow = await app.createUser('admin', { scope: 'write' })
  const open = await make(app, { title: 'open', published: true })
  const secret = await make(app, { title: 'secret', published: true, teams: [closed] })
  const integration = newId()
  await make(app, { title: 'reported', integration })

  const status = async (path: string, { token }: { token: string }) => (await app.call('GET', path, { token })).status
  for (const who of [editor, member, viewer, guest, narrow]) expect(await status('/activity_log/audit_logs/', who)).toBe(403)
  expect((await app.call('GET', '/activity_log/audit_logs/', { token: null })).status).toBe(401)

  const logs = ({ id }: { id: string }, who: { token: string }) => status(`/activity_log/resource_logs/?resource_id=${id}`, who)
  const versions = ({ id }: { id: string }, who: { token: string }) => status(`/resource/all/${id}/versions`, who)
  const old = ({ id }: { id: string }, who: { token: string }) => status(`/resource/all/${id}/versions/1`, who)
  const compare = ({ id }: { id: string }, who: { token: string }) => status(`/resource/all/${id}/versions/compare?from=1&to=1`, who)
  const restore = async ({ id }: { id: string }, { token }: { token: string }) =>
    (await app.call('POST', `/resource/all/${id}/restore`, { token, body: { version: 1 } })).status
  for (const route of [logs, restore]) {
    expect(await Promise.all([app, editor, member, viewer, guest].map((who) => route(open, who)))).toEqual([200, 200, 200, 403, 403])
    expect(await Promise.all([app, editor, member, viewer, guest].map((who) => route(secret, who)))).toEqual([200, 404, 200, 403, 403])
  }
  // Versions are visible to everyone who can see the resource.
  for (const route of [versions, old, compare]) {
    expect(await Promise.all([app, editor, member, viewer, guest].map((who) => route(open, who)))).toEqual([200, 200, 200, 200, 404])
    expect(await Promise.all([app, editor, member, viewer, guest].map((who) => route(secret, who)))).toEqual([200, 404, 200, 404, 404])
  }
  expect(await Promise.all([app, editor].map((who) => logs({ id: integration }, who)))).toEqual([200, 404])

  for (const { id } of [open, secret]) await app.call('DELETE', `/resource/all/${id}`)
  // In the trash it keeps its teams and is visible to those who may edit.
  for (const [route, viewers] of [[logs, 403] as const, ...[versions, old, compare].map((each) => [each, 404] as const)]) {
    expect(await Promise.all([app, editor, member, viewer].map((who) => route(open, who)))).toEqual([200, 200, 200, viewers])
    expect(await Promise.all([app, editor, member, viewer].map((who) => route(secret, who)))).toEqual([200, 404, 200, viewers])
  }
  await app.db.deleteFrom('teams').where('id', '=', closed).execute()
  expect(await Promise.all([app, editor, member].map((who) => logs(secret, who)))).toEqual([200, 404, 404])
  expect(await restore(secret, editor)).toBe(404)
})
