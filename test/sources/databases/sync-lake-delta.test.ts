import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Discovered } from '../../../connector/src/define.ts'
import { lakeFiles } from '../../../src/sources/connectors/lake/lakes.ts'
import { discoverAll, findByKey, listColumnTypes, listVersions } from '../../support/connectors.ts'
import { createTestIntegration, expectNoChanges, getConnectionError, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import {
  add,
  COMMITTED_AT,
  commit,
  commitInfo,
  createLake,
  deltaOrders,
  metaData,
  placeTables,
  protocol,
  remove,
  type TableFiles,
  toCheckpoint,
  toLines,
  toVersion,
} from './lake-files.ts'

const writeFolder = async (files: ReadonlyMap<string, Buffer>) => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-lake-'))
  for (const [path, content] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) }
}

/** What is discovered of one Delta table, alone in a folder. */
const readTable = async (files: TableFiles): Promise<Discovered[]> => {
  await using written = await writeFolder(placeTables({ 'shop/orders': files }))
  return await discoverAll(lakeFiles, { path: written.folder })
}
const KEY = 'lake.shop.orders'
const findTable = async (files: TableFiles) => (await readTable(files)).find((each) => each.type === 'item' && each.key === KEY)
const findReason = async (files: TableFiles) =>
  (await readTable(files)).flatMap((each) => (each.type === 'unlisted' && each.key === KEY ? each.reason : []))[0]

test('a folder is synced with tables of both formats', async () => {
  await using written = await writeFolder(createLake())
  await using app = await createTestApp({ filesFolder: written.folder })
  const id = await createTestIntegration(app, 'lake_files', { path: '.', exclude: 'tmp_*' })
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toMatch(/: 2 Delta tables, 1 Iceberg tables\.$/)
  expect(await runSync(app, id)).toMatchObject({
    ...{ status: 'COMPLETED', error: null },
    report: { new: { database: 1, schema: 2, table: 2, column: 10 } },
  })
  expect(await findByKey(app, id, 'lake.shop.orders')).toMatchObject({
    ...{ title: 'orders', native_type: 'delta table', description: 'All orders.', row_count: 42, byte_size: 2000 },
    external_updated_at: new Date(COMMITTED_AT).toISOString(),
    display_metadata: {
      ...{ location: 'shop/orders', partitioned_by: ['day'], reader_version: 1, writer_version: 2 },
      properties: { 'delta.appendOnly': 'false' },
    },
  })
  expect(await findByKey(app, id, 'lake.shop.orders.id')).toMatchObject({
    ...{ native_type: 'long', description: 'Its number.', display_metadata: { nullable: false } },
  })
  expect(await findByKey(app, id, 'lake.shop.orders.day')).toMatchObject({
    display_metadata: { nullable: true, partition_key: true, generated_as: 'cast(at as date)' },
  })
  expect(await findByKey(app, id, 'lake.geo.eu')).toMatchObject({ title: 'geo/eu', entity_type: 'schema' })
  expect(await findByKey(app, id, 'lake.geo.eu.cities')).toMatchObject({
    ...{ native_type: 'iceberg table', description: 'All cities.', row_count: 11, byte_size: 512 },
    external_updated_at: new Date(COMMITTED_AT).toISOString(),
    display_metadata: { location: 's3://lake/geo/cities', format_version: 2, partitioned_by: ['since_month (month)'] },
  })
  expect(await findByKey(app, id, 'lake.geo.eu.cities.since')).toMatchObject({ display_metadata: { field_id: 2, partition_key: true } })
  expect(await findByKey(app, id, 'lake.geo.eu.cities.code')).toMatchObject({ is_pk: true, display_metadata: { nullable: false } })
  await expectNoChanges(app, id, { database: 1, schema: 2, table: 2, column: 10 })
})

test('tables without a new commit or metadata file are not read again', async () => {
  await using written = await writeFolder(createLake())
  const discover = (versions?: Map<string, string>) => discoverAll(lakeFiles, { path: written.folder, exclude: 'tmp_*' }, versions)
  const versions = listVersions(await discover())
  expect([...versions.keys()].sort()).toEqual(['lake.geo.eu.cities', 'lake.shop.orders'])
  const second = await discover(versions)
  expect(
    second
      .filter((each) => each.type === 'unchanged')
      .map(({ key, parent }) => [key, parent])
      .sort(),
  ).toEqual([
    ['lake.geo.eu.cities', 'lake.geo.eu'],
    ['lake.shop.orders', 'lake.shop'],
  ])
  expect(second.some((each) => each.type === 'item' && each.entity_type === 'table')).toBe(false)
  for (const [name, content] of Object.entries(commit(3, commitInfo(), add('day=2026-01-31/d.parquet', 8))))
    await writeFile(join(written.folder, 'shop/orders', name), content)
  const third = await discover(versions)
  expect(third).toContainEqual(expect.objectContaining({ type: 'item', key: 'lake.shop.orders', row_count: 50 }))
  expect(third).toContainEqual(expect.objectContaining({ type: 'unchanged', key: 'lake.geo.eu.cities' }))
})

