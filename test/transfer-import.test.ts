import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../src/id.ts'
import { aHouse, type House } from './house.ts'
import { CSV, exported, JSONL, jsonl, SHOP, send } from './transfer.ts'
import { wrongPlaces, wrongVersions } from './tree.ts'

let house: House
beforeAll(async () => {
  house = await aHouse()
})
afterAll(() => house[Symbol.asyncDispose]())

const inside = (integration: string, fields = '') => exported(house, `&integration_id=${integration}${fields}`)
/** Counts everything that a write could leave behind. */
const traces = async () => {
  const { rows } = await sql`
    select (select count(*) from resources) as resources, (select count(*) from activities) as activities, (select count(*) from integrations) as integrations,
      (select count(*) from lineage_edges) as edges, (select count(*) from import_lines) as lines, (select sum(version) from resources) as versions
  `.execute(house.db)
  return rows[0]
}

test('creates resources with parents anywhere in the file and records the sender', async () => {
  const integration = newId()
  const { status, body } = await send(house, SHOP, { integration })
  expect([status, body]).toEqual([
    200,
    {
      dry_run: false,
      lines: 6,
      created: 5,
      updated: 0,
      unchanged: 0,
      lineage_created: 1,
      lineage_unchanged: 0,
      ignored_fields: [],
      differences: [],
    },
  ])
  const column = (await inside(integration)).find(({ title }) => title === 'id')
  expect(column).toMatchObject({ title_full: 'shop.public.orders.id', integration, parent_databuilder_id: 'shop.public.orders' })
  const { body: logs } = await house.call('GET', `/activity_log/resource_logs/?resource_id=${column.id}`)
  expect(logs.version_histories).toMatchObject([{ version: 1, performer_id: house.ctx.actor.user_id, activity_type: 'resource_created' }])
  const { body: record } = await house.call('GET', `/integration/integrations/${integration}`)
  expect(record).toMatchObject({ id: integration, type: 'custom' })
  expect(await wrongPlaces(house.db)).toEqual([])
  expect(await wrongVersions(house.db)).toEqual([])
})

test('the same file changes nothing; another one only changes the fields it contains', async () => {
  const integration = newId()
  await send(house, SHOP, { integration })
  const before = await traces()
  expect((await send(house, SHOP, { integration })).body).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: 5,
    lineage_created: 0,
    lineage_unchanged: 1,
  })
  expect(await traces()).toEqual(before)
  const { body } = await send(
    house,
    [
      { databuilder_id: 'shop.public.orders', description: null, verified: true, owners: [newId()] },
      { databuilder_id: 'shop.public.items', row_count: 8 },
      { databuilder_id: 'shop', title: 'store' },
    ],
    { integration },
  )
  expect(body).toMatchObject({ created: 0, updated: 3, unchanged: 0 })
  const [orders, items] = await inside(
    integration,
    '&fields=title,title_full,description,verified,row_count,version&entity_type=table&sort={"field":"title","order":"desc"}',
  )
  expect(orders).toEqual({
    title: 'orders',
    title_full: 'store.public.orders',
    description: null,
    verified: true,
    row_count: null,
    version: 2,
  })
  expect(items).toMatchObject({ row_count: 8, version: 1 }) // source statistics create no version
})

test('lines move and publish resources, with versions', async () => {
  const integration = newId()
  await send(house, [...SHOP, { databuilder_id: 'other', entity_type: 'schema', title: 'other', parent_databuilder_id: 'shop' }], {
    integration,
  })
  const { body } = await send(
    house,
    [
      // Publishing a table publishes its columns, unless the file sets one to unpublished.
      { databuilder_id: 'shop.public.orders.id', published: false },
      { databuilder_id: 'shop.public.orders', parent_databuilder_id: 'other', published: true },
    ],
    { integration },
  )
  expect(body).toMatchObject({ updated: 1, unchanged: 1 })
  const found = await inside(integration, '&title=id&fields=title,title_full,published')
  expect(found).toEqual([{ title: 'id', title_full: 'shop.other.orders.id', published: false }])
  expect(await wrongPlaces(house.db)).toEqual([])
  expect(await wrongVersions(house.db)).toEqual([])
})

