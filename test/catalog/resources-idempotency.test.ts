import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createTestApp } from '../support/test-app.ts'

/** Idempotency-Key on POST. */
const post = (key: string, body: unknown) => ['POST', '/resource/catalog', { body, headers: { 'idempotency-key': key } }] as const

test('replays the first response for the same key and body within a day', async () => {
  await using app = await createTestApp()
  const first = await app.call(...post('k', { title: 'orders' }))
  const again = await app.call(...post('k', { title: 'orders' }))
  expect(again).toMatchObject({ status: 201, headers: { etag: first.headers.etag, 'idempotent-replayed': 'true' } })
  expect(again.text).toBe(first.text)
  expect((await app.call('GET', '/resource/catalog')).body.count).toBe(1)
  expect(await app.listActivities()).toHaveLength(1)
})

test('rejects the same key for a different request with 409', async () => {
  await using app = await createTestApp()
  await app.call(...post('k', { title: 'orders' }))
  expect(await app.call(...post('k', { title: 'other' }))).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const elsewhere = await app.call('POST', '/resource/all/bulk_update/', { body: [], headers: { 'idempotency-key': 'k' } })
  expect(elsewhere.status).toBe(409)
})

test('keys are per user, and a rejected request does not consume its key', async () => {
  await using app = await createTestApp()
  const editor = await app.createUser('editor')
  expect((await app.call(...post('k', { title: 5 }))).status).toBe(400)
  expect((await app.call(...post('k', { parent: '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f' }))).status).toBe(400)
  const adminResponse = await app.call(...post('k', { title: 'mine' }))
  const [method, path, options] = post('k', { title: 'theirs' })
  const editorResponse = await app.call(method, path, { ...options, token: editor.token })
  expect([adminResponse.status, editorResponse.status]).toEqual([201, 201])
})

test('concurrent requests create one row and get the same response', async () => {
  await using app = await createTestApp()
  await using other = await app.createInstance()
  const responses = await Promise.all(Array.from({ length: 8 }, (_, i) => (i % 2 ? app : other).call(...post('k', { title: 'orders' }))))
  expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
  const { rows } = await sql`select from resources`.execute(app.db)
  expect(rows).toHaveLength(1)
})

test('applies a bulk update once', async () => {
  await using app = await createTestApp()
  const { id } = await app.createResource()
  const body = [{ id, data: { description: 'once' } }]
  for (let i = 0; i < 2; i += 1)
    expect((await app.call('POST', '/resource/all/bulk_update/', { body, headers: { 'idempotency-key': 'k' } })).body).toEqual([id])
  expect((await app.call('GET', `/resource/all/${id}`)).body.version).toBe(2)
})

test('a key can be reused after a day', async () => {
  let now = new Date('2026-03-01T12:00:00Z')
  await using app = await createTestApp({ now: () => now })
  const first = await app.call(...post('k', { title: 'orders' }))
  now = new Date('2026-03-02T11:59:59Z')
  expect((await app.call(...post('k', { title: 'orders' }))).body.id).toBe(first.body.id)
  now = new Date('2026-03-02T12:00:01Z')
  const later = await app.call(...post('k', { title: 'other' }))
  expect(later.status).toBe(201)
  expect((await app.call(...post('k', { title: 'other' }))).body.id).toBe(later.body.id)
})

for (const key of ['', 'k'.repeat(256)])
  test(`rejects a key of ${key.length} characters`, async () => {
    await using app = await createTestApp()
    expect(await app.call(...post(key, {}))).toMatchObject({ status: 400, body: { code: 'validation_failed' } })
  })
