import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { expectCreated, expectError, expectFields, expectPage, getIds, RESOURCE, toJsonParam } from './interface.ts'

/** Interface document: "Catalog resources", "Paginated list envelope", "Catalog resource record", "States and transitions", "Limits". */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The resource create body with every field. */
const createFullBody = async () => ({
  title: 'orders',
  integration: newId(),
  description: 'One row for each order.',
  entity_type: 'table',
  definition: '# Orders',
  parent: (await app.createResource({ entity_type: 'schema', title: 'public' })).id,
  pii: true,
  verified: true,
  published: true,
  teams: [await app.createTeam()],
  owners: [newId(), newId()],
  owners_groups: [newId()],
  collections: [newId()],
  tags: [newId()],
  subscribers: [newId()],
})

describe('POST /resource/catalog', () => {
  test('returns 201 and the record with every field', async () => {
    const body = await createFullBody()
    const { status, body: record } = await app.call('POST', '/resource/catalog', { body })
    expect(status).toBe(201)
    expectFields(record, RESOURCE)
    expect(record).toMatchObject(body)
    expect(record).toMatchObject({ total_usage: 0, title_cased: 'Orders', definition_version: 1, archived: false, stale: false })
    expect(record.current_user_permissions).toEqual({ read: true, write: true, execute: true })
    expect(Object.keys(record.search_metadata).sort()).toEqual(['cluster', 'database', 'schema', 'type'])
  })

  test('all fields are optional', async () => {
    const { status, body } = await app.call('POST', '/resource/catalog', { body: {} })
    expect(status).toBe(201)
    expectFields(body, RESOURCE)
  })

  for (const [field, value] of Object.entries({
    ...{ title: 5, integration: 'x', description: 5, entity_type: 'thing', definition: [], parent: 'x', pii: 'true', verified: 1 },
    ...{ published: 'no', teams: 'x', owners: [5], owners_groups: ['x'], collections: {}, tags: [null], subscribers: ['x'] },
  }))
    test(`400 when ${field} is ${JSON.stringify(value)}`, async () => {
      const before = (await app.call('GET', '/resource/catalog')).body.count
      const response = await app.call('POST', '/resource/catalog', { body: { [field]: value } })
      expectError(response, 400, 'validation_failed')
      expect(Object.keys(response.body.errors)[0]).toContain(field)
      expect((await app.call('GET', '/resource/catalog')).body.count).toBe(before)
    })
})

describe('GET, PATCH and DELETE /resource/all/{resource_id}', () => {
  test('200 and the record; 404', async () => {
    const { id } = await expectCreated(app, '/resource/catalog', await createFullBody())
    const { status, body } = await app.call('GET', `/resource/all/${id}`)
    expect(status).toBe(200)
    expectFields(body, RESOURCE)
    for (const path of [newId(), 'no-uuid']) expectError(await app.call('GET', `/resource/all/${path}`), 404, 'not_found')
  })

  test('an edit accepts every field of the edit body and returns 200 with the record', async () => {
    const { id } = await expectCreated(app, '/resource/catalog', { title: 'edited' })
    const { description, definition, pii, verified, published, teams, owners, collections, tags, subscribers } = await createFullBody()
    const edit = { description, definition, pii, verified, published, teams, owners, collections, tags, subscribers }
    const { status, body } = await app.call('PATCH', `/resource/all/${id}`, { body: edit })
    expect(status).toBe(200)
    expectFields(body, RESOURCE)
    expect(body).toMatchObject({ id, title: 'edited', ...edit, total_usage: 0 })
  })

  for (const flag of ['published', 'verified', 'pii'])
    test(`${flag} is set to the value sent, whatever it was`, async () => {
      const { id } = await expectCreated(app, '/resource/catalog', {})
      for (const value of [true, true, false, false, true])
        expect((await app.call('PATCH', `/resource/all/${id}`, { body: { [flag]: value } })).body[flag]).toBe(value)
    })

  test('an invalid edit is 400, an edit of an unknown resource is 404', async () => {
    const { id } = await expectCreated(app, '/resource/catalog', { title: 'kept' })
    expectError(await app.call('PATCH', `/resource/all/${id}`, { body: { pii: 'yes' } }), 400, 'validation_failed')
    expectError(await app.call('PATCH', `/resource/all/${newId()}`, { body: { pii: true } }), 404, 'not_found')
    expect((await app.call('GET', `/resource/all/${id}`)).body).toMatchObject({ title: 'kept', pii: false })
  })

  test('a delete is 204 without content, and the resource no longer exists', async () => {
    const { id } = await expectCreated(app, '/resource/catalog', {})
    const { status, text } = await app.call('DELETE', `/resource/all/${id}`)
    expect([status, text]).toEqual([204, ''])
    for (const method of ['GET', 'DELETE']) expectError(await app.call(method, `/resource/all/${id}`), 404, 'not_found')
  })
})

