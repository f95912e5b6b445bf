import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp, type TestResponse } from '../support/test-app.ts'
import { expectError, expectFields, LOG_ENTRY, toJsonParam } from './interface.ts'

/** Interface document: "Audit logs", "Authentication", "Errors", "Versioning". */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const createChangedResource = async () => {
  const { body } = await app.call('POST', '/resource/catalog', { body: { title: 'logged', entity_type: 'table' } })
  await app.call('PATCH', `/resource/all/${body.id}`, { body: { verified: true } })
  return body.id as string
}

/** Counts next to the records and also in `meta`. */
const expectLogPage = ({ status, body }: TestResponse, page: number): void => {
  expect(status).toBe(200)
  expect(body).toMatchObject({ total_pages: expect.any(Number), count: expect.any(Number) })
  expect(body.meta).toMatchObject({ page, count: body.count, total_pages: body.total_pages })
  expect(body.meta.previous_page).toBe(page === 1 ? 'None' : page - 1)
  expect(body.meta.next_page).toBe(page < body.total_pages ? page + 1 : null)
  expect(body).not.toHaveProperty('links')
}

describe('GET /activity_log/audit_logs/', () => {
  const logs = (query = '', token?: string | null) =>
    app.call('GET', `/activity_log/audit_logs/${query}`, token === undefined ? {} : { token })

  test('200, page 1 by default, and entries with every field', async () => {
    const id = await createChangedResource()
    const response = await logs()
    expectLogPage(response, 1)
    for (const entry of response.body.results) {
      expectFields(entry, LOG_ENTRY)
      expectFields(entry.performer_metadata, { id: 'id?', email: 'string?', first_name: 'string?', last_name: 'string?', name: 'string?' })
      expectFields(entry.resource_metadata, {
        id: 'id?',
        title: 'string?',
        name: 'string?',
        icon: 'string?',
        type: 'string?',
        integration_id: 'id?',
      })
      for (const block of entry.event_blocks)
        expect(block).toEqual({ type: expect.any(String), style: 'normal', value: expect.any(String) })
    }
    const [edit] = response.body.results.filter((entry: { resource_id: string }) => entry.resource_id === id)
    expect(edit).toMatchObject({
      activity_type: 'resource_updated',
      performer_type: 'API',
      resource_type: 'table',
      secoda_entity_type: 'table',
    })
    expect(edit.resource_metadata).toMatchObject({ id, title: 'logged', type: 'table' })
    expectLogPage(await logs('?page=2&page_size=1'), 2)
  })

  test('can be filtered and sorted like the catalog', async () => {
    const id = await createChangedResource()
    const filter = {
      operator: 'and',
      operands: [
        { operator: 'exact', field: 'performer_type', value: 'API' },
        { operator: 'exact', field: 'resource_id', value: id },
      ],
    }
    const types = async (order: string) =>
      (await logs(`?filter=${toJsonParam(filter)}&sort=${toJsonParam({ field: 'logged_at', order })}`)).body.results.map(
        (entry: { activity_type: string }) => entry.activity_type,
      )
    expect(await types('asc')).toEqual(['resource_created', 'resource_updated'])
    expect(await types('desc')).toEqual(['resource_updated', 'resource_created'])
    expect((await logs(`?filter=${toJsonParam({ operator: 'exact', field: 'performer_type', value: 'USER' })}`)).body.count).toBe(0)
    for (const field of Object.keys(LOG_ENTRY).filter((name) => !['ids', 'array', 'object'].includes(LOG_ENTRY[name]!)))
      expect([field, (await logs(`?sort=${toJsonParam({ field, order: 'asc' })}&page_size=1`)).status]).toEqual([field, 200])
    expectError(await logs('?filter={'), 400, 'invalid_filter')
    expectError(await logs('?sort={'), 400, 'invalid_sort')
  })

  test('401 without credentials, 403 without the permission', async () => {
    expectError(await logs('', null), 401, 'unauthenticated')
    expectError(await logs('', 'tbl_unknown'), 401, 'unauthenticated')
    for (const role of ['editor', 'viewer', 'guest'] as const)
      expectError(await logs('', (await app.createUser(role)).token), 403, 'permission_denied')
  })
})

