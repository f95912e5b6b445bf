import { describe, expect, test } from 'vitest'
import { clickhouseConnector } from '../../../src/sources/connectors/clickhouse/clickhouse.ts'
import type { Source } from '../../../src/sources/connectors/shared/connector.ts'
import { getDialectSql } from '../../../src/sources/connectors/shared/dialect-sql.ts'
import { createTcpServer } from '../../protocols/tcp-server.ts'
import { createClickhouseSource, skipWithoutClickhouse } from '../../servers/clickhouse.ts'
import { eventually } from '../../support/eventually.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { createTestIntegration, expectDialectSql, getConnectionError, toSource } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const open = (source: Source) => clickhouseConnector.sql!.open(source, AbortSignal.timeout(PATIENCE_MS))
const LIMITS = { signal: new AbortController().signal, timeout_ms: 20_000, max_rows: 100 }

describe.skipIf(skipWithoutClickhouse)('ClickHouse connection', () => {
  test('returns readable values', async () => {
    await using source = await createClickhouseSource('create table t (a Int8) engine = Memory')
    await using connection = await open(toSource(source.credentials))
    const { columns, rows, truncated } = await connection.query(
      `select toInt8(-1) as tiny, toUInt64(18446744073709551615) as big, toDecimal128('12345678901234567890.5', 2) as exact, 0.5 as near, 1 / 0 as far,
        'é😀\\t\\n\\\\' as text, '' as nothing, cast(null as Nullable(Int8)) as missing, toDate('2026-02-03') as day,
        toDateTime('2026-02-03 04:05:06', 'UTC') as moment, [1, 2] as list, 'a' as text2, cast('b' as Enum8('a' = 1, 'b' = 2)) as kind ;`,
      LIMITS,
    )
    expect(truncated).toBe(false)
    expect(columns.slice(0, 5)).toEqual([
      { name: 'tiny', type: 'Int8' },
      { name: 'big', type: 'UInt64' },
      { name: 'exact', type: 'Decimal(38, 2)' },
      { name: 'near', type: 'Float64' },
      { name: 'far', type: 'Float64' },
    ])
    expect(rows).toEqual([
      [
        -1,
        '18446744073709551615',
        '12345678901234567890.50',
        0.5,
        'inf',
        'é😀\t\n\\',
        '',
        null,
        '2026-02-03',
        '2026-02-03 04:05:06',
        '[1,2]',
        'a',
        'b',
      ],
    ])
    expect(await connection.query('select a from t', LIMITS)).toEqual({
      columns: [{ name: 'a', type: 'Int8' }],
      rows: [],
      truncated: false,
    })
    await expect(connection.query('select not_there from t', LIMITS)).rejects.toThrow(/not_there/)
  })

  test('accepts our dialect SQL, also with unusual names', async () => {
    const [table, column] = ['ta.ble `x` "y" \\z\nline 😀', "co`l'u.mn \\"]
    const dialectSql = getDialectSql('clickhouse')
    await using source = await createClickhouseSource(
      `create table ${dialectSql.quote(table)} (${dialectSql.quote(column)} Nullable(String), at Nullable(DateTime)) engine = Memory`,
      `insert into ${dialectSql.quote(table)} select '1.5', toNullable(now() - 10800)`,
      `insert into ${dialectSql.quote(table)} select '1.5', null`,
      `insert into ${dialectSql.quote(table)} select null, null`,
    )
    await using connection = await open(toSource(source.credentials))
    await expectDialectSql(connection, dialectSql, [source.name, table], column)
  })

  test('returns at most the requested number of rows', async () => {
    await using source = await createClickhouseSource()
    for (const user of ['reader', 'writer', 'frozen']) {
      await using connection = await open(toSource(source.credentials, { user }))
      for (const [sql, n, truncated] of [
        ['select number from system.numbers limit 300000', 3, true],
        ['select number from system.numbers limit 3', 3, false],
        ['select number from system.numbers limit 3', 0, true],
      ] as const) {
        const response = await connection.query(sql, { ...LIMITS, max_rows: n })
        expect([user, sql, response.rows, response.truncated]).toEqual([user, sql, [[0], [1], [2]].slice(0, n), truncated])
      }
    }
  })

  test('cancels the query on a timeout or abort, also on the server', async () => {
    await using source = await createClickhouseSource()
    const slow = 'select count() from system.numbers where number = 7 and cityHash64(number) = 8'
    const working = async () =>
      Number((await source.run("select count() from system.processes where query like 'select count() from system.numbers%'"))[0])
    for (const user of ['reader', 'writer']) {
      await using connection = await open(toSource(source.credentials, { user }))
      await expect(connection.query(slow, { ...LIMITS, timeout_ms: 500 })).rejects.toThrow('The operation timed out.')
      const stop = new AbortController()
      const response = connection.query(slow, { ...LIMITS, timeout_ms: 5_000, signal: stop.signal })
      await eventually(async () => expect(await working()).toBe(1))
      stop.abort()
      await expect(response).rejects.toThrow('The operation was cancelled.')
      await eventually(async () => expect(await working()).toBe(0))
    }
  })

  test('rejects everything that would write', async () => {
    await using source = await createClickhouseSource('create table t (a Int8) engine = Memory')
    for (const user of ['reader', 'writer', 'frozen']) {
      await using connection = await open(toSource(source.credentials, { user }))
      for (const sql of [
        'insert into t values (1)',
        'insert into t select 1',
        'create table u (a Int8) engine = Memory',
        'drop table t',
        'alter table t add column b Int8',
        'set readonly = 0',
        'select 1; insert into t select 1',
        'select 1 settings readonly = 0',
        'select 1 format JSON',
        'kill query where 1',
        '/* /* */ kill query where 1 -- */ select 1',
        '',
      ])
        await expect(connection.query(sql, LIMITS), `${user} ${sql}`).rejects.toThrow(/./)
      expect((await connection.query('/* what is there? */ -- all\nshow tables', LIMITS)).rows).toEqual([['t']])
    }
    expect(await source.run('select count() from t')).toEqual(['0\n'])
  })

  test('explains why it cannot connect, without secrets', async () => {
    await using app = await createTestApp()
    await using source = await createClickhouseSource()
    const id = await createTestIntegration(app, 'clickhouse', { ...source.credentials, password: 'wrong horse' })
    const why = () => getConnectionError(app, id, 'wrong horse')
    expect(await why()).toMatch(/^Could not connect to the source: .*(password|authentication)/i)
    for (const [credentials, dialectSql] of [
      [{ port: 1 }, /ECONNREFUSED/],
      [{ port: source.credentials.port, ssl: true }, /SSL|TLS|EPROTO|wrong version|hang up/i],
      [{ ca: 'x' }, /must be a PEM/],
    ] as const) {
      await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { ...credentials, password: 'wrong horse' } } })
      expect(await why()).toMatch(dialectSql)
    }
  })

  test('reports a connection closed halfway', async () => {
    await using source = await createClickhouseSource()
    await using connection = await open(toSource(source.credentials))
    const response = connection.query('select count() from system.numbers where number = 7', LIMITS)
    setTimeout(source.cut, 100)
    await expect(response).rejects.toThrow(/hang up|ECONNRESET|aborted|closed/i)
  })
})

describe('a server that is not ClickHouse', () => {
  test('times out if it never responds', async () => {
    using silent = await createTcpServer(() => {})
    await expect(clickhouseConnector.test(toSource(silent.credentials), AbortSignal.timeout(300))).rejects.toThrow(
      'The operation timed out.',
    )
    using half = await createTcpServer((socket) => socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'))
    await expect(clickhouseConnector.test(toSource(half.credentials), AbortSignal.timeout(300))).rejects.toThrow('The operation timed out.')
  })

  test('is reported if it sends invalid responses', async () => {
    const response = (body: string, length = body.length) =>
      `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`
    for (const reply of [
      'hello',
      'HTTP/1.1 200 OK\r\n\r\n',
      'HTTP/1.1 500 No\r\nContent-Length: 3\r\n\r\nno.',
      'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n',
      response('{"data": []}'),
      response('version()\nString\n1\t2\n'),
      response('version()\nString\n26.1', 500),
      response('\0\xff\n\n\n'),
    ]) {
      using server = await createTcpServer((socket) => socket.once('data', () => socket.end(reply)))
      await expect(clickhouseConnector.test(toSource(server.credentials), AbortSignal.timeout(5_000)), reply).rejects.toThrow(/./)
    }
  })
})
