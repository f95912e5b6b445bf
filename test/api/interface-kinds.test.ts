import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp, type TestResponse } from '../support/test-app.ts'
import {
  DOCUMENT,
  expectCreated,
  expectError,
  expectFields,
  expectPage,
  getIds,
  QUERY,
  RESOURCE,
  type RecordFields,
  toJsonParam,
} from './interface.ts'

/** Interface document: "Documents", "Databases", "Schemas", "Queries", "Event categories and events", including deprecations. */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const category = (integration = newId()) => expectCreated(app, '/event/category', { title: 'Checkout', integration })

interface TypedEndpoint {
  readonly path: string
  readonly type: string
  readonly fields: RecordFields
  /** The create body. */
  readonly body: () => Promise<object>
  readonly deprecated?: true
  readonly edits?: true
  readonly deletes?: { readonly status: 200 | 204 }
}
const TYPED_ENDPOINTS: readonly TypedEndpoint[] = [
  {
    path: '/document',
    type: 'document',
    fields: DOCUMENT,
    body: async () => ({ title: 'Handbook', definition: '# How we work', icon: '📘' }),
    edits: true,
    deletes: { status: 204 },
  },
  {
    path: '/database/databases',
    type: 'database',
    fields: RESOURCE,
    body: async () => ({ title: 'shop', integration: newId() }),
    edits: true,
    deprecated: true,
  },
  {
    path: '/database/schemas',
    type: 'schema',
    fields: RESOURCE,
    body: async () => ({
      title: 'public',
      native_type: 'schema',
      parent: (await app.createResource({ entity_type: 'database', title: 'shop' })).id,
    }),
    edits: true,
    deprecated: true,
  },
  {
    path: '/query/queries',
    type: 'query',
    fields: QUERY,
    body: async () => ({ title: 'Late orders', definition: 'select 1', type: 'saved', freq: 12 }),
    deprecated: true,
  },
  {
    path: '/event/category',
    type: 'category',
    fields: RESOURCE,
    body: async () => ({ title: 'Checkout', integration: newId(), teams: [newId()] }),
  },
  {
    path: '/event/events',
    type: 'event',
    fields: RESOURCE,
    body: async () => ({ title: 'order_placed', parent: (await category()).id, integration: newId() }),
    edits: true,
    deletes: { status: 200 },
    deprecated: true,
  },
]

