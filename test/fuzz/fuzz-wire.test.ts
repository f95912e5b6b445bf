import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Raw socket input that no client library would send. Always a response or a closed connection, and the server keeps running. */
let app: TestApp
let port: number
beforeAll(async () => {
  app = await createTestApp()
  port = Number(new URL(await app.fastify.listen({ port: 0, host: '127.0.0.1' })).port)
})
afterAll(() => app[Symbol.asyncDispose]())

/** Sends these bytes and reads until the connection is closed. */
const sent = (bytes: string | Buffer): Promise<string> =>
  new Promise((resolve, reject) => {
    let response = ''
    const socket = connect(port, '127.0.0.1', () => void socket.write(bytes))
    socket.setTimeout(15_000, () => socket.destroy(new Error(`no answer to ${String(bytes).slice(0, 100)}`)))
    socket.on('data', (chunk) => {
      response += chunk.toString('latin1')
    })
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(response) : reject(error),
    )
    socket.on('close', () => resolve(response))
  })

const get = (target: string, head = '') =>
  `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.token}\r\nConnection: close\r\n${head}\r\n`
const post = (head: string, body: string | Buffer) =>
  `POST /api/v1/resource/catalog HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.token}\r\nConnection: close\r\nContent-Type: application/json\r\n${head}\r\n${body}`

for (const [what, bytes, status] of [
  ['a long address', () => get(`/api/v1/resource/catalog?title=${'x'.repeat(900)}`), 200],
  ['an address of 100 kB', () => get(`/api/v1/resource/catalog?title=${'x'.repeat(100_000)}`), 400],
  ['an address of 1 MB', () => get(`/api/v1/resource/catalog?title=${'x'.repeat(1_000_000)}`), 431],
  ['a path of 100 kB', () => get(`/api/v1/resource/all/${'x'.repeat(100_000)}`), 404],
  ['10,000 parameters', () => get(`/api/v1/resource/catalog?${'title=x&'.repeat(10_000)}`), 400],
  ['bytes above ASCII in the address', () => Buffer.from(get('/api/v1/resource/catalog?title=\xff\xfe'), 'latin1'), undefined],
  ['an address without a path', () => get('*'), undefined],
  ['a whole URL as the address', () => get('http://elsewhere/api/v1/resource/catalog'), undefined],
  ['no HTTP at all', () => 'hello\r\n\r\n', 400],
  ['a TLS greeting', () => Buffer.from([0x16, 0x03, 0x01, 0x00, 0x05, 1, 2, 3, 4, 5]), 400],
  ['1,000 headers', () => get('/api/v1/resource/catalog', Array.from({ length: 1000 }, (_, i) => `X-${i}: a\r\n`).join('')), undefined],
  ['two lengths', () => post('Content-Length: 2\r\nContent-Length: 5\r\n', '{}'), 400],
  ['a length and chunks', () => post('Content-Length: 2\r\nTransfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'), 400],
  ['chunks', () => post('Transfer-Encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n'), 201],
  ['broken chunks', () => post('Transfer-Encoding: chunked\r\n', 'zz\r\n{}'), 400],
  ['a method nobody knows', () => get('/api/v1/resource/catalog').replace('GET', 'BREW'), 400],
] as const)
  test(`${what}: ${status ?? 'no harm'}`, async () => {
    const response = await sent(bytes())
    const found = Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0)
    expect(found, response.slice(0, 300)).toBeLessThan(500)
    if (status) expect(found, response.slice(0, 300)).toBe(status)
    if (found >= 400)
      expect(JSON.parse(response.slice(response.indexOf('{'))), response).toMatchObject({
        code: expect.any(String),
        detail: expect.any(String),
        request_id: expect.any(String),
      })
    expect(response).not.toMatch(/node_modules|\bat \w+ \(/)
    expect((await app.call('GET', '/resource/catalog')).status).toBe(200)
  })
