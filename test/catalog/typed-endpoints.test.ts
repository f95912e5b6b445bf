import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TYPED_ROUTES } from '../../src/catalog/resources/typed-routes-list.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Typed endpoints: common behavior and type-specific fields. */
const integration = newId()
const post = async (app: TestApp, path: string, body: object, token?: string) =>
  (await app.call('POST', path, { body, ...(token ? { token } : {}) })).body
const titles = ({ body }: { body: { results: { title: string }[] } }) => body.results.map(({ title }) => title).join(' ')
const encodeFilter = (filter: object) => encodeURIComponent(JSON.stringify(filter))

describe('every typed endpoint', () => {
  /** For the tests that delete what they create. */
  let shared: TestApp
  beforeAll(async () => {
    shared = await createTestApp()
  })
  afterAll(() => shared[Symbol.asyncDispose]())

  for (const { path, entity_type, parent_type, create } of TYPED_ROUTES)
    test(`${path} lists, creates, reads, edits and deletes, with history, ETag and Idempotency-Key`, async () => {
      const app = shared
      const parent = parent_type && (await app.createResource({ entity_type: parent_type, title: 'above', integration })).id
      const body = { title: 'one', entity_type: 'job', integration, ...(parent_type ? { parent } : {}) }
      const headers = { 'idempotency-key': path }
      const createdRecord = await app.call('POST', path, { body, headers })
      expect([createdRecord.status, createdRecord.body.entity_type, createdRecord.body.title]).toEqual([201, entity_type, 'one'])
      expect((await app.call('POST', path, { body, headers })).body).toEqual(createdRecord.body)
      expect((await app.call('POST', path, { body: { ...body, title: 'two' }, headers })).status).toBe(409)
      const at = `${path}/${createdRecord.body.id}`
      const read = await app.call('GET', `${path}/${createdRecord.body.id.replaceAll('-', '').toUpperCase()}/`)
      expect([read.status, read.body]).toEqual([200, createdRecord.body])
      expect((await app.call('GET', `/resource/all/${createdRecord.body.id}`)).body).toEqual(read.body)
      expect((await app.call('GET', path)).body).toMatchObject({ count: 1, results: [read.body] })
      for (const query of [
        'title=ON',
        `integration_id=${integration}`,
        `filter=${encodeFilter({ operator: 'exact', field: 'title', value: 'one' })}`,
      ])
        expect([query, (await app.call('GET', `${path}?${query}`)).body.count]).toEqual([query, 1])
      expect((await app.call('GET', `${path}?title=nothing`)).body.count).toBe(0)
      const match = { 'if-match': read.headers.etag! }
      const edited = await app.call('PATCH', at, { body: { description: 'new' }, headers: match })
      expect([edited.status, edited.body.description, edited.body.version]).toEqual([200, 'new', 2])
      expect((await app.call('PATCH', at, { body: { description: 'newer' }, headers: match })).status).toBe(412)
      expect((await app.call('DELETE', at, { headers: match })).status).toBe(412)
      const noun = entity_type === 'document' ? 'document' : 'resource'
      expect((await app.call('DELETE', at)).status).toBe(entity_type === 'event' ? 200 : 204)
      expect((await app.call('GET', at)).status).toBe(404)
      const recorded = (await app.listActivities()).filter(({ resource_id }) => resource_id === createdRecord.body.id)
      expect(recorded.map(({ activity_type }) => activity_type)).toEqual([`${noun}_created`, `${noun}_updated`, `${noun}_deleted`])
      expect(create).toBeDefined()
      if (parent) expect((await app.call('DELETE', `/resource/all/${parent}`)).status).toBe(204)
    })

  test('only returns visible resources of its type', async () => {
    await using app = await createTestApp()
    const viewer = await app.createUser('viewer')
    for (const { path, entity_type } of TYPED_ROUTES) {
      const hidden = await app.createResource({ entity_type, title: 'hidden' })
      const shown = await app.createResource({ entity_type, title: 'shown', published: true })
      const other = await app.createResource({ entity_type: entity_type === 'job' ? 'run' : 'job', title: 'other', published: true })
      const list = await app.call('GET', path, { token: viewer.token })
      expect([path, titles(list), list.body.count]).toEqual([path, 'shown', 1])
      expect((await app.call('GET', `${path}/${shown.id}`, { token: viewer.token })).status).toBe(200)
      const missing = await app.call('GET', `${path}/${newId()}`, { token: viewer.token })
      for (const { id } of [hidden, other]) {
        const response = await app.call('GET', `${path}/${id}`, { token: viewer.token })
        expect([path, response.status, response.body.code]).toEqual([path, 404, missing.body.code])
      }
      for (const { id } of [hidden, shown]) await app.call('DELETE', `/resource/all/${id}`)
    }
  })

  test('sets the entity type, whatever the body contains', async () => {
    await using app = await createTestApp()
    for (const { path, entity_type } of TYPED_ROUTES) {
      const { id } = await app.createResource({ entity_type, title: 'x' })
      for (const sent of ['job', 'bogus', 5, null])
        for (const at of [`${path}/${id}`, `/resource/all/${id}`]) {
          const response = await app.call('PATCH', at, { body: { entity_type: sent } })
          expect([at, sent, response.status, response.body.entity_type, response.body.version]).toEqual([at, sent, 200, entity_type, 1])
        }
    }
  })

  test('rejects invalid input by field and changes nothing', async () => {
    await using app = await createTestApp()
    for (const { path, entity_type, parent_type } of TYPED_ROUTES) {
      const there = await app.createResource({ entity_type, title: 'there' })
      const before = await app.listActivities()
      const parent = parent_type ? { parent: (await app.createResource({ entity_type: parent_type, title: 'x' })).id } : {}
      const first = { integration, ...parent }
      for (const [field, body] of [
        ['title', { title: 5 }],
        ['title', { title: '' }],
        ['title', { title: 'x'.repeat(501) }],
        ['teams[0]', { teams: ['sales'] }],
        ['integration', { integration: 'x' }],
        ['owners', { owners: 'x' }],
        ['description', { description: 5 }],
      ] as const) {
        const created = await app.call('POST', path, { body: { ...first, ...body } })
        expect([path, body, created.status, Object.keys(created.body.errors ?? {})]).toEqual([path, body, 400, [field]])
        const edited = await app.call('PATCH', `${path}/${there.id}`, { body })
        expect([path, body, edited.status, Object.keys(edited.body.errors ?? {})]).toEqual([path, body, 400, [field]])
      }
      for (const title of ['a\0b', '\ud800'])
        expect((await app.call('POST', path, { body: JSON.stringify({ ...first, title }) })).status).toBe(400)
      for (const id of ['nothing', '%00', '1', newId()])
        for (const method of ['GET', 'PATCH', 'DELETE'])
          expect([path, id, (await app.call(method, `${path}/${id}`, { body: method === 'PATCH' ? {} : undefined })).status]).toEqual([
            path,
            id,
            404,
          ])
      for (const query of ['filter={', 'sort={}', 'page=0', 'parent_id=x', 'integration_id=x', 'cursor=x'])
        expect([path, query, (await app.call('GET', `${path}?${query}`)).status]).toEqual([path, query, 400])
      const after = (await app.listActivities()).filter(({ activity_type }) => activity_type !== 'integration_created')
      expect(after.length - before.length).toBe(parent_type ? 1 : 0)
    }
  })
})

