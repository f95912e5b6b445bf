import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { PRODUCT_VERSION } from '../../src/platform/config/product-version.ts'
import { runCli } from '../support/cli.ts'

const createTempFolder = async (files: Record<string, string>) => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-cli-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const SHOP = {
  'daily.sql': '-- one a day\ncreate table shop.daily as\nselect day, sum(price) as total from shop.orders where id > 5 group by day;\n',
  'marts/weekly.sql': 'create view shop.weekly as select * from shop.daily',
  'readme.md': 'selekt nothing',
}

test('a file: the tables it reads and writes, and the column lineage', async () => {
  await using shop = await createTempFolder(SHOP)
  const { code, out, err } = await runCli(['lineage', 'daily.sql', '--dialect', 'snowflake'], { cwd: shop.folder })
  expect([code, err]).toEqual([0, ''])
  expect(out).toBe(`daily.sql:2 create table
  writes SHOP.DAILY
  reads  SHOP.ORDERS
  SHOP.DAILY.DAY   <- SHOP.ORDERS.DAY
  SHOP.DAILY.TOTAL <- +SHOP.ORDERS.PRICE
  rows             <? SHOP.ORDERS.ID, SHOP.ORDERS.DAY
`)
})

test('a folder is one graph: a star over a table created in another file is expanded', async () => {
  await using shop = await createTempFolder(SHOP)
  const { code, out } = await runCli(['lineage', '.', '--format', 'json'], { cwd: shop.folder })
  expect(code).toBe(0)
  const { files, tables, edges } = JSON.parse(out)
  expect(tables).toEqual(['shop.daily', 'shop.orders', 'shop.weekly'])
  expect(edges).toEqual([
    { from: 'shop.daily', to: 'shop.weekly' },
    { from: 'shop.orders', to: 'shop.daily' },
  ])
  expect(files.map(({ file }: { file: string }) => file)).toEqual(['daily.sql', 'marts/weekly.sql'])
  expect(files[1].statements[0].columns.map(({ to }: { to: { column: string } }) => to.column)).toEqual(['day', 'total'])
  const drawn = await runCli(['lineage', '.', '--format', 'mermaid'], { cwd: shop.folder })
  expect(drawn.out).toBe('flowchart LR\n  t1["shop.daily"]\n  t2["shop.orders"]\n  t3["shop.weekly"]\n  t1 --> t3\n  t2 --> t1\n')
  const columns = await runCli(['lineage', '.', '--format', 'mermaid', '--columns'], { cwd: shop.folder })
  expect(columns.out).toContain('  subgraph t1["shop.daily"]\n    t1c1["day"]\n')
  expect(columns.out).toContain('-- aggregation -->')
})

test('standard input, defaults, and stars expanded from a schema', async () => {
  await using shop = await createTempFolder({
    'columns.json': '{"orders": ["id", "price"]}',
    'ddl.sql': 'create table public.orders (id int primary key, price numeric);',
  })
  const input = 'insert into x select * from orders'
  const plain = await runCli(['lineage', '-'], { input })
  expect(plain.out).toBe('<stdin>:1 insert\n  writes x\n  reads  orders\n  ? orders.* (star of unknown table)\n')
  for (const file of ['columns.json', 'ddl.sql']) {
    const { out, code } = await runCli(['lineage', '-', '--default-schema', 'public', '--schema', file], { input, cwd: shop.folder })
    expect([code, out]).toEqual([
      0,
      '<stdin>:1 insert\n  writes public.x\n  reads  public.orders\n  public.x.id    <- public.orders.id\n  public.x.price <- public.orders.price\n',
    ])
  }
})

test('with --models, a file with only a SELECT writes the table named like the file', async () => {
  await using shop = await createTempFolder({ 'a.sql': 'select id from raw', 'b.sql': 'select * from a' })
  const graph = async (...options: string[]) =>
    JSON.parse((await runCli(['lineage', '.', '--format', 'json', ...options], { cwd: shop.folder })).out).edges
  expect(await graph('--models')).toEqual([
    { from: 'a', to: 'b' },
    { from: 'raw', to: 'a' },
  ])
  expect(await graph()).toEqual([
    { from: 'a', to: 'b.sql' },
    { from: 'raw', to: 'a.sql' },
  ])
})

/** The relevant parts of the OpenLineage specification. */
const DATASET = {
  type: 'object',
  required: ['namespace', 'name'],
  properties: { facets: { type: 'object', additionalProperties: { $ref: '#/$defs/facet' } } },
}
const EVENT = {
  $defs: {
    facet: {
      type: 'object',
      required: ['_producer', '_schemaURL'],
      properties: { _producer: { format: 'uri' }, _schemaURL: { format: 'uri' } },
    },
  },
  type: 'object',
  required: ['eventTime', 'producer', 'schemaURL', 'run', 'job'],
  properties: {
    eventType: { enum: ['START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL', 'OTHER'] },
    eventTime: { type: 'string', format: 'date-time' },
    producer: { type: 'string', format: 'uri' },
    schemaURL: { type: 'string', format: 'uri' },
    run: { type: 'object', required: ['runId'], properties: { runId: { type: 'string', format: 'uuid' } } },
    job: { ...DATASET },
    inputs: { type: 'array', items: DATASET },
    outputs: { type: 'array', items: DATASET },
  },
}