test('only folders inside TABLINUM_FILES are read, and no links', async () => {
  await using outside = await writeFolder(placeTables({ secret: deltaOrders() }))
  await using written = await writeFolder(placeTables({ orders: deltaOrders() }))
  await symlink(join(outside.folder, 'secret'), join(written.folder, 'linked'))
  await mkdir(join(written.folder, 'half'))
  await symlink(join(outside.folder, 'secret', '_delta_log'), join(written.folder, 'half', '_delta_log'))
  const found = await discoverAll(lakeFiles, { path: written.folder })
  expect(found.flatMap((each) => (each.type === 'item' && each.entity_type === 'table' ? each.key : []))).toEqual(['lake.orders'])
  await using app = await createTestApp({ filesFolder: written.folder })
  for (const path of ['..', outside.folder, 'linked', 'absent']) {
    const id = await createTestIntegration(app, 'lake_files', { path }, { name: path.slice(-50) })
    expect(await getConnectionError(app, id, written.folder)).toContain(`${path} does not exist in the folder TABLINUM_FILES.`)
  }
  await using none = await createTestApp()
  const id = await createTestIntegration(none, 'lake_files', { path: '.' })
  expect(await getConnectionError(none, id, written.folder)).toContain('This server has no folder for files.')
})

test('nested types are columns below their column', async () => {
  expect(listColumnTypes(await readTable(deltaOrders()), KEY)).toEqual([
    'id: long',
    'price: decimal(10,2)',
    'lines: array<struct>',
    'lines.sku: string',
    'labels: map<string, integer>',
    'day: date',
  ])
})

const pointer = (version: number, more: object = {}): TableFiles => ({
  '_delta_log/_last_checkpoint': JSON.stringify({ version, size: 4, ...more }),
})
const BEFORE = [protocol(), metaData(), add('a.parquet', 30), add('b.parquet', 10), remove('long-gone.parquet')]
const AFTER = commit(11, commitInfo(), remove('b.parquet'), add('c.parquet', 12))
const counts = { row_count: 42, byte_size: 2000, updated_at: new Date(COMMITTED_AT).toISOString() }

test('a checkpoint is read in place of the commits before it, and the commits after it', async () => {
  const name = `_delta_log/${toVersion(10)}.checkpoint`
  const classic = { [`${name}.parquet`]: await toCheckpoint(BEFORE), ...AFTER }
  expect(await findTable({ ...classic, ...pointer(10) })).toMatchObject(counts)
  // Commits before the checkpoint are not read, damaged or not.
  expect(await findTable({ ...classic, ...pointer(10), ...commit(9), [`_delta_log/${toVersion(8)}.json`]: '{' })).toMatchObject(counts)
  // The pointer is only a hint: it may be absent, damaged, old, or lead to a checkpoint that was deleted.
  for (const hint of [{}, { '_delta_log/_last_checkpoint': '{"vers' }, { '_delta_log/_last_checkpoint': '' }, pointer(3), pointer(99)])
    expect(await findTable({ ...classic, ...hint })).toMatchObject(counts)
  // Many groups of rows.
  const many = [protocol(), metaData(), ...Array.from({ length: 5000 }, (_, i) => add(`part-${i}.parquet`, 2))]
  const large = { [`${name}.parquet`]: await toCheckpoint(many, 2048), ...commit(11, commitInfo(), remove('part-4999.parquet')) }
  expect(await findTable(large)).toMatchObject({ row_count: 9998, byte_size: 4_999_000 })
  // Several parts count once all of them are there; until then the older checkpoint does.
  const part = (n: number) => `${name}.${String(n).padStart(10, '0')}.${'2'.padStart(10, '0')}.parquet`
  const first = { [part(1)]: await toCheckpoint(BEFORE.slice(0, 3)), ...AFTER, ...pointer(10, { parts: 2 }) }
  expect(await findTable({ ...first, [part(2)]: await toCheckpoint(BEFORE.slice(3)) })).toMatchObject(counts)
  const older = { [`_delta_log/${toVersion(9)}.checkpoint.parquet`]: await toCheckpoint(BEFORE), ...commit(10, commitInfo()) }
  expect(await findTable({ ...first, ...older })).toMatchObject(counts)
  expect(await findReason(first)).toContain('The log has no commit 10, although the newest is 11.')
})

