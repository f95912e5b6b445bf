import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../src/id.ts'
import { type Answer, aHouse, type House } from './house.ts'
import { asJson, DOCUMENT, type Fields, idsOf, made, mustBePage, mustHave, mustRefuse, QUERY, RESOURCE } from './interface.ts'

/** Interface document: "Documents", "Databases", "Schemas", "Queries", "Event categories and events", including deprecations. */
let house: House
beforeAll(async () => {
  house = await aHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const category = (integration = newId()) => made(house, '/event/category', { title: 'Checkout', integration })

interface Kind {
  readonly path: string
  readonly type: string
  readonly fields: Fields
  /** The create body. */
  readonly body: () => Promise<object>
  readonly deprecated?: true
  readonly edits?: true
  readonly deletes?: { readonly status: 200 | 204 }
}
const KINDS: readonly Kind[] = [
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
      parent: (await house.resource({ entity_type: 'database', title: 'shop' })).id,
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
const mustWarn = async ({ headers }: Answer, filter: object, ids: readonly string[]): Promise<void> => {
  expect(headers.deprecation).toMatch(/^@\d+$/)
  expect(headers.warning).toMatch(/^299 - "use GET \/api\/v1\/resource\/catalog with filter /)
  const [, successor = ''] = /^<(.*)>; rel="successor-version"$/.exec(headers.link ?? '') ?? []
  expect(successor).toBe(`/api/v1/resource/catalog?filter=${asJson(filter)}`)
  expect(idsOf(await house.call('GET', `${successor}&page_size=1000`))).toEqual(expect.arrayContaining([...ids]))
}

for (const { path, type, fields, body, deprecated, edits, deletes } of KINDS)
  describe(path, () => {
    test('POST: 201 and the record, with this type whatever the body says', async () => {
      const sent = await body()
      const { status, body: record } = await house.call('POST', path, { body: { ...sent, entity_type: 'dashboard' } })
      expect(status).toBe(201)
      mustHave(record, fields)
      expect(record).toMatchObject({ ...sent, entity_type: type })
    })

    test('POST: an invalid body is 400', async () =>
      mustRefuse(await house.call('POST', path, { body: { ...(await body()), title: 5 } }), 400, 'validation_failed'))

    test('GET: the envelope with records of this type', async () => {
      const { id } = await made(house, path, await body())
      await house.resource({ entity_type: 'dashboard', title: 'not listed' })
      const answer = await house.call('GET', `${path}?page_size=1000`)
      mustBePage(answer, fields)
      expect(idsOf(answer)).toContain(id)
      expect(new Set(answer.body.results.map((record: { entity_type: string }) => record.entity_type))).toEqual(new Set([type]))
      if (deprecated) await mustWarn(answer, { operator: 'exact', field: 'type', value: type }, idsOf(answer))
      else expect(answer.headers).not.toHaveProperty('deprecation')
    })

    test('GET: filters by title', async () => {
      const title = `only ${newId()}`
      const { id } = await made(house, path, { ...(await body()), title })
      expect(idsOf(await house.call('GET', `${path}?title=${encodeURIComponent(title)}`))).toEqual([id])
    })

    test('GET: an invalid page is 400', async () => mustRefuse(await house.call('GET', `${path}?page=0`), 400, 'invalid_page'))

    test('GET {id}: 200 and the record; 404', async () => {
      const { id } = await made(house, path, await body())
      const answer = await house.call('GET', `${path}/${id}`)
      expect(answer.status).toBe(200)
      mustHave(answer.body, fields)
      if (deprecated) await mustWarn(answer, { operator: 'exact', field: 'id', value: id }, [id])
      mustRefuse(await house.call('GET', `${path}/${newId()}`), 404, 'not_found')
      const other = await house.resource({ entity_type: 'dashboard', title: 'another kind' })
      mustRefuse(await house.call('GET', `${path}/${other.id}`), 404, 'not_found')
    })

    if (edits)
      test('PATCH {id}: 200 and the record; 400; 404', async () => {
        const { id } = await made(house, path, await body())
        const edit = { description: 'In other words.', definition: '# New', pii: true, verified: true, published: true, owners: [newId()] }
        const { status, body: record } = await house.call('PATCH', `${path}/${id}`, { body: edit })
        expect(status).toBe(200)
        mustHave(record, fields)
        expect(record).toMatchObject({ id, ...edit })
        mustRefuse(await house.call('PATCH', `${path}/${id}`, { body: { pii: 1 } }), 400, 'validation_failed')
        mustRefuse(await house.call('PATCH', `${path}/${newId()}`, { body: edit }), 404, 'not_found')
      })

    if (deletes)
      test(`DELETE {id}: ${deletes.status}`, async () => {
        const { id, title } = await made(house, path, await body())
        const { status, text, body: gone } = await house.call('DELETE', `${path}/${id}`)
        expect(status).toBe(deletes.status)
        if (status === 204) expect(text).toBe('')
        else {
          mustHave(gone, fields)
          expect(gone).toMatchObject({ id, title })
        }
        for (const method of ['GET', 'DELETE']) mustRefuse(await house.call(method, `${path}/${id}`), 404, 'not_found')
      })
  })

describe('type-specific behaviour', () => {
  test('the content of a document is its definition', async () => {
    const { id } = await made(house, '/document', { title: 'Handbook', definition: '# One' })
    expect((await house.call('PATCH', `/document/${id}`, { body: { definition: '# Two' } })).body).toMatchObject({
      definition: '# Two',
      definition_version: 2,
    })
  })

  for (const path of ['/database/databases', '/database/schemas', '/event/events'])
    test(`${path} can be filtered by integration_id`, async () => {
      const integration = newId()
      const parent = path === '/event/events' ? (await category(integration)).id : undefined
      const { id } = await made(house, path, { title: 'in it', integration, parent })
      await made(house, path, {
        title: 'elsewhere',
        integration: newId(),
        parent: path === '/event/events' ? (await category()).id : undefined,
      })
      expect(idsOf(await house.call('GET', `${path}?integration_id=${integration}`))).toEqual([id])
      mustRefuse(await house.call('GET', `${path}?integration_id=x`), 400, 'validation_failed')
    })

  test('schemas can be filtered by database, events by category', async () => {
    const database = await made(house, '/database/databases', { title: 'warehouse' })
    const schema = await made(house, '/database/schemas', { title: 'public', parent: database.id })
    expect(idsOf(await house.call('GET', `/database/schemas?parent_id=${database.id}`))).toEqual([schema.id])
    const parent = await category()
    const event = await made(house, '/event/events', { title: 'placed', parent: parent.id, integration: newId() })
    expect(idsOf(await house.call('GET', `/event/events?parent_id=${parent.id}`))).toEqual([event.id])
  })

  test('a schema can name its database by title', async () => {
    const integration = newId()
    const database = await made(house, '/database/databases', { title: 'by_title', integration })
    const schema = await made(house, '/database/schemas', { title: 'public', native_type: 'schema', database: 'by_title', integration })
    expect(schema).toMatchObject({ parent: database.id, title_full: 'by_title.public', native_type: 'schema' })
  })

  test('a database requires a schema and an integration, a schema a database and an integration', async () => {
    const integration = newId()
    const above = await made(house, '/database/schemas', { title: 'cluster', integration })
    const database = await made(house, '/database/databases', { title: 'shop', parent: above.id, integration })
    const schema = await made(house, '/database/schemas', { title: 'public', parent: database.id, integration })
    expect(database).toMatchObject({ parent: above.id, integration })
    expect(schema).toMatchObject({ parent: database.id, integration })
    expect((await house.call('GET', `/resource/all/${database.id}`)).body.children_count).toBe(1)
  })

  test('a category requires an integration', async () => {
    mustRefuse(await house.call('POST', '/event/category', { body: { title: 'Checkout' } }), 400, 'validation_failed')
    mustRefuse(await house.call('POST', '/event/category', { body: { title: 'Checkout', integration: null } }), 400, 'validation_failed')
  })

  test('an event requires a category as parent and an integration', async () => {
    const { id: parent } = await category()
    const table = await house.resource({ entity_type: 'table', title: 'no category' })
    for (const body of [
      { title: 'placed', parent },
      { title: 'placed', integration: newId() },
      { title: 'placed', integration: newId(), parent: table.id },
      { title: 'placed', integration: newId(), parent: newId() },
    ])
      mustRefuse(await house.call('POST', '/event/events', { body }), 400, 'validation_failed')
  })
})
