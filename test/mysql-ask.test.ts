import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import type { Source } from '../src/integrations/connectors/connector.ts'
import { mysqlConnector } from '../src/integrations/connectors/mysql.ts'
import { wordsOf } from '../src/integrations/connectors/words.ts'
import { aHouse } from './house.ts'
import { anyServer } from './servers/any.ts'
import { aMariadb, noMariadb } from './servers/mariadb.ts'
import { connectTo, sourceOf, understands, whyNot } from './sources.ts'

vi.setConfig({ testTimeout: 90_000 }) // the first test waits for the server

const open = (source: Source) => mysqlConnector.sql!.open(source, AbortSignal.timeout(20_000))
const LIMITS = { signal: new AbortController().signal, timeout_ms: 20_000, max_rows: 100 }

describe.skipIf(noMariadb)('MariaDB connection', () => {
  test('returns readable values', async () => {
    await using source = await aMariadb(
      `create table t (tiny tinyint, big bigint unsigned, exact decimal(30, 10), near double, text varchar(20), bytes varbinary(4), flags bit(9),
        day date, moment datetime(3), stamp timestamp, clock time, doc json, kind enum('a', 'b'), place point, y year)`,
      `insert into t values (-1, 18446744073709551615, 12345678901234567890.5, 0.5, 'é😀', x'00ff', b'100000001', '2026-02-03', '2026-02-03 04:05:06.789',
        '2026-02-03 04:05:06', '-12:00:01', '{"a": 1}', 'b', point(1, 2), 2026)`,
      'insert into t (tiny) values (null)',
    )
    await using asking = await open(sourceOf(source.credentials))
    const { columns, rows, truncated } = await asking.ask('select * from t order by tiny desc', LIMITS)
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
    expect(await asking.ask('select 1 as a, 2 as a; ', LIMITS)).toMatchObject({ columns: [{ name: 'a' }, { name: 'a' }], rows: [[1, 2]] })
    expect(await asking.ask('select tiny from t where false', LIMITS)).toEqual({
      columns: [{ name: 'tiny', type: 'tinyint' }],
      rows: [],
      truncated: false,
    })
  })

  test('accepts our dialect SQL, also with unusual names', async () => {
    const [table, column] = ['ta.ble `x` "y" \\z\nline ☃', "co`l'u.mn \\"]
    const words = wordsOf('mysql')
    await using source = await aMariadb(
      `create table ${words.quote(table)} (${words.quote(column)} varchar(20), at datetime)`,
      `insert into ${words.quote(table)} values ('1.5', utc_timestamp() - interval 3 hour), ('1.5', null), (null, null)`,
    )
    await using asking = await open(sourceOf(source.credentials))
    await understands(asking, words, [source.name, table], column)
  })

  test('returns at most the requested number of rows and stays usable', async () => {
    await using source = await aMariadb()
    await using asking = await open(sourceOf(source.credentials))
    for (const [sql, n, truncated] of [
      ['select seq from seq_1_to_10000000', 3, true],
      ['select seq from seq_1_to_10000000 limit 9000000', 3, true],
      ['select seq from seq_1_to_3', 3, false],
      ['select seq from seq_1_to_3', 0, true],
    ] as const) {
      const answer = await asking.ask(sql, { ...LIMITS, max_rows: n })
      expect([sql, answer.rows, answer.truncated]).toEqual([sql, [[1], [2], [3]].slice(0, n), truncated])
    }
  })

  test('cancels the query on a timeout or abort, also on the server', async () => {
    await using source = await aMariadb()
    const asked = sourceOf(source.credentials)
    const slow = 'select count(*) from seq_1_to_100000 a, seq_1_to_100000 b where a.seq * b.seq = 7'
    const working = async () => {
      const [rows] = (await source.run(
        `select count(*) as n from information_schema.processlist where user = '${source.credentials.user}' and info like 'select count%'`,
      )) as { n: number }[][]
      return rows![0]!.n
    }
    await using asking = await open(asked)
    await expect(asking.ask(slow, { ...LIMITS, timeout_ms: 200 })).rejects.toThrow('The operation timed out.')
    await using other = await open(asked)
    const stop = new AbortController()
    const answer = other.ask(slow, { ...LIMITS, timeout_ms: 600_000, signal: stop.signal })
    await vi.waitFor(async () => expect(await working()).toBe(1), { timeout: 20_000 })
    stop.abort()
    await expect(answer).rejects.toThrow('The operation was cancelled.')
    await vi.waitFor(async () => expect(await working()).toBe(0), { timeout: 20_000 })
  })

  test('rejects everything that would write', async () => {
    await using source = await aMariadb('create table t (a int)', 'create table u (a int)')
    const { user } = source.credentials
    await source.run(
      `grant all on ${source.name}.* to ${user}@localhost`,
      `grant file on *.* to ${user}@localhost`,
      'create function boom() returns int begin insert into t values (1); return 1; end',
    )
    await using asking = await open(sourceOf(source.credentials))
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
      await expect(asking.ask(sql, LIMITS), sql).rejects.toThrow(/./)
    for (const sql of [
      'SHOW tables',
      '(select 1)',
      "/* hello */ select 'into outfile', '/*! x */'",
      '# hello\nselect 1',
      'explain select 1',
    ])
      expect([sql, (await asking.ask(sql, LIMITS)).rows.length]).toEqual([sql, expect.any(Number)])
    const [left] = (await source.run('select (select count(*) from t) + (select count(*) from u) as n')) as { n: number }[][]
    expect(left).toEqual([{ n: 0 }])
    expect((await source.run("show tables like 'v'"))[0]).toEqual([])
  })

  test('connects over TLS only with a trusted certificate', async () => {
    await using source = await aMariadb('create table t (a int)')
    const { ca, credentials } = source
    const named = sourceOf(credentials, { host: 'localhost', ssl: true, ca })
    await using asking = await open(named)
    expect((await asking.ask("show status like 'Ssl_cipher'", LIMITS)).rows).toEqual([['Ssl_cipher', expect.stringMatching(/./)]])
    for (const [more, why] of [
      [{ ca: '-----BEGIN CERTIFICATE-----\nx' }, /must be a PEM/],
      [{ host: '127.0.0.1', ca }, /requires a host name/],
    ] as const)
      await expect(mysqlConnector.test(sourceOf(credentials, { host: 'localhost', ssl: true, ...more }), LIMITS.signal)).rejects.toThrow(
        why,
      )
    const unknown = sourceOf(credentials, { host: 'localhost', ssl: true })
    await expect(mysqlConnector.test(unknown, LIMITS.signal)).rejects.toThrow(/certificate/)
  })

  test('explains why it cannot connect, without secrets', async () => {
    await using house = await aHouse()
    await using source = await aMariadb()
    const id = await connectTo(house, 'mysql', { ...source.credentials, password: 'wrong horse' })
    const test = () => whyNot(house, id, 'wrong horse')
    expect(await test()).toMatch(/^Could not connect to the source: Access denied for user .* \(using password: YES\)$/)
    await house.call('PATCH', `/integration/integrations/${id}`, {
      body: { credentials: { port: 1, password: source.credentials.password } },
    })
    expect(await test()).toMatch(/ECONNREFUSED/)
  })

  test('reports a connection closed halfway', async () => {
    await using source = await aMariadb(...Array.from({ length: 30 }, (_, i) => `create table t${i} (a int, b int, c int)`))
    await using asking = await open(sourceOf(source.credentials))
    const answer = asking.ask('select sleep(20)', LIMITS)
    setTimeout(source.cut, 100)
    await expect(answer).rejects.toThrow(/closed|ECONNRESET|EPIPE/i)
    const walk = async () => {
      for await (const { entity_type } of mysqlConnector.discover(sourceOf(source.credentials), { ...LIMITS, say: async () => {} }))
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
    using silent = await anyServer(() => {})
    await expect(mysqlConnector.test(sourceOf(silent.credentials), AbortSignal.timeout(300))).rejects.toThrow('The operation timed out.')
    using greeting = await anyServer((socket) => socket.write(GREETING))
    await expect(mysqlConnector.test(sourceOf(greeting.credentials), AbortSignal.timeout(300))).rejects.toThrow('The operation timed out.')
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
      using server = await anyServer((socket) => {
        if (i % 3 === 0) socket.end(noise(1 + i * 3))
        else if (i % 3 === 1) socket.end(packet(0, noise(1 + i)))
        else {
          socket.write(GREETING)
          let answered = 0
          socket.on('data', () => {
            answered += 1
            if (answered === 1) socket.write(i % 2 ? OK(2) : packet(2, noise(i)))
            else socket.end(Buffer.concat([packet(1, noise(1 + (i % 5))), packet(2, noise(i)), packet(3, noise(i))]))
          })
        }
      })
      await expect(mysqlConnector.test(sourceOf(server.credentials), AbortSignal.timeout(2_000)), `${i}`).rejects.toThrow(/./)
    }
    trace.mockRestore()
  })

  test('is ignored if it sends unsolicited packets', async () => {
    const told = Promise.withResolvers<void>()
    using server = await anyServer((socket) => {
      socket.write(GREETING)
      socket.once('data', () => {
        socket.write(OK(2))
        socket.on('data', (bytes: Buffer) => {
          const said = bytes.toString('latin1')
          socket.write(said.includes('version()') ? VERSION : OK(1))
          // The last packet it gets before the first query.
          if (said.includes('time_zone')) setTimeout(() => socket.write(packet(0, Buffer.from([0xff])), () => told.resolve()), 20)
        })
      })
    })
    await using asking = await open(sourceOf(server.credentials))
    await told.promise
    await sleep(500) // until it has been received
    expect((await asking.ask('select version()', LIMITS)).rows).toEqual([['8.0.36', 7]]) // over a new connection
  })

  test('gets no local files if it requests them', async () => {
    const heard: Buffer[] = []
    using server = await anyServer((socket) => {
      socket.write(GREETING)
      let asked = 0
      socket.on('data', (bytes: Buffer) => {
        heard.push(bytes)
        asked += 1
        if (asked === 1) socket.write(OK(2))
        else if (asked === 2) socket.write(packet(1, Buffer.concat([Buffer.from([0xfb]), Buffer.from('/etc/hostname')])))
        else socket.write(OK(3))
      })
    })
    await expect(mysqlConnector.test(sourceOf(server.credentials), AbortSignal.timeout(5_000))).rejects.toThrow(/./)
    expect(heard[0]!.readUInt32LE(4) & 0x80).toBe(0) // the capability is not announced
    expect(heard[0]!.toString('latin1')).not.toContain('correct horse')
    expect(heard[2]).toEqual(Buffer.from([0, 0, 0, 2]))
  })
})
