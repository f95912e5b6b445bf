import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'

/** Files of tables as engines write them: names below the table's folder. */
export type TableFiles = Record<string, string | Buffer>

export const COMMITTED_AT = 1_775_000_000_000

const field = (name: string, type: unknown, more: object = {}) => ({ name, type, nullable: true, metadata: {}, ...more })
const SCHEMA = {
  type: 'struct',
  fields: [
    field('id', 'long', { nullable: false, metadata: { comment: 'Its number.' } }),
    field('price', 'decimal(10,2)'),
    field('lines', { type: 'array', containsNull: true, elementType: { type: 'struct', fields: [field('sku', 'string')] } }),
    field('labels', { type: 'map', keyType: 'string', valueType: 'integer', valueContainsNull: true }),
    field('day', 'date', { metadata: { 'delta.generationExpression': 'cast(at as date)' } }),
  ],
}

export const metaData = (more: object = {}) => ({
  metaData: {
    id: '5fba94ed-9794-4965-ba6e-6ee3c0d22af9',
    name: 'orders',
    description: 'All orders.',
    format: { provider: 'parquet', options: {} },
    schemaString: JSON.stringify(SCHEMA),
    partitionColumns: ['day'],
    configuration: { 'delta.appendOnly': 'false', 'fs.account.key': 'not-shown' },
    createdTime: COMMITTED_AT,
    ...more,
  },
})
export const protocol = (more: object = {}) => ({ protocol: { minReaderVersion: 1, minWriterVersion: 2, ...more } })
export const add = (path: string, rows: number | undefined, more: object = {}) => ({
  add: {
    ...{ path, partitionValues: { day: '2026-01-31' }, size: 1000, modificationTime: COMMITTED_AT, dataChange: true },
    ...(rows === undefined ? {} : { stats: JSON.stringify({ numRecords: rows, minValues: { id: 1 }, maxValues: { id: 9 } }) }),
    ...more,
  },
})
export const remove = (path: string, more: object = {}) => ({
  remove: { path, deletionTimestamp: COMMITTED_AT, dataChange: true, ...more },
})
export const commitInfo = (timestamp = COMMITTED_AT) => ({ commitInfo: { timestamp, operation: 'WRITE', engineInfo: 'Apache-Spark/3.5' } })

export const toVersion = (version: number): string => String(version).padStart(20, '0')
export const commit = (version: number, ...actions: readonly object[]): TableFiles => ({
  [`_delta_log/${toVersion(version)}.json`]: toLines(actions),
})
export const toLines = (actions: readonly object[]): string => actions.map((action) => `${JSON.stringify(action)}\n`).join('')

/** Three commits: two files, and one of them replaced. 42 rows in 2,000 bytes. */
export const deltaOrders = (): TableFiles => ({
  ...commit(0, commitInfo(COMMITTED_AT - 2000), metaData(), protocol()),
  ...commit(1, commitInfo(COMMITTED_AT - 1000), add('day=2026-01-31/a.parquet', 30), add('day=2026-01-31/b.parquet', 10)),
  ...commit(2, commitInfo(), remove('day=2026-01-31/b.parquet'), add('day=2026-01-31/c.parquet', 12)),
})

const STRUCTS = {
  txn: 'struct(appId varchar, version bigint)',
  add: `struct(path varchar, partitionValues map(varchar, varchar), size bigint, modificationTime bigint, dataChange boolean, stats varchar,
    deletionVector struct(storageType varchar, pathOrInlineDv varchar, "offset" integer, sizeInBytes integer, cardinality bigint),
    stats_parsed struct(numRecords bigint, minValues struct(id bigint)))`,
  remove: 'struct(path varchar, deletionTimestamp bigint, dataChange boolean)',
  metaData: `struct(id varchar, name varchar, description varchar, format struct(provider varchar, options map(varchar, varchar)),
    schemaString varchar, partitionColumns varchar[], configuration map(varchar, varchar), createdTime bigint)`,
  protocol: 'struct(minReaderVersion integer, minWriterVersion integer, readerFeatures varchar[], writerFeatures varchar[])',
  sidecar: 'struct(path varchar, sizeInBytes bigint, modificationTime bigint)',
}

