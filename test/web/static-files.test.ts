import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Static files of the web app: what is served, how long it is cached, and what is never served. */
const SCRIPT = 'console.log("hello")'

const createBuild = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-web-'))
  await mkdir(join(folder, 'assets'))
  await mkdir(join(folder, '.vite'))
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Tablinum</title>')
  await writeFile(join(folder, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'assets/app-1a2b.js'), SCRIPT)
  await writeFile(join(folder, 'assets/app-1a2b.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(join(folder, '.vite/manifest.json'), '{}')
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const getter =
  (app: TestApp['fastify']) =>
  async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
    const { statusCode: status, headers: responseHeaders, body, rawPayload } = await app.inject({ method: method as 'GET', url, headers })
    return { status, headers: responseHeaders as Record<string, string | undefined>, body, bytes: rawPayload }
  }
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

test('every page URL returns index.html with a strict CSP; unknown API paths return JSON errors', async () => {
  await using app = await createTestApp()
  await using build = await createBuild()
  await using server = await app.createInstance({ webFolder: build.folder })
  const get = getter(server.fastify)
  for (const path of ['/', '/r/018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f?tab=lineage', '/sign-in', '/search?q=%00', '/index.html', '/docsx']) {
    const { status, headers, body } = await get(path, HTML)
    expect([path, status, headers['content-type'], headers['cache-control'], body]).toEqual([
      path,
      200,
      'text/html; charset=utf-8',
      'no-cache',
      '<!doctype html><title>Tablinum</title>',
    ])
    const policy = headers['content-security-policy']!
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/script-src[^;]*unsafe|\*|https?:/)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', 'x-frame-options': 'DENY' })
  }
  const { headers } = await get('/', HTML)
  expect((await get('/', { ...HTML, 'if-none-match': headers.etag! })).status).toBe(304)
  const head = await get('/r/1', HTML, 'HEAD')
  expect([head.status, head.body, head.headers['content-length']]).toEqual([200, '', headers['content-length']])
  for (const path of ['/api/v1/nothing', '/api', '/docs/nothing', '/metrics/nothing']) {
    const { status, headers } = await get(path, { ...HTML, authorization: `Bearer ${app.token}` })
    expect([path, status, headers['content-type']]).toEqual([path, 404, 'application/json; charset=utf-8'])
    expect((await get(path, HTML)).status).toBe(401)
  }
  // Only GET requests that accept HTML get the page.
  expect((await get('/nothing.js', { accept: '*/*' })).status).toBe(401)
  expect((await get('/assets/gone-9z.js', HTML)).status).toBe(401)
  expect((await get('/r/1', HTML, 'POST')).status).toBe(401)
})

test('files are compressed if the browser accepts it, and cached forever if their name contains a hash', async () => {
  await using app = await createTestApp()
  await using build = await createBuild()
  await using server = await app.createInstance({ webFolder: build.folder })
  const get = getter(server.fastify)
  const plain = await get('/assets/app-1a2b.js')
  expect([plain.status, plain.body, plain.headers['content-type']]).toEqual([200, SCRIPT, 'text/javascript; charset=utf-8'])
  expect(plain.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' })
  expect(plain.headers['content-encoding']).toBeUndefined()
  const compressed = await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip, deflate, br;q=0.8' })
  expect([compressed.headers['content-encoding'], brotliDecompressSync(compressed.bytes).toString()]).toEqual(['br', SCRIPT])
  expect((await get('/assets/app-1a2b.js', { 'accept-encoding': 'gzip, br;q=0' })).headers['content-encoding']).toBeUndefined()
  const icon = await get('/favicon.svg')
  expect([icon.status, icon.headers['content-type'], icon.headers['cache-control']]).toEqual([200, 'image/svg+xml', 'no-cache'])
  expect(icon.headers['content-security-policy']).toContain("default-src 'none'") // opened directly, it runs no scripts
  for (const path of [
    '/.vite/manifest.json',
    '/../package.json',
    '/..%2fpackage.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/app-1a2b.js.br',
    '/assets',
    '/%',
    '/%00',
  ])
    expect([path, (await get(path)).status >= 400]).toEqual([path, true])
})

test('a new build is served from the next request on; without a build the page says how to create one', async () => {
  await using app = await createTestApp()
  await using build = await createBuild()
  await using server = await app.createInstance({ webFolder: build.folder })
  const get = getter(server.fastify)
  expect((await get('/assets/app-2c.js')).status).toBe(401)
  await writeFile(join(build.folder, 'assets/app-2c.js'), '2')
  await writeFile(join(build.folder, 'index.html'), 'second')
  await utimes(join(build.folder, 'index.html'), new Date(), new Date('2027-01-01'))
  expect((await get('/', HTML)).body).toBe('second')
  expect((await get('/assets/app-2c.js')).body).toBe('2')
  await using withoutBuild = await app.createInstance({ webFolder: join(build.folder, 'nowhere') })
  const { status, body, headers } = await getter(withoutBuild.fastify)('/', HTML)
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  expect(body).toContain('npm start')
  expect(body).not.toContain('<script')
})
