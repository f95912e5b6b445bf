import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { mysqlConnector } from '../../../src/sources/connectors/mysql/mysql.ts'
import { MysqlConnection } from '../../../src/sources/connectors/mysql/mysql-connection.ts'
import type { Source } from '../../../src/sources/connectors/shared/connector.ts'
import { getDialectSql } from '../../../src/sources/connectors/shared/dialect-sql.ts'
import { createTcpServer } from '../../protocols/tcp-server.ts'
import { createMariadbSource, skipWithoutMariadb } from '../../servers/mariadb.ts'
import { eventually } from '../../support/eventually.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { createTestIntegration, expectDialectSql, getConnectionError, toSource } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const open = (source: Source) => mysqlConnector.sql!.open(source, AbortSignal.timeout(PATIENCE_MS))
const LIMITS = { signal: new AbortController().signal, timeout_ms: 20_000, max_rows: 100 }

describe.skipIf(skipWithoutMariadb)('MariaDB connection', () => {
  test('returns readable values', async () => {
    await using source = await createMariadbSource(
      `create table t (tiny tinyint, big bigint unsigned, exact decimal(30, 10), near double, text varchar(20), bytes varbinary(4), flags bit(9),
        day date, moment datetime(3), stamp timestamp, clock time, doc json, kind enum('a', 'b'), place point, y year)`,
      `insert into t values (-1, 18446744073709551615, 12345678901234567890.5, 0.5, 'é😀', x'00ff', b'100000001', '2026-02-03', '2026-02-03 04:05:06.789',
        '2026-02-03 04:05:06', '-12:00:01', '{"a": 1}', 'b', point(1, 2), 2026)`,
      'insert into t (tiny) values (null)',
    )
    await using connection = await open(toSource(source.credentials))
    const { columns, rows, truncated } = await connection.query('select * from t order by tiny desc', LIMITS)
    expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'tiny tinyint',
      'big bigint',
      'exact decimal',
      'near double',
      'text varchar',
      'bytes varbinary',
      'flags bit',
      'day date',
      'moment datetime',
      'stamp timestamp',
      'clock time',
      'doc text',
      'kind char',
      'place geometry',
      'y year',
    ])
    expect(truncated).toBe(false)
    const [first, second] = rows
    expect(first!.toSpliced(13, 1)).toEqual([
      -1,
      '18446744073709551615',
      '12345678901234567890.5000000000',
      0.5,
      'é😀',
      '\\x00ff',
      257,
      '2026-02-03',
      '2026-02-03 04:05:06.789',
      '2026-02-03 04:05:06',
      '-12:00:01',
      '{"a": 1}',
      'b',
      2026,
    ])
    expect(first![13]).toMatch(/^\\x/)
    expect(second).toEqual(Array.from({ length: 15 }, () => null))
    expect(await connection.query('select 1 as a, 2 as a; ', LIMITS)).toMatchObject({
      columns: [{ name: 'a' }, { name: 'a' }],
      rows: [[1, 2]],
    })
    expect(await connection.query('select tiny from t where false', LIMITS)).toEqual({
      columns: [{ name: 'tiny', type: 'tinyint' }],
      rows: [],
      truncated: false,
    })
  })

  test('accepts our dialect SQL, also with unusual names', async () => {
    const [table, column] = ['ta.ble `x` "y" \\z\nline ☃', "co`l'u.mn \\"]
    const dialectSql = getDialectSql('mysql')
    await using source = await createMariadbSource(
      `create table ${dialectSql.quote(table)} (${dialectSql.quote(column)} varchar(20), at datetime)`,
      `insert into ${dialectSql.quote(table)} values ('1.5', utc_timestamp() - interval 3 hour), ('1.5', null), (null, null)`,
    )
    await using connection = await open(toSource(source.credentials))
    await expectDialectSql(connection, dialectSql, [source.name, table], column)
  })

  test('returns at most the requested number of rows and stays usable', async () => {
    await using source = await createMariadbSource()
    await using connection = await open(toSource(source.credentials))
    for (const [sql, n, truncated] of [
      ['select seq from seq_1_to_10000000', 3, true],
      ['select seq from seq_1_to_10000000 limit 9000000', 3, true],
      ['select seq from seq_1_to_3', 3, false],
      ['select seq from seq_1_to_3', 0, true],
    ] as const) {
      const response = await connection.query(sql, { ...LIMITS, max_rows: n })
      expect([sql, response.rows, response.truncated]).toEqual([sql, [[1], [2], [3]].slice(0, n), truncated])
    }
  })

  test('cancels the query on a timeout or abort, also on the server', async () => {
    await using source = await createMariadbSource()
    const requested = toSource(source.credentials)
    const slow = 'select count(*) from seq_1_to_100000 a, seq_1_to_100000 b where a.seq * b.seq = 7'
    const working = async () => {
      const [rows] = (await source.run(
        `select count(*) as n from information_schema.processlist where user = '${source.credentials.user}' and info like 'select count%'`,
      )) as { n: number }[][]
      return rows![0]!.n
    }
    await using connection = await open(requested)
    await expect(connection.query(slow, { ...LIMITS, timeout_ms: 200 })).rejects.toThrow('The operation timed out.')
    await using other = await open(requested)
    const stop = new AbortController()
    const response = other.query(slow, { ...LIMITS, timeout_ms: 600_000, signal: stop.signal })
    await eventually(async () => expect(await working()).toBe(1))
    stop.abort()
    await expect(response).rejects.toThrow('The operation was cancelled.')
    await eventually(async () => expect(await working()).toBe(0))
  })

  test('rejects everything that would write', async () => {
    await using source = await createMariadbSource('create table t (a int)', 'create table u (a int)')
    const { user } = source.credentials
    await source.run(
      `grant all on ${source.name}.* to ${user}@localhost`,
      `grant file on *.* to ${user}@localhost`,
      'create function boom() returns int begin insert into t values (1); return 1; end',
    )
    await using connection = await open(toSource(source.credentials))
    for (const sql of [
      'insert into t values (1)',
      'with x as (select 1) delete from t',
      'select boom()',
      'create table v (a int)',
      'drop table u',
      'truncate table u',
      'commit',
      'set session transaction read write',
      'start transaction read write',
      'select 1; insert into t values (1)',
      "select 1 into outfile 'tablinum-outfile'",
      "select 1 into/**/ OUTFILE 'tablinum-outfile'",
      "select 'a\\' into outfile 'tablinum-outfile' -- '",
      "select 1 /*! into outfile 'tablinum-outfile' */",
      "select 1 /*M! into outfile 'tablinum-outfile' */",
      '/*! insert into t values (1) */',
      "load data local infile '/etc/hostname' into table t",
      'call boom()',
      'explain analyze delete from t',
      '',
      '-- nothing',
    ])
      await expect(connection.query(sql, LIMITS), sql).rejects.toThrow(/./)
    for (const sql of [
      'SHOW tables',
      '(select 1)',
      "/* hello */ select 'into outfile', '/*! x */'",
      '# hello\nselect 1',
      'explain select 1',
    ])
      expect([sql, (await connection.query(sql, LIMITS)).rows.length]).toEqual([sql, expect.any(Number)])
    const [left] = (await source.run('select (select count(*) from t) + (select count(*) from u) as n')) as { n: number }[][]
    expect(left).toEqual([{ n: 0 }])
    expect((await source.run("show tables like 'v'"))[0]).toEqual([])
  })

  test('connects over TLS only with a trusted certificate', async () => {
    await using source = await createMariadbSource('create table t (a int)')
    const { ca, credentials } = source
    const named = toSource(credentials, { host: 'localhost', ssl: true, ca })
    await using connection = await open(named)
    expect((await connection.query("show status like 'Ssl_cipher'", LIMITS)).rows).toEqual([['Ssl_cipher', expect.stringMatching(/./)]])
    for (const [more, why] of [
      [{ ca: '-----BEGIN CERTIFICATE-----\nx' }, /must be a PEM/],
      [{ host: '127.0.0.1', ca }, /requires a host name/],
    ] as const)
      await expect(mysqlConnector.test(toSource(credentials, { host: 'localhost', ssl: true, ...more }), LIMITS.signal)).rejects.toThrow(
        why,
      )
    const unknown = toSource(credentials, { host: 'localhost', ssl: true })
    await expect(mysqlConnector.test(unknown, LIMITS.signal)).rejects.toThrow(/certificate/)
  })

  test('explains why it cannot connect, without secrets', async () => {
    await using app = await createTestApp()
    await using source = await createMariadbSource()
    const id = await createTestIntegration(app, 'mysql', { ...source.credentials, password: 'wrong horse' })
    const test = () => getConnectionError(app, id, 'wrong horse')
    expect(await test()).toMatch(/^Could not connect to the source: Access denied for user .* \(using password: YES\)$/)
    await app.call('PATCH', `/integration/integrations/${id}`, {
      body: { credentials: { port: 1, password: source.credentials.password } },
    })
    expect(await test()).toMatch(/ECONNREFUSED/)
  })

  test('reports a connection closed halfway', async () => {
    await using source = await createMariadbSource(...Array.from({ length: 30 }, (_, i) => `create table t${i} (a int, b int, c int)`))
    await using connection = await open(toSource(source.credentials))
    const response = connection.query('select sleep(20)', LIMITS)
    setTimeout(source.cut, 100)
    await expect(response).rejects.toThrow(/closed|ECONNRESET|EPIPE/i)
    const walk = async () => {
      for await (const { entity_type } of mysqlConnector.discover(toSource(source.credentials), { ...LIMITS, log: async () => {} }))
        if (entity_type === 'database') source.cut()
    }
    await expect(walk()).rejects.toThrow(/closed|ECONNRESET|EPIPE/i)
  })
})