describe('POST /resource/all/bulk_update/', () => {
  const some = async (n: number) =>
    Promise.all(Array.from({ length: n }, async (_, i) => (await app.createResource({ title: `bulk ${i}` })).id))

  test('returns 200 and the updated IDs in the order sent; accepts fields of the create body', async () => {
    const [a, b] = (await some(2)) as [string, string]
    const body = [
      { id: b, data: { title: 'renamed', description: 'changed' } },
      { id: a, data: { pii: true } },
    ]
    const response = await app.call('POST', '/resource/all/bulk_update/', { body })
    expect([response.status, response.body]).toEqual([200, [b, a]])
    expect((await app.call('GET', `/resource/all/${b}`)).body).toMatchObject({ title: 'renamed', description: 'changed', pii: false })
    expect((await app.call('GET', `/resource/all/${a}`)).body).toMatchObject({ title: 'bulk 0', pii: true })
  })

  test('at most 100 entities', async () => {
    const ids = await some(101)
    const body = ids.map((id) => ({ id, data: { verified: true } }))
    expectError(await app.call('POST', '/resource/all/bulk_update/', { body }), 400, 'too_many_entities')
    expect(await app.call('POST', '/resource/all/bulk_update/', { body: body.slice(1) })).toMatchObject({
      status: 200,
      body: ids.slice(1),
    })
    expect((await app.call('GET', `/resource/all/${ids[0]}`)).body.verified).toBe(false)
  })

  for (const [what, item] of [
    ['without id', { data: {} }],
    ['without data', { id: newId() }],
    ['with data that is no object', { id: newId(), data: [] }],
    ['with a malformed id', { id: 'x', data: {} }],
  ] as const)
    test(`an item ${what} is 400`, async () =>
      expectError(await app.call('POST', '/resource/all/bulk_update/', { body: [item] }), 400, 'validation_failed'))

  test('an unknown entity is 404, and nothing is changed', async () => {
    const [id] = await some(1)
    const body = [
      { id, data: { pii: true } },
      { id: newId(), data: { pii: true } },
    ]
    expectError(await app.call('POST', '/resource/all/bulk_update/', { body }), 404, 'not_found')
    expect((await app.call('GET', `/resource/all/${id}`)).body.pii).toBe(false)
  })

  test('without permission to update it is 403', async () => {
    const [id] = await some(1)
    const { token } = await app.createUser('viewer')
    const response = await app.call('POST', '/resource/all/bulk_update/', { token, body: [{ id, data: { pii: true } }] })
    expectError(response, 403, 'permission_denied')
  })
})

