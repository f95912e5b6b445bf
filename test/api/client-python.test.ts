import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OpenApi } from '../../scripts/openapi.ts'
import { generatePython } from '../../scripts/python-client/generate.ts'
import { findMissingPrograms } from '../servers/debian.ts'
import { loadOpenApi } from '../support/contract.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** The Python client against a running server. */
const FOLDER = join(import.meta.dirname, '../../client-python')
const missing = await findMissingPrograms({ programs: ['python3'], packages: ['python3'] })

let app: TestApp
let address: string
beforeAll(async () => {
  app = await createTestApp()
  address = await app.fastify.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => app?.[Symbol.asyncDispose]())

/** Runs the code with a client and returns what it assigned to `result`. */
const run = async (code: string, { url = address, token = app.token } = {}): Promise<unknown> => {
  const script = `import json
from tablinum import Client, TablinumError
client = Client(${JSON.stringify(url)}, ${JSON.stringify(token)}, retry_wait=0.001)
${code}
print("\\n" + json.dumps(result))`
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PYTHONPATH: FOLDER, PYTHONDONTWRITEBYTECODE: '1' }
  const { stdout } = await promisify(execFile)('python3', ['-W', 'error', '-c', script], { env, maxBuffer: 64 * 1024 * 1024 })
  return JSON.parse(stdout.slice(stdout.trimEnd().lastIndexOf('\n')))
}

test('the generated files match the served OpenAPI document (`npm run client` regenerates them)', async () => {
  const files = generatePython((await loadOpenApi(app.fastify)) as unknown as OpenApi)
  for (const [name, text] of Object.entries(files))
    expect((await readFile(join(FOLDER, 'tablinum', name), 'utf8')) === text, `client-python/tablinum/${name} is outdated`).toBe(true)
})

