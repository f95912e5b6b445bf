import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { parse } from 'csv-parse/sync'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { newId } from '../src/id.ts'
import { aServer, type Server } from './faults/server.ts'
import { aHouse, type House } from './house.ts'
import { CSV, exported, SHOP, send } from './transfer.ts'

/** Texts that are difficult to escape. */
const NASTY = [
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
  await using house = await aHouse()
  await using other = await aHouse()
  const integration = newId()
  const ids = [newId(), newId()]
  const nasty = NASTY.map((text, i) => ({
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
  await send(house, [...SHOP, ...nasty], { integration })
  const [root] = await exported(house, '&entity_type=database')
  const top = await house.resource({ title: 'made by hand', integration, parent: root.id }) // has no databuilder_id
  await house.resource({ title: 'below it', integration, parent: top.id, entity_type: 'column' })

  const told = async (at: House, of: string) =>
    (await exported(at, `&integration_id=${of}`))
      .map(({ id: _, parent: __, integration: ___, databuilder_id, parent_databuilder_id, ...rest }) => ({
        ...rest,
        // Resources without a key use their ID afterwards.
        key: rest.title.includes('hand') || rest.title.includes('below') ? null : databuilder_id,
        parent: rest.title.includes('below') ? null : parent_databuilder_id,
      }))
      .sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
  const before = await told(house, integration)
  expect(before).toHaveLength(5 + NASTY.length + 2)
  for (const format of ['csv', 'jsonl'])
    for (const at of [house, other]) {
      const { text } = await house.call('GET', `/resource/export?format=${format}&integration_id=${integration}`)
      const to = newId()
      const into = { integration: to, ...(format === 'csv' ? { headers: CSV } : {}) }
      expect((await send(at, text, into)).body).toMatchObject({ created: before.length, ignored_fields: [] })
      expect(await told(at, to)).toEqual(before)
      expect((await send(at, text, into)).body).toMatchObject({ created: 0, updated: 0, unchanged: before.length })
    }
  // Importing into the original integration changes nothing.
  const { text } = await house.call('GET', `/resource/export?integration_id=${integration}`)
  expect((await send(house, text, { integration, headers: CSV })).body).toMatchObject({ created: 0, updated: 0, unchanged: before.length })
})

test('an export supports the filter, sort, search and fields of the list', async () => {
  await using house = await aHouse()
  await send(house, SHOP)
  const { body } = await house.call('GET', '/resource/catalog?page_size=1000')
  const all = await exported(
    house,
    `&fields=${Object.keys((await exported(house))[0]).join()},created_at,updated_at,version,title_cased,children_count,total_usage,display_metadata,archived_at,stale`,
  )
  expect(all).toHaveLength(5)
  for (const line of all) {
    const record = body.results.find(({ id }: { id: string }) => id === line.id)
    const { parent_databuilder_id: _, ...rest } = line
    expect(record).toMatchObject(rest)
  }
  expect(all.map(({ id }) => id)).toEqual(all.map(({ id }) => id).sort())
  const titles = async (query: string) => (await exported(house, `&fields=title${query}`)).map(({ title }) => title)
  const where = encodeURIComponent(
    JSON.stringify({ operator: 'in', field: 'title', value: ["it's", 'orders', '{"items"}', 'items', '\\'] }),
  )
  expect(await titles(`&filter=${where}&sort={"field":"title"}`)).toEqual(['items', 'orders'])
  expect(await titles('&search_term=orders')).toEqual(['orders'])
  expect(await titles('&entity_type=schema')).toEqual(['public'])
  expect(await titles('&title=rder')).toEqual(['orders'])
  const csv = await house.call('GET', '/resource/export?fields=title,row_count&sort={"field":"title"}')
  expect(csv.text).toBe('title,row_count\r\nid,\r\nitems,7\r\norders,\r\npublic,\r\nshop,\r\n')
  expect(csv.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="catalog-\d{4}-\d\d-\d\d\.csv"$/),
  })
  await house.call('POST', '/resource/all_v2/custom_properties/', { body: { name: 'Tier "1"', value_type: 'string' } })
  const [{ id }] = await exported(house, '&title=items')
  await house.call('PUT', `/resource/all_v2/custom_properties/${encodeURIComponent('Tier "1"')}/${id}`, { body: { value: 'gold' } })
  expect(await exported(house, '&properties=true&fields=title&entity_type=table&sort={"field":"title"}')).toEqual([
    { title: 'items', properties: { 'Tier "1"': 'gold' } },
    { title: 'orders', properties: {} },
  ])
  const head = await house.call('HEAD', '/resource/export?format=jsonl')
  expect([head.status, head.text, head.headers['content-type']]).toEqual([200, '', 'application/x-ndjson; charset=utf-8'])
})