test('in a file of several batches, new resources at the end get the path of a parent renamed at the start', {
  timeout: 60_000,
}, async () => {
  const integration = newId()
  await send(house, SHOP, { integration })
  const columns = Array.from({ length: 4100 }, (_, i) => ({
    databuilder_id: `c${i}`,
    parent_databuilder_id: 'shop.public.items',
    entity_type: 'column',
    title: `c${i}`,
    ...(i % 3 ? { description: i % 2 ? '' : `no. ${i}`, owners: [house.ctx.actor.user_id], pii: i % 5 === 0 } : {}),
  }))
  const { body } = await send(house, [{ databuilder_id: 'shop', title: 'store' }, ...columns], { integration })
  expect(body).toMatchObject({ created: 4100, updated: 1 })
  expect(await wrongPlaces(house.db)).toEqual([])
  expect(await wrongVersions(house.db)).toEqual([])
  const there = await inside(integration, '&entity_type=column&fields=title,title_full,description,owners,pii')
  expect(there).toHaveLength(4101)
  for (const i of [0, 1, 2, 10, 4099])
    expect(there.find(({ title }) => title === `c${i}`)).toEqual({
      title: `c${i}`,
      title_full: `store.public.items.c${i}`,
      description: columns[i]!.description ?? null,
      owners: columns[i]!.owners ?? [],
      pii: columns[i]!.pii ?? false,
    })
  expect((await send(house, columns, { integration })).body).toMatchObject({ created: 0, updated: 0, unchanged: 4100 })
})

test('a dry run reports what would change and changes nothing', async () => {
  const integration = newId()
  await send(house, SHOP.slice(1), { integration })
  const before = await traces()
  const edit = [
    { ...SHOP[1], description: 'Changed.', row_count: 3 },
    SHOP[0]!,
    { databuilder_id: 'new', title: 'new' },
    { from_identifier: 'new', to_identifier: 'shop' },
  ]
  const { body } = await send(house, edit, { integration, query: '?dry_run=true' })
  expect(body).toMatchObject({ dry_run: true, created: 2, updated: 1, unchanged: 0, lineage_created: 1, lineage_unchanged: 0 })
  expect(body.differences).toEqual([
    {
      line: 1,
      change: 'updated',
      id: expect.any(String),
      databuilder_id: 'shop.public.orders',
      title: 'orders',
      changes: [
        { field: 'description', from: 'One row each.', to: 'Changed.' },
        { field: 'row_count', from: null, to: 3 },
      ],
    },
    { line: 3, change: 'created', id: null, databuilder_id: 'new', title: 'new', changes: [] },
    { line: 2, change: 'created', id: null, databuilder_id: 'shop.public.orders.id', title: 'id', changes: [] },
  ])
  expect((await send(house, edit, { query: '?dry_run=true' })).status).toBe(400) // shop.public does not exist in another integration
  expect((await send(house, [{ databuilder_id: 'x' }], { query: '?dry_run=true' })).status).toBe(200)
  expect(await traces()).toEqual(before)
})

test('one invalid line rejects the whole file', async () => {
  const integration = newId()
  await send(house, SHOP, { integration })
  const before = await traces()
  const refused = async (lines: readonly object[] | string, errors: object, headers?: Record<string, string>) => {
    const { status, body } = await send(house, lines, { integration, headers })
    expect([status, body.code, body.errors]).toEqual([400, 'validation_failed', errors])
    expect(await traces()).toEqual(before)
  }
  await refused([{ databuilder_id: 'a' }, { databuilder_id: 'b', title: 5, pii: 'yes' }], {
    'line 2': ['title: must be string,null', 'pii: must be boolean,null'],
  })
  await refused([{ databuilder_id: 'a' }, { databuilder_id: 'b', parent_databuilder_id: 'nowhere' }], {
    'line 2': ['parent_databuilder_id: This resource exists neither in the file nor in the catalog.'],
  })
  await refused([{ databuilder_id: 'a' }, { databuilder_id: 'a' }], { 'line 2': ['databuilder_id: is a duplicate of line 1.'] })
  const circle = 'parent_databuilder_id: The parents of this line form a cycle or have more than 100 levels.'
  await refused(
    [
      { databuilder_id: 'a', parent_databuilder_id: 'b' },
      { databuilder_id: 'b', parent_databuilder_id: 'a' },
      { databuilder_id: 'self', parent_databuilder_id: 'self' },
    ],
    { 'line 1': [circle], 'line 2': [circle], 'line 3': [circle] },
  )
  await refused([{ databuilder_id: 'a' }, { from_identifier: 'a', to_identifier: 'nobody' }], {
    'line 2': ['to_identifier: This resource exists neither in the file nor in the catalog.'],
  })
  await refused([{ from_identifier: 'a', to_identifier: 'a' }], {
    'line 1': ['to_identifier: A lineage edge must connect two different resources.'],
  })
  await refused('{"databuilder_id":"a"}\n\n{"databuilder_id":\n[]\n', {
    'line 3': [expect.stringContaining('is not valid JSON')],
    'line 4': ['must be a JSON object.'],
  })
  await refused(
    Array.from({ length: 300 }, (_, i) => ({ databuilder_id: `x${i}`, entity_type: 'ship' })),
    expect.objectContaining({ 'line 1': [expect.stringContaining('entity_type: must be equal to one of the allowed values: table')] }),
  )
  // Detected only on write: the file does not contain that `shop` is an ancestor.
  await refused([{ databuilder_id: 'new' }, { databuilder_id: 'shop', parent_databuilder_id: 'shop.public.orders' }], {
    'line 2': ['parent: A resource cannot be its own ancestor.'],
  })
})