describe('GET /resource/catalog', () => {
  const list = (query = '') => app.call('GET', `/resource/catalog${query}`)

  test('returns 200 and the envelope with links to the adjacent pages', async () => {
    await using app = await createTestApp()
    for (let i = 0; i < 5; i += 1) await app.createResource({ title: `row ${i}` })
    const page = (n: number) => app.call('GET', `/resource/catalog?page_size=2&page=${n}`)
    const [first, second, third] = [await page(1), await page(2), await page(3)]
    for (const each of [first, second, third]) expectPage(each, RESOURCE)
    expect(first.body).toMatchObject({
      count: 5,
      total_pages: 3,
      meta: { page: 1, previous_page: 'None', next_page: 2 },
      links: { previous: null },
    })
    expect(second.body).toMatchObject({ count: 5, total_pages: 3, meta: { page: 2, previous_page: 1, next_page: 3 } })
    expect(third.body).toMatchObject({ meta: { page: 3, previous_page: 2, next_page: null }, links: { next: null } })
    expect(new Set([first, second, third].flatMap(getIds)).size).toBe(5)
    const follow = async (link: string) => getIds(await app.call('GET', link.replace(/^https?:\/\/[^/]+/, '')))
    expect(await follow(first.body.links.next)).toEqual(getIds(second))
    expect(await follow(second.body.links.previous)).toEqual(getIds(first))
  })

  test('the default order is external_usage, descending', async () => {
    await using app = await createTestApp()
    const ids = []
    for (const usage of [3, 30, 7]) {
      const { id } = await app.createResource({ title: `used ${usage}` })
      await sql`update resources set external_usage = ${usage} where id = ${id}`.execute(app.db)
      ids.push(id)
    }
    expect(getIds(await app.call('GET', '/resource/catalog'))).toEqual([ids[1], ids[2], ids[0]])
  })

  test('supports every operator and field of the document', async () => {
    const integration = newId()
    const parent = await expectCreated(app, '/resource/catalog', { entity_type: 'schema', title: 'Filtered' })
    const matching = await expectCreated(app, '/table/tables', {
      title: 'Filtered_Orders',
      parent: parent.id,
      integration,
      native_type: 'BASE TABLE',
    })
    const other = await expectCreated(app, '/resource/catalog', { entity_type: 'table', title: 'Filtered_Customers', integration: newId() })
    const filters = [
      { operator: 'contains', field: 'title', value: 'red_ord' },
      { operator: 'exact', field: 'title', value: 'Filtered_Orders' },
      { operator: 'in', field: 'title', value: ['Filtered_Orders', 'nothing'] },
      { operator: 'exact', field: 'native_type', value: 'BASE TABLE' },
      { operator: 'exact', field: 'integration_id', value: integration },
      { operator: 'exact', field: 'parent_id', value: parent.id },
      { operator: 'exact', field: 'id', value: matching.id },
      { operator: 'in', field: 'id', value: [matching.id] },
      {
        operator: 'and',
        operands: [
          { operator: 'exact', field: 'type', value: 'table' },
          { operator: 'exact', field: 'parent_id', value: parent.id },
        ],
      },
    ]
    for (const filter of filters) expect([filter, getIds(await list(`?filter=${toJsonParam(filter)}`))]).toEqual([filter, [matching.id]])
    const both = {
      operator: 'and',
      operands: [
        { operator: 'contains', field: 'title', value: 'filtered' },
        { operator: 'in', field: 'type', value: ['table'] },
      ],
    }
    const sort = { field: 'title', order: 'asc' }
    expect(getIds(await list(`?filter=${toJsonParam(both)}&sort=${toJsonParam(sort)}`))).toEqual([other.id, matching.id])
    expect(getIds(await list(`?filter=${toJsonParam(both)}&sort=${toJsonParam({ ...sort, order: 'desc' })}`))).toEqual([
      matching.id,
      other.id,
    ])
  })

  test('every scalar field of the record can be filtered and sorted by its shown value', async () => {
    const { id } = await expectCreated(app, '/resource/catalog', { title: 'shown', entity_type: 'dashboard', description: 'as it is' })
    const { body: record } = await app.call('GET', `/resource/all/${id}`)
    for (const field of Object.keys(RESOURCE).filter((name) => typeof record[name] !== 'object')) {
      const operands = [
        { operator: 'exact', field: 'id', value: id },
        { operator: 'exact', field, value: record[field] },
      ]
      const query = `?filter=${toJsonParam({ operator: 'and', operands })}&sort=${toJsonParam({ field, order: 'desc' })}`
      expect([field, getIds(await list(query))]).toEqual([field, [id]])
    }
  })

  test('ties are ordered by tie_breaker', async () => {
    const integration = newId()
    const titles = ['b', 'c', 'a']
    for (const title of titles) await expectCreated(app, '/resource/catalog', { title, integration, description: 'same' })
    for (const [order, expected] of [
      ['asc', ['a', 'b', 'c']],
      ['desc', ['c', 'b', 'a']],
    ] as const) {
      const sort = toJsonParam({ field: 'description', order: 'asc', tie_breaker: { field: 'title', order } })
      const { body } = await list(`?integration_id=${integration}&sort=${sort}`)
      expect(body.results.map(({ title }: { title: string }) => title)).toEqual(expected)
    }
  })

  test('teams filters by team', async () => {
    const team = await app.createTeam()
    const { id } = await expectCreated(app, '/resource/catalog', { teams: [team] })
    await expectCreated(app, '/resource/catalog', { teams: [await app.createTeam()] })
    expect(getIds(await list(`?teams=${team}`))).toEqual([id])
  })

  for (const [query, code] of [
    ['page=0', 'invalid_page'],
    ['page=x', 'invalid_page'],
    ['filter={', 'invalid_filter'],
    [`filter=${toJsonParam({ operator: 'like', field: 'title', value: 'x' })}`, 'invalid_filter'],
    [`filter=${toJsonParam({ operator: 'exact', field: 'nothing', value: 'x' })}`, 'invalid_filter'],
    ['sort={', 'invalid_sort'],
    [`sort=${toJsonParam({ field: 'title', order: 'up' })}`, 'invalid_sort'],
    ['teams=x', 'validation_failed'],
  ] as const)
    test(`${decodeURIComponent(query)} is 400 ${code}`, async () => expectError(await list(`?${query}`), 400, code))

  test('at most 10,000 resources across all pages', async () => {
    await using app = await createTestApp()
    await sql`insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full)
      select gen_random_uuid(), now(), now(), 1, 'table', 't' || n, 't' || n, 't' || n from generate_series(1, 10001) n`.execute(app.db)
    const last = await app.call('GET', '/resource/catalog?page=10&page_size=1000')
    expect(last.body).toMatchObject({ count: 10_001, total_pages: 10, meta: { next_page: null }, links: { next: null } })
    expect(last.body.results).toHaveLength(1000)
    const beyond = await app.call('GET', '/resource/catalog?page=11&page_size=1000')
    expectError(beyond, 400, 'window_exceeded')
    expect(beyond.body.detail).toMatch(/narrow the filter/i)
    const narrow = await app.call('GET', `/resource/catalog?filter=${toJsonParam({ operator: 'exact', field: 'title', value: 't10001' })}`)
    expect(narrow.body).toMatchObject({ count: 1, total_pages: 1 })
    const tables = await app.call('GET', '/table/tables?page=11&page_size=1000')
    expect(tables.body, 'a limit of the catalog alone').toMatchObject({
      count: 10_001,
      total_pages: 11,
      results: [{ entity_type: 'table' }],
    })
    expect((await app.call('GET', '/document?page=201')).body, 'past the end').toMatchObject({ count: 0, results: [] })
  })
})