describe('a table', () => {
  test('can be filtered by integration, parent, title, schema and database', async () => {
    await using app = await createTestApp()
    const database = await post(app, '/database/databases', { title: 'shop', integration })
    const schema = await post(app, '/database/schemas', { title: 'public', parent: database.id })
    const orders = await post(app, '/table/tables', { title: 'orders', parent: schema.id })
    await post(app, '/table/tables', { title: 'elsewhere' })
    expect(orders).toMatchObject({ title_full: 'shop.public.orders', integration })
    for (const query of [
      `integration_id=${integration}`,
      `parent_id=${schema.id}`,
      'title=ORD',
      'schema=public',
      'database=shop',
      'schema=public&database=shop',
    ])
      expect([query, titles(await app.call('GET', `/table/tables?${query}`))]).toEqual([query, 'orders'])
    for (const query of ['schema=publi', 'database=Shop', `parent_id=${newId()}`])
      expect([query, (await app.call('GET', `/table/tables?${query}`)).body.count]).toEqual([query, 0])
  })
})

describe('a column', () => {
  const aTable = async (app: TestApp) => {
    const database = await post(app, '/database/databases', { title: 'shop', integration })
    const schema = await post(app, '/database/schemas', { title: 'public', parent: database.id })
    return post(app, '/table/tables', { title: 'order.lines', parent: schema.id })
  }

  test('has a type, a position and the titles of its table, through both paths and in the catalog', async () => {
    await using app = await createTestApp()
    const table = await aTable(app)
    const createdRecord = await post(app, '/table/column', {
      ...{ title: 'id', parent: table.id, type: 'bigint', native_type: 'int8', sort_order: 1, is_pk: true },
    })
    const own = { type: 'bigint', native_type: 'int8', sort_order: 1, is_pk: true, hidden: false }
    expect(createdRecord).toMatchObject({ ...own, table_database: 'shop', table_schema: 'public', table_title: 'order.lines' })
    for (const path of [`/table/columns/${createdRecord.id}`, `/table/column/${createdRecord.id}`, `/resource/all/${createdRecord.id}`])
      expect((await app.call('GET', path)).body).toEqual(createdRecord)
    expect(
      (await app.call('GET', `/resource/catalog?filter=${encodeFilter({ operator: 'exact', field: 'type', value: 'column' })}`)).body
        .results,
    ).toEqual([createdRecord])
    await app.call('PATCH', `/table/tables/${table.id}`, { body: { title: 'lines' } })
    const list = await app.call('GET', '/table/columns')
    expect(list.body.results[0]).toMatchObject({ table_title: 'lines', title_full: 'shop.public.lines.id' })
    const plain = await post(app, '/table/columns', { title: 'note', parent: table.id, native_type: 'text' })
    expect(plain).toMatchObject({ type: 'text', sort_order: null, is_pk: false, hidden: false })
  })

  test('is listed by sort_order unless a sort is requested', async () => {
    await using app = await createTestApp()
    const table = await aTable(app)
    for (const [title, sort_order] of [
      ['c', 3],
      ['a', 10],
      ['b', -1],
      ['z', null],
    ] as const)
      await post(app, '/table/columns', { title, parent: table.id, sort_order, hidden: title === 'a' })
    expect(titles(await app.call('GET', `/table/columns?parent_id=${table.id}`))).toBe('b c a z')
    expect(titles(await app.call('GET', `/table/columns?parent_id=${table.id}&sort={"field":"title"}`))).toBe('a b c z')
    expect(
      titles(await app.call('GET', `/table/columns?filter=${encodeFilter({ operator: 'exact', field: 'hidden', value: true })}`)),
    ).toBe('a')
    expect(
      titles(
        await app.call(
          'GET',
          `/table/columns?filter=${encodeFilter({ operator: 'gte', field: 'sort_order', value: 3 })}&sort={"field":"sort_order"}`,
        ),
      ),
    ).toBe('c a')
    let [cursor, walked]: [string | null, string[]] = ['', []]
    while (cursor !== null) {
      const { body } = await app.call('GET', `/table/columns?parent_id=${table.id}&page_size=1&cursor=${cursor}`)
      walked = [...walked, ...body.results.map(({ title }: { title: string }) => title)]
      cursor = body.meta.next_cursor
    }
    expect(walked).toEqual(['b', 'c', 'a', 'z'])
  })

  test('has versions of its type-specific fields that can be compared, read and restored', async () => {
    await using app = await createTestApp()
    const table = await aTable(app)
    const createdRecord = await post(app, '/table/columns', { title: 'id', parent: table.id, type: 'int', sort_order: 1 })
    const at = `/table/columns/${createdRecord.id}`
    const edited = await app.call('PATCH', at, { body: { type: 'bigint', is_pk: true, sort_order: null, title: 'key' } })
    expect(edited.body).toMatchObject({ version: 2, type: 'bigint', is_pk: true, sort_order: null })
    // Sending the record back changes nothing.
    expect((await app.call('PATCH', at, { body: edited.body })).body).toEqual(edited.body)
    const { body: compared } = await app.call('GET', `/resource/all/${createdRecord.id}/versions/compare?from=1&to=2`)
    const changes = [
      { field: 'title', from: 'id', to: 'key' },
      { field: 'type', from: 'int', to: 'bigint' },
      { field: 'sort_order', from: 1, to: null },
      { field: 'is_pk', from: null, to: true },
    ]
    expect(compared.changes ?? compared).toEqual(expect.arrayContaining(changes))
    const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${createdRecord.id}`)
    expect(log.version_histories[0].changes).toHaveLength(4)
    expect((await app.call('GET', `/resource/all/${createdRecord.id}/versions/1`)).body).toMatchObject({
      type: 'int',
      sort_order: 1,
      is_pk: false,
    })
    const restored = await app.call('POST', `/resource/all/${createdRecord.id}/restore`, { body: { version: 1 } })
    expect(restored.body).toMatchObject({ version: 3, title: 'id', type: 'int', sort_order: 1, is_pk: false })
    await app.call('PATCH', at, { body: { hidden: true } })
    await app.call('DELETE', at)
    expect((await app.call('GET', `/resource/all/${createdRecord.id}/versions/5`)).body).toMatchObject({ type: 'int', hidden: true })
    const back = await app.call('POST', `/resource/all/${createdRecord.id}/restore`, { body: { version: 2 } })
    expect(back.body).toMatchObject({ title: 'key', type: 'bigint', is_pk: true, hidden: false, sort_order: null })
    expect((await app.call('GET', `/resource/all/${createdRecord.id}/versions/6`)).body).toMatchObject({
      type: 'bigint',
      is_pk: true,
      hidden: false,
    })
  })

  test('keeps other details of the source and rejects values of the wrong type', async () => {
    await using app = await createTestApp()
    const column = await post(app, '/table/columns', { title: 'id' })
    await sql`update resources set details = '{"nullable": true, "sort_order": "x", "is_pk": 7}' where id = ${column.id}`.execute(app.db)
    await app.call('PATCH', `/table/columns/${column.id}`, { body: { hidden: true } })
    const { rows } = await sql<{ details: object }>`select details from resources where id = ${column.id}`.execute(app.db)
    expect(rows[0]!.details).toMatchObject({ nullable: true, hidden: true })
    expect((await app.call('GET', '/table/columns?sort={"field":"sort_order"}')).body.count).toBe(1)
    const before = await app.listActivities()
    for (const [field, value] of [
      ['type', 5],
      ['type', 'x'.repeat(501)],
      ['sort_order', '1'],
      ['sort_order', 1.5],
      ['sort_order', 2 ** 31],
      ['is_pk', 'true'],
      ['hidden', 1],
    ] as const)
      for (const [method, path] of [
        ['POST', '/table/columns'],
        ['PATCH', `/table/column/${column.id}`],
      ] as const) {
        const { status, body } = await app.call(method, path, { body: { title: 'x', [field]: value } })
        expect([field, value, status, Object.keys(body.errors ?? {})]).toEqual([field, value, 400, [field]])
      }
    expect(await app.listActivities()).toEqual(before)
  })

  test('accepts type-specific fields only through its typed endpoint', async () => {
    await using app = await createTestApp()
    const column = await post(app, '/table/columns', { title: 'id', sort_order: 1 })
    const response = await app.call('PATCH', `/resource/all/${column.id}`, { body: { sort_order: 2, own: { sort_order: 3 }, details: {} } })
    expect([response.status, response.body.sort_order, response.body.version]).toEqual([200, 1, 1])
    expect(response.headers.warning).toContain('sort_order')
    const table = await post(app, '/table/tables', { title: 't', sort_order: 3, own: { sort_order: 1 } })
    expect(table.sort_order).toBeUndefined()
  })
})

describe('other entity types', () => {
  test('a query has a type and a frequency, in the catalog too', async () => {
    await using app = await createTestApp()
    const plain = await app.createResource({ entity_type: 'query', title: 'plain' })
    expect((await app.call('GET', `/query/queries/${plain.id}`)).body).toMatchObject({ type: null, freq: 0 })
    const createdRecord = await post(app, '/query/queries', { title: 'Late orders', type: 'saved', freq: 12 })
    expect(createdRecord).toMatchObject({ type: 'saved', freq: 12 })
    const filter = encodeFilter({ operator: 'exact', field: 'type', value: 'query' })
    const list = await app.call('GET', `/resource/catalog?filter=${filter}&sort={"field":"freq","order":"desc"}`)
    expect(list.body.results.map(({ freq }: { freq: number }) => freq)).toEqual([12, 0])
    expect((await app.call('POST', '/query/queries', { body: { title: 'x', freq: -1 } })).status).toBe(400)
  })

  test('a document has a parent and a resource it is about', async () => {
    await using app = await createTestApp()
    const [table, book] = [await app.createResource({ title: 'orders' }), await post(app, '/document', { title: 'Handbook' })]
    const createdRecord = await post(app, '/document', { title: 'Orders', parent: book.id, base_entity_id: table.id.toUpperCase() })
    expect(createdRecord).toMatchObject({ parent_id: book.id, base_entity_id: table.id })
    expect((await app.call('PATCH', `/document/${createdRecord.id}`, { body: { base_entity_id: null } })).body.base_entity_id).toBeNull()
    expect((await app.call('PATCH', `/document/${createdRecord.id}`, { body: { base_entity_id: 'x' } })).status).toBe(400)
  })

  test('glossary terms are part of the catalog', async () => {
    await using app = await createTestApp()
    const { body: term } = await app.call('POST', '/resource/catalog', { body: { entity_type: 'glossary', title: 'Churn' } })
    expect((await app.call('GET', '/glossary')).body.results).toEqual([term])
    expect((await app.call('PATCH', `/glossary/${term.id}`, { body: { verified: true } })).body.verified).toBe(true)
  })

  test('rejects a parent of the wrong type', async () => {
    await using app = await createTestApp()
    const [table, event, category] = [
      await app.createResource({ title: 'orders' }),
      await app.createResource({ entity_type: 'event', title: 'placed' }),
      await app.createResource({ entity_type: 'category', title: 'Checkout' }),
    ]
    for (const parent of [undefined, null, table.id, newId(), category.id])
      expect((await app.call('POST', '/event/event_properties', { body: { title: 'x', parent } })).body.errors).toHaveProperty('parent')
    const property = await post(app, '/event/event_properties', { title: 'coupon', parent: event.id, type: 'text' })
    expect(property).toMatchObject({ parent: event.id, type: 'text' })
    for (const parent of [null, table.id])
      expect((await app.call('PATCH', `/event/event_properties/${property.id}`, { body: { parent } })).body.errors).toHaveProperty('parent')
    expect((await app.call('GET', `/event/event_properties?parent_id=${event.id}`)).body.count).toBe(1)
    for (const path of [`/event/category/${category.id}`, `/event/events/${event.id}`])
      expect((await app.call('PATCH', path, { body: { integration: null } })).body.errors).toHaveProperty('integration')
    await app.call('DELETE', `/event/events/${event.id}`)
    expect((await app.call('GET', `/event/event_properties/${property.id}`)).status).toBe(404)
  })

  test('deleting a database deletes everything below it, deleting a collection keeps its members', async () => {
    await using app = await createTestApp()
    const database = await post(app, '/database/databases', { title: 'shop', integration })
    const schema = await post(app, '/database/schemas', { title: 'public', parent: database.id })
    const collection = await post(app, '/collection/collections', { title: 'Start here' })
    const inner = await post(app, '/collection/collections', { title: 'Inner', parent: collection.id })
    const kept = newId()
    const table = await post(app, '/table/tables', { title: 'orders', collections: [collection.id, kept, inner.id] })
    const members = `/resource/catalog?filter=${encodeFilter({ operator: 'exact', field: 'collections', value: collection.id })}`
    expect(titles(await app.call('GET', members))).toBe('orders')
    expect((await app.call('DELETE', `/database/databases/${database.id}`)).status).toBe(204)
    expect((await app.call('GET', `/database/schemas/${schema.id}`)).status).toBe(404)
    expect((await app.call('DELETE', `/collection/collections/${collection.id}`)).status).toBe(204)
    expect((await app.call('GET', members)).body.count).toBe(0)
    expect((await app.call('GET', `/table/tables/${table.id}`)).body).toMatchObject({ collections: [kept], version: 3 })
    const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${table.id}`)
    expect(log.version_histories.map(({ changes }: { changes: { field: string }[] }) => changes.length)).toEqual([1, 1, expect.any(Number)])
    expect((await app.call('GET', `/resource/all/${table.id}/versions/1`)).body.collections).toEqual([collection.id, kept, inner.id])
  })
})
