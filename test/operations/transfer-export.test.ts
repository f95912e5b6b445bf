import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { startTestServer, type TestServer } from '../faults/server.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { CSV, exportLines, importLines, SHOP } from '../support/transfer.ts'

/** Texts that are difficult to escape. */
const DIFFICULT_TEXTS = [
  'plain',
  'a,b',
  'say "hi"',
  'two\nlines',
  'cr\r\nlf',
  '=1+1',
  '+1',
  '-1',
  '@x',
  '\ttab',
  "'quoted'",
  "'=x",
  "'",
  '',
  ' space ',
  '\\.',
  '\\',
  '😀 é',
  '\u0001\u0002',
  '[]',
  'null',
  '﻿bom',
]

test('CSV and JSONL exports imported into another integration and another installation are identical', async () => {
  await using app = await createTestApp()
  await using other = await createTestApp()
  const integration = newId()
  const ids = [newId(), newId()]
  const nasty = DIFFICULT_TEXTS.map((text, i) => ({
    databuilder_id: `nasty ${i} ${text}`,
    parent_databuilder_id: 'shop',
    title: text || 'empty',
    description: text,
    definition: i % 2 ? text : null,
    sources: i % 3 ? [text, 'x;y'] : [],
    owners: i % 2 ? ids : [],
    tags: ids.slice(0, i % 3),
    pii: i % 2 === 0,
    external_usage: i,
    external_updated_at: '2026-01-02T03:04:05.678Z',
    byte_size: 2 ** 50 + i,
  }))
  await importLines(app, [...SHOP, ...nasty], { integration })
  const [root] = await exportLines(app, '&entity_type=database')
  const top = await app.createResource({ title: 'made by hand', integration, parent: root.id }) // has no databuilder_id
  await app.createResource({ title: 'below it', integration, parent: top.id, entity_type: 'column' })

  const recordedActivities = async (at: TestApp, of: string) =>
    (await exportLines(at, `&integration_id=${of}`))
      .map(({ id: _, parent: __, integration: ___, databuilder_id, parent_databuilder_id, ...rest }) => ({
        ...rest,
        // Resources without a key use their ID afterwards.
        key: rest.title.includes('hand') || rest.title.includes('below') ? null : databuilder_id,
        parent: rest.title.includes('below') ? null : parent_databuilder_id,
      }))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const before = await recordedActivities(app, integration)
  expect(before).toHaveLength(5 + DIFFICULT_TEXTS.length + 2)
  for (const format of ['csv', 'jsonl'])
    for (const at of [app, other]) {
      const { text } = await app.call('GET', `/resource/export?format=${format}&integration_id=${integration}`)
      const to = newId()
      const into = { integration: to, ...(format === 'csv' ? { headers: CSV } : {}) }
      expect((await importLines(at, text, into)).body).toMatchObject({ created: before.length, ignored_fields: [] })
      expect(await recordedActivities(at, to)).toEqual(before)
      expect((await importLines(at, text, into)).body).toMatchObject({ created: 0, updated: 0, unchanged: before.length })
    }
  // Importing into the original integration changes nothing.
  const { text } = await app.call('GET', `/resource/export?integration_id=${integration}`)
  expect((await importLines(app, text, { integration, headers: CSV })).body).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: before.length,
  })
})

