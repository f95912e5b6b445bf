import { gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { planResources } from '../src/operations/transfer/import-line-rows.ts'
import { newId } from '../src/platform/core/id.ts'
import { findWrongLocations, findWrongVersions } from './find-wrong-locations.ts'
import { createTestApp, type TestApp } from './test-app.ts'
import { CSV, exportLines, importLines, JSONL, jsonl, SHOP } from './transfer.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const exportIntegration = (integration: string, fields = '') => exportLines(app, `&integration_id=${integration}${fields}`)
/** Counts everything that a write could leave behind. */
const countEverything = async () => {
  const { rows } = await sql`
    select (select count(*) from resources) as resources, (select count(*) from activities) as activities, (select count(*) from integrations) as integrations,
      (select count(*) from lineage_edges) as edges, (select count(*) from import_lines) as lines, (select sum(version) from resources) as versions
  `.execute(app.db)
  return rows[0]
}

test('creates resources with parents anywhere in the file and records the sender', async () => {
  const integration = newId()
  const { status, body } = await importLines(app, SHOP, { integration })
  expect([status, body]).toEqual([
    200,
    {
      dry_run: false,
      lines: 6,
      created: 5,
      updated: 0,
      unchanged: 0,
      containers_published: 0,
      lineage_created: 1,
      lineage_unchanged: 0,
      ignored_fields: [],
      differences: [],
    },
  ])
  const column = (await exportIntegration(integration)).find(({ title }) => title === 'id')
  expect(column).toMatchObject({ title_full: 'shop.public.orders.id', integration, parent_databuilder_id: 'shop.public.orders' })
  const { body: logs } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${column.id}`)
  expect(logs.version_histories).toMatchObject([{ version: 1, performer_id: app.ctx.actor.user_id, activity_type: 'resource_created' }])
  const { body: record } = await app.call('GET', `/integration/integrations/${integration}`)
  expect(record).toMatchObject({ id: integration, type: 'custom' })
  expect(await findWrongLocations(app.db)).toEqual([])
  expect(await findWrongVersions(app.db)).toEqual([])
})

test('the same file changes nothing; another one only changes the fields it contains', async () => {
  const integration = newId()
  await importLines(app, SHOP, { integration })
  const before = await countEverything()
  expect((await importLines(app, SHOP, { integration })).body).toMatchObject({
    created: 0,
    updated: 0,
    unchanged: 5,
    lineage_created: 0,
    lineage_unchanged: 1,
  })
  expect(await countEverything()).toEqual(before)
  const { body } = await importLines(
    app,
    [
      { databuilder_id: 'shop.public.orders', description: null, verified: true, owners: [newId()] },
      { databuilder_id: 'shop.public.items', row_count: 8 },
      { databuilder_id: 'shop', title: 'store' },
    ],
    { integration },
  )
  expect(body).toMatchObject({ created: 0, updated: 3, unchanged: 0 })
  const [orders, items] = await exportIntegration(
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
  await importLines(app, [...SHOP, { databuilder_id: 'other', entity_type: 'schema', title: 'other', parent_databuilder_id: 'shop' }], {
    integration,
  })
  const { body } = await importLines(
    app,
    [
      // Publishing a table publishes its columns, unless the file sets one to unpublished.
      { databuilder_id: 'shop.public.orders.id', published: false },
      { databuilder_id: 'shop.public.orders', parent_databuilder_id: 'other', published: true },
    ],
    { integration },
  )
  expect(body).toMatchObject({ updated: 1, unchanged: 1 })
  const found = await exportIntegration(integration, '&title=id&fields=title,title_full,published')
  expect(found).toEqual([{ title: 'id', title_full: 'shop.other.orders.id', published: false }])
  expect(await findWrongLocations(app.db)).toEqual([])
  expect(await findWrongVersions(app.db)).toEqual([])
})

test('in a file of several batches, new resources at the end get the path of a parent renamed at the start', async () => {
  const integration = newId()
  await importLines(app, SHOP, { integration })
  const columns = Array.from({ length: 4100 }, (_, i) => ({
    databuilder_id: `c${i}`,
    parent_databuilder_id: 'shop.public.items',
    entity_type: 'column',
    title: `c${i}`,
    ...(i % 3 ? { description: i % 2 ? '' : `no. ${i}`, owners: [app.ctx.actor.user_id], pii: i % 5 === 0 } : {}),
  }))
  const { body } = await importLines(app, [{ databuilder_id: 'shop', title: 'store' }, ...columns], { integration })
  expect(body).toMatchObject({ created: 4100, updated: 1 })
  expect(await findWrongLocations(app.db)).toEqual([])
  expect(await findWrongVersions(app.db)).toEqual([])
  const there = await exportIntegration(integration, '&entity_type=column&fields=title,title_full,description,owners,pii')
  expect(there).toHaveLength(4101)
  for (const i of [0, 1, 2, 10, 4099])
    expect(there.find(({ title }) => title === `c${i}`)).toEqual({
      title: `c${i}`,
      title_full: `store.public.items.c${i}`,
      description: columns[i]!.description ?? null,
      owners: columns[i]!.owners ?? [],
      pii: columns[i]!.pii ?? false,
    })
  expect((await importLines(app, columns, { integration })).body).toMatchObject({ created: 0, updated: 0, unchanged: 4100 })
})

test('a dry run counts the containers that are published with their contents', async () => {
  const integration = newId()
  const [shop, sales, hr] = ['shop', 'shop.sales', 'shop.hr']
  await importLines(
    app,
    [
      { databuilder_id: shop, entity_type: 'database', title: 'shop' },
      { databuilder_id: sales, parent_databuilder_id: shop, entity_type: 'schema', title: 'sales' },
      { databuilder_id: hr, parent_databuilder_id: shop, entity_type: 'schema', title: 'hr' },
      { databuilder_id: 'shop.sales.orders', parent_databuilder_id: sales, entity_type: 'table', title: 'orders' },
      { databuilder_id: 'shop.hr.people', parent_databuilder_id: hr, entity_type: 'table', title: 'people' },
    ],
    { integration },
  )
  const countPublished = async () =>
    (await exportIntegration(integration, '&fields=id,published')).filter(({ published }) => published).length
  const cases = [
    [[{ databuilder_id: 'shop.sales.orders', description: 'Changed.' }], 0, 0],
    [[{ databuilder_id: 'shop.sales.orders', published: true }], 2, 3], // the schema and the database
    [[{ databuilder_id: 'shop.hr.pay', parent_databuilder_id: hr, entity_type: 'table', title: 'pay', published: true }], 1, 5],
    [[{ databuilder_id: 'shop.hr.people', published: true }], 0, 6],
  ] as const
  for (const [file, containers_published, published] of cases) {
    expect((await importLines(app, file, { integration, query: '?dry_run=true' })).body).toMatchObject({ containers_published })
    expect((await importLines(app, file, { integration })).body).toMatchObject({ containers_published })
    expect(await countPublished()).toBe(published)
  }
})

test('a dry run reports what would change and changes nothing', async () => {
  const integration = newId()
  await importLines(app, SHOP.slice(1), { integration })
  const before = await countEverything()
  const edit = [
    { ...SHOP[1], description: 'Changed.', row_count: 3 },
    SHOP[0]!,
    { databuilder_id: 'new', title: 'new' },
    { from_identifier: 'new', to_identifier: 'shop' },
  ]
  const { body } = await importLines(app, edit, { integration, query: '?dry_run=true' })
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
  expect((await importLines(app, edit, { query: '?dry_run=true' })).status).toBe(400) // shop.public does not exist in another integration
  expect((await importLines(app, [{ databuilder_id: 'x' }], { query: '?dry_run=true' })).status).toBe(200)
  expect(await countEverything()).toEqual(before)
})

test('one invalid line rejects the whole file', async () => {
  const integration = newId()
  await importLines(app, SHOP, { integration })
  const before = await countEverything()
  const rejected = async (lines: readonly object[] | string, errors: object, headers?: Record<string, string>) => {
    const { status, body } = await importLines(app, lines, { integration, headers })
    expect([status, body.code, body.errors]).toEqual([400, 'validation_failed', errors])
    expect(await countEverything()).toEqual(before)
  }
  await rejected([{ databuilder_id: 'a' }, { databuilder_id: 'b', title: 5, pii: 'yes' }], {
    'line 2': ['title: must be string,null', 'pii: must be boolean,null'],
  })
  await rejected([{ databuilder_id: 'a' }, { databuilder_id: 'b', parent_databuilder_id: 'nowhere' }], {
    'line 2': ['parent_databuilder_id: This resource exists neither in the file nor in the catalog.'],
  })
  await rejected([{ databuilder_id: 'a' }, { databuilder_id: 'a' }], { 'line 2': ['databuilder_id: is a duplicate of line 1.'] })
  const cycle = 'parent_databuilder_id: The parents of this line form a cycle or have more than 100 levels.'
  await rejected(
    [
      { databuilder_id: 'a', parent_databuilder_id: 'b' },
      { databuilder_id: 'b', parent_databuilder_id: 'a' },
      { databuilder_id: 'self', parent_databuilder_id: 'self' },
    ],
    { 'line 1': [cycle], 'line 2': [cycle], 'line 3': [cycle] },
  )
  await rejected([{ databuilder_id: 'a' }, { from_identifier: 'a', to_identifier: 'nobody' }], {
    'line 2': ['to_identifier: This resource exists neither in the file nor in the catalog.'],
  })
  await rejected([{ from_identifier: 'a', to_identifier: 'a' }], {
    'line 1': ['to_identifier: A lineage edge must connect two different resources.'],
  })
  await rejected('{"databuilder_id":"a"}\n\n{"databuilder_id":\n[]\n', {
    'line 3': [expect.stringContaining('is not valid JSON')],
    'line 4': ['must be a JSON object.'],
  })
  await rejected(
    Array.from({ length: 300 }, (_, i) => ({ databuilder_id: `x${i}`, entity_type: 'ship' })),
    expect.objectContaining({ 'line 1': [expect.stringContaining('entity_type: must be one of table')] }),
  )
  // Detected only on write: the file does not contain that `shop` is an ancestor.
  await rejected([{ databuilder_id: 'new' }, { databuilder_id: 'shop', parent_databuilder_id: 'shop.public.orders' }], {
    'line 2': ['parent: A resource cannot be its own ancestor.'],
  })
})

test('reports at most 100 errors', async () => {
  const { body } = await importLines(
    app,
    Array.from({ length: 300 }, (_, i) => ({ databuilder_id: `x${i}`, pii: 1 })),
  )
  expect(Object.keys(body.errors)).toHaveLength(100)
  expect(body.detail).toContain('Only the first 100 errors are listed.')
  const { body: later } = await importLines(
    app,
    Array.from({ length: 300 }, (_, i) => ({ databuilder_id: `x${i}`, parent_databuilder_id: `y${i}` })),
  )
  expect(Object.keys(later.errors)).toHaveLength(100)
})

test('owners are found by e-mail address, tags and visible glossary terms by name, beside IDs', async () => {
  const [editor, integration, id] = [await app.createUser('editor'), newId(), newId()]
  const { rows } = await sql<{ email: string }>`select upper(email) as email from users where id = ${editor.id}`.execute(app.db)
  const tag = (await app.call('POST', '/tag', { body: { name: 'source of truth' } })).body.id
  const term = (await app.createResource({ title: 'Net revenue', entity_type: 'glossary', published: true })).id
  const closed = await app.createTeam(true)
  await app.createResource({ title: 'Takeover', entity_type: 'glossary', published: true, teams: [closed] })
  const file = (terms: string) => `databuilder_id,title,owners,tags,terms\na,a,${rows[0]!.email};${id},Source of Truth,${terms}\n`
  const good = await importLines(app, file('"net revenue, NET REVENUE"'), { integration, headers: CSV })
  expect([good.status, good.body.created]).toEqual([200, 1])
  expect(await exportIntegration(integration, '&fields=owners,tags,terms')).toEqual([
    { owners: [editor.id, id], tags: [tag], terms: [term] },
  ])
  const before = await countEverything()
  const hidden = await importLines(app, file('Takeover'), { integration, headers: CSV, token: editor.token })
  expect(hidden.body.errors).toEqual({ 'line 2': ['terms: no glossary term is named Takeover.'] })
  const unknown = await importLines(app, [{ databuilder_id: 'b', owners: ['x@example.com'], tags: ['none'] }], { integration })
  expect(unknown.body.errors).toEqual({
    'line 1': ['owners: no user has the e-mail address x@example.com.', 'tags: no tag is named none.'],
  })
  expect(await countEverything()).toEqual(before)
})

test('names of tags and terms are found in any case and script, whatever the database takes for their lower case', async () => {
  for (const name of ['İstanbul', 'ΠΕΛΑΤΗΣ', 'Straße', 'Übersicht']) {
    const tag = (await app.call('POST', '/tag', { body: { name } })).body.id
    const term = (await app.createResource({ title: `term ${name}`, entity_type: 'glossary', published: true })).id
    const property = (await app.call('POST', '/resource/all_v2/custom_properties', { body: { name: `by ${name}`, value_type: 'tag' } }))
      .body
    const integration = newId()
    const line = { databuilder_id: name, title: 'a', tags: [name], terms: [`Term ${name}`], [`property:${property.name}`]: name }
    expect([name, (await importLines(app, [line], { integration })).body.detail]).toEqual([name, undefined])
    const fields = encodeURIComponent(`tags,terms,property:${property.name}`)
    expect(await exportIntegration(integration, `&fields=${fields}`)).toEqual([
      { tags: [tag], terms: [term], [`property:${property.name}`]: tag },
    ])
  }
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
  const { body, headers } = await importLines(app, file, { integration, headers: CSV })
  expect(body.errors).toEqual({ 'line 6': ['title: must not be empty'] })
  expect(headers.warning).toBeUndefined()
  const good = await importLines(app, file.replace('c,""', 'c,see'), { integration, headers: CSV })
  expect(good.body).toMatchObject({ created: 3, ignored_fields: ['colour'] })
  expect(good.headers.warning).toBe('199 - "ignored fields: colour"')
  const found = await exportIntegration(integration, '&fields=databuilder_id,title,description,owners,sources,pii,row_count')
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
  const before = await countEverything()
  const wrong: [string, string | Buffer, Record<string, string>, number, unknown][] = [
    ['nothing', '', CSV, 400, { body: ['is empty.'] }],
    ['only a header', 'databuilder_id,title\n', CSV, 400, { body: ['is empty.'] }],
    ['no key', 'title\nx\n', CSV, 400, { 'line 1': [expect.stringContaining('databuilder_id, id or from_identifier')] }],
    ['a duplicate column name', 'databuilder_id,title,title\n', CSV, 400, { 'line 1': ['A column name occurs twice.'] }],
    [
      'very many columns',
      `${Array.from({ length: 500_000 }, (_, i) => i).join()}\n`,
      CSV,
      400,
      { 'line 1': ['There are more than 16,384 columns.'] },
    ],
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
      { 'line 1': [expect.stringContaining('databuilder_id: must have at most')] },
    ],
    ['a bad ID', '{"databuilder_id":"a","teams":["me"]}', JSONL, 400, { 'line 1': ['teams[0]: must be a UUID'] }],
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
    const response = await importLines(app, file, { headers, query: '?dry_run=true' })
    expect([what, response.status, response.body.errors]).toEqual([what, status, errors])
  }
  expect(await countEverything()).toEqual(before)
})

test('accepts a cell of 5 MB and rejects an endless line', async () => {
  const integration = newId()
  const long = 'word "quoted" \n'.repeat(340_000)
  const cell = `"${long.replaceAll('"', '""')}"`
  expect((await importLines(app, `databuilder_id,description\nbig,${cell}\n`, { integration, headers: CSV })).body).toMatchObject({
    created: 1,
  })
  const [{ description }] = await exportIntegration(integration, '&fields=description')
  expect(description).toBe(long)
  const endless = `databuilder_id,description\nbig,"${'x'.repeat(7_000_000)}"\n`
  expect((await importLines(app, endless, { integration, headers: CSV })).body.errors).toEqual({ 'line 2': ['is too long.'] })
  const line = `{"databuilder_id":"a"}\n{"databuilder_id":"${'x'.repeat(7_000_000)}"}\n`
  expect((await importLines(app, line, { integration })).body.errors).toEqual({ 'line 2': ['is too long.'] })
})

test('rejects more than 100 MB, compressed or not', async () => {
  const line = Buffer.from(`{"databuilder_id":"a","description":"${'x'.repeat(1_000_000)}"}\n`)
  const file = Buffer.concat(Array.from({ length: 106 }, () => line))
  const before = await countEverything()
  expect(await importLines(app, file)).toMatchObject({ status: 413, body: { code: 'payload_too_large' } })
  expect(await importLines(app, gzipSync(file), { headers: { ...JSONL, 'content-encoding': 'gzip' } })).toMatchObject({ status: 413 })
  expect(await countEverything()).toEqual(before)
})

test('accepts gzip, a form, and resource and lineage lines in one CSV', async () => {
  const integration = newId()
  const file = 'databuilder_id,title,from_identifier,to_identifier\na,A,,\nb,B,,\n,,a,b\n'
  expect((await importLines(app, gzipSync(file), { integration, headers: { ...CSV, 'content-encoding': 'gzip' } })).body).toMatchObject({
    created: 2,
    lineage_created: 1,
  })
  const form = `--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\nContent-Type: text/csv\r\n\r\n${file}\r\n--x--\r\n`
  const path = `/integration/integrations/${integration}/import_metadata/`
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  expect((await app.call('POST', path, { headers, body: form })).body).toMatchObject({ created: 0, unchanged: 2, lineage_unchanged: 1 })
  expect(await app.call('POST', path, { headers, body: '--x--\r\n' })).toMatchObject({ status: 400 })
  expect(await app.call('POST', path, { headers, body: 'nonsense' })).toMatchObject({ status: 400 })
})

test('binds an Idempotency-Key to the file', async () => {
  const integration = newId()
  const headers = { ...JSONL, 'idempotency-key': newId() }
  const first = await importLines(app, [{ databuilder_id: 'once' }], { integration, headers })
  const again = await importLines(app, [{ databuilder_id: 'once' }], { integration, headers })
  expect([again.status, again.body, again.headers['idempotent-replayed']]).toEqual([200, first.body, 'true'])
  expect((await importLines(app, [{ databuilder_id: 'other' }], { integration, headers })).status).toBe(409)
  expect(await countEverything()).toMatchObject({ lines: 0 })
})

test('imports type-specific fields', async () => {
  const integration = newId()
  const lines = [{ databuilder_id: 'c', entity_type: 'column', title: 'c', sort_order: 3, is_pk: true, type: 'bigint' }]
  expect((await importLines(app, lines, { integration })).body).toMatchObject({ created: 1 })
  expect((await importLines(app, lines, { integration })).body).toMatchObject({ unchanged: 1 })
  expect((await importLines(app, jsonl([{ databuilder_id: 'c', sort_order: 4 }]), { integration })).body.errors).toEqual({
    'line 1': ['entity_type: is required if the line contains sort_order.'],
  })
  const csv = 'databuilder_id,entity_type,sort_order,is_pk\nc,column,4,false\n'
  expect((await importLines(app, csv, { integration, headers: CSV })).body).toMatchObject({ updated: 1 })
  expect(await exportIntegration(integration, '&fields=type,sort_order,is_pk,version')).toEqual([
    { type: 'bigint', sort_order: 4, is_pk: null, version: 2 },
  ])
})

test('an export ordered by path can be imported in parts, even line by line, because parents come first', async () => {
  const from = newId()
  await importLines(app, SHOP, { integration: from })
  const sort = encodeURIComponent(JSON.stringify({ field: 'title_full', order: 'asc' }))
  const { text } = await app.call('GET', `/resource/export?format=jsonl&integration_id=${from}&sort=${sort}`)
  await using other = await createTestApp()
  const integration = newId()
  for (const line of text.trim().split('\n')) {
    const { status, body } = await importLines(other, `${line}\n`, { integration })
    expect([line, status, body.created]).toEqual([line, 200, 1])
  }
  const paths = (lines: { title_full: string }[]) => lines.map(({ title_full }) => title_full).sort()
  expect(paths(await exportLines(other, `&integration_id=${integration}`))).toEqual(paths(await exportIntegration(from)))
})

test('an import uses at least 16 MB for hash tables, and more where the database is configured so', async () => {
  for (const [configured, used] of [
    ['4MB', '16MB'],
    ['64MB', '64MB'],
  ]) {
    const setting = await app.db.transaction().execute(async (db) => {
      await sql`select set_config('work_mem', ${configured}::text, true)`.execute(db)
      await planResources({ ...app.ctx, db, in_transaction: true }, newId(), newId())
      return (await sql<{ work_mem: string }>`show work_mem`.execute(db)).rows[0]!.work_mem
    })
    expect(setting).toBe(used)
  }
})
