import { expect, test } from 'vitest'
import type { Resource } from '../../src/catalog/records/schema.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const START = Date.parse('2026-03-01T00:00:00Z')
/** A clock set by the test. */
const createTestClock = () => {
  const clock = { at: START, now: () => new Date(clock.at), iso: () => new Date(clock.at).toISOString() }
  return clock
}
const make = async (app: TestApp, body: object): Promise<Resource> => (await app.call('POST', '/resource/catalog', { body })).body
const read = (app: TestApp, id: string, query = '') => app.call('GET', `/resource/all/${id}${query}`)
const asOf = (app: TestApp, id: string, at: string) => read(app, id, `?as_of=${at}`)
const edit = async (app: TestApp, id: string, body: object): Promise<Resource> =>
  (await app.call('PATCH', `/resource/all/${id}`, { body })).body
const version = (app: TestApp, id: string, n: number | string) => app.call('GET', `/resource/all/${id}/versions/${n}`)
const restore = (app: TestApp, id: string, n: number, headers: Record<string, string> = {}) =>
  app.call('POST', `/resource/all/${id}/restore`, { body: { version: n }, headers })

test('a version can be read in full, and any two compared', async () => {
  await using app = await createTestApp()
  const tag = newId()
  const first = await make(app, { title: 'orders', tags: [tag], pii: true })
  const second = await edit(app, first.id, { description: 'Each order.', pii: false })
  const third = await edit(app, first.id, { title: 'purchases', tags: null, definition: '# Purchases' })
  for (const record of [first, second, third]) expect((await version(app, first.id, record.version)).body).toEqual(record)
  const compare = async (from: unknown, to: unknown) => app.call('GET', `/resource/all/${first.id}/versions/compare?from=${from}&to=${to}`)
  expect((await compare(1, 3)).body).toEqual([
    { field: 'title', from: 'orders', to: 'purchases' },
    { field: 'description', from: null, to: 'Each order.' },
    { field: 'definition', from: null, to: '# Purchases' },
    { field: 'pii', from: true, to: false },
    { field: 'tags', from: [tag], to: null },
  ])
  expect((await compare(3, 2)).body).toEqual([
    { field: 'title', from: 'purchases', to: 'orders' },
    { field: 'definition', from: '# Purchases', to: null },
    { field: 'tags', from: null, to: [tag] },
  ])
  expect((await compare(2, 2)).body).toEqual([])
  for (const n of [0, 4, 'latest', '1e0', '99999999999']) expect((await version(app, first.id, n)).status).toBe(404)
  expect((await compare(1, 4)).status).toBe(404)
  expect((await compare(1, 'x')).status).toBe(400)
  expect((await version(app, newId(), 1)).status).toBe(404)
})

test('versions are listed newest first, in pages', async () => {
  await using app = await createTestApp()
  const { id } = await make(app, { title: 'orders' })
  for (const description of ['a', 'b', 'c']) await edit(app, id, { description })
  const { body } = await app.call('GET', `/resource/all/${id}/versions?page_size=3`)
  expect(body).toMatchObject({
    count: 4,
    total_pages: 2,
    meta: { page: 1, previous_page: 'None', next_page: 2 },
    links: { previous: null },
  })
  expect(body.results.map((item: { version: number }) => item.version)).toEqual([4, 3, 2])
  expect(body.results[0]).toMatchObject({ resource_id: id, changes: [{ field: 'description', from: 'b', to: 'c' }] })
  expect((await app.call('GET', body.links.next.replace(/^https?:\/\/[^/]+/, ''))).body.results).toMatchObject([{ version: 1 }])
})

test('restoring a version is an edit like any other', async () => {
  const clock = createTestClock()
  await using app = await createTestApp({ now: clock.now })
  const first = await make(app, { title: 'orders', description: 'Each order.', owners: [newId()] })
  const changed = await edit(app, first.id, { title: 'purchases', description: null, owners: [], verified: true })
  clock.at += 1000
  const { status, body, headers } = await restore(app, first.id, 1)
  expect(status).toBe(200)
  expect(headers.etag).toBe('"v3"')
  expect(body).toEqual({ ...first, version: 3, updated_at: clock.iso() })
  expect((await read(app, first.id)).body).toEqual(body)
  const { results } = (await app.call('GET', `/resource/all/${first.id}/versions`)).body
  expect(results[0]).toMatchObject({ version: 3, activity_type: 'resource_updated' })
  expect(results[0].changes).toHaveLength(4)
  expect((await version(app, first.id, 2)).body).toEqual(changed)

  expect((await restore(app, first.id, 1)).body.version).toBe(3)
  expect((await restore(app, first.id, 9)).status).toBe(404)
  expect((await restore(app, first.id, 2, { 'If-Match': '"v2"' })).status).toBe(412)
  expect((await app.call('POST', `/resource/all/${first.id}/restore`, { body: { version: '1' } })).status).toBe(400)
  expect((await app.call('POST', `/resource/all/${first.id}/restore`, { body: {} })).status).toBe(400)
  expect((await read(app, first.id)).body.version).toBe(3)
})