test('reports at most 100 errors', async () => {
  const { body } = await send(
    house,
    Array.from({ length: 300 }, (_, i) => ({ databuilder_id: `x${i}`, pii: 1 })),
  )
  expect(Object.keys(body.errors)).toHaveLength(100)
  expect(body.detail).toContain('Only the first 100 errors are listed.')
  const { body: later } = await send(
    house,
    Array.from({ length: 300 }, (_, i) => ({ databuilder_id: `x${i}`, parent_databuilder_id: `y${i}` })),
  )
  expect(Object.keys(later.errors)).toHaveLength(100)
})

test('reads CSV with quotes, line feeds, a BOM, lists and formulas, with correct line numbers', async () => {
  const integration = newId()
  const [one, two] = [newId(), newId()]
  const file = [
    '\ufeffdatabuilder_id,title,description,owners,sources,pii,row_count,colour',
    `a,"say ""hi""","line 1\nline 2, with a comma",${one};${two},"[""x;y"",""z""]",TRUE,12,red`,
    '',
    `b,plain,'=1+1,${one},p;q,false,,`,
    'c,"",,,,,,',
  ].join('\r\n')
  const { body, headers } = await send(house, file, { integration, headers: CSV })
  expect(body.errors).toEqual({ 'line 6': ['title: must NOT have fewer than 1 characters'] })
  expect(headers.warning).toBeUndefined()
  const good = await send(house, file.replace('c,""', 'c,see'), { integration, headers: CSV })
  expect(good.body).toMatchObject({ created: 3, ignored_fields: ['colour'] })
  expect(good.headers.warning).toBe('199 - "ignored fields: colour"')
  const found = await inside(integration, '&fields=databuilder_id,title,description,owners,sources,pii,row_count')
  expect(found.sort((x, y) => (x.databuilder_id < y.databuilder_id ? -1 : 1))).toEqual([
    {
      databuilder_id: 'a',
      title: 'say "hi"',
      description: 'line 1\nline 2, with a comma',
      owners: [one, two],
      sources: ['x;y', 'z'],
      pii: true,
      row_count: 12,
    },
    { databuilder_id: 'b', title: 'plain', description: '=1+1', owners: [one], sources: ['p', 'q'], pii: false, row_count: null },
    { databuilder_id: 'c', title: 'see', description: null, owners: [], sources: [], pii: false, row_count: null },
  ])
})

