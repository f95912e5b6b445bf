import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ApiError } from '../../src/platform/core/errors.ts'
import { newId } from '../../src/platform/core/id.ts'
import { formatText } from '../../src/platform/core/translatable.ts'
import { addErrors } from '../../src/platform/http/errors.ts'
import { createTestApp, type TestApp, type TestResponse } from '../support/test-app.ts'

/** One body for every error, and errors raised before a handler runs. */
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const post = (body: unknown, headers = {}) => app.call('POST', '/resource/catalog', { body, headers })
const deep = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`

const expectErrorBody = (response: TestResponse, status: number, code: string) => {
  expect(response.status).toBe(status)
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
  const errors = code === 'validation_failed' ? { errors: response.body.errors } : {}
  const { translatable, ...body } = response.body
  expect(body).toEqual({ detail: expect.stringMatching(/\.$|…$/), code, request_id: response.headers['x-request-id'], ...errors })
  if (translatable?.detail) expect(formatText(translatable.detail)).toBe(body.detail)
  expect(response.text).not.toMatch(/\bat \w+ \(|select |\/work\/|node_modules/)
}

for (const [what, status, code, send] of [
  ['a wrong field', 400, 'validation_failed', () => post({ title: 5 })],
  ['a body that is no object', 400, 'validation_failed', () => post([])],
  ['no body', 400, 'validation_failed', () => app.call('POST', '/resource/catalog')],
  ['an empty body', 400, 'validation_failed', () => post('')],
  ['half of a body', 400, 'malformed_json', () => post('{"title": ')],
  ['prototype poison', 400, 'malformed_json', () => post('{"__proto__": {"admin": true}}')],
  ['65 deep', 400, 'malformed_json', () => post(deep(65))],
  ['invalid UTF-8', 400, 'malformed_json', () => post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))],
  ['a NUL', 400, 'validation_failed', () => post('{"title": "a\\u0000b"}')],
  ['a NUL in a name', 400, 'validation_failed', () => post('{"a\\u0000b": 1}')],
  ['half a surrogate pair', 400, 'validation_failed', () => post('{"description": "\\ud83d"}')],
  ['no token', 401, 'unauthenticated', () => app.call('GET', '/resource/catalog', { token: null })],
  ['an unknown path, without a token', 401, 'unauthenticated', () => app.call('GET', '/nothing', { token: null })],
  ['an unknown path', 404, 'not_found', () => app.call('GET', '/nothing')],
  ['an unknown resource', 404, 'not_found', () => app.call('GET', `/resource/all/${newId()}`)],
  ['another method', 405, 'method_not_allowed', () => app.call('PUT', '/resource/catalog', { body: {} })],
  ['a form', 415, 'unsupported_media_type', () => post('title=a', { 'content-type': 'application/x-www-form-urlencoded' })],
  ['plain text', 415, 'unsupported_media_type', () => post('{}', { 'content-type': 'text/plain' })],
  ['5 MB and one', 413, 'payload_too_large', () => post(`{"title":"a","description":"${'x'.repeat(5 * 1024 * 1024)}"}`)],
] as const)
  test(`${what} is ${status} ${code}`, async () => expectErrorBody(await send(), status, code))

for (const authorization of ['Bearer', 'Bearer tbl_unknown', 'Basic dTpw', 'tbl_test_admin', 'Bearer a b', `Bearer ${'x'.repeat(5000)}`])
  test(`Authorization: ${authorization.slice(0, 30)} is 401`, async () => {
    const response = await app.call('GET', '/resource/catalog', { token: null, headers: { authorization } })
    expectErrorBody(response, 401, 'unauthenticated')
    expect(response.headers['www-authenticate']).toBe('Bearer')
  })

test('an expired token and a token of a disabled user are 401', async () => {
  const late = await app.createUser('editor', { expires_at: new Date(Date.now() - 1000) })
  const gone = await app.createUser('editor')
  await app.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', gone.id).execute()
  for (const { token } of [late, gone]) expectErrorBody(await app.call('GET', '/resource/catalog', { token }), 401, 'unauthenticated')
})

for (const [path, allow] of [
  ['/resource/catalog', 'GET, HEAD, POST'],
  [`/resource/all/${newId()}`, 'DELETE, GET, HEAD, PATCH'],
  ['/resource/all/bulk_update/', 'POST'],
  ['/background_jobs', 'GET, HEAD'],
] as const)
  test(`${path.slice(0, 30)} allows ${allow}`, async () => {
    for (const method of ['PUT', 'OPTIONS']) {
      const response = await app.call(method, path)
      expectErrorBody(response, 405, 'method_not_allowed')
      expect(response.headers.allow).toBe(allow)
    }
  })

test('a viewer’s write is 403 and names the missing permission', async () => {
  const viewer = await app.createUser('viewer')
  const response = await app.call('POST', '/resource/catalog', { body: {}, token: viewer.token })
  expectErrorBody(response, 403, 'permission_denied')
  expect(response.body.detail).toContain('viewer')
})

test('accepts input at the limits', async () => {
  expect((await post(`{"title":"deep","display":${deep(63)}}`)).status).toBe(201)
  expect((await post('{"title":"\\ud83d\\ude00 \\u0001 \\\\u0000"}')).body.title).toBe('😀 \u0001 \\u0000')
  expect((await post({ title: 'charset' }, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(201)
  expect((await post({ title: 'long', definition: 'x'.repeat(5_000_000) })).body.definition).toHaveLength(5_000_000)
})

test('an internal error is 500 and reveals nothing', async () => {
  await using broken = await createTestApp()
  await broken.db.schema.dropTable('resource_views').execute()
  await broken.db.schema.alterTable('resources').renameColumn('version', 'broken').execute()
  const response = await broken.call('POST', '/resource/catalog', { body: { title: 'a' } })
  expectErrorBody(response, 500, 'internal_error')
  expect(response.text).not.toMatch(/column|version|resources/)
})

test('a URL the router rejects gets the usual error body', async () => {
  await using app = await createTestApp()
  expect(await app.call('GET', '/resource/all/%zz')).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', request_id: expect.any(String) },
  })
  expect(await app.call('GET', `/resource/all/${'x'.repeat(600)}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('a body of nothing but empty objects is rejected before it is parsed', async () => {
  await using app = await createTestApp()
  const { statusCode, json } = await app.fastify.inject({
    method: 'POST',
    url: '/api/v1/resource/catalog',
    headers: { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' },
    payload: `[${'{},'.repeat(400_000)}{}]`,
  })
  expect([statusCode, json().code]).toEqual([400, 'malformed_json'])
})

test('a Host header that is not a host is rejected before anything is built from it', async () => {
  await using app = await createTestApp()
  for (const host of ['a:b:c', 'shop:99999', '[::1', 'user@evil.example', 'evil.example/path', '<script>', 'a b'])
    for (const url of ['/mcp', '/api/v1/resource/catalog', '/.well-known/oauth-authorization-server']) {
      const method = url === '/mcp' ? 'POST' : 'GET'
      const { statusCode, json } = await app.fastify.inject({ method, url, headers: { host } })
      expect([url, host, statusCode, json().detail]).toEqual([url, host, 400, 'Invalid Host header.'])
    }
  for (const host of ['catalog_1:3000', '[::1]:80', 'catalog.example.com', '10.0.0.7'])
    expect((await app.fastify.inject({ url: '/healthcheck', headers: { host } })).statusCode).toBe(200)
})

test('a client that disconnects early is logged as info, not as an error', async () => {
  const lines: { level: number; msg: string; method?: string; url?: string }[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const app = fastify({ logger: { level: 'info', stream }, forceCloseConnections: true })
  addErrors(app)
  const left = Promise.withResolvers<void>()
  app.get('/slow', async (_, reply) => {
    await once(reply.raw, 'close')
    setImmediate(left.resolve)
    throw new ApiError('unavailable', 'The client disconnected.')
  })
  app.get('/broken', async () => {
    throw new ApiError('unavailable', 'It is broken.')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /slow?q=private HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(app.server, 'request')
  socket.destroy()
  await left.promise
  expect((await app.inject('/broken')).statusCode).toBe(503)
  await app.close()
  expect(lines.filter(({ msg }) => msg === 'The client disconnected before the response.')).toMatchObject([
    { level: 30, method: 'GET', url: '/slow' },
  ])
  expect(lines.filter(({ level }) => level >= 50).map(({ msg }) => msg)).toEqual(['unavailable'])
})