test('exports the names of owners, tags, teams and sources that the caller can see', async () => {
  await using house = await aHouse()
  const { id: tag } = (await house.call('POST', '/tag', { body: { name: 'gold' } })).body
  const { id: other } = (await house.call('POST', '/tag', { body: { name: 'blue' } })).body
  const { id: group } = (await house.call('POST', '/auth/group', { body: { name: 'Night watch' } })).body
  const me = (await house.call('GET', '/user/me')).body
  const create = { entity_type: 'table', title: 'named', published: true, tags: [tag, other], owners: [me.id], owners_groups: [group] }
  expect((await house.call('POST', '/resource/catalog', { body: create })).status).toBe(201)
  const fields = '&fields=title,owner_names,tag_names,team_names,integration_name'
  const owner_names = ['Night watch', me.name].sort().join(', ')
  expect(await exported(house, fields)).toEqual([
    { title: 'named', owner_names: expect.any(String), tag_names: 'blue, gold', team_names: null, integration_name: null },
  ])
  expect((await exported(house, fields))[0].owner_names.split(', ').sort().join(', ')).toBe(owner_names)
  const viewer = await house.someone('viewer')
  const csv = await house.call('GET', '/resource/export?fields=title,owner_names,tag_names,team_names', { token: viewer.token })
  expect(csv.text).toMatch(/^title,owner_names,tag_names,team_names\r\nnamed,"[^"]*Night watch[^"]*","blue, gold",\r\n$/)
})