/** A checkpoint in Parquet, written by DuckDB. */
export const toCheckpoint = async (actions: readonly object[], groupSize = 2048): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'checkpoint-'))
  try {
    await writeFile(join(folder, 'actions.json'), toLines(actions))
    const instance = await DuckDBInstance.create()
    const connection = await instance.connect()
    const columns = Object.entries(STRUCTS).map(([name, type]) => `${name}: '${type.replaceAll("'", "''")}'`)
    await connection.run(
      `copy (select * from read_json('${folder}/actions.json', format = 'newline_delimited', columns = {${columns.join(', ')}}))
      to '${folder}/actions.parquet' (format parquet, row_group_size ${groupSize})`,
    )
    connection.closeSync()
    instance.closeSync()
    return await readFile(join(folder, 'actions.parquet'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Version 2 of the format, without a catalog: the third metadata file is the newest. */
export const icebergCities = (change: (metadata: Record<string, unknown>) => void = () => {}): TableFiles => {
  const metadata: Record<string, unknown> = {
    'format-version': 2,
    'table-uuid': '9c12d441-03fe-4693-9a96-a0705ddf69c1',
    location: 's3://lake/geo/cities',
    'last-updated-ms': COMMITTED_AT,
    'current-schema-id': 1,
    schemas: [
      { type: 'struct', 'schema-id': 0, fields: [{ id: 1, name: 'old', required: false, type: 'string' }] },
      {
        ...{ type: 'struct', 'schema-id': 1, 'identifier-field-ids': [1] },
        fields: [
          { id: 1, name: 'code', required: true, type: 'string', doc: 'Of the post.' },
          { id: 2, name: 'since', required: false, type: 'timestamptz' },
          {
            ...{ id: 3, name: 'shops', required: false },
            type: {
              ...{ type: 'list', 'element-id': 4, 'element-required': true },
              element: { type: 'struct', fields: [{ id: 5, name: 'street', required: true, type: 'string' }] },
            },
          },
        ],
      },
    ],
    'default-spec-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: [{ 'source-id': 2, 'field-id': 1000, name: 'since_month', transform: 'month' }] }],
    properties: { comment: 'All cities.', 'write.format.default': 'parquet' },
    'current-snapshot-id': 7,
    snapshots: [{ 'snapshot-id': 7, summary: { operation: 'append', 'total-records': '11', 'total-files-size': '512' } }],
  }
  change(metadata)
  return {
    'metadata/00000-aaaa.metadata.json': '{"left": "over"}',
    'metadata/00010-bbbb.metadata.json': JSON.stringify(metadata),
    'metadata/00009-cccc.metadata.json': '{"left": "over"}',
    'metadata/snap-7-1-dddd.avro': 'Obj',
    'data/part-1.parquet': 'PAR1',
  }
}

/** The files of tables by their paths. */
export const placeTables = (tables: Readonly<Record<string, TableFiles>>): Map<string, Buffer> =>
  new Map(
    Object.entries(tables).flatMap(([table, files]) =>
      Object.entries(files).map(([name, content]) => [table === '' ? name : `${table}/${name}`, Buffer.from(content)] as const),
    ),
  )

/** A lake with a table of each format, one that patterns exclude, and folders without tables. */
export const createLake = (): Map<string, Buffer> =>
  placeTables({
    'shop/orders': { ...deltaOrders(), 'day=2026-01-31/a.parquet': 'PAR1' },
    'geo/eu/cities': icebergCities(),
    'shop/tmp_x': deltaOrders(),
    'raw/events': { 'day=1/part.parquet': 'PAR1', 'day=2/part.parquet': 'PAR1', _SUCCESS: '' },
    notes: { 'metadata/readme.txt': 'Not a table.' },
  })