describe.skipIf(missing)('Python', () => {
  test('the code is valid in Python 3.9, and every type that it names exists', async () => {
    const result = await run(`
import ast, pathlib, typing
import tablinum.client, tablinum.types as t
for file in pathlib.Path(${JSON.stringify(FOLDER)}).glob("tablinum/*.py"):
    ast.parse(file.read_text("utf-8"), str(file), feature_version=(3, 9))
classes = [each for each in vars(t).values() if isinstance(each, type) and issubclass(each, dict)]
for each in classes:
    typing.get_type_hints(each)
names = {**vars(t), **vars(tablinum.client), "t": t}
methods = [each for each in vars(Client).values() if callable(each)]
for each in methods:
    typing.get_type_hints(each, names)
result = [len(classes), len(methods), sorted(t.Resource.__required_keys__ & {"id", "health"}), sorted(t.Resource.__optional_keys__)]`)
    const [classes, methods, required, optional] = result as [number, number, string[], string[]]
    expect([classes > 200, methods > 300, required, optional]).toEqual([true, true, ['id'], ['health']])
  })

  test('creates, reads, edits, searches and deletes', async () => {
    expect(
      await run(`
created = client.post_document({"title": "Handbook of Python", "definition": "# Hello"})
edited = client.patch_document_by_document_id(created["id"], {"definition": "# Hello again"})
found = client.get_search(q="handbook python")
read = client.get_document_by_document_id(created["id"])
deleted = client.delete_document_by_document_id(created["id"])
try:
    client.get_document_by_document_id(created["id"])
except TablinumError as error:
    result = [created["entity_type"], edited["definition_version"] - created["definition_version"], read["definition"],
              [each["id"] for each in found["results"]] == [created["id"]], deleted, error.status, error.code]`),
    ).toEqual(['document', 1, '# Hello again', true, null, 404, 'not_found'])
  })

  test('iterates over all pages of a list, and over an empty one', async () => {
    expect(
      await run(`
schema = client.post_resource_catalog({"title": "walked", "entity_type": "schema"})
made = [client.post_resource_catalog({"title": f"table {n}", "entity_type": "table", "parent": schema["id"]})["id"] for n in range(7)]
seen = []
for each in client.all_resource_catalog(parent_id=schema["id"], page_size=3, sort={"field": "title", "order": "asc"}):
    if not seen:
        client.delete_resource_all_by_resource_id(each["id"])  # with page numbers, the rows would shift by one
    seen.append(each["id"])
result = [seen == made, list(client.all_resource_catalog(title="no such title at all"))]`),
    ).toEqual([true, []])
  })

  test('raises errors of the server with all of their details', async () => {
    const rejected = await run(`
try:
    client.post_resource_catalog({"parent": "00000000-0000-0000-0000-000000000000"})
except TablinumError as error:
    result = {**vars(error), "text": str(error)}`)
    expect(rejected).toMatchObject({
      status: 400,
      code: 'validation_failed',
      errors: { parent: [expect.any(String)] },
      request_id: expect.any(String),
      text: (rejected as { message: string }).message,
    })
    const unknown = `
try:
    client.get_user_me()
except TablinumError as error:
    result = [error.status, error.code]`
    expect(await run(unknown, { token: 'tbl_none' })).toEqual([401, 'unauthenticated'])
    await using proxy = await startStub((_, response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>'))
    expect(await run(unknown, { url: proxy.url })).toEqual([502, 'unknown'])
  })

  for (const status of [429, 503])
    test(`${status}: waits as Retry-After says and retries with the same idempotency key`, async () => {
      const keys: unknown[] = []
      await using proxy = await startStub((request, response) => {
        keys.push(request.headers['idempotency-key'])
        if (keys.length < 4) response.writeHead(status, { 'retry-after': String(keys.length) }).end('{}')
        else response.writeHead(201, { 'content-type': 'application/json' }).end('{"title": "made"}')
      })
      const result = await run(
        `
import time
waits = []
time.sleep = waits.append
result = [client.post_resource_catalog({"title": "made"})["title"], waits]`,
        { url: proxy.url },
      )
      expect(result).toEqual(['made', [1, 2, 3]])
      expect([keys.length, new Set(keys).size, keys[0]]).toEqual([4, 1, expect.stringMatching(/^[0-9a-f-]{36}$/)])
    })

  test('gives up after the configured retries, and never repeats a request that may have been processed', async () => {
    const seen: string[] = []
    await using proxy = await startStub((request, response) => {
      seen.push(request.method!)
      if (request.method === 'GET') response.writeHead(503, { 'retry-after': '0' }).end('{}')
      else response.destroy()
    })
    const result = await run(
      `
result = []
try:
    client.get_user_me()
except TablinumError as error:
    result.append(error.status)
try:
    client.patch_document_by_document_id("x", {})
except OSError as error:
    result.append("lost")`,
      { url: proxy.url },
    )
    expect(result).toEqual([503, 'lost'])
    expect(seen).toEqual(['GET', 'GET', 'GET', 'GET', 'GET', 'PATCH'])
  })

  test('a POST whose response is lost is executed once, and a token is never sent to another address', async () => {
    let lost = 0
    const elsewhere: (string | undefined)[] = []
    await using other = await startStub((request, response) => {
      elsewhere.push(request.headers.authorization)
      response.end()
    })
    await using proxy = await startStub(async (request, response) => {
      if (request.method === 'GET') return void response.writeHead(302, { location: other.url }).end()
      const chunks = await request.toArray()
      const { host: _, ...headers } = request.headers as Record<string, string>
      const answer = await fetch(address + request.url, { method: 'POST', headers, body: Buffer.concat(chunks) })
      if (lost++ === 0) return void response.destroy()
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    })
    const result = await run(
      `
made = client.post_resource_catalog({"title": "made once by Python"})
direct = Client(${JSON.stringify(address)}, ${JSON.stringify(app.token)})
title = {"operator": "exact", "field": "title", "value": "made once by Python"}
try:
    client.get_user_me()
except TablinumError as error:
    result = [[each["id"] for each in direct.all_resource_catalog(filter=title)] == [made["id"]], error.status]`,
      { url: proxy.url },
    )
    expect([result, lost, elsewhere]).toEqual([[true, 302], 2, []])
  })

  test('the examples of its README work', async () => {
    const readme = await readFile(join(FOLDER, 'README.md'), 'utf8')
    const blocks = [...readme.matchAll(/```python\n(.*?)```/gs)].map(([, code]) => code)
    expect(blocks.length).toBeGreaterThan(5)
    const code = blocks.join('\n').replace('https://catalog.example.com', address).replace('tbl_…', app.token)
    expect(await run(`${code}\nresult = [edited["title"], page["count"] > 0]`)).toEqual(['orders', true])
  })
})

type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

/** A server between the client and Tablinum. */
const startStub = async (handler: Handler): Promise<AsyncDisposable & { url: string }> => {
  const server = createServer((request, response) => void handler(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