test('escapes formulas as text, and a CSV parser reads every cell', async () => {
  await using house = await aHouse()
  await send(
    house,
    NASTY.map((text, i) => ({ databuilder_id: `${i}`, title: 'x', description: text })),
  )
  const { text } = await house.call('GET', '/resource/export?fields=databuilder_id,description')
  const rows = parse(text, { columns: true }) as { databuilder_id: string; description: string }[]
  for (const { databuilder_id, description } of rows) {
    const original = NASTY[Number(databuilder_id)]!
    expect(description).toBe(/^[=+\-@\t'\r]/.test(original) ? `'${original}` : original)
    expect(description).not.toMatch(/^[=+\-@\t\r]/)
  }
  expect(rows).toHaveLength(NASTY.length)
})

test('an error before the first byte is a normal error response', async () => {
  await using house = await aHouse()
  for (const [query, code] of [
    ['filter={', 'invalid_filter'],
    ['sort={"field":"owners"}', 'invalid_sort'],
    ['format=xml', 'validation_failed'],
    ['fields=id,nothing', 'validation_failed'],
    ['integration_id=me', 'validation_failed'],
  ])
    expect(await house.call('GET', `/resource/export?${query}`)).toMatchObject({ status: 400, body: { code, detail: expect.any(String) } })
  expect(await house.call('GET', '/activity_log/export?fields=secret')).toMatchObject({ status: 400 })
})

test('hidden resources can be neither exported nor overwritten by an import', async () => {
  await using house = await aHouse()
  const closed = await house.team(true)
  const integration = newId()
  const editor = await house.someone('editor')
  const member = await house.someone('editor', { teams: [closed] })
  const viewer = await house.someone('viewer')
  await send(house, [...SHOP.slice(1), { ...SHOP[0], published: true, teams: [closed] }], { integration })
  const secret = { databuilder_id: 'secret', title: 'secret', teams: [closed] }
  await send(house, [secret, { databuilder_id: 'child', parent_databuilder_id: 'secret', title: 'child', published: true }], {
    integration,
  })
  const seen = async (token: string) =>
    (await house.call('GET', '/resource/export?format=jsonl&fields=title,parent_databuilder_id,children_count', { token })).text
  expect(await seen(member.token)).toContain('"secret"')
  expect(await seen(editor.token)).not.toContain('secret')
  expect(await seen(editor.token)).toContain('{"title":"child","parent_databuilder_id":null,"children_count":0}')
  expect((await seen(viewer.token)).trim()).toBe('{"title":"child","parent_databuilder_id":null,"children_count":0}')
  // For the editor it does not exist, except that its key is already used.
  const tried = (lines: object[]) => send(house, lines, { integration, token: editor.token })
  expect((await tried([{ databuilder_id: 'x', parent_databuilder_id: 'secret' }])).body.errors).toEqual(
    (await tried([{ databuilder_id: 'x', parent_databuilder_id: 'nothing' }])).body.errors,
  )
  expect((await tried([{ from_identifier: 'secret', to_identifier: 'shop' }])).body.errors).toEqual(
    (await tried([{ from_identifier: 'nothing', to_identifier: 'shop' }])).body.errors,
  )
  expect((await tried([{ databuilder_id: 'secret', title: 'mine now' }])).body.errors).toEqual({
    'line 1': ['databuilder_id: This key is already used by a resource that you do not have access to.'],
  })
  expect((await send(house, [{ ...secret, title: 'ours' }], { integration, token: member.token })).body).toMatchObject({ updated: 1 })
  for (const { token } of [viewer, await house.someone('guest'), await house.someone('editor', { scope: 'read' })])
    expect((await send(house, SHOP, { token })).status).toBe(403)
  expect((await house.call('GET', '/activity_log/export', { token: editor.token })).status).toBe(403)
})

test('exports the audit log', async () => {
  await using house = await aHouse()
  await send(house, SHOP)
  const { text } = await house.call(
    'GET',
    '/activity_log/export?format=jsonl&filter={"operator":"exact","field":"activity_type","value":"resource_created"}',
  )
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines).toHaveLength(5)
  expect(lines[0]).toMatchObject({
    performer_id: house.ctx.actor.user_id,
    version: 1,
    changes: expect.arrayContaining([{ field: 'title', from: null, to: lines[0].resource_title }]),
  })
  const csv = parse((await house.call('GET', '/activity_log/export')).text, { columns: true }) as object[]
  expect(csv.length).toBeGreaterThan(5)
})

/** Creates many rows in SQL. */
const fillWith = (house: House, n: number, description: string) =>
  sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, description)
    select gen_random_uuid(), now(), now(), 1, 'table', 'many', 'Many', 'many', ${description}::text from generate_series(1, ${n}::int)
  `.execute(house.db)

const open = async (address: string, { token }: House, query: string): Promise<IncomingMessage> => {
  const headers = { authorization: `Bearer ${token}` }
  const asked = get(`${address}/api/v1/resource/export?${query}`, { headers, agent: false })
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return answer
}
/** Number of running exports in Postgres, and of those waiting for the client to read. */
const busy = async (house: House) => {
  const { rows } = await sql<{ busy: number; held: number }>`
    select count(*)::int as busy, count(*) filter (where wait_event = 'ClientWrite')::int as held from pg_stat_activity
    where datname = current_database() and application_name = 'tablinum transfer' and backend_type = 'client backend' and state <> 'idle'
  `.execute(house.db)
  return rows[0]!
}
const until = (done: () => Promise<boolean>) => vi.waitFor(async () => expect(await done()).toBe(true), { timeout: 40_000, interval: 50 })

/** Memory of a process as reported by the system: heap, buffers and garbage not yet returned. */
const memoryOf = async ({ address }: Server): Promise<number> => {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(/^tablinum_process_resident_memory_bytes (\S+)/m.exec(text)![1])
}

test('exports many rows in constant memory from one snapshot at the speed of the reader; a disconnect cancels the query', {
  timeout: 180_000,
}, async () => {
  await using house = await aHouse()
  await fillWith(house, 15_000, 'x'.repeat(10_000))
  // A separate process, so that garbage of the reading test is not counted. A small heap makes the measurement reflect live memory.
  await using server = await aServer({ DATABASE_URL: house.url, NODE_OPTIONS: '--max-semi-space-size=1 --max-old-space-size=80' })
  for (let i = 0; i < 3; i += 1) await readText(await open(server.address, house, 'format=jsonl&title=nothing')) // warms up the process
  const before = await memoryOf(server)
  const answer = await open(server.address, house, 'format=jsonl')
  answer.pause()
  let looks = 0
  await until(async () => {
    looks = (await busy(house)).held === 1 ? looks + 1 : 0
    return looks === 20 // for one second: it really waits for the reader
  })
  await house.resource({ title: 'later' }) // not in the file, which is a snapshot
  let [lines, bytes, most, later] = [0, 0, await memoryOf(server), false]
  for await (const chunk of answer) {
    const text = String(chunk)
    lines += text.split('\n').length - 1
    later ||= text.includes('"title":"later"')
    if (Math.floor((bytes + text.length) / 10_000_000) > Math.floor(bytes / 10_000_000)) most = Math.max(most, await memoryOf(server))
    bytes += text.length
  }
  expect([lines, later]).toEqual([15_000, false])
  expect(bytes).toBeGreaterThan(150_000_000)
  expect(most - before).toBeLessThan(60_000_000)
  await until(async () => (await busy(house)).busy === 0)

  const left = await open(server.address, house, 'format=csv')
  await once(left, 'readable')
  await until(async () => (await busy(house)).held === 1)
  left.destroy()
  await until(async () => (await busy(house)).busy === 0)
  // The connection is usable afterwards.
  expect((await readText(await open(server.address, house, 'format=csv&fields=id'))).trim().split('\r\n')).toHaveLength(1 + 15_001)
})

test('an error in the middle visibly aborts the file', { timeout: 60_000 }, async () => {
  await using house = await aHouse()
  await fillWith(house, 10_000, 'y'.repeat(5000))
  const answer = await open(await house.app.listen({ port: 0, host: '127.0.0.1' }), house, 'format=csv')
  answer.on('error', () => {})
  await once(answer, 'readable')
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'tablinum transfer'`.execute(
    house.db,
  )
  await expect(readText(answer)).rejects.toThrow(/aborted/)
  await until(async () => (await exported(house, '&fields=id&title=nothing')).length === 0)
})

test('clients that disconnect while an export starts crash neither the process nor a connection', async () => {
  await using house = await aHouse()
  await house.resource({ title: 'orders' })
  const address = await house.app.listen({ port: 0, host: '127.0.0.1' })
  for (let i = 0; i < 60; i += 1) {
    const leaving = new AbortController()
    const path = ['activity_log/export?format=jsonl', 'resource/export?format=jsonl', 'resource/export?format=csv'][i % 3]
    const answer = fetch(`${address}/api/v1/${path}`, { headers: { authorization: `Bearer ${house.token}` }, signal: leaving.signal })
    setTimeout(() => leaving.abort(), i % 20)
    await answer.then((each) => each.text()).catch(() => {})
  }
  expect((await house.call('GET', '/resource/export?format=jsonl')).text).toContain('orders')
})