test('restoring a published table publishes its columns again', async () => {
  await using app = await createTestApp()
  const table = await make(app, { title: 'orders', published: true })
  const column = await make(app, { title: 'id', entity_type: 'column', parent: table.id })
  await edit(app, table.id, { published: false })
  expect((await read(app, column.id)).body.published).toBe(false)
  await restore(app, table.id, 1)
  expect((await read(app, column.id)).body.published).toBe(true)
})

test('a restored resource keeps its ID and continues its version numbers', async () => {
  const clock = createTestClock()
  await using app = await createTestApp({ now: clock.now })
  const schema = await make(app, { title: 'shop', entity_type: 'schema' })
  const first = await make(app, { title: 'orders', parent: schema.id, tags: [newId()], definition: 'One.' })
  clock.at += 1000
  const second = await edit(app, first.id, { definition: 'Two.', archived: true, verified: true })
  const column = await make(app, { title: 'id', entity_type: 'column', parent: first.id })
  clock.at += 1000
  await app.call('DELETE', `/resource/all/${first.id}`)
  expect((await read(app, schema.id)).body.children_count).toBe(0)
  expect((await version(app, first.id, 3)).body).toEqual({ ...second, version: 3, children_count: 1 })
  clock.at += 1000
  await edit(app, schema.id, { title: 'store' })

  expect((await restore(app, first.id, 3, { 'If-Match': '"v2"' })).status).toBe(412)
  const { status, body } = await restore(app, first.id, 3)
  expect(status).toBe(200)
  expect(body).toEqual({
    ...second,
    version: 4,
    updated_at: clock.iso(),
    children_count: 1,
    title_full: 'store.orders',
    search_metadata: { ...second.search_metadata, schema: 'store' },
  })
  expect((await read(app, schema.id)).body.children_count).toBe(1)
  expect((await app.call('GET', `/resource/all/${first.id}/versions`)).body.results[0]).toMatchObject({
    version: 4,
    activity_type: 'resource_restored',
    changes: expect.arrayContaining([{ field: 'archived', from: null, to: true }]),
  })
  expect((await version(app, first.id, 4)).body).toEqual(body)
  expect((await read(app, column.id)).body).toMatchObject({ id: column.id, title_full: 'store.orders.id', version: 3 })

  clock.at += 1000
  const again = (await restore(app, first.id, 1)).body
  expect(again).toMatchObject({
    definition: 'One.',
    definition_version: 3,
    archived: false,
    archived_at: null,
    verified: false,
    version: 5,
  })
  expect((await version(app, first.id, 5)).body).toEqual(again)
})

test('a deleted resource can be restored to an earlier version', async () => {
  await using app = await createTestApp()
  const first = await make(app, { title: 'orders', definition: 'One.', pii: true })
  await edit(app, first.id, { definition: 'Two.', title: 'purchases', pii: false, description: 'Gone soon.' })
  await app.call('DELETE', `/resource/all/${first.id}`)
  const { body } = await restore(app, first.id, 1)
  expect(body).toMatchObject({ title: 'orders', title_cased: 'Orders', title_full: 'orders', definition: 'One.', definition_version: 3 })
  expect(body).toMatchObject({ pii: true, description: null, version: 4, created_at: first.created_at })
  expect((await version(app, first.id, 4)).body).toEqual(body)
})

test('missing references of a version are named, and nothing is changed', async () => {
  await using app = await createTestApp()
  const schema = await make(app, { title: 'shop', entity_type: 'schema' })
  const inside = await make(app, { title: 'orders', parent: schema.id })
  const moved = await make(app, { title: 'customers', parent: schema.id })
  const integration = newId()
  const reported = await make(app, { title: 'reported', integration })
  await edit(app, moved.id, { parent: null })
  await edit(app, reported.id, { integration: null })
  await app.call('DELETE', `/resource/all/${schema.id}`)
  await app.db.deleteFrom('integrations').where('id', '=', integration).execute()
  const before = await app.listActivities()
  for (const [{ id }, missing] of [
    [inside, schema.id],
    [moved, schema.id],
    [reported, integration],
  ] as const) {
    const { status, body } = await restore(app, id, 1)
    expect(status).toBe(409)
    expect(body.code).toBe('conflict')
    expect(body.detail).toContain(missing)
  }
  expect(await app.listActivities()).toEqual(before)
  expect((await read(app, inside.id)).status).toBe(404)
  expect((await read(app, moved.id)).body).toMatchObject({ parent: null, version: 2 })
  expect(await app.db.selectFrom('integrations').selectAll().execute()).toEqual([])

  await restore(app, schema.id, 1)
  expect((await restore(app, inside.id, 1)).body).toMatchObject({ title_full: 'shop.orders', parent: schema.id })
})