/** Headers of a deprecated route: it works and names its replacement, which returns the same. */
const expectDeprecation = async ({ headers }: TestResponse, filter: object, ids: readonly string[]): Promise<void> => {
  expect(headers.deprecation).toMatch(/^@\d+$/)
  expect(headers.warning).toMatch(/^299 - "use GET \/api\/v1\/resource\/catalog with filter /)
  const [, successor = ''] = /^<(.*)>; rel="successor-version"$/.exec(headers.link ?? '') ?? []
  expect(successor).toBe(`/api/v1/resource/catalog?filter=${toJsonParam(filter)}`)
  expect(getIds(await app.call('GET', `${successor}&page_size=1000`))).toEqual(expect.arrayContaining([...ids]))
}

for (const { path, type, fields, body, deprecated, edits, deletes } of TYPED_ENDPOINTS)
  describe(path, () => {
    test('POST: 201 and the record, with this type whatever the body says', async () => {
      const sent = await body()
      const { status, body: record } = await app.call('POST', path, { body: { ...sent, entity_type: 'dashboard' } })
      expect(status).toBe(201)
      expectFields(record, fields)
      expect(record).toMatchObject({ ...sent, entity_type: type })
    })

    test('POST: an invalid body is 400', async () =>
      expectError(await app.call('POST', path, { body: { ...(await body()), title: 5 } }), 400, 'validation_failed'))

    test('GET: the envelope with records of this type', async () => {
      const { id } = await expectCreated(app, path, await body())
      await app.createResource({ entity_type: 'dashboard', title: 'not listed' })
      const response = await app.call('GET', `${path}?page_size=1000`)
      expectPage(response, fields)
      expect(getIds(response)).toContain(id)
      expect(new Set(response.body.results.map((record: { entity_type: string }) => record.entity_type))).toEqual(new Set([type]))
      if (deprecated) await expectDeprecation(response, { operator: 'exact', field: 'type', value: type }, getIds(response))
      else expect(response.headers).not.toHaveProperty('deprecation')
    })

    test('GET: filters by title', async () => {
      const title = `only ${newId()}`
      const { id } = await expectCreated(app, path, { ...(await body()), title })
      expect(getIds(await app.call('GET', `${path}?title=${encodeURIComponent(title)}`))).toEqual([id])
    })

    test('GET: an invalid page is 400', async () => expectError(await app.call('GET', `${path}?page=0`), 400, 'invalid_page'))

    test('GET {id}: 200 and the record; 404', async () => {
      const { id } = await expectCreated(app, path, await body())
      const response = await app.call('GET', `${path}/${id}`)
      expect(response.status).toBe(200)
      expectFields(response.body, fields)
      if (deprecated) await expectDeprecation(response, { operator: 'exact', field: 'id', value: id }, [id])
      expectError(await app.call('GET', `${path}/${newId()}`), 404, 'not_found')
      const other = await app.createResource({ entity_type: 'dashboard', title: 'another kind' })
      expectError(await app.call('GET', `${path}/${other.id}`), 404, 'not_found')
    })

    if (edits)
      test('PATCH {id}: 200 and the record; 400; 404', async () => {
        const { id } = await expectCreated(app, path, await body())
        const edit = { description: 'In other words.', definition: '# New', pii: true, verified: true, published: true, owners: [newId()] }
        const { status, body: record } = await app.call('PATCH', `${path}/${id}`, { body: edit })
        expect(status).toBe(200)
        expectFields(record, fields)
        expect(record).toMatchObject({ id, ...edit })
        expectError(await app.call('PATCH', `${path}/${id}`, { body: { pii: 1 } }), 400, 'validation_failed')
        expectError(await app.call('PATCH', `${path}/${newId()}`, { body: edit }), 404, 'not_found')
      })

    if (deletes)
      test(`DELETE {id}: ${deletes.status}`, async () => {
        const { id, title } = await expectCreated(app, path, await body())
        const { status, text, body: gone } = await app.call('DELETE', `${path}/${id}`)
        expect(status).toBe(deletes.status)
        if (status === 204) expect(text).toBe('')
        else {
          expectFields(gone, fields)
          expect(gone).toMatchObject({ id, title })
        }
        for (const method of ['GET', 'DELETE']) expectError(await app.call(method, `${path}/${id}`), 404, 'not_found')
      })
  })

describe('type-specific behaviour', () => {
  test('the content of a document is its definition', async () => {
    const { id } = await expectCreated(app, '/document', { title: 'Handbook', definition: '# One' })
    expect((await app.call('PATCH', `/document/${id}`, { body: { definition: '# Two' } })).body).toMatchObject({
      definition: '# Two',
      definition_version: 2,
    })
  })

  for (const path of ['/database/databases', '/database/schemas', '/event/events'])
    test(`${path} can be filtered by integration_id`, async () => {
      const integration = newId()
      const parent = path === '/event/events' ? (await category(integration)).id : undefined
      const { id } = await expectCreated(app, path, { title: 'in it', integration, parent })
      await expectCreated(app, path, {
        title: 'elsewhere',
        integration: newId(),
        parent: path === '/event/events' ? (await category()).id : undefined,
      })
      expect(getIds(await app.call('GET', `${path}?integration_id=${integration}`))).toEqual([id])
      expectError(await app.call('GET', `${path}?integration_id=x`), 400, 'validation_failed')
    })

  test('schemas can be filtered by database, events by category', async () => {
    const database = await expectCreated(app, '/database/databases', { title: 'warehouse' })
    const schema = await expectCreated(app, '/database/schemas', { title: 'public', parent: database.id })
    expect(getIds(await app.call('GET', `/database/schemas?parent_id=${database.id}`))).toEqual([schema.id])
    const parent = await category()
    const event = await expectCreated(app, '/event/events', { title: 'placed', parent: parent.id, integration: newId() })
    expect(getIds(await app.call('GET', `/event/events?parent_id=${parent.id}`))).toEqual([event.id])
  })

  test('a schema can name its database by title', async () => {
    const integration = newId()
    const database = await expectCreated(app, '/database/databases', { title: 'by_title', integration })
    const schema = await expectCreated(app, '/database/schemas', {
      title: 'public',
      native_type: 'schema',
      database: 'by_title',
      integration,
    })
    expect(schema).toMatchObject({ parent: database.id, title_full: 'by_title.public', native_type: 'schema' })
  })

  test('a database requires a schema and an integration, a schema a database and an integration', async () => {
    const integration = newId()
    const above = await expectCreated(app, '/database/schemas', { title: 'cluster', integration })
    const database = await expectCreated(app, '/database/databases', { title: 'shop', parent: above.id, integration })
    const schema = await expectCreated(app, '/database/schemas', { title: 'public', parent: database.id, integration })
    expect(database).toMatchObject({ parent: above.id, integration })
    expect(schema).toMatchObject({ parent: database.id, integration })
    expect((await app.call('GET', `/resource/all/${database.id}`)).body.children_count).toBe(1)
  })

  test('a category requires an integration', async () => {
    expectError(await app.call('POST', '/event/category', { body: { title: 'Checkout' } }), 400, 'validation_failed')
    expectError(await app.call('POST', '/event/category', { body: { title: 'Checkout', integration: null } }), 400, 'validation_failed')
  })

  test('an event requires a category as parent and an integration', async () => {
    const { id: parent } = await category()
    const table = await app.createResource({ entity_type: 'table', title: 'no category' })
    for (const body of [
      { title: 'placed', parent },
      { title: 'placed', integration: newId() },
      { title: 'placed', integration: newId(), parent: table.id },
      { title: 'placed', integration: newId(), parent: newId() },
    ])
      expectError(await app.call('POST', '/event/events', { body }), 400, 'validation_failed')
  })
})
