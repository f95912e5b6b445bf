import { once } from 'node:events'
import { connect } from 'node:net'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '../src/errors.ts'
import { addErrors } from '../src/http/errors.ts'
import { newId } from '../src/id.ts'
import { type Answer, aHouse, type House } from './house.ts'

/** One body for every error, and errors raised before a handler runs. */
let house: House
beforeAll(async () => {
  house = await aHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const post = (body: unknown, headers = {}) => house.call('POST', '/resource/catalog', { body, headers })
const deep = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`

const mustBe = (answer: Answer, status: number, code: string) => {
  expect(answer.status).toBe(status)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  const errors = code === 'validation_failed' ? { errors: answer.body.errors } : {}
  expect(answer.body).toEqual({ detail: expect.stringMatching(/\.$|…$/), code, request_id: answer.headers['x-request-id'], ...errors })
  expect(answer.text).not.toMatch(/\bat \w+ \(|select |\/work\/|node_modules/)
}

for (const [what, status, code, ask] of [
  ['a wrong field', 400, 'validation_failed', () => post({ title: 5 })],
  ['a body that is no object', 400, 'validation_failed', () => post([])],
  ['no body', 400, 'validation_failed', () => house.call('POST', '/resource/catalog')],
  ['an empty body', 400, 'validation_failed', () => post('')],
  ['half of a body', 400, 'malformed_json', () => post('{"title": ')],
  ['prototype poison', 400, 'malformed_json', () => post('{"__proto__": {"admin": true}}')],
  ['65 deep', 400, 'malformed_json', () => post(deep(65))],
  ['invalid UTF-8', 400, 'malformed_json', () => post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))],
  ['a NUL', 400, 'validation_failed', () => post('{"title": "a\\u0000b"}')],
  ['a NUL in a name', 400, 'validation_failed', () => post('{"a\\u0000b": 1}')],
  ['half a surrogate pair', 400, 'validation_failed', () => post('{"description": "\\ud83d"}')],
  ['no token', 401, 'unauthenticated', () => house.call('GET', '/resource/catalog', { token: null })],
  ['an unknown path, to a stranger', 401, 'unauthenticated', () => house.call('GET', '/nothing', { token: null })],
  ['an unknown path', 404, 'not_found', () => house.call('GET', '/nothing')],
  ['an unknown resource', 404, 'not_found', () => house.call('GET', `/resource/all/${newId()}`)],
  ['another method', 405, 'method_not_allowed', () => house.call('PUT', '/resource/catalog', { body: {} })],
  ['a form', 415, 'unsupported_media_type', () => post('title=a', { 'content-type': 'application/x-www-form-urlencoded' })],
  ['plain text', 415, 'unsupported_media_type', () => post('{}', { 'content-type': 'text/plain' })],
  ['5 MB and one', 413, 'payload_too_large', () => post(`{"title":"a","description":"${'x'.repeat(5 * 1024 * 1024)}"}`)],
] as const)
  test(`${what} is ${status} ${code}`, async () => mustBe(await ask(), status, code))

for (const authorization of ['Bearer', 'Bearer tbl_unknown', 'Basic dTpw', 'tbl_test_admin', 'Bearer a b', `Bearer ${'x'.repeat(5000)}`])
  test(`Authorization: ${authorization.slice(0, 30)} is 401`, async () => {
    const answer = await house.call('GET', '/resource/catalog', { token: null, headers: { authorization } })
    mustBe(answer, 401, 'unauthenticated')
    expect(answer.headers['www-authenticate']).toBe('Bearer')
  })

test('an expired token and a token of a disabled user are 401', async () => {
  const late = await house.someone('editor', { expires_at: new Date(Date.now() - 1000) })
  const gone = await house.someone('editor')
  await house.db.updateTable('users').set({ disabled_at: new Date() }).where('id', '=', gone.id).execute()
  for (const { token } of [late, gone]) mustBe(await house.call('GET', '/resource/catalog', { token }), 401, 'unauthenticated')
})

for (const [path, allow] of [
  ['/resource/catalog', 'GET, HEAD, POST'],
  [`/resource/all/${newId()}`, 'DELETE, GET, HEAD, PATCH'],
  ['/resource/all/bulk_update/', 'POST'],
  ['/background_jobs', 'GET, HEAD'],
] as const)
  test(`${path.slice(0, 30)} allows ${allow}`, async () => {
    for (const method of ['PUT', 'OPTIONS']) {
      const answer = await house.call(method, path)
      mustBe(answer, 405, 'method_not_allowed')
      expect(answer.headers.allow).toBe(allow)
    }
  })

test('a viewer’s write is 403 and names the missing permission', async () => {
  const viewer = await house.someone('viewer')
  const answer = await house.call('POST', '/resource/catalog', { body: {}, token: viewer.token })
  mustBe(answer, 403, 'permission_denied')
  expect(answer.body.detail).toContain('viewer')
})

test('accepts input at the limits', async () => {
  expect((await post(`{"title":"deep","display":${deep(63)}}`)).status).toBe(201)
  expect((await post('{"title":"\\ud83d\\ude00 \\u0001 \\\\u0000"}')).body.title).toBe('😀 \u0001 \\u0000')
  expect((await post({ title: 'charset' }, { 'content-type': 'application/json; charset=utf-8' })).status).toBe(201)
  expect((await post({ title: 'long', definition: 'x'.repeat(5_000_000) })).body.definition).toHaveLength(5_000_000)
})

test('an internal error is 500 and reveals nothing', async () => {
  await using broken = await aHouse()
  await broken.db.schema.dropTable('resource_views').execute()
  await broken.db.schema.alterTable('resources').renameColumn('version', 'broken').execute()
  const answer = await broken.call('POST', '/resource/catalog', { body: { title: 'a' } })
  mustBe(answer, 500, 'internal_error')
  expect(answer.text).not.toMatch(/column|version|resources/)
})

test('a URL the router rejects gets the usual error body', async () => {
  await using house = await aHouse()
  expect(await house.call('GET', '/resource/all/%zz')).toMatchObject({
    status: 400,
    body: { code: 'validation_failed', request_id: expect.any(String) },
  })
  expect(await house.call('GET', `/resource/all/${'x'.repeat(600)}`)).toMatchObject({ status: 404, body: { code: 'not_found' } })
})

test('a client that disconnects early is logged as info, not as an error', async () => {
  const lines: { level: number; msg: string }[] = []
  const stream = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const app = fastify({ logger: { level: 'info', stream }, forceCloseConnections: true })
  addErrors(app)
  const left = Promise.withResolvers<void>()
  app.get('/slow', async (_, reply) => {
    await once(reply.raw, 'close')
    setImmediate(left.resolve)
    throw new Refusal('unavailable', 'The client disconnected.')
  })
  app.get('/broken', async () => {
    throw new Refusal('unavailable', 'It is broken.')
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as { port: number }
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(app.server, 'request')
  socket.destroy()
  await left.promise
  expect((await app.inject('/broken')).statusCode).toBe(503)
  await app.close()
  expect(lines.filter(({ msg }) => msg === 'The client disconnected before the response.').map(({ level }) => level)).toEqual([30])
  expect(lines.filter(({ level }) => level >= 50).map(({ msg }) => msg)).toEqual(['unavailable'])
})