test('two concurrent restores of a deleted resource restore it once', async () => {
  await using app = await createTestApp()
  const { id } = await make(app, { title: 'orders' })
  await app.call('DELETE', `/resource/all/${id}`)
  const responses = await Promise.all([1, 1, 1].map((n) => restore(app, id, n)))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await app.listActivities()).map(({ activity_type }) => activity_type)).toEqual([
    'resource_created',
    'resource_deleted',
    'resource_restored',
  ])
})

test('as_of returns the record at that time', async () => {
  const clock = createTestClock()
  await using app = await createTestApp({ now: clock.now })
  const database = await make(app, { title: 'warehouse', entity_type: 'database' })
  const schema = await make(app, { title: 'shop', entity_type: 'schema', parent: database.id })
  clock.at = START + 10_000
  const table = await make(app, { title: 'orders', parent: schema.id })
  clock.at = START + 20_000
  await edit(app, table.id, { description: 'Each order.' })
  const column = await make(app, { title: 'id', entity_type: 'column', parent: table.id })
  clock.at = START + 30_000
  await edit(app, database.id, { title: 'lake' })
  await app.call('DELETE', `/resource/all/${column.id}`)
  clock.at = START + 40_000
  await app.call('DELETE', `/resource/all/${table.id}`)
  clock.at = START + 50_000

  const at = async (seconds: number, id = table.id) => asOf(app, id, new Date(START + seconds * 1000).toISOString())
  expect((await at(9.999)).status).toBe(404)
  expect((await at(10)).body).toEqual(table)
  const then = await at(29.999)
  expect(then.headers.etag).toBe('"v2"')
  expect(then.body).toMatchObject({ version: 2, description: 'Each order.', children_count: 1, title_full: 'warehouse.shop.orders' })
  expect(then.body).toMatchObject({
    updated_at: new Date(START + 20_000).toISOString(),
    search_metadata: { database: 'warehouse', schema: 'shop' },
  })
  expect((await at(30)).body).toMatchObject({
    version: 2,
    children_count: 0,
    title_full: 'lake.shop.orders',
    search_metadata: { database: 'lake' },
  })
  expect((await at(39.999)).status).toBe(200)
  expect((await at(40)).status).toBe(404)
  expect((await at(25, column.id)).body).toMatchObject({ title_full: 'warehouse.shop.orders.id' })
  expect((await at(35, schema.id)).body).toMatchObject({ children_count: 1 })
  expect((await at(45, schema.id)).body).toMatchObject({ children_count: 0 })
  expect((await at(9_999, schema.id)).body).toEqual((await read(app, schema.id)).body)
  for (const moment of ['yesterday', '', '2026-13-01T00:00:00Z', '1772323200'])
    expect((await asOf(app, schema.id, moment)).body).toMatchObject({
      code: 'validation_failed',
      errors: { as_of: [expect.any(String)] },
    })
  expect((await asOf(app, 'no-id', new Date(START).toISOString())).status).toBe(404)
})

test('users who can see a resource can see its past; deleted ones are for those who could edit them', async () => {
  const clock = createTestClock()
  await using app = await createTestApp({ now: clock.now })
  const closed = await app.createTeam(true)
  const [editor, member, viewer] = await Promise.all([
    app.createUser('editor'),
    app.createUser('editor', { teams: [closed] }),
    app.createUser('viewer'),
  ])
  const table = await make(app, { title: 'orders', published: true })
  const open = await make(app, { title: 'open', parent: table.id, published: true })
  const secret = await make(app, { title: 'secret', parent: table.id, published: true, teams: [closed] })
  const then = clock.iso()
  clock.at += 1000
  const statuses = async (id: string) =>
    Promise.all(
      [app, editor, member, viewer].map(
        async ({ token }) => (await app.call('GET', `/resource/all/${id}?as_of=${then}`, { token })).status,
      ),
    )
  const children = async () =>
    Promise.all(
      [app, editor, member, viewer].map(
        async ({ token }) => (await app.call('GET', `/resource/all/${table.id}?as_of=${then}`, { token })).body.children_count,
      ),
    )
  expect(await statuses(open.id)).toEqual([200, 200, 200, 200])
  expect(await statuses(secret.id)).toEqual([200, 404, 200, 404])
  expect(await children()).toEqual([2, 1, 2, 1])
  await app.call('DELETE', `/resource/all/${open.id}`)
  await app.call('DELETE', `/resource/all/${secret.id}`)
  clock.at += 1000
  expect(await statuses(open.id)).toEqual([200, 200, 200, 404])
  expect(await statuses(secret.id)).toEqual([200, 404, 200, 404]) // it is in the trash, visible to members of its team as well
  expect(await children()).toEqual([2, 1, 1, 0])
  await edit(app, table.id, { published: false })
  clock.at += 1000
  expect(await statuses(table.id)).toEqual([200, 200, 200, 404])
})