test('an export supports the filter, sort, search and fields of the list', async () => {
  await using app = await createTestApp()
  await importLines(app, SHOP)
  const { body } = await app.call('GET', '/resource/catalog?page_size=1000')
  const all = await exportLines(
    app,
    `&fields=${Object.keys((await exportLines(app))[0]).join()},created_at,updated_at,version,title_cased,children_count,total_usage,display_metadata,archived_at,stale`,
  )
  expect(all).toHaveLength(5)
  for (const line of all) {
    const record = body.results.find(({ id }: { id: string }) => id === line.id)
    const { parent_databuilder_id: _, ...rest } = line
    expect(record).toMatchObject(rest)
  }
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort())
  const titles = async (query: string) => (await exportLines(app, `&fields=title${query}`)).map(({ title }) => title)
  const where = encodeURIComponent(
    JSON.stringify({ operator: 'in', field: 'title', value: ["it's", 'orders', '{"items"}', 'items', '\\'] }),
  )
  expect(await titles(`&filter=${where}&sort={"field":"title"}`)).toEqual(['items', 'orders'])
  expect(await titles('&search_term=orders')).toEqual(['orders'])
  expect(await titles('&entity_type=schema')).toEqual(['public'])
  expect(await titles('&title=rder')).toEqual(['orders'])
  const csv = await app.call('GET', '/resource/export?fields=title,row_count&sort={"field":"title"}')
  expect(csv.text).toBe('title,row_count\r\nid,\r\nitems,7\r\norders,\r\npublic,\r\nshop,\r\n')
  expect(csv.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="catalog-\d{4}-\d\d-\d\d\.csv"$/),
  })
  await app.call('POST', '/resource/all_v2/custom_properties/', { body: { name: 'Tier "1"', value_type: 'string' } })
  const [{ id }] = await exportLines(app, '&title=items')
  await app.call('PUT', `/resource/all_v2/custom_properties/${encodeURIComponent('Tier "1"')}/${id}`, { body: { value: 'gold' } })
  expect(await exportLines(app, '&properties=true&fields=title&entity_type=table&sort={"field":"title"}')).toEqual([
    { title: 'items', properties: { 'Tier "1"': 'gold' } },
    { title: 'orders', properties: {} },
  ])
  const head = await app.call('HEAD', '/resource/export?format=jsonl')
  expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'application/x-ndjson; charset=utf-8'])
})

test('exports the names of owners, tags, teams and sources that the caller can see', async () => {
  await using app = await createTestApp()
  const { id: tag } = (await app.call('POST', '/tag', { body: { name: 'gold' } })).body
  const { id: other } = (await app.call('POST', '/tag', { body: { name: 'blue' } })).body
  const { id: group } = (await app.call('POST', '/auth/group', { body: { name: 'Night watch' } })).body
  const me = (await app.call('GET', '/user/me')).body
  const create = { entity_type: 'table', title: 'named', published: true, tags: [tag, other], owners: [me.id], owners_groups: [group] }
  expect((await app.call('POST', '/resource/catalog', { body: create })).status).toBe(201)
  const fields = '&fields=title,owner_names,tag_names,team_names,integration_name'
  const owner_names = ['Night watch', me.name].sort().join(', ')
  expect(await exportLines(app, fields)).toEqual([
    { title: 'named', owner_names: expect.any(String), tag_names: 'blue, gold', team_names: null, integration_name: null },
  ])
  expect((await exportLines(app, fields))[0].owner_names.split(', ').sort().join(', ')).toBe(owner_names)
  const viewer = await app.createUser('viewer')
  const csv = await app.call('GET', '/resource/export?fields=title,owner_names,tag_names,team_names', { token: viewer.token })
  expect(csv.text).toMatch(/^title,owner_names,tag_names,team_names\r\nnamed,"[^"]*Night watch[^"]*","blue, gold",\r\n$/)
})

