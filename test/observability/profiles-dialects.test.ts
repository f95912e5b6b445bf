import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import { createClickhouseSource, skipWithoutClickhouse } from '../servers/clickhouse.ts'
import { createMariadbSource, skipWithoutMariadb } from '../servers/mariadb.ts'
import { findByTitle, profile } from '../support/profiles.ts'
import { createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Previews and profiles the same table of 300 rows in any source. */
const expectProfile = async (app: TestApp, integration: string) => {
  expect(await runSync(app, integration)).toMatchObject({ status: 'COMPLETED', error: null })
  const table = await findByTitle(app, 'or`der"s')
  const { status, body } = await app.call('GET', `/resource/preview_v2/table/${table.id}`)
  expect([status, body.rows?.length, body.truncated, body.detail]).toEqual([200, 50, true, undefined])
  const { job, columns } = await profile(app, table.id, { whole: true })
  expect([job.status, job.logs]).toEqual(['COMPLETED', expect.stringContaining('with 300 rows')])
  expect(columns.id).toMatchObject({
    rows_read: 300,
    nulls: 0,
    min: '1',
    max: '300',
    mean: 150.5,
    sampled: 'all',
    distinct_approximate: false,
  })
  expect(columns.id.histogram).toHaveLength(10)
  expect(columns.status).toMatchObject({
    distinct_values: 3,
    min: 'done',
    max: 'wait',
    top_values: [{ count: 100 }, { count: 100 }, { count: 100 }],
  })
  expect(columns.price).toMatchObject({ min: '0.5', max: '150', mean: 75.25 })
  expect(columns.made_at.min).toMatch(/^2026-01-01 01:00:00/)
  expect(columns.made_at.histogram.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(300)
  expect(columns.day.histogram.reduce((sum: number, { count }: { count: number }) => sum + count, 0)).toBe(300)
  expect(columns.mail).toMatchObject({ withheld: 'suspected', min: null, top_values: null })
  expect(columns.note).toMatchObject({ nulls: 270, null_percentage: 90 })
  const sampled = await profile(app, table.id, { sample_rows: 100 })
  expect(sampled.job.status).toBe('COMPLETED')
  expect(sampled.columns.id.rows_read).toBeLessThanOrEqual(200)
  const { body: found } = await app.call('GET', '/pii/suggestions')
  expect(found.results).toMatchObject([{ resource_title: 'mail', class: 'email' }])
}

describe.skipIf(skipWithoutMariadb)('MariaDB', () => {
  test('is previewed and profiled', async () => {
    await using app = await createTestApp()
    await using source = await createMariadbSource(
      'create table `or``der"s` (id int primary key, status varchar(20), price decimal(10, 2), made_at datetime, day date, mail varchar(100), note json)',
      `insert into \`or\`\`der"s\` select seq, elt(1 + seq % 3, 'open', 'done', 'wait'), seq / 2, timestamp '2026-01-01 00:00:00' + interval seq hour,
        date '2026-01-01' + interval (seq % 100) day, concat('a', seq, '@example.de'), case when seq % 10 = 0 then '{"a": 1}' end from seq_1_to_300`,
    )
    await expectProfile(app, await createTestIntegration(app, 'mysql', source.credentials))
  })
})

test('previews and profiles DuckDB', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-profiles-'))
  try {
    const instance = await DuckDBInstance.create(join(folder, 'shop.duckdb'))
    const connection = await instance.connect()
    await connection.run(`create table "or\`der""s" as select i as id, ['open', 'done', 'wait'][1 + i % 3] as status, cast(i / 2 as decimal(10, 2)) as price,
      timestamp '2026-01-01 00:00:00' + to_hours(i) as made_at, date '2026-01-01' + cast(i % 100 as int) as day, 'a' || i || '@example.de' as mail,
      case when i % 10 = 0 then {a: 1} end as note from range(1, 301) t(i)`)
    connection.closeSync()
    instance.closeSync()
    await using app = await createTestApp({ filesFolder: folder })
    await expectProfile(app, await createTestIntegration(app, 'duckdb', { path: 'shop.duckdb' }))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

describe.skipIf(skipWithoutClickhouse)('ClickHouse', () => {
  test('is previewed and profiled', async () => {
    await using app = await createTestApp()
    await using source = await createClickhouseSource(
      'create table `or\\`der"s` (id UInt32, status String, price Decimal(10, 2), made_at DateTime, day Date, mail String, note Nullable(String)) engine = MergeTree order by id',
      `insert into \`or\\\`der"s\` select number + 1, ['open', 'done', 'wait'][1 + (number + 1) % 3], toDecimal32((number + 1) / 2, 2),
        toDateTime('2026-01-01 00:00:00') + (number + 1) * 3600, toDate('2026-01-01') + (number + 1) % 100, concat('a', toString(number + 1), '@example.de'),
        if((number + 1) % 10 = 0, 'some', null) from system.numbers limit 300`,
    )
    await expectProfile(app, await createTestIntegration(app, 'clickhouse', source.credentials))
  })
})