describe('GET /activity_log/resource_logs/', () => {
  const logs = (query: string, token?: string | null) =>
    app.call('GET', `/activity_log/resource_logs/${query}`, token === undefined ? {} : { token })

  test('200: versions and other entries instead of results', async () => {
    const id = await createChangedResource()
    const response = await logs(`?resource_id=${id}`)
    expectLogPage(response, 1)
    expect(response.body).not.toHaveProperty('results')
    expect(response.body.version_histories).toMatchObject([
      { resource_id: id, version: 2, changes: [{ field: 'verified', from: false, to: true }] },
      { resource_id: id, version: 1 },
    ])
    for (const version of response.body.version_histories)
      expectFields(version, {
        id: 'id',
        resource_id: 'id',
        version: 'integer',
        created_at: 'timestamp',
        performer_id: 'id?',
        performer_type: 'string',
        performer_metadata: 'object',
        changes: 'array',
      })
    expect(response.body.non_versioned_logs).toEqual([])
    expectLogPage(await logs(`?resource_id=${id}&page=2&page_size=1`), 2)
  })

  test('entries without a version are in non_versioned_logs', async () => {
    const id = await createChangedResource()
    const other = await createChangedResource()
    await app.call('POST', '/lineage/manual', { body: { from_entity: id, to_entity: other, direction: 'DOWNSTREAM' } })
    const { body } = await logs(`?resource_id=${id}`)
    expect(body.non_versioned_logs).toHaveLength(1)
    for (const entry of body.non_versioned_logs) expectFields(entry, LOG_ENTRY)
    expect(body.count).toBe(3)
  })

  test('resource_id is required; 401; 403', async () => {
    const id = await createChangedResource()
    expectError(await logs(''), 400, 'validation_failed')
    expectError(await logs(`?resource_id=${id}`, null), 401, 'unauthenticated')
    await app.call('PATCH', `/resource/all/${id}`, { body: { published: true } })
    expectError(await logs(`?resource_id=${id}`, (await app.createUser('viewer')).token), 403, 'permission_denied')
  })
})

const OPEN = [
  'get /auth/setup',
  'get /link_preview.png',
  'get /monitor/chart/{chart_file}',
  'get /public_link/{public_link_id}/attachment/{attachment_id}',
  'get /resource/all/{resource_id}/badge.svg',
  'get /resource/all/{resource_id}/card.html',
  'post /auth/invitation',
  'post /auth/invitation/accept',
  'post /auth/setup',
  'post /auth/sign_in',
  'post /auth/sign_in/token',
  'post /auth/sign_out',
  'post /notification/slack/actions',
  'post /notification/slack/events',
  'post /public_link/open',
]

describe('authentication', () => {
  test('every endpoint requires the header, except sign-in and what is signed', async () => {
    const paths: Record<string, Record<string, { security?: unknown[] }>> = (await app.call('GET', '/api/v1/openapi.json', { token: null }))
      .body.paths
    const open: string[] = []
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { security }] of Object.entries(methods)) {
        if (security?.length === 0) {
          open.push(`${method} ${path.replace('/api/v1', '')}`)
          continue
        }
        const response = await app.call(method.toUpperCase(), path.replace(/\{\w+\}/g, newId()), { token: null })
        expect([method, path, response.status, response.headers['www-authenticate']]).toEqual([method, path, 401, 'Bearer'])
      }
    expect(open.sort()).toEqual(OPEN)
  })

  test('current_user_permissions shows the caller’s permissions', async () => {
    const { body } = await app.call('POST', '/resource/catalog', { body: { title: 'shown', published: true } })
    for (const [role, permissions] of [
      ['admin', { read: true, write: true, execute: true }],
      ['editor', { read: true, write: true, execute: true }],
      ['viewer', { read: true, write: false, execute: false }],
    ] as const) {
      const { token } = await app.createUser(role)
      expect((await app.call('GET', `/resource/all/${body.id}`, { token })).body.current_user_permissions).toEqual(permissions)
    }
  })
})

describe('URLs and text', () => {
  test('paths work under /api/v1, with and without a trailing slash', async () => {
    for (const path of [
      '/resource/catalog',
      '/document',
      '/resource/all_v2/custom_properties',
      '/activity_log/audit_logs',
      '/lineage/manual',
      '/event/category',
    ])
      for (const each of [path, `${path}/`]) expect([each, (await app.call('GET', each)).status]).toEqual([each, 200])
    expectError(await app.call('GET', '/api/v2/resource/catalog'), 404, 'not_found')
    const body: unknown[] = []
    for (const path of ['/resource/all/bulk_update/', '/resource/all/bulk_update'])
      expect((await app.call('POST', path, { body })).status).toBe(200)
    const headers = { 'idempotency-key': newId() }
    const [first, again] = [
      await app.call('POST', '/document', { body: { title: 'once' }, headers }),
      await app.call('POST', '/document/', { body: { title: 'once' }, headers }),
    ]
    expect(again, 'a key holds for both').toMatchObject({ status: 201, body: { id: first.body.id } })
  })

  test('bodies are JSON', async () => {
    const response = await app.call('GET', '/resource/catalog')
    expect(response.headers['content-type']).toMatch(/^application\/json/)
    expectError(await app.call('POST', '/resource/catalog', { body: '{"title":' }), 400, 'malformed_json')
    expectError(
      await app.call('POST', '/resource/catalog', { body: 'a=b', headers: { 'content-type': 'text/plain' } }),
      415,
      'unsupported_media_type',
    )
  })

  test('IDs are accepted with or without dashes in any case, and returned in one form', async () => {
    const id = await createChangedResource()
    for (const written of [id.toUpperCase(), id.replaceAll('-', '')])
      expect((await app.call('GET', `/resource/all/${written}`)).body.id).toBe(id)
  })
})