test('escapes formulas as text, and a CSV parser reads every cell', async () => {
  await using app = await createTestApp()
  await importLines(
    app,
    DIFFICULT_TEXTS.map((text, i) => ({ databuilder_id: `${i}`, title: 'x', description: text })),
  )
  const { text } = await app.call('GET', '/resource/export?fields=databuilder_id,description')
  const rows = parse(text, { columns: true }) as { databuilder_id: string; description: string }[]
  for (const { databuilder_id, description } of rows) {
    const original = DIFFICULT_TEXTS[Number(databuilder_id)]!
    expect(description).toBe(/^[=+\-@\t'\r]/.test(original) ? `'${original}` : original)
    expect(description).not.toMatch(/^[=+\-@\t\r]/)
  }
  expect(rows).toHaveLength(DIFFICULT_TEXTS.length)
})

test('an error before the first byte is a normal error response', async () => {
  await using app = await createTestApp()
  for (const [query, code] of [
    ['filter={', 'invalid_filter'],
    ['sort={"field":"owners"}', 'invalid_sort'],
    ['format=xml', 'validation_failed'],
    ['fields=id,nothing', 'validation_failed'],
    ['integration_id=me', 'validation_failed'],
  ])
    expect(await app.call('GET', `/resource/export?${query}`)).toMatchObject({ status: 400, body: { code, detail: expect.any(String) } })
  expect(await app.call('GET', '/activity_log/export?fields=secret')).toMatchObject({ status: 400 })
})

test('hidden resources can be neither exported nor overwritten by an import', async () => {
  await using app = await createTestApp()
  const closed = await app.createTeam(true)
  const integration = newId()
  const editor = await app.createUser('editor')
  const member = await app.createUser('editor', { teams: [closed] })
  const viewer = await app.createUser('viewer')
  await importLines(app, [...SHOP.slice(1), { ...SHOP[0], published: true, teams: [closed] }], { integration })
  const secret = { databuilder_id: 'secret', title: 'secret', teams: [closed] }
  await importLines(app, [secret, { databuilder_id: 'child', parent_databuilder_id: 'secret', title: 'child', published: true }], {
    integration,
  })
  const seen = async (token: string) =>
    (await app.call('GET', '/resource/export?format=jsonl&fields=title,parent_databuilder_id,children_count', { token })).text
  expect(await seen(member.token)).toContain('"secret"')
  expect(await seen(editor.token)).not.toContain('secret')
  expect(await seen(editor.token)).toContain('{"title":"child","parent_databuilder_id":null,"children_count":0}')
  expect((await seen(viewer.token)).trim()).toBe('{"title":"child","parent_databuilder_id":null,"children_count":0}')
  // For the editor it does not exist, except that its key is already used.
  const tried = (lines: object[]) => importLines(app, lines, { integration, token: editor.token })
  expect((await tried([{ databuilder_id: 'x', parent_databuilder_id: 'secret' }])).body.errors).toEqual(
    (await tried([{ databuilder_id: 'x', parent_databuilder_id: 'nothing' }])).body.errors,
  )
  expect((await tried([{ from_identifier: 'secret', to_identifier: 'shop' }])).body.errors).toEqual(
    (await tried([{ from_identifier: 'nothing', to_identifier: 'shop' }])).body.errors,
  )
  expect((await tried([{ databuilder_id: 'secret', title: 'mine now' }])).body.errors).toEqual({
    'line 1': ['databuilder_id: This key is already used by a resource that you do not have access to.'],
  })
  expect((await importLines(app, [{ ...secret, title: 'ours' }], { integration, token: member.token })).body).toMatchObject({ updated: 1 })
  for (const { token } of [viewer, await app.createUser('guest'), await app.createUser('editor', { scope: 'read' })])
    expect((await importLines(app, SHOP, { token })).status).toBe(403)
  expect((await app.call('GET', '/activity_log/export', { token: editor.token })).status).toBe(403)
})

test('exports the audit log', async () => {
  await using app = await createTestApp()
  await importLines(app, SHOP)
  const { text } = await app.call(
    'GET',
    '/activity_log/export?format=jsonl&filter={"operator":"exact","field":"activity_type","value":"resource_created"}',
  )
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatchObject({
    performer_id: app.ctx.actor.user_id,
    version: 1,
    changes: expect.arrayContaining([{ field: 'title', from: null, to: lines[0].resource_title }]),
  })
  const csv = parse((await app.call('GET', '/activity_log/export')).text, { columns: true }) as object[]
  expect(csv.length).toBeGreaterThan(5)
})

/** Creates many rows in SQL. */
/** Without triggers: nobody searches these. */
const fillWith = (app: TestApp, n: number, description: string) =>
  app.db.transaction().execute(async (db) => {
    await sql`set local session_replication_role = replica`.execute(db)
    await sql`
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, description)
      select gen_random_uuid(), now(), now(), 1, 'table', 'many', 'Many', 'many', ${description}::text from generate_series(1, ${n}::int)
    `.execute(db)
  })

const open = async (address: string, { token }: TestApp, query: string): Promise<IncomingMessage> => {
  const headers = { authorization: `Bearer ${token}` }
  const download = get(`${address}/api/v1/resource/export?${query}`, { headers, agent: false })
  const [response] = (await once(download, 'response')) as [IncomingMessage]
  return response
}
/** Number of running exports in Postgres, and of those waiting for the client to read. */
const countRunningExports = async (app: TestApp) => {
  const { rows } = await sql<{ busy: number; held: number }>`
    select count(*)::int as busy, count(*) filter (where wait_event = 'ClientWrite')::int as held from pg_stat_activity
    where datname = current_database() and application_name = 'tablinum transfer' and backend_type = 'client backend' and state <> 'idle'
  `.execute(app.db)
  return rows[0]!
}
const until = (done: () => Promise<boolean>) => eventually(async () => expect(await done()).toBe(true))

/** Memory of a process as reported by the system: heap, buffers and garbage not yet returned. */
const measureMemory = async ({ address }: TestServer): Promise<number> => {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)![1])
}

test('exports many rows in constant memory from one snapshot at the speed of the reader; a disconnect cancels the query', async () => {
  await using app = await createTestApp()
  await fillWith(app, 15_000, 'x'.repeat(10_000))
  // A separate process, so that garbage of the reading test is not counted. A small heap makes the measurement reflect live memory.
  await using server = await startTestServer({ DATABASE_URL: app.url, NODE_OPTIONS: '--max-semi-space-size=1 --max-old-space-size=80' })
  for (let i = 0; i < 3; i += 1) await readText(await open(server.address, app, 'format=jsonl&title=nothing')) // warms up the process
  const before = await measureMemory(server)
  const response = await open(server.address, app, 'format=jsonl')
  response.pause()
  let checks = 0
  await until(async () => {
    checks = (await countRunningExports(app)).held === 1 ? checks + 1 : 0
    return checks === 20 // for one second: it really waits for the reader
  })
  await app.createResource({ title: 'later' }) // not in the file, which is a snapshot
  let [lines, bytes, peak, later] = [0, 0, await measureMemory(server), false]
  for await (const chunk of response) {
    const text = String(chunk)
    lines += text.split('\n').length - 1
    later ||= text.includes('"title":"later"')
    if (Math.floor((bytes + text.length) / 10_000_000) > Math.floor(bytes / 10_000_000)) peak = Math.max(peak, await measureMemory(server))
    bytes += text.length
  }
  expect([lines, later]).toEqual([15_000, false])
  expect(bytes).toBeGreaterThan(150_000_000)
  expect(peak - before).toBeLessThan(60_000_000)
  await until(async () => (await countRunningExports(app)).busy === 0)

  const left = await open(server.address, app, 'format=csv')
  await once(left, 'readable')
  await until(async () => (await countRunningExports(app)).held === 1)
  left.destroy()
  await until(async () => (await countRunningExports(app)).busy === 0)
  // The connection is usable afterwards.
  expect((await readText(await open(server.address, app, 'format=csv&fields=id'))).trim().split('\r\n')).toHaveLength(1 + 15_001)
})

test('an error in the middle visibly aborts the file', async () => {
  await using app = await createTestApp()
  await fillWith(app, 10_000, 'y'.repeat(5000))
  const response = await open(await app.fastify.listen({ port: 0, host: '127.0.0.1' }), app, 'format=csv')
  response.on('error', () => {})
  await once(response, 'readable')
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tablinum transfer'`.execute(
    app.db,
  )
  await expect(readText(response)).rejects.toThrow(/aborted/)
  await until(async () => (await exportLines(app, '&fields=id&title=nothing')).length === 0)
})

test('clients that disconnect while an export starts crash neither the process nor a connection', async () => {
  await using app = await createTestApp()
  await app.createResource({ title: 'orders' })
  const address = await app.fastify.listen({ port: 0, host: '127.0.0.1' })
  for (let i = 0; i < 60; i += 1) {
    const leaving = new AbortController()
    const path = ['activity_log/export?format=jsonl', 'resource/export?format=jsonl', 'resource/export?format=csv'][i % 3]
    const response = fetch(`${address}/api/v1/${path}`, { headers: { authorization: `Bearer ${app.token}` }, signal: leaving.signal })
    setTimeout(() => leaving.abort(), i % 20)
    await response.then((each) => each.text()).catch(() => {})
  }
  expect((await app.call('GET', '/resource/export?format=jsonl')).text).toContain('orders')
})