const packet = (number: number, bytes: Buffer): Buffer => {
  const head = Buffer.alloc(4)
  head.writeUIntLE(bytes.length, 0, 3)
  head[3] = number
  return Buffer.concat([head, bytes])
}
const GREETING = packet(
  0,
  Buffer.concat([
    Buffer.from([10]),
    Buffer.from('8.0.36\0'),
    Buffer.from([1, 0, 0, 0]),
    Buffer.from('12345678\0'),
    Buffer.from([0xff, 0xf7, 0x21, 2, 0, 0xff, 0x81, 21]),
    Buffer.alloc(10),
    Buffer.from('123456789012\0mysql_native_password\0'),
  ]),
)
const OK = (number: number) => packet(number, Buffer.from([0, 0, 0, 2, 0, 0, 0]))

const text = (value: string) => Buffer.concat([Buffer.from([value.length]), Buffer.from(value)])
const column = (name: string, type: number) =>
  Buffer.concat([...['def', '', '', '', name, ''].map(text), Buffer.from([12, 45, 0, 255, 0, 0, 0, type, 0, 0, 0, 0, 0])])
const END = Buffer.from([0xfe, 0, 0, 2, 0])
const VERSION = Buffer.concat(
  [Buffer.from([2]), column('version', 253), column('id', 8), END, Buffer.concat([text('8.0.36'), text('7')]), END].map((bytes, i) =>
    packet(i + 1, bytes),
  ),
)