/** Pseudo-random numbers, the same on every run. */
const createRandom = (seed: number) => {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return { below: (n: number) => Math.floor(next() * n), of: <T>(some: readonly T[]): T => some[Math.floor(next() * some.length)]! }
}

/** Longer than what is stored in the entry itself. */
const LONG_TEXT = 'long text '.repeat(200)

for (const seed of [1, 2])
  test(`every version and every moment can be read as it was (seed ${seed})`, async () => {
    const clock = createTestClock()
    await using app = await createTestApp({ now: clock.now })
    const { below, of } = createRandom(seed)
    const existing = new Map<string, Resource>()
    const createdIds: string[] = []
    const seen: { at: string; records: Map<string, Resource> }[] = []
    const versions = new Map<string, Resource>()
    const ids = Array.from({ length: 4 }, newId)
    const addCreated = (record: Resource) => createdIds.push(record.id)

    const recordState = async () => {
      existing.clear()
      const responses = await Promise.all(createdIds.map((id) => read(app, id)))
      for (const { status, body } of responses) if (status === 200) existing.set(body.id, body)
      seen.push({ at: clock.iso(), records: new Map(existing) })
      for (const record of existing.values()) if (record.updated_at === clock.iso()) versions.set(`${record.id} ${record.version}`, record)
    }
    const some = (...types: string[]) => [...existing.values()].filter(({ entity_type }) => types.includes(entity_type))

    addCreated(await make(app, { title: 'warehouse', entity_type: 'database' }))
    for (const title of ['shop', 'staff']) addCreated(await make(app, { title, entity_type: 'schema', parent: createdIds[0] }))
    for (const [i, title] of ['orders', 'people', 'shifts'].entries())
      addCreated(await make(app, { title, parent: createdIds[1 + (i % 2)], description: title, pii: i === 0 }))
    await recordState()
    // One table with enough versions for a snapshot, so that later ones are replayed from it.
    for (let i = 0; i < 17; i += 1) {
      clock.at += 1
      await edit(app, createdIds[3]!, i % 2 === 0 ? { definition: `${i} ${LONG_TEXT}` } : { verified: i % 4 === 1, tags: [of(ids)] })
      await recordState()
    }

    for (let step = 0; step < 30; step += 1) {
      clock.at += 1 + below(5_000)
      const target = of([...existing.values()])
      const list = ids.filter(() => below(2) === 0)
      const changes = [
        { description: of(['a', 'b', null]) },
        { definition: of(['# One', '# Two', `# Three ${LONG_TEXT}`, `# Four ${LONG_TEXT}`, null]) },
        { title: `title_${step}` },
        { title: target.title, published: below(2) === 0, verified: below(2) === 0 },
        { pii: below(2) === 0, archived: below(2) === 0 },
        { owners: list, tags: of([list, null]), teams: [] },
        {
          collections: list,
          terms: of([list, null]),
          subscribers: list,
          owners_groups: list,
          native_type: of(['view', null]),
          icon: of(['box', null]),
          url: 'https://x',
        },
        { integration: of(ids) },
      ]
      const action = below(12)
      const gone = createdIds.filter((id) => !existing.has(id))
      if (action === 0) addCreated(await make(app, { title: `column_${step}`, entity_type: 'column', parent: of(some('table')).id }))
      else if (action === 1) await edit(app, of(some('table')).id, { parent: of([...some('schema').map(({ id }) => id), null]) })
      else if (action === 2 && some('table').length > 2) await app.call('DELETE', `/resource/all/${of(some('table', 'column')).id}`)
      else if (action === 3) await restore(app, target.id, 1 + below(target.version))
      else if (action === 4 && gone.length > 0) await restore(app, of(gone), 1)
      else if (action === 5)
        await app.call('POST', '/resource/all/bulk_update/', { body: [...existing.keys()].map((id) => ({ id, data: of(changes) })) })
      else await edit(app, target.id, of(changes))
      await recordState()
    }

    clock.at += 1000
    expect(versions.size).toBeGreaterThan(25)
    for (const [key, record] of versions) {
      const [id = '', n = ''] = key.split(' ')
      expect((await version(app, id, n)).body).toEqual(record)
    }
    for (const { at, records } of seen) {
      const responses = await Promise.all(createdIds.map((id) => asOf(app, id, at)))
      expect([at, ...responses.map(({ status, body }) => (status === 200 ? body : undefined))]).toEqual([
        at,
        ...createdIds.map((id) => records.get(id)),
      ])
    }
  })
