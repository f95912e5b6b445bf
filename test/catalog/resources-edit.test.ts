import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** PATCH and DELETE /resource/all/{id}. */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const edit = (id: string, body: unknown, headers = {}) => app.call('PATCH', `/resource/all/${id}`, { body, headers })
const versions = async (id: string) =>
  app.db.selectFrom('activities').select(['version', 'activity_type']).where('resource_id', '=', id).orderBy('version').execute()

test('keeps absent fields, clears null fields and replaces arrays', async () => {
  const ids = Array.from({ length: 3 }, newId)
  const lists = { owners: ids, owners_groups: ids, collections: ids, tags: ids, terms: ids, subscribers: ids }
  const texts = { description: 'words', definition: '# Words', native_type: 'TABLE', icon: 'star', url: 'https://example.com' }
  const flags = { pii: true, verified: true, published: true, archived: true }
  const before = await app.createResource({ title: 'orders', ...lists, ...texts, ...flags, integration: ids[0] })

  const one = await edit(before.id, { owners: [ids[2]] })
  expect(one.body).toEqual({ ...before, owners: [ids[2]], version: 2, updated_at: one.body.updated_at, ...PERMISSIONS })

  const cleared = Object.fromEntries(Object.keys({ ...lists, ...texts, ...flags, integration: 1 }).map((field) => [field, null]))
  const { status, body } = await edit(before.id, cleared)
  expect(status).toBe(200)
  for (const field of Object.keys(lists)) expect(body[field], field).toEqual([])
  for (const field of Object.keys(flags)) expect(body[field], field).toBe(false)
  for (const field of ['description', 'definition', 'native_type', 'url', 'integration', 'archived_at'])
    expect(body[field], field).toBe(null)
  expect(body).toMatchObject({ title: 'orders', icon: 'table', version: 3 })
  expect((await app.call('GET', `/resource/all/${before.id}`)).body).toEqual(body)
})
const PERMISSIONS = { current_user_permissions: { read: true, write: true, execute: true } }

test('rejects wrong types by field and changes nothing', async () => {
  const before = await app.createResource({ title: 'orders' })
  for (const [field, value] of [
    ['pii', 'true'],
    ['verified', 0],
    ['description', 5],
    ['owners', 'me'],
    ['owners', [newId(), 'me']],
    ['title', null],
    ['title', ''],
    ['parent', 'nobody'],
    ['parent', newId()],
  ] as const) {
    const response = await edit(before.id, { description: 'changed', [field]: value })
    expect(response, `${field}: ${value}`).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
    expect(Object.keys(response.body.errors)[0]).toMatch(new RegExp(`^${field}`))
  }
  expect((await app.call('GET', `/resource/all/${before.id}`)).body).toMatchObject({ description: null, version: 1 })
})

test('sending a record back changes nothing, without a warning or a version', async () => {
  const before = await app.createResource({ title: 'orders', owners: [newId()], description: 'words' })
  for (const body of [before, {}, { owners: before.owners, description: 'words' }, { tags: [] }, { pii: null }]) {
    const response = await edit(before.id, body)
    expect(response).toMatchObject({ status: 200, body: { version: 1, updated_at: before.updated_at } })
    expect(response.headers.warning).toBeUndefined()
  }
  expect((await edit(before.id, { ownrs: [] })).headers.warning).toBe('199 - "ignored fields: ownrs"')
  expect(await versions(before.id)).toHaveLength(1)
})

test('each change creates one version; definition_version only increases with the definition', async () => {
  const { id } = await app.createResource()
  for (const [body, version, definition_version] of [
    [{ definition: 'a' }, 2, 1],
    [{ definition: 'a' }, 2, 1],
    [{ description: 'b' }, 3, 1],
    [{ definition: 'b', pii: true }, 4, 2],
    [{ definition: null }, 5, 3],
  ] as const)
    expect((await edit(id, body)).body).toMatchObject({ version, definition_version })
  expect(await versions(id)).toEqual([
    { version: 1, activity_type: 'resource_created' },
    ...[2, 3, 4, 5].map((version) => ({ version, activity_type: 'resource_updated' })),
  ])
})