describe('a server that is not MySQL', () => {
  test('times out if it never responds', async () => {
    using silent = await createTcpServer(() => {})
    await expect(mysqlConnector.test(toSource(silent.credentials), AbortSignal.timeout(300))).rejects.toThrow('The operation timed out.')
    using greeting = await createTcpServer((socket) => socket.write(GREETING))
    await expect(mysqlConnector.test(toSource(greeting.credentials), AbortSignal.timeout(300))).rejects.toThrow('The operation timed out.')
  })

  test('is reported if it sends invalid packets', async () => {
    let seed = 1
    const next = () => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed >> 16
    }
    const noise = (n: number) => Buffer.from(Array.from({ length: n }, next))
    const trace = vi.spyOn(console, 'trace').mockReturnValue() // printed by the driver
    for (let i = 0; i < 60; i++) {
      using server = await createTcpServer((socket) => {
        if (i % 3 === 0) socket.end(noise(1 + i * 3))
        else if (i % 3 === 1) socket.end(packet(0, noise(1 + i)))
        else {
          socket.write(GREETING)
          let responseCount = 0
          socket.on('data', () => {
            responseCount += 1
            if (responseCount === 1) socket.write(i % 2 ? OK(2) : packet(2, noise(i)))
            else socket.end(Buffer.concat([packet(1, noise(1 + (i % 5))), packet(2, noise(i)), packet(3, noise(i))]))
          })
        }
      })
      const opened = MysqlConnection.open({ ...server.credentials, ssl: false })
      const late = sleep(2_000).then(() => Promise.reject(new Error('Nothing more is sent.')))
      await expect(Promise.race([opened, late]), `${i}`).rejects.toThrow(/./)
    }
    trace.mockRestore()
  })

  test('is ignored if it sends unsolicited packets', async () => {
    const notified = Promise.withResolvers<void>()
    let unsolicited = 0
    using server = await createTcpServer((socket) => {
      socket.write(GREETING)
      socket.once('data', () => {
        socket.write(OK(2))
        socket.on('data', (bytes: Buffer) => {
          const message = bytes.toString('latin1')
          socket.write(message.includes('version()') ? VERSION : OK(1))
          // The last packet it gets before the first query.
          if (!message.includes('time_zone') || unsolicited > 0) return
          unsolicited += 1
          setTimeout(() => socket.write(packet(0, Buffer.from([0xff])), () => notified.resolve()), 20)
        })
      })
    })
    await using connection = await open(toSource(server.credentials))
    await notified.promise
    await sleep(500) // until it has been received
    expect((await connection.query('select version()', LIMITS)).rows).toEqual([['8.0.36', 7]]) // over a new connection
  })

  test('gets no local files if it requests them', async () => {
    const received: Buffer[] = []
    using server = await createTcpServer((socket) => {
      socket.write(GREETING)
      let requested = 0
      socket.on('data', (bytes: Buffer) => {
        received.push(bytes)
        requested += 1
        if (requested === 1) socket.write(OK(2))
        else if (requested === 2) socket.write(packet(1, Buffer.concat([Buffer.from([0xfb]), Buffer.from('/etc/hostname')])))
        else socket.write(OK(3))
      })
    })
    await expect(mysqlConnector.test(toSource(server.credentials), AbortSignal.timeout(5_000))).rejects.toThrow(/./)
    expect(received[0]!.readUInt32LE(4) & 0x80).toBe(0) // the capability is not announced
    expect(received[0]!.toString('latin1')).not.toContain('correct horse')
    expect(received[2]).toEqual(Buffer.from([0, 0, 0, 2]))
  })
})