test('a checkpoint of the second version has its files in sidecars', async () => {
  const sidecar = await toCheckpoint([add('a.parquet', 30), add('b.parquet', 10)])
  const sidecars = { '_delta_log/_sidecars/016ae953.parquet': sidecar }
  const manifest = [protocol(), metaData(), { sidecar: { path: '016ae953.parquet', sizeInBytes: sidecar.length, modificationTime: 1 } }]
  const name = `_delta_log/${toVersion(10)}.checkpoint.80a083e8-7026-4e79-81be-64bd76c43a11`
  expect(await findTable({ ...sidecars, ...AFTER, [`${name}.json`]: toLines(manifest) })).toMatchObject(counts)
  expect(await findTable({ ...sidecars, ...AFTER, [`${name}.parquet`]: await toCheckpoint(manifest) })).toMatchObject(counts)
  const escaping = [...manifest.slice(0, 2), { sidecar: { path: '../../../secret', sizeInBytes: 10, modificationTime: 1 } }]
  expect(await findReason({ ...AFTER, [`${name}.json`]: toLines(escaping) })).toContain('The name of a sidecar')
})

test('rows are counted from statistics, without those that are deleted', async () => {
  const vector = { storageType: 'u', pathOrInlineDv: 'ab^-aqEH.-t@S}K{vb[*k^', offset: 4, sizeInBytes: 40, cardinality: 6 }
  const start = commit(0, commitInfo(), metaData(), protocol({ minReaderVersion: 3, readerFeatures: ['deletionVectors'] }))
  const deleted = commit(2, commitInfo(), remove('a.parquet'), add('a.parquet', 30, { deletionVector: vector }))
  const found = await findTable({ ...start, ...commit(1, add('a.parquet', 30)), ...deleted })
  expect(found).toMatchObject({ row_count: 24, byte_size: 1000, facts: { features: ['deletionVectors'] } })
  // The file with its vector is replaced by one with another vector.
  const again = { ...vector, offset: 1, cardinality: 7 }
  const third = commit(3, remove('a.parquet', { deletionVector: vector }), add('a.parquet', 30, { deletionVector: again }))
  expect(await findTable({ ...start, ...commit(1, add('a.parquet', 30)), ...deleted, ...third })).toMatchObject({ row_count: 23 })
  const parsed = await toCheckpoint([protocol(), metaData(), add('a.parquet', undefined, { stats_parsed: { numRecords: 5 } })])
  expect(await findTable({ [`_delta_log/${toVersion(0)}.checkpoint.parquet`]: parsed })).toMatchObject({ row_count: 5 })
  const unknown = await findTable({ ...start, ...commit(1, add('a.parquet', undefined), add('b.parquet', 3)) })
  expect(unknown).toMatchObject({ byte_size: 2000 })
  expect(unknown).not.toHaveProperty('row_count')
})

test('a table that cannot be read is reported with the reason', async () => {
  const last = `_delta_log/${toVersion(2)}.json`
  const { [`_delta_log/${toVersion(1)}.json`]: _, ...gap } = deltaOrders()
  const checkpoint = { [`_delta_log/${toVersion(2)}.checkpoint.parquet`]: 'PAR1 damaged PAR1' }
  for (const [files, reason] of [
    [{ ...deltaOrders(), [last]: '{"add": {' }, 'shop/orders/_delta_log/00000000000000000002.json has a line that is not valid JSON.'],
    [{ ...deltaOrders(), [last]: '{"add": {"size": 1}}' }, '`add.path` must be text, but is missing.'],
    [{ ...deltaOrders(), [last]: '{"add": {"path": "x", "size": "large"}}' }, '`add.size` must be a whole number, but is string.'],
    [{ ...deltaOrders(), [last]: '[]' }, '`the response` must be an action'],
    [gap, 'The log has no commit 1, although the newest is 2.'],
    [commit(0, commitInfo(), protocol()), 'The log has no `metaData`.'],
    [commit(0, commitInfo(), metaData()), 'The log has no `protocol`.'],
    [commit(0, metaData({ schemaString: 'struct<id: int>' }), protocol()), '`metaData.schemaString` must be JSON'],
    [
      commit(0, metaData({ schemaString: '{"type": "struct"}' }), protocol()),
      'metaData.schemaString: `fields` must be a list, but is missing.',
    ],
    [{ ...deltaOrders(), ...checkpoint }, 'is not a readable Parquet file'],
  ] as const)
    expect(await findReason(files)).toContain(reason)
  // It is not treated as missing, and neither is the folder it is in.
  const found = await readTable(gap)
  expect(found.flatMap((each) => (each.type === 'item' || each.type === 'unlisted' ? each.key : []))).toEqual(['lake', 'lake.shop', KEY])
  // A folder without a log is no table (any more).
  expect(await readTable({ '_delta_log/readme.txt': '' })).toHaveLength(1)
})