test('archiving sets archived_at', async () => {
  const { id } = await app.createResource()
  expect((await edit(id, { archived: true })).body.archived_at).toMatch(/Z$/)
  expect((await edit(id, { archived: false })).body.archived_at).toBe(null)
})

test('stores unknown users, tags and collections without granting access', async () => {
  const { id } = await app.createResource()
  const outsider = newId()
  const { body } = await edit(id, { owners: [outsider], tags: [outsider], teams: [outsider], subscribers: [outsider] })
  expect(body).toMatchObject({ owners: [outsider], tags: [outsider], teams: [outsider], subscribers: [outsider] })
})

test('If-Match accepts the current version and rejects an outdated one', async () => {
  const { id } = await app.createResource()
  expect(await edit(id, { description: 'a' }, { 'if-match': '"v1"' })).toMatchObject({ status: 200, headers: { etag: '"v2"' } })
  for (const method of ['PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { description: 'b' } : undefined
    const late = await app.call(method, `/resource/all/${id}`, { body, headers: { 'if-match': '"v1"' } })
    expect(late).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
  }
  expect((await app.call('GET', `/resource/all/${id}`)).body.description).toBe('a')
  for (const tag of ['*', '"v9", "v2"']) expect((await edit(id, {}, { 'if-match': tag })).status).toBe(200)
  expect((await app.call('DELETE', `/resource/all/${id}`, { headers: { 'if-match': '"v2"' } })).status).toBe(204)
})

test('of two concurrent edits with the same If-Match, one succeeds', async () => {
  const { id } = await app.createResource()
  const responses = await Promise.all(['a', 'b', 'c'].map((description) => edit(id, { description }, { 'if-match': '"v1"' })))
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 412, 412])
})

test('publishing or unpublishing a table does the same to its columns at every depth', async () => {
  const table = await app.createResource({ entity_type: 'table', title: 'orders' })
  const column = await app.createResource({ entity_type: 'column', title: 'address', parent: table.id })
  const part = await app.createResource({ entity_type: 'column', title: 'city', parent: column.id })
  const query = await app.createResource({ entity_type: 'query', parent: table.id })
  const published = async () =>
    Promise.all([table, column, part, query].map(async ({ id }) => (await app.call('GET', `/resource/all/${id}`)).body.published))
  await edit(table.id, { published: true })
  expect(await published()).toEqual([true, true, true, false])
  expect(await versions(column.id)).toHaveLength(2)
  expect((await app.call('POST', '/resource/catalog', { body: { entity_type: 'column', parent: table.id } })).body.published).toBe(true)
  await edit(table.id, { published: null })
  expect(await published()).toEqual([false, false, false, false])
})

test('deletes a resource with its children, each with a last version', async () => {
  const [top, other] = [await app.createResource({ title: 'top' }), await app.createResource({ title: 'other' })]
  const middle = await app.createResource({ title: 'middle', parent: top.id })
  const low = await app.createResource({ title: 'low', parent: middle.id })
  const { status, text } = await app.call('DELETE', `/resource/all/${top.id}`)
  expect([status, text]).toEqual([204, ''])
  for (const { id } of [top, middle, low]) {
    for (const method of ['GET', 'DELETE']) expect((await app.call(method, `/resource/all/${id}`)).status).toBe(404)
    expect((await edit(id, {})).status).toBe(404)
    expect((await versions(id)).at(-1)).toEqual({ version: 2, activity_type: 'resource_deleted' })
  }
  expect((await app.call('GET', `/resource/all/${other.id}`)).status).toBe(200)
})

test('deletes a subtree completely or not at all', async () => {
  const closed = await app.createTeam(true)
  const top = await app.createResource({ published: true })
  const middle = await app.createResource({ parent: top.id })
  const hidden = await app.createResource({ parent: middle.id, teams: [closed] })
  const editor = await app.createUser('editor')
  expect((await app.call('DELETE', `/resource/all/${top.id}`, { token: editor.token })).status).toBe(403)
  const { rows } = await sql<{ id: string }>`select id from resources where id in (${top.id}, ${middle.id}, ${hidden.id})`.execute(app.db)
  expect(rows).toHaveLength(3)
})
