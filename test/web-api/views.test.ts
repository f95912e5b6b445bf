import { expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp } from '../support/test-app.ts'

/** Private and shared saved views. */
test('private views are visible to their owner; shared ones to everyone, editable by owner and admins', async () => {
  await using app = await createTestApp()
  const [one, two] = [await app.createUser('editor'), await app.createUser('viewer')]
  const as = (token: string) => (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    app.call(method, path, { token, body, headers })
  const [asOwner, asOther] = [as(one.token), as(two.token)]
  const { status, body: view } = await asOwner('POST', '/view', { name: '  No owners ', query: 'type=table&owners=none' })
  expect([status, view]).toEqual([
    201,
    {
      id: view.id,
      created_at: view.created_at,
      updated_at: view.created_at,
      name: 'No owners',
      query: 'type=table&owners=none',
      page_name: 'catalog',
      shared: false,
      user: one.id,
      mine: true,
      notify: false,
      pinned: false,
    },
  ])
  const names = async (call: typeof asOwner, query = '') =>
    (await call('GET', `/view${query}`)).body.results.map(({ name }: { name: string }) => name)
  expect([await names(asOwner), await names(asOther)]).toEqual([['No owners'], []])
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    const [hidden, unknown] = [
      await asOther(method, `/view/${view.id}`, method === 'PATCH' ? { name: 'x' } : undefined),
      await asOther(method, `/view/${newId()}`, method === 'PATCH' ? { name: 'x' } : undefined),
    ]
    expect([hidden.status, hidden.body.detail.replace(view.id, '')]).toEqual([404, unknown.body.detail.replace(/[0-9a-f-]{36}/, '')])
  }
  expect(await app.listActivities()).toEqual([])

  expect((await asOwner('PATCH', `/view/${view.id}`, { shared: true }, { 'if-match': '"old"' })).status).toBe(412)
  const shared = await asOwner('PATCH', `/view/${view.id}`, { shared: true })
  expect([shared.status, shared.body.shared, shared.headers.etag !== undefined]).toEqual([200, true, true])
  expect((await asOther('GET', '/view')).body.results).toMatchObject([{ name: 'No owners', mine: false, user: one.id }])
  expect((await asOther('PATCH', `/view/${view.id}`, { name: 'Mine now' })).status).toBe(403)
  expect((await asOther('POST', '/view', { name: 'x', query: '', shared: true })).status).toBe(403)
  expect((await asOther('POST', '/view', { name: 'Alerts', query: '', page_name: 'monitors' })).status).toBe(201)
  expect([await names(asOther, '?page_name=monitors'), await names(asOther, '?shared=true'), await names(asOwner)]).toEqual([
    ['Alerts'],
    ['No owners'],
    ['No owners'],
  ])
  expect((await app.call('PATCH', `/view/${view.id}`, { body: { name: 'Without owners' } })).body).toMatchObject({
    name: 'Without owners',
    mine: false,
  })
  expect((await app.call('PATCH', `/view/${view.id}`, { body: { shared: false } })).status).toBe(403)
  expect((await app.call('DELETE', `/view/${view.id}`)).status).toBe(204)
  expect((await asOwner('GET', `/view/${view.id}`)).status).toBe(404)
  expect((await app.listActivities()).map(({ activity_type }) => activity_type)).toEqual(['view_updated', 'view_updated', 'view_deleted'])
})

test('rejects an invalid view', async () => {
  await using app = await createTestApp()
  for (const body of [
    {},
    { name: '', query: '' },
    { name: ' ', query: '' },
    { name: 'x' },
    { name: 'x', query: 7 },
    { name: 'x', query: 'x'.repeat(10_001) },
    { name: 'a\0', query: '' },
    { name: '\ud800', query: '' },
    { name: 'x', query: '', page_name: '../x' },
    { name: 'x', query: '', shared: 'true' },
    [],
  ])
    expect([body, (await app.call('POST', '/view', { body })).status]).toEqual([body, 400])
  expect((await app.call('GET', '/view/nonsense')).status).toBe(404)
  expect((await app.call('GET', '/view')).body.count).toBe(0)
})

test('a person pins views to their own navigation', async () => {
  await using app = await createTestApp()
  const [one, two] = [await app.createUser('editor'), await app.createUser('viewer')]
  const as = (token: string) => (method: string, path: string, body?: unknown) => app.call(method, path, { token, body })
  const [asOwner, asOther] = [as(one.token), as(two.token)]
  const pinned = async (call: typeof asOwner) => (await call('GET', '/ui/bootstrap')).body.pinned_views
  const { body: view } = await asOwner('POST', '/view', { name: 'Tables', query: 'type=table', shared: true })
  for (const _ of ['once', 'again'])
    expect((await asOther('PUT', `/view/${view.id}/pin`)).body).toMatchObject({ id: view.id, pinned: true })
  expect(await pinned(asOther)).toEqual([{ id: view.id, name: 'Tables', query: 'type=table' }])
  expect(await pinned(asOwner)).toEqual([])
  // What is no longer shared cannot be seen, pinned or not.
  await asOwner('PATCH', `/view/${view.id}`, { shared: false })
  expect(await pinned(asOther)).toEqual([])
  expect((await asOther('PUT', `/view/${view.id}/pin`)).status).toBe(404)
  await asOwner('PUT', `/view/${view.id}/pin`)
  expect((await asOwner('DELETE', `/view/${view.id}/pin`)).body.pinned).toBe(false)
  await asOwner('PUT', `/view/${view.id}/pin`)
  expect((await asOwner('DELETE', `/view/${view.id}`)).status).toBe(204)
  expect(await pinned(asOwner)).toEqual([])
})