test('rejects malformed files with an error and stores nothing', async () => {
  const before = await traces()
  const wrong: [string, string | Buffer, Record<string, string>, number, unknown][] = [
    ['nothing', '', CSV, 400, { body: ['is empty.'] }],
    ['only a header', 'databuilder_id,title\n', CSV, 400, { body: ['is empty.'] }],
    ['no key', 'title\nx\n', CSV, 400, { 'line 1': [expect.stringContaining('databuilder_id, id or from_identifier')] }],
    ['a duplicate column name', 'databuilder_id,title,title\n', CSV, 400, { 'line 1': ['A column name occurs twice.'] }],
    ['an open quote', 'databuilder_id,title\na,"x\nb,y', CSV, 400, { 'line 3': ['The file ends inside a quoted cell.'] }],
    ['a quote in a cell', 'databuilder_id,title\na,x"y\n', CSV, 400, { 'line 2': [expect.stringContaining('quote')] }],
    [
      'after a quote',
      'databuilder_id,title\na,"x"y\n',
      CSV,
      400,
      { 'line 2': [expect.stringContaining('continues after its closing quote')] },
    ],
    ['too many cells', 'databuilder_id,title\na,b,c\n', CSV, 400, { 'line 2': ['has 3 cells, but the header has 2.'] }],
    ['too few', 'databuilder_id,title\n\na\n', CSV, 400, { 'line 3': ['has 1 cells, but the header has 2.'] }],
    ['a NUL', 'databuilder_id,title\na,x\0y\n', CSV, 400, { 'line 2': ['title: contains a NUL character or an unpaired surrogate.'] }],
    ['an escaped NUL', '{"databuilder_id":"a\\u0000"}', JSONL, 400, { 'line 1': [expect.stringContaining('NUL')] }],
    ['half a surrogate', '{"databuilder_id":"a","title":"\\ud800"}', JSONL, 400, { 'line 1': [expect.stringContaining('surrogate')] }],
    [
      'half a surrogate in a list',
      '{"databuilder_id":"a","sources":["\\udc00"]}',
      JSONL,
      400,
      { 'line 1': [expect.stringContaining('surrogate')] },
    ],
    ['not UTF-8', Buffer.from([0x61, 0xff, 0x0a]), CSV, 400, { body: ['is not valid UTF-8.'] }],
    [
      'a long key',
      `{"databuilder_id":"${'k'.repeat(601)}"}`,
      JSONL,
      400,
      { 'line 1': [expect.stringContaining('databuilder_id: must NOT have more')] },
    ],
    [
      'a bad ID',
      '{"databuilder_id":"a","owners":["me"]}',
      JSONL,
      400,
      { 'line 1': [expect.stringContaining('owners[0]: must match pattern')] },
    ],
    [
      'a bad moment',
      '{"databuilder_id":"a","external_updated_at":"soon"}',
      JSONL,
      400,
      { 'line 1': [expect.stringContaining('external_updated_at')] },
    ],
    [
      'a number too large',
      'databuilder_id,row_count\na,99999999999999999999\n',
      CSV,
      400,
      { 'line 2': ['row_count: must be integer,null'] },
    ],
    ['deep JSON', `{"databuilder_id":"a","owners":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, JSONL, 400, expect.anything()],
    ['a broken gzip', 'hello', { ...CSV, 'content-encoding': 'gzip' }, 400, { body: ['is not valid gzip or is incomplete.'] }],
    [
      'half a gzip',
      gzipSync('databuilder_id\na\n').subarray(0, 20),
      { ...CSV, 'content-encoding': 'gzip' },
      400,
      { body: ['is not valid gzip or is incomplete.'] },
    ],
    ['another encoding', 'hello', { ...CSV, 'content-encoding': 'br' }, 415, undefined],
    ['JSON', '{}', { 'content-type': 'application/json' }, 415, undefined],
    ['prototypes', '{"databuilder_id":"a","__proto__":{"x":1},"constructor":{"x":1}}', { ...JSONL, 'x-dry': '1' }, 200, undefined],
  ]
  for (const [what, file, headers, status, errors] of wrong) {
    const answer = await send(house, file, { headers, query: '?dry_run=true' })
    expect([what, answer.status, answer.body.errors]).toEqual([what, status, errors])
  }
  expect(await traces()).toEqual(before)
})

test('accepts a cell of 5 MB and rejects an endless line', async () => {
  const integration = newId()
  const long = 'word "quoted" \n'.repeat(340_000)
  const cell = `"${long.replaceAll('"', '""')}"`
  expect((await send(house, `databuilder_id,description\nbig,${cell}\n`, { integration, headers: CSV })).body).toMatchObject({ created: 1 })
  const [{ description }] = await inside(integration, '&fields=description')
  expect(description).toBe(long)
  const endless = `databuilder_id,description\nbig,"${'x'.repeat(7_000_000)}"\n`
  expect((await send(house, endless, { integration, headers: CSV })).body.errors).toEqual({ 'line 2': ['is too long.'] })
  const line = `{"databuilder_id":"a"}\n{"databuilder_id":"${'x'.repeat(7_000_000)}"}\n`
  expect((await send(house, line, { integration })).body.errors).toEqual({ 'line 2': ['is too long.'] })
})

test('rejects more than 100 MB, compressed or not', { timeout: 60_000 }, async () => {
  const line = Buffer.from(`{"databuilder_id":"a","description":"${'x'.repeat(1_000_000)}"}\n`)
  const file = Buffer.concat(Array.from({ length: 106 }, () => line))
  const before = await traces()
  expect(await send(house, file)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  expect(await send(house, gzipSync(file), { headers: { ...JSONL, 'content-encoding': 'gzip' } })).toMatchObject({ status: 413 })
  expect(await traces()).toEqual(before)
})

test('accepts gzip, a form, and resource and lineage lines in one CSV', async () => {
  const integration = newId()
  const file = 'databuilder_id,title,from_identifier,to_identifier\na,A,,\nb,B,,\n,,a,b\n'
  expect((await send(house, gzipSync(file), { integration, headers: { ...CSV, 'content-encoding': 'gzip' } })).body).toMatchObject({
    created: 2,
    lineage_created: 1,
  })
  const form = `--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${file}\r\n--x--\r\n`
  const path = `/integration/integrations/${integration}/import_metadata/`
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  expect((await house.call('POST', path, { headers, body: form })).body).toMatchObject({ created: 0, unchanged: 2, lineage_unchanged: 1 })
  expect(await house.call('POST', path, { headers, body: '--x--\r\n' })).toMatchObject({ status: 400 })
  expect(await house.call('POST', path, { headers, body: 'nonsense' })).toMatchObject({ status: 400 })
})

test('binds an Idempotency-Key to the file', async () => {
  const integration = newId()
  const headers = { ...JSONL, 'idempotency-key': newId() }
  const first = await send(house, [{ databuilder_id: 'once' }], { integration, headers })
  const again = await send(house, [{ databuilder_id: 'once' }], { integration, headers })
  expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, first.body, 'true'])
  expect((await send(house, [{ databuilder_id: 'other' }], { integration, headers })).status).toBe(409)
  expect(await traces()).toMatchObject({ lines: 0 })
})

test('imports type-specific fields', async () => {
  const integration = newId()
  const lines = [{ databuilder_id: 'c', entity_type: 'column', title: 'c', sort_order: 3, is_pk: true, type: 'bigint' }]
  expect((await send(house, lines, { integration })).body).toMatchObject({ created: 1 })
  expect((await send(house, lines, { integration })).body).toMatchObject({ unchanged: 1 })
  expect((await send(house, jsonl([{ databuilder_id: 'c', sort_order: 4 }]), { integration })).body.errors).toEqual({
    'line 1': ['entity_type: is required if the line contains sort_order.'],
  })
  const csv = 'databuilder_id,entity_type,sort_order,is_pk\nc,column,4,false\n'
  expect((await send(house, csv, { integration, headers: CSV })).body).toMatchObject({ updated: 1 })
  expect(await inside(integration, '&fields=type,sort_order,is_pk,version')).toEqual([
    { type: 'bigint', sort_order: 4, is_pk: null, version: 2 },
  ])
})

test('an export ordered by path can be imported in parts, even line by line, because parents come first', async () => {
  const from = newId()
  await send(house, SHOP, { integration: from })
  const sort = encodeURIComponent(JSON.stringify({ field: 'title_full', order: 'asc' }))
  const { text } = await house.call('GET', `/resource/export?format=jsonl&integration_id=${from}&sort=${sort}`)
  await using other = await aHouse()
  const integration = newId()
  for (const line of text.trim().split('\n')) {
    const { status, body } = await send(other, `${line}\n`, { integration })
    expect([line, status, body.created]).toEqual([line, 200, 1])
  }
  const paths = (lines: { title_full: string }[]) => lines.map(({ title_full }) => title_full).sort()
  expect(paths(await exported(other, `&integration_id=${integration}`))).toEqual(paths(await inside(from)))
})
