import { expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp } from '../support/test-app.ts'

const integration = newId()

test('typed endpoints set the entity type and only return resources of that type', async () => {
  await using app = await createTestApp()
  const table = await app.createResource({ title: 'orders' })
  const created = await app.call('POST', '/document', {
    body: { title: 'Handbook', entity_type: 'table', definition: '# Hello', icon: 'book' },
  })
  expect(created).toMatchObject({
    status: 201,
    body: { entity_type: 'document', definition: '# Hello', icon: 'book', parent_id: null, base_entity_id: null },
  })
  const list = await app.call('GET', '/document?title=hand')
  expect(list.body).toMatchObject({ count: 1, results: [{ id: created.body.id }] })
  for (const method of ['GET', 'DELETE']) expect((await app.call(method, `/document/${table.id}`)).status).toBe(404)
  expect((await app.call('PATCH', `/document/${table.id}`, { body: { pii: true } })).status).toBe(404)
  expect((await app.call('PATCH', `/document/${created.body.id}`, { body: { definition: 'new' } })).body).toMatchObject({
    definition: 'new',
    definition_version: 2,
  })
  expect((await app.call('DELETE', `/document/${created.body.id}`)).status).toBe(204)
  expect((await app.listActivities()).map((each) => each.activity_type)).toEqual([
    'resource_created',
    'document_created',
    'document_updated',
    'document_deleted',
  ])
})

test('deprecated endpoints work and name their successor', async () => {
  await using app = await createTestApp()
  const { body: database } = await app.call('POST', '/database/databases', { body: { title: 'shop', integration } })
  for (const [path, filter] of [
    ['/database/databases', { operator: 'exact', field: 'type', value: 'database' }],
    [`/database/databases/${database.id}`, { operator: 'exact', field: 'id', value: database.id }],
    ['/database/schemas', { operator: 'exact', field: 'type', value: 'schema' }],
    ['/query/queries', { operator: 'exact', field: 'type', value: 'query' }],
    ['/event/events', { operator: 'exact', field: 'type', value: 'event' }],
  ] as const) {
    const { status, headers } = await app.call('GET', path)
    expect(status).toBe(200)
    expect(headers.deprecation).toBeDefined()
    expect(headers.warning).toMatch(/^299 - "use GET \/api\/v1\/resource\/catalog with filter /)
    const [, successor = ''] = /^<(.+)>; rel="successor-version"$/.exec(headers.link ?? '') ?? []
    expect(JSON.parse(new URL(successor, 'http://x').searchParams.get('filter')!)).toEqual(filter)
    expect((await app.call('GET', successor)).status).toBe(200)
  }
})

test('creates a schema below its parent or below the database with a given title', async () => {
  await using app = await createTestApp()
  const { body: database } = await app.call('POST', '/database/databases', { body: { title: 'shop', integration } })
  const schema = await app.call('POST', '/database/schemas', {
    body: { title: 'public', native_type: 'schema', database: 'shop', integration },
  })
  expect(schema).toMatchObject({ status: 201, body: { parent: database.id, title_full: 'shop.public', native_type: 'schema' } })
  expect(await app.call('POST', '/database/schemas', { body: { title: 'x', database: 'nowhere' } })).toMatchObject({
    status: 400,
    body: { errors: { database: [expect.any(String)] } },
  })
  const byParent = await app.call('GET', `/database/schemas?parent_id=${database.id}&integration_id=${integration}&title=PUB`)
  expect(byParent.body.count).toBe(1)
})

test('requires a category and an integration for an event, and returns the record on deletion', async () => {
  await using app = await createTestApp()
  expect((await app.call('POST', '/event/category', { body: { title: 'Checkout' } })).body.errors).toHaveProperty('integration')
  const { body: category } = await app.call('POST', '/event/category', { body: { title: 'Checkout', integration } })
  const table = await app.createResource({ title: 'orders' })
  expect((await app.call('POST', '/event/events', { body: { title: 'placed', integration } })).body.errors).toHaveProperty('parent')
  expect(
    (await app.call('POST', '/event/events', { body: { title: 'placed', integration, parent: table.id } })).body.errors,
  ).toHaveProperty('parent')
  const { status, body: event } = await app.call('POST', '/event/events', { body: { title: 'placed', integration, parent: category.id } })
  expect(status).toBe(201)
  expect(await app.call('DELETE', `/event/events/${event.id}`)).toMatchObject({ status: 200, body: { id: event.id, title: 'placed' } })
  expect((await app.call('GET', `/event/events/${event.id}`)).status).toBe(404)
})

test('warns about fields of other entity types, but not when a record is sent back', async () => {
  await using app = await createTestApp()
  const table = await app.createResource({ title: 'orders' })
  const column = await app.createResource({ title: 'id', entity_type: 'column', parent: table.id })
  const path = `/table/columns/${column.id}`
  const sent = await app.call('PATCH', path, { body: { base_entity_id: table.id, description: 'The key.' } })
  expect([sent.status, sent.headers.warning, sent.body.base_entity_id]).toEqual([200, '199 - "ignored fields: base_entity_id"', null])
  const back = await app.call('PATCH', path, { body: sent.body })
  expect([back.status, back.headers.warning]).toEqual([200, undefined])
  const { body: document } = await app.call('POST', '/document', { body: { title: 'About', base_entity_id: table.id } })
  expect(document.base_entity_id).toBe(table.id)
})