test('OpenLineage events, one per line', async () => {
  await using shop = await createTempFolder(SHOP)
  const { out } = await runCli(['lineage', 'daily.sql', '--format', 'openlineage', '--namespace', 'postgres://db:5432'], {
    cwd: shop.folder,
  })
  const [event, ...others] = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(others).toEqual([])
  const ajv = new Ajv({ strict: false })
  ;((addFormats as unknown as { default?: (ajv: Ajv) => void }).default ?? (addFormats as unknown as (ajv: Ajv) => void))(ajv)
  expect([ajv.validate(EVENT, event), ajv.errors]).toEqual([true, null])
  expect(event.inputs).toEqual([{ namespace: 'postgres://db:5432', name: 'shop.orders' }])
  expect(event.job).toMatchObject({
    name: 'daily.sql:2',
    facets: { sql: { query: expect.stringContaining('create table'), dialect: 'postgres' } },
  })
  const { columnLineage, schema } = event.outputs[0].facets
  expect(schema.fields).toEqual([{ name: 'day' }, { name: 'total' }])
  expect(columnLineage.fields.total.inputFields).toEqual([
    {
      namespace: 'postgres://db:5432',
      name: 'shop.orders',
      field: 'price',
      transformations: [{ type: 'DIRECT', subtype: 'AGGREGATION', description: '', masking: false }],
    },
  ])
  expect(columnLineage.dataset.map(({ field }: { field: string }) => field)).toEqual(['id', 'day'])
})

test('unparsable SQL is reported with its position, and the rest is printed', async () => {
  await using shop = await createTempFolder({ 'bad.sql': 'select a from t;\n\n  selekt b from t', 'good.sql': 'select c from u' })
  const { code, out, err } = await runCli(['lineage', '.'], { cwd: shop.folder })
  expect([code, err]).toEqual([1, 'bad.sql:3:3: No SQL statement begins with `selekt`. Did you mean SELECT?\n'])
  expect(out).toContain('reads  t')
  expect(out).toContain('reads  u')
  expect((await runCli(['lineage', '-'], { input: '' })).code).toBe(1)
})

test('help and invalid usage', async () => {
  await using shop = await createTempFolder({ 'columns.json': '{"t": 5}', 'broken.json': '{', 'empty/x.txt': '' })
  for (const [code, args, text] of [
    [0, ['--help'], 'Usage: tablinum [command]'],
    [0, ['--version'], PRODUCT_VERSION],
    [0, ['lineage', '--help'], '--dialect <name>'],
    [2, ['linage'], 'Unknown command "linage".'],
    [2, ['lineage'], 'Expected a file'],
    [2, ['lineage', 'nowhere.sql'], 'File or folder not found: "nowhere.sql".'],
    [2, ['lineage', 'empty'], 'No .sql files in "empty".'],
    [2, ['lineage', '-', '--dialect', 'klingon'], 'Unknown dialect "klingon". Available:'],
    [2, ['lineage', '-', '--format', 'toString'], 'Unknown format "toString".'],
    [2, ['lineage', '-', '--colour'], "Unknown option '--colour'"],
    [2, ['lineage', '-', '--schema', 'columns.json'], 'Expected an object'],
    [2, ['lineage', '-', '--schema', 'broken.json'], 'is not valid JSON'],
    [2, ['lineage', '-', '--schema', 'nowhere.json'], 'File not found'],
  ] as const) {
    const response = await runCli(args, { cwd: shop.folder, input: 'select 1' })
    expect([args, response.code, `${response.out}${response.err}`]).toEqual([args, code, expect.stringContaining(text)])
    expect(response.err).not.toContain('    at ')
  }
})

test('the launcher runs it from any folder', async () => {
  await using shop = await createTempFolder(SHOP)
  const { code, out } = await runCli(['lineage', 'daily.sql'], { cwd: shop.folder, entry: 'scripts/tablinum.mjs' })
  expect([code, out]).toEqual([0, expect.stringContaining('writes shop.daily')])
})

test('a file with only a function, comments or client commands is not an error', async () => {
  await using shop = await createTempFolder({
    'comment.sql': '-- nothing but words\n',
    'function.sql': '/* zeroes */ create or replace function udf.zeroes() as ([0, 0, 0]);\n',
    'empty.sql': '',
  })
  expect(await runCli(['lineage', '--dialect', 'bigquery', '--format', 'json', shop.folder])).toMatchObject({ code: 0, err: '' })
  expect(await runCli(['lineage', '--dialect', 'postgres', '-'], { input: '\\set ON_ERROR_STOP 1\n\\i schema.sql\n' })).toMatchObject({
    code: 0,
    err: '',
  })
  const { code, err } = await runCli(['lineage', '--dialect', 'bigquery', '-'], { input: 'selct a from t' })
  expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('Did you mean SELECT?') })
})
